// The shapes of records, as far as they are the same for all resources: an app declares the rest.
import { type Static, Type } from 'typebox'

/** The members of every record: no field has their names. */
export const RESERVED: readonly string[] = ['object', 'id', 'resource', 'external_id', 'version', 'created_at', 'updated_at', 'links']

/** What a record can be linked to, with the prefix of its ids. */
export const LINK_PREFIXES = { 'builtin:contact': 'con', 'builtin:order': 'ord', 'builtin:product': 'prod' } as const
export type LinkTarget = keyof typeof LINK_PREFIXES
const TARGETS = Object.keys(LINK_PREFIXES) as LinkTarget[]

const Link = Type.Object(
  { target: Type.Unsafe<LinkTarget>({ type: 'string', enum: TARGETS }), id: Type.String() },
  { title: 'RecordLink', description: 'What a record is about. Written by the service alone, by the relations that the app declares.' },
)
export type Link = Static<typeof Link>
