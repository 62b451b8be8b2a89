// Calls of skills as REST shows them, and the trial of one.
import { type Static, Type } from 'typebox'
import { Skill } from '../apps/manifest/shape.ts'
import { idPattern } from '../ids.ts'
import { type Listing, listQuery } from '../ingress/list.ts'
import { choice, choices, nullable, strict, Time } from '../schemas.ts'
import { CODES, STAGES } from './codes.ts'

const CALL_STATUSES = ['running', 'waiting', 'succeeded', 'failed', 'cancelled', 'lost'] as const
const PURPOSES = ['conversation', 'run', 'test'] as const

const Stage = choice(STAGES, {
  description:
    'How far it came. input: it was refused before it was begun. network: no whole answer came. http: the answer is no 2xx. output: the answer is not as promised. done: it has an output.',
})
const Code = choice(CODES, { description: 'Why it has no output.' })

const attempt = {
  number: Type.Integer({ description: '1, or 2 for the only retry.' }),
  status: nullable(Type.Integer(), { description: 'The status of the answer; null where none came.' }),
  error: nullable(Type.String()),
  duration_ms: Type.Integer(),
}

const headers = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })

const Request = Type.Object(
  {
    method: Type.Literal('POST'),
    url: Type.String(),
    headers: { ...headers, description: 'As they were sent last; Authorization is masked. Empty where nothing was sent.' },
    body: Type.String({ description: 'The arguments as canonical JSON (RFC 8785). Secrets of the app’s settings are masked.' }),
  },
  { title: 'SkillRequest' },
)

const Response = Type.Object(
  {
    status: Type.Integer(),
    headers: { ...headers, description: 'Cookies, tokens and the like are masked.' },
    body: Type.String({ description: 'Its first 16 KB.' }),
    bytes: Type.Integer({ description: 'How many were read of it, at most 256 KB.' }),
    truncated: Type.Boolean({ description: 'The answer is longer than this body.' }),
  },
  { title: 'SkillResponse' },
)

const FieldError = Type.Object({ field: Type.String(), code: Type.String(), message: Type.String() })
const Errors = Type.Array(FieldError, { description: 'What of the arguments, or of the answer, does not fit its schema.' })

const call = {
  object: Type.Literal('skill_call'),
  id: Type.String({ pattern: idPattern('call') }),
  app_id: Type.String({ pattern: idPattern('app') }),
  revision: Type.Integer({ description: 'The revision of the manifest that was called.' }),
  skill_id: Type.String(),
  purpose: choice(PURPOSES),
  conversation_id: nullable(Type.String()),
  run_id: nullable(Type.String()),
  step_id: nullable(Type.String()),
  status: choice(CALL_STATUSES, {
    description:
      'waiting: a run asks again when the app may be called. cancelled: that run is over. lost: its process died, and nothing has asked for it again.',
  }),
  stage: nullable(Stage),
  code: nullable(Code),
  error: nullable(Type.String({ description: 'In words.' })),
  http_status: nullable(Type.Integer()),
  attempts_count: Type.Integer(),
  truncated: Type.Boolean({ description: 'There was more of an answer than is read.' }),
  duration_ms: nullable(Type.Integer()),
  created_at: Time,
  ended_at: nullable(Time),
}

export const Call = Type.Object(call, { title: 'SkillCall' })
export const CallDetail = Type.Object(
  {
    ...call,
    key: Type.String({ description: 'The Idempotency-Key that was sent.' }),
    request: Request,
    response: nullable(Response),
    attempts: Type.Array(Type.Object({ ...attempt, started_at: Time })),
    errors: Errors,
  },
  { title: 'SkillCallDetail' },
)

export const callListing: Listing = {
  path: '/api/platform/apps/{app}/calls',
  idPrefix: 'call',
  sorts: { created_at: 'time' },
  offers: { offset: false },
}
export const callQuery = Type.Omit(
  listQuery(callListing, {
    skill_id: Type.Optional(Type.String({ maxLength: 63, description: 'Only of this skill.' })),
    purpose: Type.Optional(choices(PURPOSES, 'Only for these, comma-separated.')),
    stage: Type.Optional(choices(STAGES, 'Only those that ended there, comma-separated.')),
    code: Type.Optional(choices(CODES, 'Only those that ended so, comma-separated.')),
  }),
  ['updated_after', 'updated_before'],
)

// What stands in these is judged by other means: see judge.ts.
const anything = (description: string, maxProperties: number) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', maxProperties, propertyNames: { maxLength: 200 }, description })

const NewSkill = strict(
  {
    ...Skill.properties,
    inputSchema: anything('A JSON Schema with "type": "object".', 100),
    outputSchema: Type.Optional(anything('A JSON Schema.', 100)),
  },
  { title: 'NewSkill' },
)

/** An installed skill, or one that is written here and has no credential. Which of both it is, the verb checks. */
export const Trial = strict(
  {
    app_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Of an installed app: app_…, or the id of its manifest.' }),
    ),
    skill_id: Type.Optional(Type.String({ minLength: 1, maxLength: 63, description: 'One of its skills.' })),
    skill: Type.Optional(NewSkill),
    arguments: anything('What it is called with.', 1_000),
  },
  {
    title: 'SkillTrial',
    anyOf: [{ required: ['app_id', 'skill_id'] }, { required: ['skill'] }],
    description: 'Give either app_id and skill_id, or skill.',
  },
)
export type Trial = Static<typeof Trial>

export const Tried = Type.Object(
  {
    object: Type.Literal('skill_test'),
    ok: Type.Boolean({ description: 'It has an output. What the app refuses is an answer like any other.' }),
    stage: Stage,
    value: Type.Unknown({ description: 'The output, as the assistant and flows get it; null where there is none.' }),
    truncated: Type.Boolean(),
    call_id: nullable(Type.String(), { description: 'Of the call in the app’s log; null for a skill that is not installed.' }),
    request: Request,
    response: nullable(Response),
    attempts: Type.Array(Type.Object(attempt)),
    errors: Type.Array(FieldError, { description: 'Why it has no output.' }),
    duration_ms: Type.Integer(),
  },
  { title: 'SkillTest' },
)
export type Tried = Static<typeof Tried>
