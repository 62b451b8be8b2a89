// Sessions: begun by a sign-in, known by a token that the browser alone has, listed and ended by their person.
import type { IncomingHttpHeaders } from 'node:http'
import type { Actor } from '../caller.ts'
import { newId } from '../ids.ts'
import { USER_AGENT_CHARS } from '../limits/access.ts'
import { auditAll } from '../postgres/audit.ts'
import type { Queryable, Tx } from '../postgres/sql.ts'
import { sha256 } from '../secrets.ts'
import { entriesOf } from '../tenants/accounts.ts'
import * as store from './session-store.ts'
import { mintToken, prefixOf } from './token.ts'

export type { SessionRow as Session } from './session-store.ts'

/** Whence a person signs in, and with what. */
export interface Device {
  address: string
  userAgent: string
}

export const deviceOf = ({ ip, headers }: { ip: string; headers: IncomingHttpHeaders }): Device => ({
  address: ip,
  userAgent: (headers['user-agent'] ?? '').slice(0, USER_AGENT_CHARS).toWellFormed(),
})

/**
 * Begins a session of a person in one of their workspaces.
 * @returns the token, which is kept nowhere but in the browser
 */
export async function beginSession(tx: Tx, user: string, tenant: string, { address, userAgent }: Device): Promise<string> {
  const [id, token] = [newId('ses'), mintToken('sid')]
  const entries = await entriesOf(tx, user, { type: 'user', id: user }, 'session.begin', { session: id, address })
  await store.insert(tx, { id, hash: sha256(token), tenant, user, address, userAgent }, entries)
  await store.removeExcess(tx, user)
  return token
}

/** The living session of a token. Its role is what the person is in its workspace at this moment. */
export const sessionOfToken = (sql: Queryable, token: string | undefined): Promise<store.SessionRow | undefined> =>
  token !== undefined && prefixOf(token) === 'sid' ? store.find(sql, sha256(token)) : Promise.resolve(undefined)

/** A person's living sessions, the last used first. */
export const sessionsOf = (sql: Queryable, user: string): Promise<store.ListedSession[]> => store.list(sql, user)

/** Ends one session of a person, by themselves. @returns false where there is none */
export async function endSession(tx: Tx, user: string, id: string): Promise<boolean> {
  if (!(await store.remove(tx, user, id))) return false
  await auditAll(tx, await entriesOf(tx, user, { type: 'user', id: user }, 'session.end', { session: id }))
  return true
}

/** Ends all sessions of a person but `except`. @returns how many */
export async function endSessions(tx: Tx, user: string, by: Actor, except?: string): Promise<number> {
  const ended = await store.removeAll(tx, user, except)
  if (ended > 0) await auditAll(tx, await entriesOf(tx, user, by, 'session.end', { sessions: ended }))
  return ended
}

/** Whether a session has not been ended since it was read. */
export const isOpen = (sql: Queryable, id: string): Promise<boolean> => store.exists(sql, id)

/** Whether a session has not been ended since it was read: it lasts until the transaction ends. */
export const holdSession = (tx: Tx, id: string): Promise<boolean> => store.hold(tx, id)

/** Works in another workspace of the person from the next request on. @returns false where they do not belong to it */
export const switchWorkspace = (sql: Queryable, session: { id: string; user: string }, tenant: string): Promise<boolean> =>
  store.moveTo(sql, session, tenant)

/** Keeps when sessions were last used. */
export const recordSessionUses = store.recordUses
