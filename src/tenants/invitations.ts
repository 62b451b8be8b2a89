// Invitations: an admin asks a person to join by mail, and the person with the link joins with the account of the invited address, or makes it.
import { mintToken, prefixOf } from '../access/token.ts'
import { takeWindow } from '../access/windows.ts'
import type { Caller } from '../caller.ts'
import { INVITATION_DAYS, INVITATIONS_OF_WORKSPACE, INVITATIONS_OPEN_MAX, LINKS_PER_HOUR } from '../limits/tenants.ts'
import { LINK, queueMail } from '../mail/mail.ts'
import type { Queryable, Tx } from '../postgres/sql.ts'
import { Problem } from '../problems.ts'
import { sha256 } from '../secrets.ts'
import { emptyInvitations, INVITATION_MAIL } from './invitation-links.ts'
import * as store from './invitation-store.ts'
import { type Account, join, memberByEmail, requireStillAdmin } from './people.ts'
import { quotaReached } from './quota.ts'
import type { Role } from './roles.ts'
import { lockTenant, nameOfTenant } from './tenants.ts'

export type { Invitation } from './invitation-store.ts'

/**
 * Invites an address, and mails the link. A newer invitation takes the place of an older one of the same address.
 * @param email checked by `emailOf`
 * @param baseUrl without a trailing slash
 * @returns the link as well, for where mails are not sent
 * @throws {Problem} 403 `insufficient_role`; 409 `already_member`, `quota_reached`; 429 where the address was sent its links of this hour, or the workspace its invitations of this day
 */
export async function invite(
  tx: Tx,
  caller: Caller,
  { email, role }: { email: string; role: Role },
  baseUrl: string,
): Promise<{ email: string; url: string }> {
  const { tenant, actor } = caller
  if (await memberByEmail(tx, tenant, email))
    throw new Problem('conflict', `${email} belongs to this workspace already.`, { code: 'already_member' })
  await requireRoom(tx, tenant)
  await requireStillAdmin(tx, caller)
  await takeLink(tx, email)
  const token = mintToken('inv')
  const by = actor.type === 'user' ? (actor.id ?? null) : null
  const entry = { caller, action: 'user.invite', subject: tenant, details: { email, role } }
  await store.put(tx, tenant, { email, role, hash: sha256(token), by }, entry)
  await emptyInvitations(tx, tenant, email)
  const url = `${baseUrl}/invite/${token}`
  const workspace = await nameOfTenant(tx, tenant)
  await queueMail(tx, {
    tenant,
    kind: INVITATION_MAIL,
    to: email.toLowerCase(),
    subject: `You are invited to ${workspace}`,
    text: `You are invited to work in ${workspace} on Shopdesk, as ${role === 'admin' ? 'an admin' : 'an operator'}.\n\nTo join, open this page within ${INVITATION_DAYS} days:\n\n    ${LINK}\n\nIf you expected no invitation, do nothing.\n`,
    link: { url, minutes: INVITATION_DAYS * 24 * 60 },
  })
  return { email, url }
}

async function requireRoom(tx: Tx, tenant: string): Promise<void> {
  await lockTenant(tx, tenant)
  if ((await store.open(tx, tenant)).length >= INVITATIONS_OPEN_MAX)
    throw quotaReached(`${INVITATIONS_OPEN_MAX} invitations are open; wait until some are used, or withdraw them.`, INVITATIONS_OPEN_MAX)
  const { retryAfter } = await takeWindow(tx, { kind: 'invitations', subject: tenant, ...INVITATIONS_OF_WORKSPACE })
  if (retryAfter !== undefined)
    throw tooMany(`This workspace has sent ${INVITATIONS_OF_WORKSPACE.most} invitations within a day; go on later.`, retryAfter)
}

/** @throws {Problem} 429 */
export async function takeLink(tx: Tx, email: string): Promise<void> {
  const { retryAfter } = await takeWindow(tx, { kind: 'links', subject: email.toLowerCase(), most: LINKS_PER_HOUR, seconds: 3600 })
  if (retryAfter !== undefined)
    throw tooMany(`${email} was sent ${LINKS_PER_HOUR} links within an hour; wait, and look into the mails that came.`, retryAfter)
}

const tooMany = (detail: string, seconds: number): Problem =>
  new Problem('rate-limit-exceeded', detail, { code: 'too_many_links', retry_after_sec: seconds }, { 'Retry-After': String(seconds) })

/** What a link of an invitation opens; reading it uses nothing up. @returns undefined where it was used or withdrawn, is too old, or a newer one took its place */
export const invitationOf = (sql: Queryable, token: string): Promise<store.Invitation | undefined> =>
  prefixOf(token) === 'inv' ? store.byToken(sql, sha256(token)) : Promise.resolve(undefined)

/**
 * Uses an invitation up: the account of the invited address joins the workspace.
 * @param account of that address, and of whom it is certain that they hold it: signed in, or made just now
 * @returns the workspace; undefined where the link opens nothing any more
 * @throws {Problem} 409 `other_address`
 */
export async function accept(tx: Tx, token: string, account: Account): Promise<string | undefined> {
  const taken = prefixOf(token) === 'inv' ? await store.take(tx, sha256(token)) : undefined
  if (!taken) return undefined
  if (taken.address !== account.email.toLowerCase())
    throw new Problem('conflict', `This invitation is for ${taken.address}, and you are ${account.email}.`, { code: 'other_address' })
  const { tenant, role } = taken
  await join(tx, { tenant, actor: { type: 'user', id: account.id } }, account, role)
  await emptyInvitations(tx, tenant, taken.address)
  return tenant
}

/** Those that can still be used, the latest first. */
export const openInvitations = (sql: Queryable, tenant: string): Promise<store.OpenInvitation[]> => store.open(sql, tenant)
