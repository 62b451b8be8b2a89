// Grants: what people allowed clients to do for them. A grant ends when its person or an admin disconnects it, when the person leaves, when a code or a
// refresh token of it is used again, and after a month unused.
import { mintToken } from '../access/token.ts'
import type { Actor, Caller } from '../caller.ts'
import { isId, newId } from '../ids.ts'
import { GRANT_HOSTS_SHOWN, GRANTS_PER_PERSON, OAUTH_CODE_SECONDS } from '../limits/oauth.ts'
import type { Queryable, Tx } from '../postgres/sql.ts'
import { sha256 } from '../secrets.ts'
import * as store from './grant-store.ts'
import type { Scope } from './metadata.ts'
import { destinationOf } from './redirect.ts'

/** A grant that has not ended. */
export interface ListedGrant extends Omit<store.GrantRow, 'redirect_uris'> {
  /** What is known of where the client is, whatever it calls itself: of a document its host, else the hosts that people are sent to. */
  hosts: string[]
}

export interface Approval {
  client: string
  redirectUri: string
  challenge: string
  scopes: Scope[]
}

/**
 * A person allows a client to act for them; of too many grants the one used longest ago ends. Who they are and that they belong to the workspace has been checked.
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
  const beyond = { user: caller.actor.id, beyond: GRANTS_PER_PERSON }
  await store.end(tx, caller.tenant, beyond, { actor: { type: 'system' } }, `more than ${GRANTS_PER_PERSON}`)
  return { id, code }
}

/** The grants of a workspace that have not ended, the latest used first. @param user of one person alone */
export const listGrants = async (sql: Queryable, tenant: string, user?: string): Promise<ListedGrant[]> =>
  (await store.list(sql, tenant, user === undefined ? {} : { user })).map(listed)

/** A grant that has not ended. @param id any text: what is no id names none */
export async function grantOf(sql: Queryable, tenant: string, id: string): Promise<ListedGrant | undefined> {
  const [row] = isId('gra', id) ? await store.list(sql, tenant, { id }) : []
  return row && listed(row)
}

const listed = ({ redirect_uris, ...grant }: store.GrantRow): ListedGrant => ({
  ...grant,
  hosts: grant.client_id.includes('://') ? [new URL(grant.client_id).host] : hostsOf(redirect_uris ?? []),
})

function hostsOf(uris: string[]): string[] {
  const names = uris
    .map(destinationOf)
    .map(({ host, isHere }) => (isHere && !host.endsWith('(an app)') ? 'the person’s own computer' : host))
  return [...new Set(names)].slice(0, GRANT_HOSTS_SHOWN)
}

/** Ends a grant, and with it its tokens. @param user whose it must be @returns false where there is none, or it has ended already */
export const revokeGrant = (tx: Queryable, caller: Caller, id: string, user?: string): Promise<boolean> =>
  store.end(tx, caller.tenant, { id, ...(user !== undefined && { user }) }, caller).then(ended => ended.length > 0)

/** Ends all grants of a person in all their workspaces, as when the password was set anew. @param tenants the workspaces */
export async function endGrantsEverywhere(tx: Tx, tenants: string[], user: string, by: Actor): Promise<void> {
  for (const tenant of tenants) await endGrants(tx, { tenant, actor: by }, user)
}

/** Ends all grants of a person in a workspace. @returns their ids */
export const endGrants = (tx: Queryable, caller: Caller, user: string): Promise<string[]> => store.end(tx, caller.tenant, { user }, caller)
