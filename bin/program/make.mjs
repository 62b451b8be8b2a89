// Makes the bundle of one kind of process, unless another process has made it meanwhile, and puts it where bin/shopdesk looks: a folder of its own, to
// which the file of the kind's name leads. What runs from an earlier one keeps its folder. bin/shopdesk calls this when a file that it is made of has changed.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { locked } from '../lock.mjs'
import { replace } from '../patch.mjs'
import { build } from './build.mjs'

/** How the shell asks `find` for what has changed: by a time that no copying sets back, where its `find` knows it. */
const NEWER = ['-newercc', '-newer']
/** Earlier bundles that stay whatever their age … */
const KEPT = 3
/** … those that stay, for processes that have not been started anew … */
const KEPT_MS = 7 * 24 * 3_600_000
/** … and all, for somebody who changes the program all day. */
const KEPT_MOST = 10

// The flags are those of the kind's processes: V8 keeps compiled code for its flags. The inputs are all that a bundle is made of.
const [root, kind, flags, ...inputs] = process.argv.slice(2)
const folder = join(root, 'node_modules/.cache/program')
const leading = join(folder, kind)
mkdirSync(folder, { recursive: true })
await locked(join(folder, `${kind}.lock`), async () => {
  if (!isMade()) await make()
}).catch(error => tell(error.message))

/** As bin/shopdesk looks. */
function isMade() {
  const [of, newer, name = ''] = existsSync(leading) ? readFileSync(leading, 'utf8').split('\n') : []
  return of === root && changedSince(newer, join(folder, name, 'begun')) === ''
}

/** @returns undefined where this machine's `find` cannot tell */
function changedSince(newer, file) {
  const { status, stdout } = spawnSync('find', [...inputs.filter(each => existsSync(each)), newer, file], { encoding: 'utf8' })
  return status === 0 ? stdout : undefined
}

async function make() {
  const name = `${kind}-${Date.now().toString(36)}-${process.pid}`
  const made = join(folder, name)
  mkdirSync(made)
  // Before the first source is read, so that what changes meanwhile counts as changed.
  writeFileSync(join(made, 'begun'), '')
  const newer = NEWER.find(each => changedSince(each, join(made, 'begun')) !== undefined)
  if (!newer) throw new Error('this machine has no `find` that tells what has changed')
  await build({ root, kind, folder: made }).then(
    () => warm(made),
    error => {
      if (!error.errors) throw error
      // Not tried again before something changes: the sources, or what is installed, do not fit it.
      tell(error.errors[0]?.text ?? error.message)
    },
  )
  replace(leading, [root, newer, name, ''].join('\n'))
  tidy(name)
}

// Each process would compile it else, and the first would keep what that takes.
function warm(made) {
  const args = ['--no-deprecation', ...flags.split(' ').filter(Boolean), join(import.meta.dirname, 'warm.mjs'), made, kind]
  spawnSync(process.execPath, args, { stdio: 'ignore' })
}

function tell(why) {
  console.error(`Shopdesk runs from its sources, more slowly, for no bundle could be made of them: ${why}`)
}

function tidy(current) {
  const others = readdirSync(folder)
    .filter(name => name.startsWith(`${kind}-`) && name !== current)
    .map(name => ({ path: join(folder, name), ms: statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => b.ms - a.ms)
  const now = new Date()
  // The last one has been in use until now.
  if (others[0]) utimesSync(others[0].path, now, now)
  for (const [index, { path, ms }] of others.entries())
    if (index >= KEPT_MOST || (index >= KEPT && now.getTime() - ms > KEPT_MS)) rmSync(path, { recursive: true, force: true })
}
