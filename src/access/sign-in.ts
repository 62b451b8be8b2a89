// Signing in with an e-mail and a password. Whether an account is unknown, disabled or the password wrong reads and costs the same; failures are counted
// before the password is looked at, so that many guesses at once are no more than the limits allow, over all processes; and only when their turn to be
// looked at has come, so that many people who sign in at once from one address are not taken for as many failures.

import { subscriber } from '../ingress/connections/caller-address.ts'
import { FAILURES_HERE, FAILURES_OF_ACCOUNT, FAILURES_OF_ADDRESS, KNOWN_ADDRESS_DAYS } from '../limits/access.ts'
import { auditAll } from '../postgres/audit.ts'
import { begin, type Queryable, type Sql, type Tx } from '../postgres/sql.ts'
import { invalid, Problem } from '../problems.ts'
import { type Credentials, credentialsById, credentialsOf, entriesOf, holdCredentials, rehash, tellPerson } from '../tenants/accounts.ts'
import { holdFirstWorkspace } from '../tenants/people.ts'
import { hashPassword, isOutdated, isPassword } from './password.ts'
import * as store from './session-store.ts'
import { beginSession, type Device, endSession, type Session } from './sessions.ts'
import { clearWindows, giveBack, lookAtWindows, type Taken, takeWindows, type Window } from './windows.ts'

export interface SignIn {
  email: string
  password: string
  device: Device
  /** The session of the browser until now: it ends. */
  before?: Session | undefined
  /** The workspace to begin in; else the first of the person's. */
  tenant?: string
}

/**
 * Begins a session.
 * @returns its token
 * @throws {Problem} 422 `wrong_credentials`, 409 `no_workspace`, 429 with Retry-After, 503 where too many sign in
 */
export async function signIn(sql: Sql, { email, password, device, before, tenant }: SignIn): Promise<string> {
  const account = await verified(sql, await credentialsOf(sql, email.trim()), { email, password, device })
  if (!account) throw wrongCredentials()
  const renewed = isOutdated(account.password_hash) ? await hashPassword(password) : undefined
  return begin(sql, async tx => {
    await holdVerified(tx, account)
    const workspace = await holdFirstWorkspace(tx, account.id, tenant)
    if (workspace === undefined)
      throw new Problem('conflict', 'Your account belongs to no workspace any more; ask an admin of one to invite you.', {
        code: 'no_workspace',
      })
    if (renewed !== undefined) await rehash(tx, account.id, renewed)
    if (before) await endSession(tx, before.user, before.id)
    await store.noteAddress(tx, account.id, subscriber(device.address))
    return beginSession(tx, account.id, workspace, device)
  })
}

const wrongCredentials = () => invalid({ field: '', code: 'wrong_credentials', message: 'The e-mail or the password is not right.' })

/**
 * Holds an account whose password was verified, until the transaction ends: who still had the old password while a new one was set gets no session by it.
 * @throws {Problem} 422 `wrong_credentials` where it has another password by now
 */
export async function holdVerified(tx: Tx, account: Credentials): Promise<void> {
  if (!(await holdCredentials(tx, account))) throw wrongCredentials()
}

/**
 * Asks for the password again, in a session.
 * @throws {Problem} 422 `wrong_password`, 429, 503
 */
export async function giveAgain(sql: Sql, session: Session, password: string, device: Device): Promise<void> {
  const account = await credentialsById(sql, session.user)
  if (!(await verified(sql, account, { email: session.email, password, device })))
    throw invalid({ field: 'password', code: 'wrong_password', message: 'is not right.' })
  await store.givenAgain(sql, session.id)
}

/**
 * Looks whether it is an account's password, within the limits of failures.
 * @param account undefined: there is none, and the same is done
 * @returns the account, if it is
 * @throws {Problem} 429, 503
 */
export async function verified(
  sql: Sql,
  account: Credentials | undefined,
  { email, password, device }: Pick<SignIn, 'email' | 'password' | 'device'>,
): Promise<Credentials | undefined> {
  const address = subscriber(device.address)
  // An account by its own spelling: the database takes some letters for one that are two here, and each spelling would have its own guesses.
  const windows = windowsOf((account?.email ?? email.trim()).toLowerCase(), address)
  const judge = (on: Queryable, taken: Taken[]) => refuseFull(on, taken, account, address)
  // Who is beyond the limits waits for no turn.
  await judge(sql, await lookAtWindows(sql, windows))
  let counts: Taken[] = []
  // The first is always among them; the last may be full for all but the addresses that are known.
  const counted = () => windows.filter((_window, index) => counts[index]?.retryAfter === undefined)
  const count = () =>
    begin(sql, async tx => {
      const taken = await takeWindows(tx, windows)
      await judge(tx, taken)
      counts = taken
    })
  const forget = () =>
    begin(sql, async tx => {
      await giveBack(tx, counted().slice(1))
      await clearWindows(tx, windows.slice(0, 1))
    })
  if (await isPassword(password, account?.password_hash, { first: count, right: forget }).catch(undone)) return account
  // For no other failure is there a transaction, as there is none where there is no account: that could be timed.
  if (account && toTell(counts)) await begin(sql, tx => tell(tx, account, address, counts))
  return undefined

  // Nothing was tried, so nothing has failed.
  async function undone(error: unknown): Promise<never> {
    if (counts.length > 0) await begin(sql, tx => giveBack(tx, counted()))
    throw error
  }
}

/**
 * Lets a person in again from where they are, whatever has failed before: they have shown that the mails to their address reach them.
 * @param address as of a request
 */
export async function forgiveFailures(tx: Tx, { id, email }: { id: string; email: string }, address: string): Promise<void> {
  const here = subscriber(address)
  await clearWindows(tx, windowsOf(email.toLowerCase(), here).slice(0, 1))
  await store.noteAddress(tx, id, here)
}

/** The account here, the address, the account anywhere. */
const windowsOf = (email: string, address: string): [Window, Window, Window] => [
  { kind: 'sign-in here', subject: `${email}\0${address}`, ...FAILURES_HERE },
  { kind: 'sign-in of address', subject: address, ...FAILURES_OF_ADDRESS },
  { kind: 'sign-in of account', subject: email, ...FAILURES_OF_ACCOUNT },
]

/** @throws {Problem} 429; where they were taken, the transaction is rolled back with it, so nothing is counted */
async function refuseFull(on: Queryable, taken: Taken[], account: Credentials | undefined, address: string): Promise<void> {
  const [here, ofAddress, ofAccount] = taken as [Taken, Taken, Taken]
  const isKnown = ofAccount.retryAfter !== undefined && account && (await store.isKnownAddress(on, account.id, address, KNOWN_ADDRESS_DAYS))
  const waits = [here, ofAddress, ...(isKnown ? [] : [ofAccount])].map(({ retryAfter = 0 }) => retryAfter)
  const longest = Math.max(...waits)
  if (longest === 0) return
  throw new Problem(
    'rate-limit-exceeded',
    `Too many attempts have failed. Try again in ${inWords(longest)}, or have a link for a new password sent.`,
    { code: 'too_many_failures', retry_after_sec: longest },
    { 'Retry-After': String(longest) },
  )
}

const toTell = ([here, , ofAccount]: Taken[]): boolean => isFilled(FAILURES_HERE, here) || isFilled(FAILURES_OF_ACCOUNT, ofAccount)

/** What a failure is told of: the one that fills the first window in the audit log, the one that fills the third by mail. */
async function tell(tx: Tx, account: Credentials, address: string, [here, , ofAccount]: Taken[]): Promise<void> {
  if (here && isFilled(FAILURES_HERE, here))
    await auditAll(tx, await entriesOf(tx, account.id, { type: 'system' }, 'session.refuse', { address, failures: here.count }))
  if (ofAccount && isFilled(FAILURES_OF_ACCOUNT, ofAccount))
    await tellPerson(tx, account, {
      kind: 'session.refuse',
      subject: 'Sign-ins to your account have failed',
      lines: [
        `Within a day, ${ofAccount.count} attempts to sign in to your account on Shopdesk had a wrong password.`,
        'For some time you can sign in only from where you have signed in within the last 30 days.',
        '',
        'If it was not you, you need not do anything: your password was not guessed. If you have used it elsewhere too, set a new one.',
      ],
    })
}

/** Whether this failure is the one that fills the window. */
const isFilled = ({ most }: { most: number }, taken: Taken | undefined): boolean => taken?.count === most && taken.retryAfter === undefined

const inWords = (seconds: number): string => (seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`)
