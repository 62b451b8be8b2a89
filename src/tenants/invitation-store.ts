// Every statement of invitations.
import { INVITATION_DAYS } from '../limits/tenants.ts'
import { type AuditEntry, auditPart } from '../postgres/audit.ts'
import { pruneExpired } from '../postgres/prune.ts'
import { part, type Queryable, type Tx } from '../postgres/sql.ts'
import type { Role } from './roles.ts'

export interface Invitation {
  tenant: string
  workspace: string
  /** The invited address, in lower case. */
  address: string
  role: Role
}

export interface OpenInvitation {
  address: string
  role: Role
  created_at: Date
  expires_at: Date
}

/** A newer invitation of an address takes the place of the one before. */
export async function put(
  tx: Tx,
  tenant: string,
  { email, role, hash, by }: { email: string; role: Role; hash: Buffer; by: string | null },
  entry: AuditEntry,
): Promise<void> {
  await tx`
    with audited as (${auditPart([entry])})
    insert into invitations (tenant_id, address, role, token_hash, invited_by, expires_at)
    values (${tenant}, lower(${email}), ${role}, ${hash}, ${by}, now() + make_interval(days => ${INVITATION_DAYS}))
    on conflict (tenant_id, address)
    do update set role = excluded.role, token_hash = excluded.token_hash, invited_by = excluded.invited_by,
                  created_at = excluded.created_at, expires_at = excluded.expires_at`
}

export async function byToken(sql: Queryable, hash: Buffer): Promise<Invitation | undefined> {
  const [row] = await sql<Invitation[]>`
    select i.tenant_id as tenant, t.name as workspace, i.address, i.role
      from invitations i
      join tenants t on t.id = i.tenant_id
     where i.token_hash = ${hash} and i.expires_at > now()`
  return row
}

/** Takes the invitation away, so that it is used once. */
export async function take(tx: Tx, hash: Buffer): Promise<{ tenant: string; address: string; role: Role } | undefined> {
  const [row] = await tx<{ tenant: string; address: string; role: Role }[]>`
    delete from invitations
     where token_hash = ${hash} and expires_at > now()
    returning tenant_id as tenant, address, role`
  return row
}

/** @returns whether there was one */
export async function withdraw(tx: Tx, tenant: string, address: string): Promise<boolean> {
  const rows = await tx`delete from invitations where tenant_id = ${tenant} and address = lower(${address}) returning 1`
  return rows.length > 0
}

/** @returns the addresses that a person had invited, of invitations that could still be used */
export async function withdrawBy(tx: Tx, tenant: string, user: string): Promise<string[]> {
  const rows = await tx<{ address: string; isOpen: boolean }[]>`
    delete from invitations
     where tenant_id = ${tenant} and invited_by = ${user}
    returning address, expires_at > now() as "isOpen"`
  return rows.filter(({ isOpen }) => isOpen).map(({ address }) => address)
}

export const open = (sql: Queryable, tenant: string): Promise<OpenInvitation[]> => sql<OpenInvitation[]>`
  select address, role, created_at, expires_at
    from invitations
   where tenant_id = ${tenant} and expires_at > now()
   order by created_at desc, address`

/** The workspaces that have invited an address, the latest first. */
export async function inviting(sql: Queryable, address: string): Promise<string[]> {
  const rows = await sql<{ tenant: string }[]>`
    select i.tenant_id as tenant
      from invitations i
     where i.address = lower(${address}) and i.expires_at > now()
     order by i.created_at desc, i.tenant_id`
  return rows.map(row => row.tenant)
}

export const pruneInvitations = pruneExpired({
  table: 'invitations',
  key: ['tenant_id', 'address'],
  by: 'expires_at',
  expired: part`o.expires_at < now()`,
})
