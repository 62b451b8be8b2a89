// Records of apps: created, changed, deleted, and found for the assistant and the dashboard. Each write is one with its audit entry.
import type { Resource } from '../apps/manifest/shape.ts'
import type { Caller } from '../caller.ts'
import { currentId } from '../contacts/merge.ts'
import type { Precondition } from '../ingress/route.ts'
import { RECORDS_FOR_ASSISTANT_MAX } from '../limits/records.ts'
import type { AuditEntry } from '../postgres/audit.ts'
import type { Queryable, Tx } from '../postgres/sql.ts'
import { invalid, notFound, Problem } from '../problems.ts'
import { filtersOf } from './filter.ts'
import * as lists from './list-store.ts'
import { isAssistant, type Reached, reachToRead, reachToWrite, requireEnabled } from './reach.ts'
import { changed, completed, newRecord, type StoredRecord } from './record.ts'
import type { Link } from './schema.ts'
import * as store from './store.ts'
import { missingValues, readValues, type Values } from './values.ts'

export interface NewValues {
  /** JSON of any content, by field. */
  values: Record<string, unknown>
  external_id?: string | undefined
  /** What it could be linked to: it is where the resource belongs to such a thing; and to the contact that a merged one is now. */
  links?: Link[]
}

/** `created: false`: the record that has the external_id already, which is left as it is. */
export interface Created {
  created: boolean
  record: StoredRecord
}

/**
 * @param resource `<vendor>:<slug>:<resource>`
 * @throws {Problem} 404 and 403 as `reachToWrite`; 422 for values that the app did not declare; 409 `app_disabled`
 */
export async function create(tx: Tx, caller: Caller, resource: string, { values, external_id, links = [] }: NewValues): Promise<Created> {
  const reached = await reachToWrite(tx, caller, resource)
  const kept = valuesFor(reached, values, missingValues(reached.declared, values))
  requireEnabled(reached)
  const current = await Promise.all(allowed(reached, links).map(link => withCurrent(tx, caller.tenant, link)))
  const record = newRecord(resource, reached.fields, { values: kept, external_id: external_id ?? null, links: current })
  if (await store.insert(tx, caller.tenant, record, reached.fields, entry(caller, 'record.create', record)))
    return { created: true, record }
  const other = await store.findByExternalId(tx, reached, external_id as string)
  // Deleted at this moment.
  if (!other) throw new Problem('conflict', 'Another request is changing this record: try again.', { code: 'record_changing' })
  return { created: false, record: completed(other, reached.fields) }
}

/**
 * Changes the fields that are given.
 * @throws {Problem} 404 and 403 as `reachToWrite`; 422; 404 without such a record; 412; 409 `app_disabled`
 */
export async function change(
  tx: Tx,
  caller: Caller,
  resource: string,
  id: string,
  values: Record<string, unknown>,
  unchanged: Precondition,
): Promise<StoredRecord> {
  const reached = await reachToWrite(tx, caller, resource)
  const kept = valuesFor(reached, values)
  const record = await held(reached, store.lock(tx, reached, id))
  unchanged({ body: JSON.stringify(record), updatedAt: new Date(record.updated_at) })
  return write(tx, caller, reached, record, kept)
}

/** The same of the record with this external_id. */
export async function changeByExternalId(
  tx: Tx,
  caller: Caller,
  resource: string,
  externalId: string,
  values: Record<string, unknown>,
): Promise<StoredRecord> {
  const reached = await reachToWrite(tx, caller, resource)
  const kept = valuesFor(reached, values)
  return write(tx, caller, reached, await held(reached, store.lockByExternalId(tx, reached, externalId)), kept)
}

async function write(tx: Tx, caller: Caller, reached: Reached, record: StoredRecord, values: Values): Promise<StoredRecord> {
  requireEnabled(reached)
  const next = changed(record, reached.fields, values)
  if (next === record) return record
  await store.update(tx, caller.tenant, next, reached.fields, entry(caller, 'record.update', next, { fields: Object.keys(values) }))
  return next
}

/** @throws {Problem} 404 and 403 as `reachToWrite`; 404 without such a record; 412; 409 `app_disabled` */
export async function remove(tx: Tx, caller: Caller, resource: string, id: string, unchanged: Precondition): Promise<void> {
  const reached = await reachToWrite(tx, caller, resource)
  const record = await held(reached, store.lock(tx, reached, id))
  unchanged({ body: JSON.stringify(record), updatedAt: new Date(record.updated_at) })
  requireEnabled(reached)
  await store.remove(tx, reached, id, entry(caller, 'record.delete', record))
}

export interface Query {
  /** The value of a field, or of a number or date values by comparison: `{ points: { gte: 100 } }`. */
  filter?: Record<string, unknown>
  limit?: number
  /** Only records that are linked to this contact. The assistant is shown no others of a resource that belongs to contacts. */
  contact_id?: string | undefined
}

/** `has_more`: there are more than were asked for, or than are handed out at once. */
export interface Found {
  records: StoredRecord[]
  has_more: boolean
}

/**
 * The newest records of a resource, for the assistant and the dashboard.
 * @param resource `<vendor>:<slug>:<resource>`
 * @throws {Problem} 404 and 403 as `reachToRead`; 422 for a filter that fits no field
 */
export async function query(sql: Queryable, caller: Caller, resource: string, { filter = {}, limit, contact_id }: Query): Promise<Found> {
  const reached = await reachToRead(sql, caller, resource)
  const values = filtersOf(reached.declared, reached.fields, filter)
  const ofContact = isAssistant(caller) ? belongsTo(reached.declared, 'builtin:contact') : contact_id !== undefined
  if (ofContact && contact_id === undefined) return { records: [], has_more: false }
  const linked = ofContact ? { target: 'builtin:contact' as const, id: contact_id as string } : undefined
  const most = Math.min(limit ?? RECORDS_FOR_ASSISTANT_MAX, RECORDS_FOR_ASSISTANT_MAX)
  const { data, next } = await lists.list(
    sql,
    reached,
    reached.fields,
    { linked, values },
    { sort: 'created_at', dir: 'desc', limit: most },
  )
  return { records: JSON.parse(`[${data.toString()}]`) as StoredRecord[], has_more: next !== undefined }
}

const belongsTo = ({ relations = [] }: Resource, target: Link['target']): boolean =>
  relations.some(each => each.type === 'belongs_to' && each.target === target)

/** One of each kind, of what the resource belongs to. */
const allowed = ({ declared }: Reached, links: Link[]): Link[] =>
  links.filter(({ target }, index) => belongsTo(declared, target) && links.findIndex(each => each.target === target) === index)

/** What is written for a contact while it is being merged is moved with the rest: see contacts/merge.ts. */
const withCurrent = async (tx: Tx, tenant: string, link: Link): Promise<Link> =>
  link.target === 'builtin:contact' ? { ...link, id: await currentId(tx, tenant, link.id) } : link

function valuesFor({ declared }: Reached, given: Record<string, unknown>, more: Parameters<typeof invalid>[0] & object = []): Values {
  const { errors, values } = readValues(declared, given)
  const wrong = [...errors, ...[more].flat()]
  if (wrong.length > 0) throw invalid(wrong)
  return values
}

async function held({ fields }: Reached, locked: Promise<StoredRecord | undefined>): Promise<StoredRecord> {
  const record = await locked
  if (!record) throw notFound('record')
  return completed(record, fields)
}

const entry = (caller: Caller, action: string, { id, resource }: StoredRecord, details: Record<string, unknown> = {}): AuditEntry => ({
  caller,
  action,
  subject: id,
  details: { resource, ...details },
})

/** How many records a resource has, up to `most`. */
export const countOf = (sql: Queryable, tenant: string, resource: string, most: number): Promise<number> =>
  store.count(sql, { tenant, resource }, most)

/** Deletes some of the records of an app, whatever its resources. @returns how many */
export const removeSomeOfApp = (sql: Queryable, tenant: string, appId: string, most: number): Promise<number> =>
  store.removeSome(sql, tenant, appId, most)
