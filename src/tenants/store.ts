// Every statement of workspaces themselves.
import { type AuditEntry, auditPart } from '../postgres/audit.ts'
import { arrayText } from '../postgres/row-set.ts'
import { type Fragment, part, type Queryable, type Tx } from '../postgres/sql.ts'

export async function insertTenant(
  sql: Queryable,
  id: string,
  { name, plan, currency, timeZone }: { name: string; plan: string; currency: string; timeZone: string },
  entry: AuditEntry,
): Promise<void> {
  await sql`
    with audited as (${auditPart([entry])})
    insert into tenants (id, name, plan, currency, time_zone) values (${id}, ${name}, ${plan}, ${currency}, ${timeZone})`
}

export const currenciesPart = (tenants: string[]): Fragment => part`
  select id as tenant, currency from tenants where id = any(${[...new Set(tenants)]}::text[])`

export async function currencyOf(sql: Queryable, tenant: string): Promise<string> {
  const [row] = await sql`${currenciesPart([tenant])}`
  return String(row?.['currency'])
}

export interface Introduction {
  name: string
  currency: string
  time_zone: string
}

export async function introduction(sql: Queryable, tenant: string): Promise<Introduction> {
  const [row] = await sql<Introduction[]>`select name, currency, time_zone from tenants where id = ${tenant}`
  return row as Introduction
}

export async function tenantExists(sql: Queryable, tenant: string): Promise<boolean> {
  return (await sql`select 1 from tenants where id = ${tenant}`).length > 0
}

export async function nameOf(sql: Queryable, tenant: string): Promise<string> {
  const [row] = await sql`select name from tenants where id = ${tenant}`
  return String(row?.['name'])
}

export async function timeZoneOf(sql: Queryable, tenant: string): Promise<string> {
  const [row] = await sql`select time_zone from tenants where id = ${tenant}`
  return String(row?.['time_zone'])
}

export async function timeZonesOf(sql: Queryable, tenants: string[]): Promise<Map<string, string>> {
  const rows = await sql<
    { id: string; time_zone: string }[]
  >`select id, time_zone from tenants where id = any(${arrayText(tenants)}::text::text[])`
  return new Map(rows.map(each => [each.id, each.time_zone]))
}

export async function confirmsPaidOrders(sql: Queryable, tenant: string): Promise<boolean> {
  const [row] = await sql`select confirm_paid_orders from tenants where id = ${tenant}`
  return row?.['confirm_paid_orders'] === true
}

export interface TenantChange {
  name?: string
  /** An IANA name. */
  time_zone?: string
  confirm_paid_orders?: boolean
}

export interface Workspace {
  id: string
  name: string
  plan: string
  time_zone: string
  confirm_paid_orders: boolean
}

/** @returns the workspace as it is after the change */
export async function update(sql: Queryable, tenant: string, change: TenantChange, entry: AuditEntry): Promise<Workspace | undefined> {
  const [row] = await sql<Workspace[]>`
    with audited as (${auditPart([entry])})
    update tenants
       set name = coalesce(${change.name ?? null}, name),
           time_zone = coalesce(${change.time_zone ?? null}, time_zone),
           confirm_paid_orders = coalesce(${change.confirm_paid_orders ?? null}, confirm_paid_orders)
     where id = ${tenant}
    returning id, name, plan, time_zone, confirm_paid_orders`
  return row
}

/** Locks the tenant's row. Neither reads of it nor foreign keys to it wait for this lock. */
export async function lock(tx: Tx, tenant: string): Promise<void> {
  await tx`select from tenants where id = ${tenant} for no key update`
}

/** The bytes of uploads that are not applied yet, of stored exports, and of the files of messages. */
export async function keptBytes(sql: Queryable, tenant: string): Promise<number> {
  const [row] = await sql<{ bytes: number }[]>`
    select (  (select coalesce(sum(bytes_received), 0) from imports where tenant_id = ${tenant} and status in ('uploading', 'queued', 'running'))
            + (select coalesce(sum(stored_bytes), 0) from exports where tenant_id = ${tenant} and state = 'running')
            + (select coalesce(sum(stored_bytes), 0) from exports where tenant_id = ${tenant} and state = 'completed')
            + (select coalesce(sum(size_bytes), 0) from attachments where tenant_id = ${tenant} and status = 'stored'))::bigint as bytes`
  return row?.bytes ?? 0
}
