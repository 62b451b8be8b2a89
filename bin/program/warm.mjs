// Loads all of a bundle that its processes may ever load, with their flags, and ends: the compiled code is kept beside it.
import { readdirSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

const [folder, kind] = process.argv.slice(2)
enableCompileCache(join(folder, 'compiled'))
const entries = ['start.mjs', `${kind}.mjs`]
// A thread's refuses to run elsewhere.
for (const name of readdirSync(folder))
  if (name.endsWith('.mjs') && !entries.includes(name) && !name.startsWith('src-')) await import(join(folder, name))
// Which ends the process.
process.argv = [process.argv[0], join(folder, 'start.mjs'), ...(kind === 'command' ? [] : [kind]), '--help']
await import(join(folder, 'start.mjs'))
