// Grants: what people allowed clients to do for them. A grant ends when its person or an admin disconnects it, when the person leaves, when a code or a
// refresh token of it is used again, and after a month unused.
import { mintToken } from '../access/token.ts'
import type { Actor, Caller } from '../caller.ts'
import { newId } from '../ids.ts'
import { OAUTH_CODE_SECONDS } from '../limits.ts'
import type { Queryable, Tx } from '../postgres/sql.ts'
import { sha256 } from '../secrets.ts'
import * as store from './grant-store.ts'
import type { Scope } from './metadata.ts'

export type { ListedGrant } from './grant-store.ts'

export interface Approval {
  client: string
  redirectUri: string
  challenge: string
  scopes: Scope[]
}

/**
 * A person allows a client to act for them. Who they are and that they belong to the workspace has been checked.
 * @param caller the person, in the workspace
 * @returns the grant's id, and the code that the client exchanges for tokens, once and within a minute
 */
export async function approve(
  tx: Tx,
  caller: Caller & { actor: { type: 'user'; id: string } },
  approval: Approval,
): Promise<{ id: string; code: string }> {
  const id = newId('gra')
  const code = mintToken('oac')
  const { client, scopes } = approval
  const entry = { caller, action: 'oauth.approve', subject: id, details: { client, scopes } }
  await store.insert(
    tx,
    { ...approval, tenant: caller.tenant, id, user: caller.actor.id, codeHash: sha256(code), seconds: OAUTH_CODE_SECONDS },
    entry,
  )
  return { id, code }
}

/** The grants of a workspace that have not ended, the latest used first. @param user of one person alone */
export const listGrants = (sql: Queryable, tenant: string, user?: string): Promise<store.ListedGrant[]> => store.list(sql, tenant, user)

/** Ends a grant, and with it its tokens. @param user whose it must be @returns false where there is none, or it has ended already */
export const revokeGrant = (tx: Queryable, caller: Caller, id: string, user?: string): Promise<boolean> =>
  store.end(tx, caller.tenant, { id, ...(user !== undefined && { user }) }, caller).then(ended => ended.length > 0)

/** Ends all grants of a person in all their workspaces, as when the password was set anew. @param tenants the workspaces */
export async function endGrantsEverywhere(tx: Tx, tenants: string[], user: string, by: Actor): Promise<void> {
  for (const tenant of tenants) await endGrants(tx, { tenant, actor: by }, user)
}

/** Ends all grants of a person in a workspace. @returns their ids */
export const endGrants = (tx: Queryable, caller: Caller, user: string): Promise<string[]> => store.end(tx, caller.tenant, { user }, caller)
