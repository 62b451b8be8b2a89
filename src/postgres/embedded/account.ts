// The account that root's embedded database runs as. PostgreSQL refuses to run as root; and under a shared account, such as `nobody`, other
// services could read and change the database. So the account is a number that no user and no group has. It needs no entry in /etc/passwd, so
// the machine stays as it is. Only initdb insists on an entry: it runs as `nobody`, in the group with that number.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { OperatorError } from '../../errors.ts'

/** Runs PostgreSQL's programs when this process is root. */
export interface Account {
  uid: number
  gid: number
}

/** Free by convention: neither distributions nor systemd use 60706 to 61183 (systemd.io/UIDS-GIDS), and containers map them. */
const NUMBERS = Array.from({ length: 100 }, (_, index) => 60_906 + index)

export const isRoot = (): boolean => process.getuid?.() === 0

/** The account for a new database; undefined: this process's own. Where no number is free, it is the shared account. */
export function newOwner(): Account | undefined {
  if (!isRoot()) return undefined
  const number = process.platform === 'linux' ? NUMBERS.find(each => !isTaken(each)) : undefined
  const own = number && { uid: number, gid: number }
  return own && canEnter(own, '/') ? own : sharedAccount()
}

/** A named account, which other services may use as well. It runs initdb, and owns the databases of earlier versions. */
export function sharedAccount(): Account {
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map(line => line.split(':'))
    .filter(([, , uid]) => Number(uid) > 0)
  const [, , uid, gid] = accounts.find(([name]) => name === 'nobody') ?? accounts[0] ?? []
  if (!uid)
    throw new OperatorError(
      'PostgreSQL does not run as root, and /etc/passwd names no other user; start as an ordinary user, or set DATABASE_URL.',
    )
  return { uid: Number(uid), gid: Number(gid) }
}

// getent also finds the users and groups of a network directory.
function isTaken(number: number): boolean {
  return ['passwd', 'group'].some(database => {
    const listed = readFileSync(`/etc/${database}`, 'utf8').includes(`:${number}:`)
    return listed || spawnSync('getent', [database, String(number)], { stdio: 'ignore' }).status === 0
  })
}

export function canEnter(account: Account, folder: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { ...account, cwd: '/', stdio: 'ignore' }).status === 0
}
