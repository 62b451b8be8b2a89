// Every statement that reads records: one, and lists.
import { type Filter, type List, listPage, timeFilters } from '../postgres/list-page.ts'
import type { Page, PageRequest, Sort, TimeFilters } from '../postgres/page.ts'
import { type Fragment, part, type Queryable } from '../postgres/sql.ts'
import type { Asked } from './filter.ts'
import { slotValue } from './record.ts'
import type { LinkTarget } from './schema.ts'
import type { Slot, SlottedField } from './slots.ts'
import type { Within } from './store.ts'

/** The public JSON of one record. */
export async function findJson(
  sql: Queryable,
  { tenant, resource }: Within,
  fields: SlottedField[],
  id: string,
): Promise<Buffer | undefined> {
  const rows = await sql`
    select ${json(fields)} from records t where t.tenant_id = ${tenant} and t.id = ${id} and t.resource = ${resource}`.raw()
  return (rows[0] as unknown as Buffer[] | undefined)?.[0]
}

/** The stored text; with the fields that the resource was given after the record was written. */
function json(fields: SlottedField[]): Fragment {
  const first = fields.findIndex(each => each.late)
  if (first === -1) return part`t.doc`
  const missing = fields.slice(first).map((_, index) => missingFrom(fields.slice(first + index)))
  return part`case when t.fields >= ${fields.length} then t.doc
    else left(t.doc, -1) || (${missing}::text[])[t.fields - ${first}::integer + 1] || '}' end`
}

const missingFrom = (fields: SlottedField[]): string => fields.map(({ name }) => `,${JSON.stringify(name)}:null`).join('')

const sorts: Record<string, Sort> = {
  created_at: { by: part`t.created_at`, type: 'time' },
  updated_at: { by: part`t.updated_at`, type: 'time' },
}

export interface Filters extends TimeFilters {
  external_id?: string | undefined
  linked?: { target: LinkTarget; id: string } | undefined
  values: Asked[]
}

export const list = (
  sql: Queryable,
  { tenant, resource }: Within,
  fields: SlottedField[],
  filters: Filters,
  page: PageRequest,
): Promise<Page> => listPage(sql, listOf(tenant, resource, fields), conditions(filters), page)

const listOf = (tenant: string, resource: string, fields: SlottedField[]): List => ({
  from: part`records t`,
  json: json(fields),
  scope: part`t.tenant_id = ${tenant} and t.resource = ${resource}`,
  sorts,
})

function conditions({ external_id, linked, values, ...times }: Filters): Filter[] {
  const found: Filter[] = []
  if (external_id !== undefined) found.push({ kind: 'unique', where: part`t.external_id = ${external_id}` })
  if (linked !== undefined) found.push({ kind: 'equality', where: part`${LINKED[linked.target]} = ${linked.id}`, sort: 'created_at' })
  return [...found, ...values.map(conditionOf), ...timeFilters(times)]
}

const LINKED: Record<LinkTarget, Fragment> = {
  'builtin:contact': part`t.contact_id`,
  'builtin:order': part`t.order_id`,
  'builtin:product': part`t.product_id`,
}

function conditionOf({ field, op, value }: Asked): Filter {
  const { type, slot } = field
  if (!slot) return { kind: 'residual', where: type === 'number' || type === 'date' ? compared(field, op, value) : said(field, value) }
  const held = slotValue(type, value)
  if (type !== 'number' && type !== 'date')
    return { kind: 'equality', where: part`${COLUMN[slot]} = ${held}::text::bigint and ${said(field, value)}`, sort: 'created_at' }
  const where = part`${COLUMN[slot]} ${OPERATOR[op]} ${held}::double precision`
  return op === 'eq' ? { kind: 'equality', where, sort: 'created_at' } : { kind: 'indexed', where, order: COLUMN[slot] }
}

/** Two values may have one hash. The text cannot stand inside a value, where its quotes would be escaped. */
function said({ name }: SlottedField, value: Asked['value']): Fragment {
  return part`strpos(t.doc, ${`,${JSON.stringify(name)}:${JSON.stringify(value)}`}::text) > 0`
}

/** Without a slot: the value is read from the text. A date alone is its midnight, so that all dates compare as texts. */
function compared({ name, type }: SlottedField, op: Asked['op'], value: Asked['value']): Fragment {
  const held = part`(t.doc::json ->> ${name}::text)`
  if (type === 'number') return part`${held}::double precision ${OPERATOR[op]} ${value as number}::double precision`
  const midnight = 'T00:00:00.000Z'
  const asked = `${value}${midnight}`.slice(0, 24)
  return part`left(${held} || ${midnight}::text, 24) collate "C" ${OPERATOR[op]} ${asked}::text`
}

const OPERATOR: Record<Asked['op'], Fragment> = { eq: part`=`, gt: part`>`, gte: part`>=`, lt: part`<`, lte: part`<=` }

const COLUMN = Object.fromEntries(
  (['e1', 'e2', 'e3', 'e4', 'e5', 'e6', 'e7', 'e8', 'n1', 'n2', 'n3', 'n4'] as const).map(slot => [slot, part`t.${part(slot as never)}`]),
) as Record<Slot, Fragment>
