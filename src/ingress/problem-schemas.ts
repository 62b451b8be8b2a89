// The schemas of problem documents, for the OpenAPI document: one for each type, with its members beside the common ones.
import { type TProperties, type TSchema, Type } from 'typebox'
import { PROBLEMS, type ProblemType } from '../problems.ts'
import { choice } from '../schemas.ts'

const FieldError = Type.Object(
  {
    field: Type.String({
      description: 'A path such as `items[0].quantity`, a query parameter or a header; empty for the body as a whole.',
    }),
    code: Type.String({ description: 'What is wrong, for programs. New ones may be added.' }),
    message: Type.String({ description: 'What is wrong and what is allowed, for people.' }),
  },
  { title: 'FieldError' },
)

/** The members of a type beside the common ones. Those of a conflict depend on its code: see `conflict`. */
const MEMBERS: { [T in ProblemType]?: TProperties } = {
  'insufficient-scope': {
    required_scope: Type.Optional(
      choice(['read', 'write', 'read:records', 'write:records'], { description: 'What the key lacks, or the app was not granted.' }),
    ),
    code: Type.Optional(Type.String({ description: 'What is lacking, where it is no scope of the key.' })),
  },
  'resource-not-found': {
    code: Type.Optional(Type.String({ description: 'Why it is gone, where that is known.' })),
    merged_into: Type.Optional(Type.String({ description: 'The contact that this one was merged into.' })),
  },
  'validation-failed': {
    code: Type.String({ description: 'The code of the first error.' }),
    errors: Type.Array(FieldError, { minItems: 1, description: 'Everything that was found, up to 100 errors.' }),
    max: Type.Optional(Type.Integer({ description: 'Of too_long and attachment_too_large: what the channel of a conversation takes.' })),
    allowed: Type.Optional(Type.Array(Type.String(), { description: 'Of attachment_unsupported: what it carries.' })),
  },
  'payload-too-large': {
    max_bytes: Type.Optional(Type.Integer({ description: 'What a body may have.' })),
    max_values: Type.Optional(Type.Integer({ description: 'What a body may hold, counting each value of each object and list.' })),
    max_items: Type.Optional(Type.Integer({ description: 'What a batch may hold.' })),
  },
  'range-not-satisfiable': { size_bytes: Type.Integer({ minimum: 0, description: 'The bytes of the whole file.' }) },
  'rate-limit-exceeded': { retry_after_sec: Type.Integer({ minimum: 1, description: 'The same as Retry-After.' }) },
}

/** A problem of this type. */
export function problemSchema(type: ProblemType, docsUrl: string): TSchema {
  return Type.Object({ ...common(type, docsUrl), ...MEMBERS[type] }, { title: `${camel(type)}Problem` })
}

/** One cause of a 409. A noun declares its own beside its schemas, and its routes name those they may answer. */
export interface Conflict {
  code: string
  members: TProperties
  name: string
}
/** @param name names the schema, where another noun has a cause of the same code with other members */
export const conflict = (code: string, members: TProperties = {}, name = code): Conflict => ({ code, members, name })

/** The conflicts of any POST with an Idempotency-Key. */
export const IDEMPOTENCY_CONFLICTS: Conflict[] = [
  conflict('duplicate_idempotency_key', {
    original: Type.Object({
      status: Type.Integer(),
      body: Type.Unknown({ description: 'As first answered, but for what is shown only once.' }),
    }),
  }),
  conflict('request_in_progress'),
]

/** The conflict of any upload. */
export const TOO_MANY_UPLOADS: Conflict = conflict('too_many_uploads')

/** The conflict of a long read. */
export const TOO_MANY_LONG_READS: Conflict = conflict('too_many_long_reads')

/** A 409 for this cause. */
export function conflictSchema({ code, members, name }: Conflict, docsUrl: string): TSchema {
  return Type.Object({ ...common('conflict', docsUrl), code: Type.Literal(code), ...members }, { title: `${camel(name)}Conflict` })
}

const common = (type: ProblemType, docsUrl: string): TProperties => ({
  type: Type.Literal(`${docsUrl}/errors/${type}`, { description: 'Stable: switch on it. The address of a page.' }),
  title: Type.Literal(PROBLEMS[type].title),
  status: Type.Literal(PROBLEMS[type].status),
  detail: Type.String({ description: 'What happened, for people.' }),
  instance: Type.String({ description: 'The path of the request.' }),
  trace_id: Type.String({ pattern: '^[0-9a-f]{32}$', description: 'Quote it in support requests; also in X-Trace-Id.' }),
})

// `rate-limit-exceeded` and `invalid_transition` as names of types.
const camel = (text: string): string => text.replaceAll(/(?:^|[-_])(\w)/g, (_all, letter: string) => letter.toUpperCase())
