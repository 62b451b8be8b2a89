// Where the embedded database keeps its files: a folder of this process's user, in which only PostgreSQL's data belongs to the account it runs as.
// Where root's account cannot enter (a clone under root's home), binaries and data lie under /var/lib/shopdesk.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { OperatorError } from '../../errors.ts'
import { type Account, canEnter, isRoot, newOwner, sharedAccount } from './account.ts'
import { binaries, makeShared, SHARED } from './binaries.ts'
import { entrust, handOver, ownerOf, readOwn, removeHome } from './files.ts'

/** The superuser, and the database it owns. */
export const ROLE = 'shopdesk'

export interface Home {
  /** PGDATA. */
  data: string
  /** Holds `data`, `password` and `log`. */
  folder: string
  password: string
}

/**
 * Finds the database under `dataDir`, or makes an empty one. It appears there whole, by one rename, so a killed initdb leaves nothing to repair.
 * @param durable false: skips the flush to disk, for a database that is thrown away
 * @throws {OperatorError} for a folder that cannot be written, or holds another major version's data
 */
export function openHome(dataDir: string, durable: boolean): Home {
  const link = join(dataDir, 'postgres')
  try {
    makeFolder(dataDir)
    if (!exists(link)) createHome(dataDir, link, durable)
    return existingHome(link)
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error
    throw new OperatorError(`DATA_DIR is ${JSON.stringify(dataDir)}; it must be a folder this user can read and write (${error.message}).`)
  }
}

// Node's `recursive` mkdir would try for ever where the file system refuses with ENOENT, as /proc does.
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

// An empty folder does not count: an operator mounted or made it in advance.
function exists(link: string): boolean {
  const entry = lstatSync(link, { throwIfNoEntry: false })
  if (entry?.isSymbolicLink() && !existsSync(link))
    throw new OperatorError(
      `${link} points to a folder that is gone; bring the database back, or delete the link to begin with an empty one.`,
    )
  return entry !== undefined && readdirSync(link).length > 0
}

function existingHome(link: string): Home {
  const folder = realpathSync(link)
  const data = join(folder, 'data')
  const { version } = binaries(undefined)
  const made = readOwn(join(data, 'PG_VERSION')).trim()
  if (!version.startsWith(`${made}.`))
    throw new OperatorError(
      `${link} was made by PostgreSQL ${made}; this is ${version}. Move it away, or set DATABASE_URL to a server of yours.`,
    )
  return { data, folder, password: readOwn(join(folder, 'password')) }
}

/**
 * The account of a home whose server does not run; undefined: this process's own. A home that an earlier version left to the shared account gets
 * one of its own first.
 */
export function settledAccount({ folder, data }: Home): Account | undefined {
  if (!isRoot()) return undefined
  const [owner, shared] = [ownerOf(data), sharedAccount()]
  if (owner.uid !== shared.uid) return owner
  const own = newOwner()
  if (!own || own.uid === shared.uid || !canEnter(own, dirname(folder))) return owner
  // The folder first: from then on no other process of the shared account can enter it.
  entrust(folder, { uid: 0, gid: own.gid }, 0o710)
  handOver(data, shared, own)
  return own
}

function createHome(dataDir: string, link: string, durable: boolean): void {
  const account = newOwner()
  const elsewhere = account !== undefined && !canEnter(account, dataDir)
  const base = elsewhere ? SHARED : dataDir
  if (elsewhere) makeShared()
  removeHalfMade(base)
  const folder = join(base, `postgres-new-${process.pid}`)
  try {
    mkdirSync(folder, { mode: 0o700 })
    initialize(folder, account, durable)
    publish(folder, link)
  } finally {
    removeHome(folder)
  }
}

// A process that died while it made a database left its folder behind, named by its process id.
function removeHalfMade(base: string): void {
  for (const name of readdirSync(base)) {
    const pid = /^postgres-new-(\d+)$/.exec(name)?.[1]
    if (pid && !isAlive(Number(pid))) removeHome(join(base, name))
  }
}

/** Whether the process exists, whichever user it belongs to. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function initialize(folder: string, owner: Account | undefined, durable: boolean): void {
  // initdb needs a user with a name; its group is one that other processes of that user are not in.
  const maker = owner && { uid: sharedAccount().uid, gid: owner.gid }
  const { bin } = binaries(owner)
  const data = join(folder, 'data')
  const password = join(folder, 'password')
  mkdirSync(data, { mode: 0o700 })
  writeFileSync(password, randomBytes(24).toString('hex'), { mode: 0o600 })
  if (maker) {
    entrust(folder, { uid: 0, gid: maker.gid }, 0o710)
    entrust(password, { uid: 0, gid: maker.gid }, 0o640)
    entrust(data, maker, 0o700)
  }
  // Without -E and the builtin provider, a machine without LANG gets an SQL_ASCII database, and sort order changes with the machine's libc.
  const locale = ['-E', 'UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  const access = ['-U', ROLE, '-A', 'scram-sha-256', `--pwfile=${password}`]
  const sync = durable ? [] : ['--no-sync']
  run(join(bin, 'initdb'), ['-D', data, ...locale, ...access, ...sync, '--no-instructions'], maker)
  run(join(bin, 'postgres'), ['--single', '-D', data, 'postgres'], maker, `create database ${ROLE}\n`)
  if (maker && owner) handOver(data, maker, owner)
}

function run(program: string, args: string[], account: Account | undefined, input = ''): void {
  const { status, signal, stderr, error } = spawnSync(program, args, { ...account, cwd: '/', env: POSTGRES_ENV, input, encoding: 'utf8' })
  if (status === 0) return
  const reason = error?.message ?? complaint(stderr) ?? `ended with ${status ?? signal}`
  // As in containers that are given a number of a user alone.
  const [, nameless] = /could not look up effective user ID (\d+)/.exec(reason) ?? []
  if (nameless)
    throw new OperatorError(
      `PostgreSQL makes no database as user ${nameless}, for whom /etc/passwd has no name: start as a user that it names, or set DATABASE_URL.`,
    )
  throw new OperatorError(`The embedded PostgreSQL could not make its database: ${reason}`)
}

/** The line of PostgreSQL's output that says what is wrong: preferably one that an operator can act on. */
export function complaint(output: string): string | undefined {
  const lines = output.split('\n').filter(Boolean)
  const line =
    lines.find(each => /No space left|Disk quota|Permission denied/.test(each)) ?? lines.findLast(each => /FATAL|PANIC|error/.test(each))
  return (line ?? lines.at(-1))?.replace(/^.*?(FATAL|PANIC|ERROR|WARNING|initdb: error):\s*/, '').trim()
}

/** Without this process's variables: PG* would reach the server as settings, and LC_ALL=C keeps its messages in English for `complaint`. */
export const POSTGRES_ENV = { PATH: '/usr/bin:/bin', LC_ALL: 'C' }

// Another process may have finished first: then its database stays, and this one is deleted.
function publish(folder: string, link: string): void {
  const elsewhere = dirname(folder) !== dirname(link)
  const settled = elsewhere ? join(SHARED, `postgres-${randomBytes(4).toString('hex')}`) : link
  try {
    renameSync(folder, settled)
    if (elsewhere) symlinkSync(settled, link)
  } catch (error) {
    if (!['EEXIST', 'ENOTEMPTY'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    if (elsewhere) removeHome(settled)
  }
}
