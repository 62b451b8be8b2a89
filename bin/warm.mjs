// Compiles what web or a worker may ever import, and ends: the code is kept beside the program (NODE_COMPILE_CACHE). A process that took the types off
// its own files would be 15 MB larger for as long as it runs. bin/shopdesk calls this, with the flags of that process, when a file is newer than `stamp`.
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { replace } from './patch.mjs'

const root = join(import.meta.dirname, '..')
const [command, stamp] = process.argv.slice(2)
const PROGRAM = join(root, 'src/cli/program.ts')
/** What lets Node import pages: before them. */
const PAGES = join(root, 'src/ingress/page/tsx.ts')

const AT_ONCE = /^(?:import|export)(?! type\b) (?:[\w\s{},*]+ from )?'(\.{1,2}\/[^']+\.tsx?)'/gm
const LATER = /\bimport\('(\.{1,2}\/[^']+\.tsx?)'\)/g

await import(pathToFileURL(PAGES).href)
for (const path of reached(await entries())) await import(pathToFileURL(path).href)
flushCompileCache()
replace(stamp, '')
// Some modules hold timers and connections that they open when they are imported.
process.exit()

async function entries() {
  const first = [PROGRAM, join(root, 'src', `${command}.ts`)]
  if (command === 'worker') for await (const path of glob('tasks/*/*.ts', { cwd: root })) first.push(join(root, path))
  return first
}

/** All files of ours that these import, at once or later. What the command line imports later is that of other commands. */
function reached(files) {
  const found = new Set(files)
  for (const path of found) {
    for (const pattern of path === PROGRAM ? [AT_ONCE] : [AT_ONCE, LATER])
      for (const [, name] of readFileSync(path, 'utf8').matchAll(pattern)) found.add(fileURLToPath(new URL(name, pathToFileURL(path))))
  }
  return found
}
