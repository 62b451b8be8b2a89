// The answers of an operation, for the OpenAPI document: each status with its headers and its schema.
import { PROBLEMS, type ProblemType } from '../../problems.ts'
import { type Conflict, conflictSchema, IDEMPOTENCY_CONFLICTS, problemSchema, TOO_MANY_UPLOADS } from '../problem-schemas.ts'
import type { ReadRoute, Route, WriteRoute } from '../route.ts'
import { HEADERS, isLive } from './headers.ts'

type Json = Record<string, unknown>
/** A schema as JSON, with a reference in place of each schema with a title. */
export type Refer = (schema: object) => unknown

/** Every answer of the route, by status. */
export function answersOf(route: Route, refer: Refer, docsUrl: string): Json {
  return { ...(route.method === 'GET' ? readAnswers(route, refer) : writeAnswers(route, refer)), ...problemAnswers(route, refer, docsUrl) }
}

function readAnswers(route: ReadRoute, refer: Refer): Json {
  const { offset } = route.query.properties
  const cached = route.public ? 'Cache-Control.public' : 'Cache-Control'
  const names = [
    'ETag',
    cached,
    ...(offset && !isRefused(offset) ? DEPRECATION : []),
    ...(route.encoded ? ['Vary', 'Content-Encoding'] : []),
  ]
  const current = {
    description: 'The caller has the current representation.',
    headers: headers([...ALWAYS, ...names, ...(route.file ? ['Vary'] : [])]),
  }
  if (!route.file) return { 200: done('Done.', names, refer(route.response)), 304: current }
  const row = { type: 'string', description: 'The whole file.' }
  const live = isLive(route)
  const file = {
    description: live ? 'What happens, sent as it does.' : 'The file, sent as it is read.',
    headers: live
      ? headers([...ALWAYS, 'Cache-Control.none', 'X-Accel-Buffering'])
      : { ...headers([...ALWAYS, cached, 'Content-Disposition']), ...headers(['ETag', 'Content-Encoding', 'Vary'], sometimes) },
    content: Object.fromEntries(route.file.map(type => [type.split(';')[0], { schema: row }])),
  }
  if (live) return { 200: file }
  return route.ranged ? rangedAnswers(file, current) : { 200: file, 304: current }
}

function rangedAnswers(file: Json & { headers: Json }, current: Json & { headers: Json }): Json {
  const any = headers(['Accept-Ranges', 'Content-Security-Policy'])
  const part = headers(['Content-Range'])
  return {
    200: { ...file, headers: { ...file.headers, ...any } },
    206: { ...file, description: 'The part that Range asks for.', headers: { ...file.headers, ...any, ...part } },
    304: current,
  }
}

function writeAnswers(route: WriteRoute, refer: Refer): Json {
  const { status, dryRun, bulk, showsSecret } = route
  const names = ['ETag', showsSecret ? 'Cache-Control.none' : 'Cache-Control']
  return {
    [status]: done(DONE[status], status === 200 ? names : [...names, 'Location'], refer(route.response)),
    ...(dryRun && { 200: done('A dry run: nothing was changed.', names, refer(dryRun)) }),
    ...(bulk && { 207: done('Some items were written, others refused.', names, refer(bulk.some)) }),
  }
}

/** The answers to HEAD: the same without bodies. A referenced answer gets a bodiless twin in `shared` at its first use. */
export function bare(answers: Json, shared: Json): Json {
  const bodiless = Object.entries(answers as Record<string, Json>).map(([status, answer]) => {
    const reference = answer['$ref'] as string | undefined
    if (reference === undefined) return [status, withoutBody(answer)]
    const name = reference.split('/').at(-1) as string
    shared[`${name}-bare`] ??= withoutBody(shared[name] as Json)
    return [status, { $ref: `${reference}-bare` }]
  })
  return Object.fromEntries(bodiless) as Json
}

const withoutBody = ({ content: _content, ...rest }: Json): Json => rest

/** The answers to OPTIONS, which needs no key. */
export const optionsAnswers = (): Json => ({
  204: { description: 'The methods of this path.', headers: headers([...ALWAYS, 'Cache-Control.none', 'Allow']) },
  ...Object.fromEntries(UNEXPECTED.map(type => [PROBLEMS[type].status, named(type)])),
})

/** The answers that operations refer to, by type of problem. */
export function sharedAnswers(refer: Refer, docsUrl: string): Json {
  const single = (Object.keys(PROBLEMS) as ProblemType[]).filter(type => type !== 'conflict' && !FORBIDDEN.includes(type))
  const answer = (types: ProblemType[]) => [
    types.join('-or-'),
    problemAnswer(
      types,
      types.map(type => refer(problemSchema(type, docsUrl))),
      docsUrl,
    ),
  ]
  return Object.fromEntries([...single.map(type => answer([type])), answer(FORBIDDEN)]) as Json
}

/** Whether a parameter is known only to be refused: the document leaves it out. */
export const isRefused = (schema: object): boolean => 'x-refused' in schema

const DONE = { 200: 'Done.', 201: 'Created.', 202: 'Begun.' }
const ALWAYS = ['X-Trace-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-Content-Type-Options']
const DEPRECATION = ['Deprecation', 'Sunset', 'Link', 'Warning']
const UNEXPECTED: ProblemType[] = ['internal-error', 'service-unavailable']
/** Two types share 403. */
const FORBIDDEN: ProblemType[] = ['invalid-api-key', 'insufficient-scope']

const done = (description: string, names: string[], schema: unknown): Json => ({
  description,
  headers: headers([...ALWAYS, ...names]),
  content: { 'application/json': { schema } },
})

function problemAnswers(route: Route, refer: Refer, docsUrl: string): Json {
  const all = problemTypes(route).map(type => [PROBLEMS[type].status, named(type)])
  const conflicts = conflictsOf(route).map(each => refer(conflictSchema(each, docsUrl)))
  const none = route.method !== 'GET' && route.bulk?.none
  return {
    ...Object.fromEntries(all),
    ...(conflicts.length > 0 && { 409: problemAnswer(['conflict'], conflicts, docsUrl) }),
    ...(none && { 422: problemAnswer(['validation-failed'], [refer(problemSchema('validation-failed', docsUrl)), refer(none)], docsUrl) }),
  }
}

function conflictsOf(route: Route): Conflict[] {
  const { conflicts = [], method } = route
  if (method !== 'POST') return conflicts
  return [...conflicts, ...(route.kind === 'upload' ? [TOO_MANY_UPLOADS] : []), ...IDEMPOTENCY_CONFLICTS]
}

function problemTypes(route: Route): ProblemType[] {
  if (route.public) return ['rate-limit-exceeded', ...UNEXPECTED]
  const ranged = route.method === 'GET' && route.ranged ? (['range-not-satisfiable'] as const) : []
  const writes = route.method !== 'GET'
  return [
    'authentication-required',
    ...FORBIDDEN,
    ...(route.idPrefix || route.names || route.looksFor ? (['resource-not-found'] as const) : []),
    ...(writes && route.conditional ? (['precondition-failed'] as const) : []),
    ...(writes ? (['payload-too-large', 'unsupported-media-type'] as const) : []),
    ...ranged,
    ...(route.method === 'DELETE' ? [] : (['validation-failed'] as const)),
    'rate-limit-exceeded',
    ...UNEXPECTED,
  ]
}

const named = (type: ProblemType): Json => ({
  $ref: `#/components/responses/${FORBIDDEN.includes(type) ? FORBIDDEN.join('-or-') : type}`,
})

function problemAnswer(types: ProblemType[], schemas: unknown[], docsUrl: string): Json {
  const links = types.map(type => `[${PROBLEMS[type].title}](${docsUrl}/errors/${type})`)
  const extra = PROBLEM_HEADERS[types[0] as ProblemType]
  return {
    description: `${links.join(' or ')}.`,
    headers: { ...headers([...ALWAYS, 'Cache-Control.none', ...(extra?.always ?? [])]), ...headers(extra?.sometimes ?? [], sometimes) },
    content: { 'application/problem+json': { schema: schemas.length > 1 ? { anyOf: schemas } : schemas[0] } },
  }
}

const PROBLEM_HEADERS: { [T in ProblemType]?: { always?: string[]; sometimes?: string[] } } = {
  'authentication-required': { always: ['WWW-Authenticate'] },
  'method-not-allowed': { always: ['Allow'] },
  'rate-limit-exceeded': { always: ['Retry-After'] },
  'service-unavailable': { sometimes: ['Retry-After'] },
  'range-not-satisfiable': { always: ['Content-Range'] },
  conflict: { sometimes: ['Location', 'Retry-After'] },
  'validation-failed': { sometimes: ['Link'] },
}

const headers = (names: string[], form: (name: string) => Json = always): Json =>
  Object.fromEntries(names.map(name => [name.split('.', 1)[0], form(name)]))
const always = (name: string): Json => ({ $ref: `#/components/headers/${name}` })
// Some headers always come with one answer, and sometimes with another.
const sometimes = (name: string): Json => (HEADERS[name]?.['required'] ? { ...HEADERS[name], required: false } : always(name))
