// The catalogue of event types: each type's meaning, the schema of its data, and an example as a receiver gets it.
import { Type } from 'typebox'
import { envelope as listEnvelope, listOf } from '../ingress/list.ts'
import { type Route, read } from '../ingress/route.ts'
import { type EventType, envelope } from './emit.ts'

const EventTypeSchema = Type.Object(
  {
    object: Type.Literal('event_type'),
    name: Type.String(),
    description: Type.String(),
    subscribable: Type.Boolean({ description: 'Whether a webhook may subscribe to it; the others are for flows.' }),
    schema: Type.Object({}, { additionalProperties: true, description: 'JSON Schema of the envelope’s data.' }),
    example: Type.Object({}, { additionalProperties: true, description: 'A whole envelope.' }),
  },
  { title: 'EventType' },
)

const EXAMPLE_ID = 'evt_01jz0000000000000000000000'
const EXAMPLE_TIME = new Date('2026-05-28T20:26:40.000Z')

export function typeRoute(eventTypes: EventType[]): Route {
  const items = eventTypes.map(entry)
  return read({
    path: '/api/v1/event-types',
    operationId: 'listEventTypes',
    tag: 'Events',
    summary: 'List event types',
    description: 'All of them, on one page.',
    query: Type.Object({
      fields: Type.Optional(
        Type.String({ minLength: 1, maxLength: 4000, description: 'A comma list of field paths; only these are returned.' }),
      ),
    }),
    response: listOf(EventTypeSchema),
    handler: async ({ url, project }) => ({ pieces: listEnvelope(url, Buffer.from(items.join()), null, project) }),
  })
}

/** One type in the catalogue, as JSON text. */
export function entry(type: EventType): string {
  const { name, summary, webhook, data } = type
  const json = { object: 'event_type', name, description: summary, subscribable: webhook, schema: data }
  return `${JSON.stringify(json, inStandardFormats).slice(0, -1)},"example":${exampleText(type)}}`
}

// Some validators refuse a schema with a format that they do not know, so our own formats are patterns here.
const PATTERNS: Record<string, string> = { currency: '^[A-Z]{3}$' }

function inStandardFormats(_key: string, schema: unknown): unknown {
  const { format } = Object(schema) as { format?: unknown }
  if (typeof format !== 'string' || !PATTERNS[format]) return schema
  const { format: _ours, ...rest } = schema as object & { format: string }
  return { ...rest, pattern: PATTERNS[format] }
}

/** A whole envelope, as a receiver gets it. */
export const exampleOf = (type: EventType): unknown => JSON.parse(exampleText(type))

const exampleText = ({ name, example }: EventType): string => envelope(EXAMPLE_ID, name, EXAMPLE_TIME, example)
