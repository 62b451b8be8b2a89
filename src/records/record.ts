// A record's representation: a new one, one after a change, and the columns beside it by which it is found.
import { hash } from 'node:crypto'
import { now } from '../clock.ts'
import { newId } from '../ids.ts'
import type { Link, LinkTarget } from './schema.ts'
import { SLOTS, type Slot, type SlottedField } from './slots.ts'
import { timeOf, type Value, type Values } from './values.ts'

export interface Head {
  object: 'record'
  id: string
  resource: string
  external_id: string | null
  version: number
  created_at: string
  updated_at: string
  links: Link[]
}
/** The head, with the declared fields beside its members. */
export type StoredRecord = Head & Record<string, unknown>

/** @param fields all of the resource; those that `values` does not have are null */
export function newRecord(
  resource: string,
  fields: SlottedField[],
  { values, external_id = null, links = [] }: { values: Values; external_id?: string | null; links?: Link[] },
): StoredRecord {
  const at = new Date(now()).toISOString()
  const head: Head = { object: 'record', id: newId('rec'), resource, external_id, version: 1, created_at: at, updated_at: at, links }
  return withValues(head, fields, values)
}

/** The next version; the very same record when nothing changes. */
export function changed(record: StoredRecord, fields: SlottedField[], values: Values): StoredRecord {
  if (Object.entries(values).every(([name, value]) => fieldValue(record, name) === value)) return record
  const head = { ...headOf(record), version: record.version + 1, updated_at: new Date(now()).toISOString() }
  return withValues(head, fields, { ...valuesOf(record, fields), ...values })
}

/** The record with the fields that its resource was given after it was written. */
export const completed = (record: StoredRecord, fields: SlottedField[]): StoredRecord =>
  withValues(headOf(record), fields, valuesOf(record, fields))

const headOf = ({ object, id, resource, external_id, version, created_at, updated_at, links }: StoredRecord): Head => ({
  object,
  id,
  resource,
  external_id,
  version,
  created_at,
  updated_at,
  links,
})

const valuesOf = (record: StoredRecord, fields: SlottedField[]): Values =>
  Object.fromEntries(fields.map(({ name }) => [name, fieldValue(record, name)]))

/** Links come before the fields, which have no members: so no text but a field's own says `,"<field>":<value>`. */
const withValues = (head: Head, fields: SlottedField[], values: Values): StoredRecord => ({
  ...head,
  ...Object.fromEntries(fields.map(({ name }) => [name, Object.hasOwn(values, name) ? values[name] : null])),
})

const fieldValue = (record: StoredRecord, name: string): Value => (Object.hasOwn(record, name) ? (record[name] as Value) : null)

/** What each slot of a record holds; null in those of no field, or of one without a value. */
export function slotValues(record: StoredRecord, fields: SlottedField[]): Record<Slot, string | number | null> {
  const held = Object.fromEntries(ALL.map(slot => [slot, null])) as Record<Slot, string | number | null>
  for (const { name, type, slot } of fields) {
    const value = fieldValue(record, name)
    if (slot && value !== null) held[slot] = slotValue(type, value)
  }
  return held
}

const ALL = [...SLOTS.e, ...SLOTS.n]

/** What the slot of a field holds for a value: a hash as decimal digits, or a number. */
export function slotValue(type: SlottedField['type'], value: NonNullable<Value>): string | number {
  if (type === 'number') return value as number
  if (type === 'date') return timeOf(value as string)
  return hash('sha256', JSON.stringify(value), 'buffer').readBigInt64BE(0).toString()
}

/** The id that a record is linked to. */
export const linkTo = ({ links }: Pick<Head, 'links'>, target: LinkTarget): string | null =>
  links.find(each => each.target === target)?.id ?? null
