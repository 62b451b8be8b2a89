// Loaded before a program (NODE_OPTIONS=--import=…), lets it find the system's name servers and hosts in files of a test's own.
import fs, { type PathLike } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const OWN: Record<string, string | undefined> = {
  '/etc/resolv.conf': process.env['OWN_RESOLV_CONF'],
  '/etc/hosts': process.env['OWN_HOSTS'],
}
const { readFileSync, statSync } = fs
const own = (path: unknown) => ((typeof path === 'string' && OWN[path]) || path) as PathLike

Object.assign(fs, {
  readFileSync: (path: unknown, ...rest: [BufferEncoding]) => readFileSync(own(path), ...rest),
  statSync: (path: unknown, ...rest: []) => statSync(own(path), ...rest),
})
syncBuiltinESMExports()
