// The people of a workspace: each has one account for all workspaces, and is an admin or an operator in each.
import { hashPassword } from '../access/password.ts'
import type { Actor, Caller } from '../caller.ts'
import { isId, newId } from '../ids.ts'
import { endGrants } from '../oauth/grants.ts'
import type { Queryable, Tx } from '../postgres/sql.ts'
import { notFound, Problem } from '../problems.ts'
import { dropInvitation, dropInvitationsBy } from './invitation-links.ts'
import * as store from './people-store.ts'
import type { Role } from './roles.ts'
import { lockTenant } from './tenants.ts'

export type { Account, Member } from './people-store.ts'

export interface NewUser {
  tenant: string
  email: string
  password: string
  name?: string
  role: Role
}

/**
 * Makes an account with its first membership. The e-mail and the password have been checked: see `emailOf` and `passwordFault`.
 * @throws an error of the constraint `users_email` where the address has an account
 */
export async function createUser(sql: Queryable, input: NewUser, by: Actor = { type: 'system' }): Promise<{ id: string; email: string }> {
  const id = newId('usr')
  const { tenant, email, name = null, role } = input
  const passwordHash = await hashPassword(input.password)
  const entry = { caller: { tenant, actor: by }, action: 'user.create', subject: id, details: { email, role } }
  await store.insertUser(sql, { tenant, id, email, name, passwordHash, role }, entry)
  return { id, email }
}

/**
 * Takes a person with an account into the workspace.
 * @returns undefined where the address has no account
 * @throws {Problem} 409 where they belong to it already
 */
export async function addMember(tx: Tx, caller: Caller, { email, role }: { email: string; role: Role }): Promise<store.Member | undefined> {
  const account = await store.accountOf(tx, email)
  if (!account) return undefined
  if (!(await join(tx, caller, account, role)))
    throw new Problem('conflict', `${account.email} belongs to this workspace already.`, { code: 'already_member' })
  return { ...account, role }
}

/** @returns whether they were no member before */
export const join = (tx: Tx, caller: Caller, { id, email }: store.Account, role: Role): Promise<boolean> =>
  store.insertMember(tx, caller.tenant, id, role, { caller, action: 'user.join', subject: id, details: { email, role } })

/**
 * Changes what a person is in the workspace.
 * @returns what they are now; without a change where they are that already
 * @throws {Problem} 403; 404; 409 `last_admin` where no other admin could change it back
 */
export async function changeRole(tx: Tx, caller: Caller, user: string, role: Role): Promise<store.Member> {
  await lockTenant(tx, caller.tenant)
  await requireStillAdmin(tx, caller)
  const member = await requireMember(tx, caller.tenant, user)
  if (member.role === role) return member
  if (member.role === 'admin') await requireOtherAdmin(tx, caller.tenant, member)
  const details = { email: member.email, from: member.role, to: role }
  await store.setRole(tx, caller.tenant, user, role, { caller, action: 'user.role', subject: user, details })
  if (member.role === 'admin') await dropInvitationsBy(tx, caller, user)
  return { ...member, role }
}

/**
 * Ends a membership, by an admin or by the person. The account stays, for it may belong to other workspaces.
 * @returns whom it was of
 * @throws {Problem} 403; 404; 409 `last_admin`
 */
export async function removeMember(tx: Tx, caller: Caller, user: string): Promise<store.Member> {
  await lockTenant(tx, caller.tenant)
  if (caller.actor.id !== user) await requireStillAdmin(tx, caller)
  const member = await requireMember(tx, caller.tenant, user)
  if (member.role === 'admin') await requireOtherAdmin(tx, caller.tenant, member)
  const { email, role } = member
  await store.deleteMember(tx, caller.tenant, user, { caller, action: 'user.remove', subject: user, details: { email, role } })
  // Then the grants: what the person allowed meanwhile has held the membership, and is seen by now.
  await endGrants(tx, caller, user)
  // One of before they came, by another way, would let them in again.
  await dropInvitation(tx, caller, email)
  await dropInvitationsBy(tx, caller, user)
  return member
}

/**
 * Refuses what an admin asked for who was removed or demoted while it was under way. The workspace is locked: two admins who remove each other come
 * one after the other, and the second is none any more.
 * @throws {Problem} 403 `insufficient_role`
 */
export async function requireStillAdmin(tx: Tx, { tenant, actor }: Caller): Promise<void> {
  if (actor.type !== 'user' || (await store.isAdmin(tx, tenant, actor.id ?? ''))) return
  throw new Problem('insufficient-scope', 'You are no admin of this workspace any more, so nothing was done.', {
    code: 'insufficient_role',
  })
}

/** @throws {Problem} 404 */
async function requireMember(tx: Tx, tenant: string, user: string): Promise<store.Member> {
  const member = await store.member(tx, tenant, user)
  if (!member) throw notFound('person in this workspace')
  return member
}

async function requireOtherAdmin(tx: Tx, tenant: string, { id, email }: store.Member): Promise<void> {
  if (await store.hasOtherAdmin(tx, tenant, id)) return
  throw new Problem('conflict', `${email} is the last admin of this workspace; make another person an admin first.`, { code: 'last_admin' })
}

/**
 * Refuses what would leave one of a person's workspaces without an admin who can sign in. Those workspaces stay locked, so that two cannot go at once.
 * @throws {Problem} 409 `last_admin`
 */
export async function requireOtherAdmins(tx: Tx, account: store.Account): Promise<void> {
  const workspaces = (await store.workspacesOf(tx, account.id)).map(each => each.id)
  for (const tenant of workspaces.sort()) await lockTenant(tx, tenant)
  for (const { id, role } of await store.workspacesOf(tx, account.id))
    if (role === 'admin') await requireOtherAdmin(tx, id, { ...account, role })
}

/** The people of a workspace, in the order in which they came. */
export const peopleOf = (sql: Queryable, tenant: string): Promise<store.Member[]> => store.members(sql, tenant)

/** The same by their ids, for what says who did it. */
export const membersById = async (sql: Queryable, tenant: string): Promise<Map<string, store.Member>> =>
  new Map((await store.members(sql, tenant)).map(member => [member.id, member]))

/** @param user any text: a text that is no id names no member */
export const memberOf = (sql: Queryable, tenant: string, user: string): Promise<store.Member | undefined> =>
  isId('usr', user) ? store.member(sql, tenant, user) : Promise.resolve(undefined)

/** By their e-mail, in any case. */
export const memberByEmail = (sql: Queryable, tenant: string, email: string): Promise<store.Member | undefined> =>
  store.memberByEmail(sql, tenant, email)

/** Whether a person belongs to the workspace, and their account is not disabled. */
export const isMember = (sql: Queryable, tenant: string, user: string): Promise<boolean> => store.isMember(sql, tenant, user)

/** Whether a person belongs to the workspace and may act there: they stay in it until the transaction ends. */
export const holdMember = (tx: Tx, tenant: string, user: string): Promise<boolean> => store.holdMember(tx, tenant, user)

/** The workspace in which a person begins: that which they prefer, else the one they came to first. They stay in it until the transaction ends. */
export const holdFirstWorkspace = (tx: Tx, user: string, preferred: string | undefined): Promise<string | undefined> =>
  store.holdFirst(tx, user, preferred)

/** The addressees of mail about the workspace itself, and its name, for an admin may have several workspaces. */
export const admins = (sql: Queryable, tenant: string): Promise<{ email: string; workspace: string }[]> => store.admins(sql, tenant)

/** The workspaces of a person, and what they are there. */
export const workspacesOf = (sql: Queryable, user: string): Promise<{ id: string; name: string; role: Role }[]> =>
  store.workspacesOf(sql, user)
