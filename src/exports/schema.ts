// The schemas of exports: what a request may hold, and the export as it is answered.
import { type TObject, type TSchema, Type } from 'typebox'
import { idPattern } from '../ids.ts'
import { conflict } from '../ingress/problem-schemas.ts'
import { choice, nullable, strict, Time } from '../schemas.ts'
import { type Exportable, filtersOf } from './exportable.ts'
import { FORMATS } from './format.ts'

const STATES = ['running', 'completed', 'failed', 'cancelled'] as const

const Format = choice(FORMATS, { default: 'ndjson', description: 'NDJSON is a JSON object a line; CSV is RFC 4180 with a header.' })
const Bom = Type.Boolean({ default: false, description: 'Open a CSV file with a byte order mark, by which spreadsheets tell UTF-8.' })
const Count = Type.Integer({ minimum: 0 })

/** The query of a download: its options and the noun's filters. */
export const downloadQuery = (noun: Exportable): TObject =>
  Type.Object({
    format: Type.Optional(Format),
    fields: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4000,
        description: 'A comma list of field paths, dotted for nested ones: the columns of CSV, or what is left of each JSON object.',
      }),
    ),
    bom: Type.Optional(Bom),
    ...filtersOf(noun).properties,
  })

/** The body of POST: one form for each noun, told apart by `resource`. */
export const newExport = (nouns: Exportable[]): TSchema =>
  Type.Unsafe<NewExport>({
    type: 'object',
    discriminator: { propertyName: 'resource' },
    required: ['resource'],
    oneOf: nouns.map(noun =>
      strict(
        {
          resource: Type.Literal(noun.resource),
          format: Type.Optional(Format),
          fields: Type.Optional(
            Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
              minItems: 1,
              maxItems: 100,
              uniqueItems: true,
              description: 'Field paths, dotted for nested ones: the columns of CSV, or what is left of each JSON object.',
            }),
          ),
          bom: Type.Optional(Bom),
          filters: Type.Optional(
            strict(filtersOf(noun).properties, {
              description: 'As the list of the resource takes them; a comma list there is an array here.',
            }),
          ),
        },
        { title: `New${titled(noun.resource)}Export` },
      ),
    ),
  })

export interface NewExport {
  resource: string
  format?: (typeof FORMATS)[number]
  fields?: string[]
  bom?: boolean
  filters?: Record<string, unknown>
}

export const titled = (resource: string): string => `${resource.charAt(0).toUpperCase()}${resource.slice(1)}`

export const exportShape = (resources: string[]) =>
  Type.Object(
    {
      object: Type.Literal('export'),
      id: Type.String({ pattern: idPattern('exp') }),
      resource: choice(resources),
      format: choice(FORMATS),
      fields: nullable(Type.Array(Type.String())),
      bom: Type.Boolean(),
      filters: Type.Object({}, { additionalProperties: true }),
      state: choice(STATES),
      reason: nullable(Type.String({ description: 'Why it failed.' })),
      reason_code: nullable(
        Type.String({ description: 'The same for programs: quota_reached, worker_ended or failed_too_often; there may be more.' }),
      ),
      total: nullable(Count, { description: 'Rows there were when it began; null until they are counted.' }),
      rows: Type.Integer({ minimum: 0, description: 'Rows written so far.' }),
      bytes: Type.Integer({ minimum: 0, description: 'Of the file so far, not compressed.' }),
      per_second: Type.Number({ minimum: 0, description: 'Rows a second so far.' }),
      seconds_left: nullable(Count, { description: 'At this rate; null while it cannot be told, and when it is over.' }),
      download: nullable(Type.String(), { description: 'The path of the file, once it is complete.' }),
      created_at: Time,
      finished_at: nullable(Time),
      expires_at: nullable(Time, { description: 'When the export and its file go.' }),
    },
    { title: 'Export' },
  )

export const TooManyDownloads = conflict('too_many_downloads')
export const TooManyExports = conflict('too_many_exports')
export const NoFile = conflict('export_not_complete', { state: choice(STATES) })
