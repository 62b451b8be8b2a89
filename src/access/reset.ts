// A new password by a link that is mailed. Asking for one answers the same whether there is an account or not, and does the same work: a task looks.
import type { Actor } from '../caller.ts'
import { subscriber } from '../ingress/connections/caller-address.ts'
import { RESET_MINUTES, RESETS_OF_ADDRESS } from '../limits/access.ts'
import { emptyLinks, LINK } from '../mail/mail.ts'
import { endGrantsEverywhere } from '../oauth/grants.ts'
import { begin, type Queryable, type Sql, type Tx } from '../postgres/sql.ts'
import { invalid, Problem } from '../problems.ts'
import { sha256 } from '../secrets.ts'
import { accountById, accountOf, mailingWorkspaces, setPassword, tellPerson } from '../tenants/accounts.ts'
import { takeLink } from '../tenants/invitations.ts'
import { type Account, workspacesOf } from '../tenants/people.ts'
import { hashPassword } from './password.ts'
import { passwordFault } from './password-rules.ts'
import * as jobs from './reset-job-store.ts'
import * as store from './reset-store.ts'
import { endSessions } from './sessions.ts'
import { forgiveFailures } from './sign-in.ts'
import { mintToken, prefixOf } from './token.ts'
import { takeWindow } from './windows.ts'

const MAIL = 'user.reset'

/**
 * Has a link mailed, if there is such an account.
 * @param email in the form of one
 * @throws {Problem} 429 where this address asks too often
 */
export const askReset = (sql: Sql, email: string, address: string): Promise<void> =>
  begin(sql, async tx => {
    const { retryAfter } = await takeWindow(tx, { kind: 'resets', subject: subscriber(address), ...RESETS_OF_ADDRESS })
    if (retryAfter !== undefined)
      throw new Problem(
        'rate-limit-exceeded',
        `Too many links were asked for from where you are. Try again in ${Math.ceil(retryAfter / 60)} minutes.`,
        { code: 'too_many_links', retry_after_sec: retryAfter },
        { 'Retry-After': String(retryAfter) },
      )
    await jobs.queue(tx, email)
  })

/** What the task does: a person who has their links of this hour gets no more, and is not told so. */
export async function mailReset(sql: Sql, email: string, baseUrl: string): Promise<void> {
  await begin(sql, tx => makeReset(tx, email, baseUrl)).catch(error => {
    if (!(error instanceof Problem)) throw error
  })
}

/**
 * Makes a link, and mails it.
 * @returns the link as well, for the command line; undefined where the address has no account
 * @throws {Problem} 429
 */
export async function makeReset(tx: Tx, email: string, baseUrl: string): Promise<{ email: string; url: string } | undefined> {
  const account = await accountOf(tx, email)
  if (!account) return undefined
  await takeLink(tx, account.email)
  const token = mintToken('rst')
  await store.insert(tx, account.id, sha256(token))
  const url = `${baseUrl}/reset/${token}`
  await tellPerson(tx, account, {
    kind: MAIL,
    subject: 'Set a new password',
    lines: [
      `A new password was asked for, for the account ${account.email} on Shopdesk. To set one, open this page within ${RESET_MINUTES} minutes:`,
      '',
      `    ${LINK}`,
      '',
      'All your sessions end with it, and connected AI clients have to be connected anew. If you did not ask for it, do nothing.',
    ],
    link: { url, minutes: RESET_MINUTES },
  })
  return { email: account.email, url }
}

/** Whose a link is, while it works: opening it uses nothing up. */
export async function resetOf(sql: Queryable, token: string): Promise<Account | undefined> {
  const user = prefixOf(token) === 'rst' ? await store.userOf(sql, sha256(token)) : undefined
  return user === undefined ? undefined : accountById(sql, user)
}

/**
 * Sets the password by a link, once. All sessions end, and every other link; failures to sign in no longer count where the person is.
 * @param address of the caller
 * @returns false where the link works no more
 * @throws {Problem} 422 for the password, 503
 */
export async function resetPassword(sql: Sql, token: string, password: string, address: string): Promise<boolean> {
  const account = await resetOf(sql, token)
  if (!account) return false
  await requirePassword(sql, account, password)
  const hash = await hashPassword(password)
  return begin(sql, async tx => {
    if (!(await store.take(tx, account.id, sha256(token)))) return false
    await replacePassword(tx, account, hash, { type: 'user', id: account.id })
    await forgiveFailures(tx, account, address)
    return true
  })
}

/** Sets a password, and ends every session but `except`, and every link to set another. The person is told. */
export async function replacePassword(tx: Tx, account: Account, hash: string, by: Actor, except?: string): Promise<void> {
  await setPassword(tx, account.id, hash, by)
  await dropResets(tx, account)
  await endSessions(tx, account.id, by, except)
  // A reset ends what was connected too: another person may have done it.
  if (except === undefined) {
    const workspaces = await workspacesOf(tx, account.id)
    await endGrantsEverywhere(
      tx,
      workspaces.map(each => each.id),
      account.id,
      by,
    )
  }
  await tellPerson(tx, account, {
    kind: 'user.password',
    subject: 'Your password was changed',
    lines: [
      `The password of your account ${account.email} on Shopdesk was changed${except === undefined ? ', and all its sessions were ended' : ', and its other sessions were ended'}.`,
      'If it was not you, set a new one at once (“Forgot your password?” on the page to sign in), and tell an admin of your workspace.',
    ],
  })
}

/** Ends a person's links, and takes them out of the mails that hold them. */
export async function dropResets(tx: Tx, account: { id: string; email: string }): Promise<void> {
  await store.removeAll(tx, account.id)
  await emptyLinks(tx, await mailingWorkspaces(tx, account), MAIL, account.email)
}

/** @throws {Problem} 422 that names the field `password` */
export async function requirePassword(sql: Queryable, { id, email, name }: Account, password: string, field = 'password'): Promise<void> {
  const workspaces = (await workspacesOf(sql, id)).map(each => each.name)
  const fault = passwordFault(password, { email, name, workspaces })
  if (fault !== undefined) throw invalid({ field, code: 'bad_password', message: `${fault}.` })
}
