// Imported before `shopdesk app dev`, it has the command say of each of its waits how long that was, and when the manifest had been saved last as it ended.
import { statSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import promises from 'node:timers/promises'

const manifest = process.argv[process.argv.indexOf('--manifest') + 1] as string
const wait = promises.setTimeout
promises.setTimeout = async (ms, value, options) => {
  const waited = await wait(ms, value, options)
  console.log(`waited for ${ms} ms, saved at ${statSync(manifest, { bigint: true }).mtimeNs}`)
  return waited
}
syncBuiltinESMExports()
