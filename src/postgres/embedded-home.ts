// Where the embedded database keeps its files, and as whom it runs: PostgreSQL refuses to run as root, so root's runs as another user,
// and where that user cannot enter (a clone under root's home) binaries and data lie under /var/lib/shopdesk.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { SettingError } from '../config.ts'
import { type Account, binaries, SHARED } from './embedded-binaries.ts'

/** The superuser, and the database it owns. */
export const ROLE = 'shopdesk'

export interface Home {
  /** PGDATA. */
  data: string
  /** Holds `data`, `password` and `log`. */
  folder: string
  /** The folder of initdb and postgres. */
  bin: string
  /** Undefined: as ourselves. */
  account: Account | undefined
  password: string
}

/**
 * Finds the database under `dataDir`, or makes an empty one. It appears there whole, by one rename, so a killed initdb leaves nothing to mend.
 * @param durable false: skips the flush to disk, for a database that is thrown away
 * @throws {SettingError} for a folder that cannot be written, or holds another major version's data
 */
export function openHome(dataDir: string, durable: boolean): Home {
  const link = join(dataDir, 'postgres')
  try {
    makeFolder(dataDir)
    if (!exists(link)) createHome(dataDir, link, durable)
    return existingHome(link)
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error
    throw new SettingError(`DATA_DIR is ${JSON.stringify(dataDir)}; it must be a folder this user can read and write (${error.message}).`)
  }
}

// Not mkdir's own `recursive`: in Node it tries for ever where the file system refuses with ENOENT, as /proc does.
function makeFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  try {
    mkdirSync(path)
  } catch (error) {
    // Another process was faster.
    if (!existsSync(path)) throw error
  }
}

// Not empty: an empty folder is one that somebody mounted or made in advance.
function exists(link: string): boolean {
  const entry = lstatSync(link, { throwIfNoEntry: false })
  if (entry?.isSymbolicLink() && !existsSync(link))
    throw new SettingError(
      `${link} points to a folder that is gone; bring the database back, or delete the link to begin with an empty one.`,
    )
  return entry !== undefined && readdirSync(link).length > 0
}

function existingHome(link: string): Home {
  const folder = realpathSync(link)
  const data = join(folder, 'data')
  const { uid, gid } = statSync(data)
  const account = isRoot() ? { uid, gid } : undefined
  const { bin, version } = binaries(account)
  const made = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()
  if (!version.startsWith(`${made}.`))
    throw new SettingError(
      `${link} was made by PostgreSQL ${made}; this is ${version}. Move it away, or set DATABASE_URL to a server of yours.`,
    )
  return { data, folder, bin, account, password: readFileSync(join(folder, 'password'), 'utf8') }
}

function createHome(dataDir: string, link: string, durable: boolean): void {
  const account = isRoot() ? otherAccount() : undefined
  const elsewhere = account !== undefined && !canEnter(account, dataDir)
  const base = elsewhere ? SHARED : dataDir
  if (elsewhere) mkdirSync(base, { recursive: true, mode: 0o755 })
  removeHalfMade(base)
  const folder = join(base, `postgres-new-${process.pid}`)
  try {
    mkdirSync(folder, { mode: 0o700 })
    initialize(folder, account, durable)
    publish(folder, link)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

// A process that died while it made one left it behind, named by its process id.
function removeHalfMade(base: string): void {
  for (const name of readdirSync(base)) {
    const pid = /^postgres-new-(\d+)$/.exec(name)?.[1]
    if (pid && !isAlive(Number(pid))) rmSync(join(base, name), { recursive: true, force: true })
  }
}

/** Whether the process exists, ours or another user's. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function initialize(folder: string, account: Account | undefined, durable: boolean): void {
  const { bin } = binaries(account)
  const data = join(folder, 'data')
  const password = join(folder, 'password')
  writeFileSync(password, randomBytes(24).toString('hex'), { mode: 0o600 })
  if (account) for (const path of [folder, password]) chownSync(path, account.uid, account.gid)
  // Without -E and the builtin provider, a machine without LANG gets an SQL_ASCII database, and sort order changes with the machine's libc.
  const locale = ['-E', 'UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  const access = ['-U', ROLE, '-A', 'scram-sha-256', `--pwfile=${password}`]
  const sync = durable ? [] : ['--no-sync']
  run(join(bin, 'initdb'), ['-D', data, ...locale, ...access, ...sync, '--no-instructions'], account)
  run(join(bin, 'postgres'), ['--single', '-D', data, 'postgres'], account, `create database ${ROLE}\n`)
}

function run(program: string, args: string[], account: Account | undefined, input = ''): void {
  const { status, signal, stderr, error } = spawnSync(program, args, { ...account, cwd: '/', env: POSTGRES_ENV, input, encoding: 'utf8' })
  if (status === 0) return
  const reason = error?.message ?? complaint(stderr) ?? `ended with ${status ?? signal}`
  throw new SettingError(`The embedded PostgreSQL could not make its database: ${reason}`)
}

/** The line of PostgreSQL's output that says what is wrong: what an operator can mend before what followed from it. */
export function complaint(output: string): string | undefined {
  const lines = output.split('\n').filter(Boolean)
  const line =
    lines.find(each => /No space left|Disk quota|Permission denied/.test(each)) ?? lines.findLast(each => /FATAL|PANIC|error/.test(each))
  return (line ?? lines.at(-1))?.replace(/^.*?(FATAL|PANIC|ERROR|WARNING|initdb: error):\s*/, '').trim()
}

/** Nothing of ours: PG* variables would reach the server as settings, and LC_ALL=C keeps its messages readable by us. */
export const POSTGRES_ENV = { PATH: '/usr/bin:/bin', LC_ALL: 'C' }

// Somebody else may have finished first; then theirs is the database and ours goes.
function publish(folder: string, link: string): void {
  const elsewhere = dirname(folder) !== dirname(link)
  const settled = elsewhere ? join(SHARED, `postgres-${randomBytes(4).toString('hex')}`) : link
  try {
    renameSync(folder, settled)
    if (elsewhere) symlinkSync(settled, link)
  } catch (error) {
    if (!['EEXIST', 'ENOTEMPTY'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    if (elsewhere) rmSync(settled, { recursive: true, force: true })
  }
}

const isRoot = (): boolean => process.getuid?.() === 0

function otherAccount(): Account {
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map(line => line.split(':'))
    .filter(([, , uid]) => Number(uid) > 0)
  const [, , uid, gid] = accounts.find(([name]) => name === 'nobody') ?? accounts[0] ?? []
  if (!uid)
    throw new SettingError(
      'PostgreSQL does not run as root, and /etc/passwd names no other user; start as an ordinary user, or set DATABASE_URL.',
    )
  return { uid: Number(uid), gid: Number(gid) }
}

function canEnter(account: Account, folder: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { ...account, cwd: '/', stdio: 'ignore' }).status === 0
}
