// The shapes of records, as far as they are the same for all resources: an app declares the rest.
import { type Static, type TSchema, Type } from 'typebox'
import { idPattern } from '../ids.ts'
import { MANIFEST_LISTS } from '../limits/apps.ts'
import { FIELD_NAME_CHARS, RECORD_STRING_CHARS } from '../limits/records.ts'
import { ExternalId, nullable, Time } from '../schemas.ts'

/** The members of every record: no field has their names. */
export const RESERVED: readonly string[] = ['object', 'id', 'resource', 'external_id', 'version', 'created_at', 'updated_at', 'links']

/** What a record can be linked to, with the prefix of its ids. */
export const LINK_PREFIXES = { 'builtin:contact': 'con', 'builtin:order': 'ord', 'builtin:product': 'prod' } as const
export type LinkTarget = keyof typeof LINK_PREFIXES
const TARGETS = Object.keys(LINK_PREFIXES) as LinkTarget[]
const LINKABLE = Object.values(LINK_PREFIXES)

export const Link = Type.Object(
  { target: Type.Unsafe<LinkTarget>({ type: 'string', enum: TARGETS }), id: Type.String() },
  { title: 'RecordLink', description: 'What a record is about. Written by the service alone, by the relations that the app declares.' },
)
export type Link = Static<typeof Link>

/** The value of a declared field. */
const AnyValue = (description: string): TSchema =>
  Type.Unsafe({ type: ['string', 'number', 'boolean', 'null'], maxLength: RECORD_STRING_CHARS, description })

export const AnyRecord = Type.Object(
  {
    object: Type.Literal('record'),
    id: Type.String({ pattern: idPattern('rec') }),
    resource: Type.String({ description: 'The full id of its resource: vendor, app and resource.' }),
    external_id: nullable(ExternalId),
    version: Type.Integer({ description: 'Rises by one with each change.' }),
    created_at: Time,
    updated_at: Time,
    links: Type.Array(Link),
  },
  {
    title: 'Record',
    description: 'Beside these members it has the fields that the app declares for the resource; those without a value are null.',
    additionalProperties: AnyValue('A declared field.'),
  },
)

/** What no manifest goes beyond: its fields and their names, and the external_id. No name holds a backslash: see json.ts. */
const BOUNDS = {
  maxProperties: MANIFEST_LISTS.fields + 1,
  propertyNames: { minLength: 1, maxLength: FIELD_NAME_CHARS, pattern: '^[^\\\\]*$' },
}

export const NewRecord = Type.Object(
  {
    external_id: Type.Optional(nullable(ExternalId, { description: 'The id this has in a system of yours; unique within the resource.' })),
  },
  {
    title: 'NewRecord',
    description: 'Every required field of the resource, and any of its others.',
    additionalProperties: AnyValue('A declared field, of its type.'),
    ...BOUNDS,
  },
)

export const RecordChange = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  properties: {},
  required: [],
  title: 'RecordChange',
  description: 'The fields that change; those left out stay as they are.',
  additionalProperties: AnyValue('A declared field, of its type; null empties one that is not required.'),
  ...BOUNDS,
})

export const DeletedRecord = Type.Object(
  { object: Type.Literal('record'), id: Type.String(), deleted: Type.Literal(true) },
  { title: 'DeletedRecord' },
)

/** The shape of a record with these fields, as far as it is needed to name its members. */
export const recordOf = (fields: string[]): TSchema =>
  Type.Object({ ...AnyRecord.properties, ...Object.fromEntries(fields.map(name => [name, Type.Unknown()])) })

export const LinkedTo = Type.String({
  pattern: LINKABLE.map(idPattern).join('|'),
  description: 'Only records that are linked to this: the id of a contact, an order or a product.',
})

/** What an id of such a thing asks for. */
export function linkedTo(id: string | undefined): Link | undefined {
  const target = TARGETS.find(each => id?.startsWith(`${LINK_PREFIXES[each]}_`))
  return id !== undefined && target ? { target, id } : undefined
}
