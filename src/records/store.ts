// Every statement that writes records, or locks and finds one to write it.
import { type AuditEntry, auditPart } from '../postgres/audit.ts'
import { combine } from '../postgres/combine.ts'
import { type Fragment, part, type Queryable, type Tx } from '../postgres/sql.ts'
import { linkTo, type StoredRecord, slotValues } from './record.ts'
import type { SlottedField } from './slots.ts'

/** Inserts a record, unless its resource has one with its external_id. @returns whether it was inserted */
export async function insert(tx: Tx, tenant: string, record: StoredRecord, fields: SlottedField[], entry: AuditEntry): Promise<boolean> {
  const { id, resource, external_id, version, created_at, updated_at } = record
  const slots = slotValues(record, fields)
  const inserted = part`
    insert into records (tenant_id, id, resource, external_id, contact_id, order_id, product_id, fields, version, created_at, updated_at, doc,
                         e1, e2, e3, e4, e5, e6, e7, e8, n1, n2, n3, n4)
    values (${tenant}, ${id}, ${resource}, ${external_id}, ${linkTo(record, 'builtin:contact')}, ${linkTo(record, 'builtin:order')},
            ${linkTo(record, 'builtin:product')}, ${fields.length}, ${version}, ${created_at}::text::timestamptz, ${updated_at}::text::timestamptz,
            ${JSON.stringify(record)},
            ${slots.e1}, ${slots.e2}, ${slots.e3}, ${slots.e4}, ${slots.e5}, ${slots.e6}, ${slots.e7}, ${slots.e8},
            ${slots.n1}, ${slots.n2}, ${slots.n3}, ${slots.n4})
    on conflict (tenant_id, resource, external_id) where external_id is not null do nothing
    returning id`
  const only = part`where exists (select from inserted)`
  const { inserted: rows } = await combine(tx, { reads: { inserted }, writes: [auditPart([entry], only)] })
  return rows.length > 0
}

/** Writes a locked record. */
export async function update(tx: Tx, tenant: string, record: StoredRecord, fields: SlottedField[], entry: AuditEntry): Promise<void> {
  const { id, resource, version, updated_at } = record
  const slots = slotValues(record, fields)
  const updated = part`
    update records
       set fields = ${fields.length}, version = ${version}, updated_at = ${updated_at}::text::timestamptz, doc = ${JSON.stringify(record)},
           e1 = ${slots.e1}, e2 = ${slots.e2}, e3 = ${slots.e3}, e4 = ${slots.e4}, e5 = ${slots.e5}, e6 = ${slots.e6}, e7 = ${slots.e7},
           e8 = ${slots.e8}, n1 = ${slots.n1}, n2 = ${slots.n2}, n3 = ${slots.n3}, n4 = ${slots.n4}
     where tenant_id = ${tenant} and resource = ${resource} and id = ${id}`
  await combine(tx, { writes: [updated, auditPart([entry])] })
}

export async function remove(tx: Tx, { tenant, resource }: Within, id: string, entry: AuditEntry): Promise<void> {
  const removed = part`delete from records where tenant_id = ${tenant} and resource = ${resource} and id = ${id}`
  await combine(tx, { writes: [removed, auditPart([entry])] })
}

/** A resource of a workspace's app. */
export interface Within {
  tenant: string
  /** `<vendor>:<slug>:<resource>` */
  resource: string
}

/** A record as it was written: without the fields that its resource was given later. */
export const lock = (tx: Tx, within: Within, id: string): Promise<StoredRecord | undefined> =>
  found(tx, part`${stored(within)} and id = ${id} for no key update`)

export const lockByExternalId = (tx: Tx, within: Within, externalId: string): Promise<StoredRecord | undefined> =>
  found(tx, part`${stored(within)} and external_id = ${externalId} for no key update`)

export const findByExternalId = (sql: Queryable, within: Within, externalId: string): Promise<StoredRecord | undefined> =>
  found(sql, part`${stored(within)} and external_id = ${externalId}`)

const stored = ({ tenant, resource }: Within): Fragment => part`
  select doc from records where tenant_id = ${tenant} and resource = ${resource}`

async function found(sql: Queryable, statement: Fragment): Promise<StoredRecord | undefined> {
  const [row] = await sql<{ doc: string }[]>`${statement}`
  return row && (JSON.parse(row.doc) as StoredRecord)
}

/** How many records there are, up to `most`. */
export async function count(sql: Queryable, { tenant, resource }: Within, most: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) from (select from records where tenant_id = ${tenant} and resource = ${resource} limit ${most}) r`
  return row?.count ?? 0
}

/** Deletes some records of an app, whatever its resources. @returns how many */
export async function removeSome(tx: Queryable, tenant: string, appId: string, most: number): Promise<number> {
  // Ids hold no colon, and a semicolon follows it.
  const rows = await tx`
    delete from records
     where tenant_id = ${tenant}
       and id = any(array(
         select r.id from records r
          where r.tenant_id = ${tenant} and r.resource > ${`${appId}:`} and r.resource < ${`${appId};`}
          order by r.resource
          limit ${most}))
    returning id`
  return rows.length
}
