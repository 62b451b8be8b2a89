import { type Static, Type } from 'typebox'
import { idPattern } from '../ids.ts'
import { conflict } from '../ingress/problem-schemas.ts'
import { choice, nullable, Time } from '../schemas.ts'
import { DELIMITERS } from './file/csv.ts'
import { ENCODINGS } from './file/encoding.ts'

export const RESOURCES = ['products', 'orders', 'contacts'] as const
export type Resource = (typeof RESOURCES)[number]
export const MODES = ['create', 'upsert'] as const
export type Mode = (typeof MODES)[number]
export const STATUSES = ['uploading', 'queued', 'running', 'completed', 'failed', 'cancelled'] as const
export type Status = (typeof STATUSES)[number]

/** The format of a body, by its media type. */
export const FORMATS = { 'application/x-ndjson': 'ndjson', 'text/csv': 'csv' } as const
export type Format = (typeof FORMATS)[keyof typeof FORMATS]

/** The options of an import; they are in the query, since the body is the file. */
export const NewImport = Type.Object({
  resource: choice(RESOURCES, { description: 'What the rows are.', example: 'products' }),
  mode: Type.Optional(
    choice(MODES, {
      default: 'create',
      description:
        'With upsert a row changes what has its id, else its external_id, else its sku, e-mail address or phone number, where that exists.',
    }),
  ),
  dry_run: Type.Optional(Type.Boolean({ default: false, description: 'Checks every row as the import would, and changes nothing.' })),
  events: Type.Optional(Type.Boolean({ default: true, description: 'Whether each row written emits its event.' })),
  delimiter: Type.Optional(
    choice(Object.keys(DELIMITERS) as (keyof typeof DELIMITERS)[], { description: 'Of a CSV; told from its header unless given.' }),
  ),
  encoding: Type.Optional(choice(ENCODINGS, { default: 'utf-8', description: 'Of the file.' })),
})
export type NewImport = Static<typeof NewImport>

const count = (description: string) => Type.Integer({ minimum: 0, description })

export const Import = Type.Object(
  {
    object: Type.Literal('import'),
    id: Type.String({ pattern: idPattern('imp') }),
    resource: choice(RESOURCES),
    mode: choice(MODES),
    format: choice(Object.values(FORMATS)),
    dry_run: Type.Boolean(),
    events: Type.Boolean(),
    status: choice(STATUSES),
    bytes_received: count('Of the file.'),
    rows_total: nullable(Type.Integer(), { description: 'Rows of the file; null while it is uploaded.' }),
    rows_read: count('Rows done with: created, updated, unchanged and failed.'),
    created: count('Rows that became something new.'),
    updated: count('Rows that changed what was there.'),
    unchanged: count('Rows that said what was there already.'),
    failed: count('Rows refused: see its errors.'),
    errors_kept: count('Errors that can be read; of very many the first are kept.'),
    rows_per_second: nullable(Type.Number(), { description: 'Since it was begun to be applied.' }),
    seconds_left: nullable(Type.Integer(), { description: 'At this rate; null unless it is running.' }),
    error: nullable(Type.Object({ code: Type.String(), message: Type.String() }), {
      description: 'Why it failed; or, while it is running, what it waits for.',
    }),
    created_at: Time,
    updated_at: Time,
    uploaded_at: nullable(Time),
    started_at: nullable(Time),
    finished_at: nullable(Time),
  },
  { title: 'Import' },
)

export type Import = Static<typeof Import>

/** The import was cancelled while its file was sent. */
export const ImportCancelled = conflict('import_cancelled')
export const TooManyImports = conflict('too_many_imports')
export const TooManyProgressStreams = conflict('too_many_progress_streams')

export const ImportError = Type.Object(
  {
    object: Type.Literal('import_error'),
    line: Type.Integer({ minimum: 1, description: 'Of the file, where the row begins.' }),
    field: Type.String({ description: 'A path such as items[0].quantity; empty for the row as a whole.' }),
    code: Type.String(),
    message: Type.String(),
  },
  { title: 'ImportError' },
)
