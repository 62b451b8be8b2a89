// Root's work on files that another account can reach. That account can replace any name by a link at any time, so each file is opened without
// following links, and checked and handed over through its descriptor.
import { spawnSync } from 'node:child_process'
import { closeSync, constants, fchmodSync, fchownSync, fstatSync, lstatSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { OperatorError } from '../../errors.ts'
import { type Account, isRoot } from './account.ts'

/** Opens without following a link, and without waiting for the other end of a pipe. */
const AS_IT_IS = constants.O_NOFOLLOW | constants.O_NONBLOCK

/** The owner of a file or folder; of a link itself, not of its target. */
export function ownerOf(path: string): Account {
  const { uid, gid } = lstatSync(path)
  return { uid, gid }
}

/**
 * @param start the byte to begin with
 * @throws {OperatorError} unless the file is a plain one with one name: a link could reveal what root may read
 */
export function readOwn(path: string, start = 0): string {
  const descriptor = openOwn(path, constants.O_RDONLY)
  try {
    return readFileSync(descriptor).subarray(start).toString()
  } finally {
    closeSync(descriptor)
  }
}

/**
 * @returns a descriptor for writing at the end of the file; a missing file is made, for the folder's owner
 * @throws {OperatorError} as `readOwn`
 */
export function appendToOwn(path: string): number {
  const flags = constants.O_WRONLY | constants.O_APPEND
  try {
    const made = openSync(path, flags | constants.O_CREAT | constants.O_EXCL, 0o600)
    const { uid, gid } = ownerOf(dirname(path))
    if (isRoot()) fchownSync(made, uid, gid)
    return made
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return openOwn(path, flags)
  }
}

function openOwn(path: string, flags: number): number {
  const descriptor = openAsItIs(path, flags)
  if (descriptor !== undefined) {
    const entry = fstatSync(descriptor)
    const folder = ownerOf(dirname(path)).uid
    // Another account's folder may hold root's files, moved or linked there; and root's may hold links made when it was another's.
    const ours = !isRoot() || (entry.nlink === 1 && [entry.uid, 0].includes(folder))
    if (entry.isFile() && ours) return descriptor
    closeSync(descriptor)
  }
  throw new OperatorError(`${path} must be a plain file; it is missing, a link, or another user's, and was left as it is.`)
}

// Undefined where there is nothing, a link, or a socket.
function openAsItIs(path: string, flags: number): number | undefined {
  try {
    return openSync(path, flags | AS_IT_IS)
  } catch (error) {
    if (['ENOENT', 'ELOOP', 'EMLINK', 'ENXIO'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

/** Sets owner and mode of a file or folder just made in a folder of root's. */
export function entrust(path: string, { uid, gid }: Account, mode: number): void {
  const descriptor = openSync(path, constants.O_RDONLY | AS_IT_IS)
  fchownSync(descriptor, uid, gid)
  fchmodSync(descriptor, mode)
  closeSync(descriptor)
}

/**
 * Gives the files and folders of `from` at `path` and below it to `to`; a folder after its contents, so that a second call finishes an
 * interrupted first. Links, and files of other owners (`from` may have linked a file of root's here), stay as they are.
 */
export function handOver(path: string, from: Account, to: Account): void {
  const descriptor = openAsItIs(path, constants.O_RDONLY)
  if (descriptor === undefined) return
  try {
    const entry = fstatSync(descriptor)
    if (entry.uid !== from.uid) return
    // The descriptor's path leads to this folder, even if something else has taken its name.
    const here = `/proc/self/fd/${descriptor}`
    if (entry.isDirectory()) for (const name of readdirSync(here)) handOver(join(here, name), from, to)
    fchownSync(descriptor, to.uid, to.gid)
  } finally {
    closeSync(descriptor)
  }
}

/** Deletes a database's folder. The account deletes its own files, so no link that it puts there meanwhile can reach files of root's. */
export function removeHome(folder: string): void {
  const data = join(folder, 'data')
  const entry = lstatSync(data, { throwIfNoEntry: false })
  if (entry && isRoot() && entry.uid !== 0)
    spawnSync('/bin/rm', ['-rf', '--', data], { uid: entry.uid, gid: entry.gid, cwd: '/', stdio: 'ignore' })
  rmSync(folder, { recursive: true, force: true })
}
