// Which column of a record holds which field's values. The columns are there for all apps, and each has an index: an install gives the fields of a resource
// theirs, for good. A field without one can be filtered by all the same, among the rows that a page looks at.
import type { Field, Manifest } from '../apps/manifest/shape.ts'

/** e: the hash of a text, a boolean or a value of an enumeration. n: a number, or a time in milliseconds. */
export const SLOTS = {
  e: ['e1', 'e2', 'e3', 'e4', 'e5', 'e6', 'e7', 'e8'],
  n: ['n1', 'n2', 'n3', 'n4'],
} as const
type Kind = keyof typeof SLOTS
export type Slot = (typeof SLOTS)[Kind][number]

const KIND_OF: Record<Field['type'], Kind> = { string: 'e', boolean: 'e', enum: 'e', number: 'n', date: 'n' }

/** A field of a resource, in the order in which it was given its fields. */
export interface SlottedField {
  name: string
  type: Field['type']
  /** Absent where none was left. */
  slot?: Slot
  /** Older records may be without it: it was added by an upgrade. */
  late?: true
}

/** By the resource's id. */
export type Slots = Record<string, SlottedField[]>

/**
 * The fields of each resource with their slots, after an install or an upgrade. What a field had it keeps; new ones take what is free. A field that is gone
 * or of another type gives its slot back: an upgrade that does this is refused while records exist.
 * @param before those of the revision before; empty for the first
 */
export function assignSlots(before: Slots, { resources = [] }: Manifest): Slots {
  return Object.fromEntries(
    resources.map(({ id, fields }) => [id, withSlots(Object.hasOwn(before, id) ? (before[id] as SlottedField[]) : undefined, fields)]),
  )
}

function withSlots(before: SlottedField[] | undefined, fields: Field[]): SlottedField[] {
  const kept = (before ?? []).filter(({ name, type }) => fields.some(each => each.name === name && each.type === type))
  const slotted = [...kept]
  for (const { name, type } of fields) {
    if (kept.some(each => each.name === name)) continue
    const slot = SLOTS[KIND_OF[type]].find(each => !slotted.some(other => other.slot === each))
    slotted.push({ name, type, ...(slot && { slot }), ...(before && { late: true }) })
  }
  return slotted
}
