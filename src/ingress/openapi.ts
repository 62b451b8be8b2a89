// The OpenAPI 3.1 document, from the same declarations the server enforces: every status, header and schema of every route.
import { type TSchema, Type } from 'typebox'
import type { Config } from '../config.ts'
import { idPattern, type Prefix } from '../ids.ts'
import { PROBLEMS, type ProblemType } from '../problems.ts'
import type { ReadRoute, Route, WriteRoute } from './route.ts'

type Json = Record<string, unknown>

/** @param groups the tags, in the order of the reference, with a sentence each */
export function openApi(routes: Route[], groups: { name: string; description: string }[], config: Config): Json {
  const schemas: Json = { Problem: plain(PROBLEM) }
  const refer = collector(schemas)
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    paths[route.path] ??= {}
    const path = paths[route.path] as Json
    path[route.method.toLowerCase()] = operation(route, refer)
    if (route.method === 'GET') path['head'] = headOf(path['get'] as Json)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Shopdesk REST API',
      version: '1.0.0',
      description: `Orders, products and webhooks of a workspace. Lists page by cursor, errors are problem documents (RFC 9457), every response carries its rate limit. Guides: ${config.docsUrl}`,
    },
    servers: [{ url: config.baseUrl }],
    tags: groups,
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'A REST API key: `Authorization: Bearer sk_…`' } },
      headers: HEADERS,
      responses: Object.fromEntries(PROBLEM_RESPONSES.map(type => [type, problemResponse(type, config)])),
      schemas,
    },
  }
}

function operation(route: Route, refer: Refer): Json {
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description && { description: route.description }),
    ...(route.public ? { security: [] } : { 'x-scope': route.scope }),
    parameters: [...pathParameters(route), ...(route.method === 'GET' ? queryParameters(route) : []), ...headerParameters(route)],
    ...(route.method !== 'GET' && route.body && { requestBody: requestBody(route, refer) }),
    responses: responses(route, refer),
  }
}

// The same answer without its body.
function headOf(get: Json): Json {
  const answers = get['responses'] as Record<string, Json>
  const bare = Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => [
      status,
      '$ref' in answer ? { description: 'The headers of the same GET.' } : { ...answer, content: undefined },
    ]),
  )
  return {
    ...get,
    operationId: `${get['operationId']}Head`,
    summary: `${get['summary']} (headers alone)`,
    responses: JSON.parse(JSON.stringify(bare)) as Json,
  }
}

function pathParameters({ idPrefix, noun, inner }: Route): Json[] {
  const ids = [...(idPrefix ? [{ name: 'id', idPrefix: idPrefix as Prefix, noun }] : []), ...(inner ? [inner] : [])]
  return ids.map(({ name, idPrefix, noun }) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', pattern: idPattern(idPrefix) },
    description: `Names the ${noun}.`,
  }))
}

function queryParameters(route: ReadRoute): Json[] {
  return Object.entries(route.query.properties as Record<string, TSchema & Json>).map(([name, schema]) => {
    const { description, deprecated, ...rest } = schema
    const list = (schema as Json)['type'] === 'array'
    return {
      name,
      in: 'query',
      required: false,
      ...(description !== undefined && { description }),
      ...(deprecated !== undefined && { deprecated }),
      ...(list && { style: 'form', explode: false }),
      schema: plain(rest),
    }
  })
}

function headerParameters(route: Route): Json[] {
  const header = (name: string, description: string, schema: Json = { type: 'string' }) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema,
  })
  if (route.public) return [header('If-None-Match', 'ETags the caller has; 304 when the current one is among them.')]
  if (route.method === 'GET') return [header('If-None-Match', 'ETags the caller has; 304 when the current one is among them.')]
  if (route.method === 'POST')
    return [
      header('Idempotency-Key', 'Of the caller’s own making. A repeat within 24 h is a 409 that holds the first answer.', {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        pattern: '^[\\x21-\\x7e]+$',
      }),
    ]
  if (!route.conditional) return []
  return [
    header('If-Match', 'The ETag the change is based on; 412 when it is no longer the current one.'),
    header('If-Unmodified-Since', 'An HTTP date; 412 when the resource changed later.'),
  ]
}

function requestBody(route: WriteRoute, refer: Refer): Json {
  const example = route.example === undefined ? {} : { example: route.example }
  return { required: !route.bodyOptional, content: { 'application/json': { schema: refer(route.body as TSchema), ...example } } }
}

function responses(route: Route, refer: Refer): Json {
  const status = route.method === 'GET' ? 200 : route.status
  const names = [
    'X-Trace-Id',
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'ETag',
    ...(status === 201 || status === 202 ? ['Location'] : []),
  ]
  const offset = route.method === 'GET' && 'offset' in route.query.properties ? ['Deprecation', 'Sunset', 'Link', 'Warning'] : []
  const headers = Object.fromEntries([...names, ...offset].map(name => [name, { $ref: `#/components/headers/${name}` }]))
  const success = {
    description: status === 201 ? 'Created.' : status === 202 ? 'Begun.' : 'Done.',
    headers,
    content: { 'application/json': { schema: refer(route.response) } },
  }
  const notModified = { description: 'The caller has the current representation.', headers }
  const problems = problemsOf(route).map(type => [String(PROBLEMS[type].status), type] as const)
  const byStatus = new Map<string, ProblemType[]>()
  for (const [code, type] of problems) byStatus.set(code, [...(byStatus.get(code) ?? []), type])
  return {
    [status]: success,
    ...(route.method !== 'GET' &&
      route.dryRun && {
        200: { description: 'A dry run: nothing was changed.', headers, content: { 'application/json': { schema: refer(route.dryRun) } } },
      }),
    ...(route.method === 'GET' && { 304: notModified }),
    ...Object.fromEntries([...byStatus].map(([code, types]) => [code, { $ref: `#/components/responses/${types.join('-or-')}` }])),
  }
}

function problemsOf(route: Route): ProblemType[] {
  if (route.public) return ['internal-error', 'service-unavailable']
  return [
    'authentication-required',
    'invalid-api-key',
    'insufficient-scope',
    ...(route.idPrefix ? (['resource-not-found'] as const) : []),
    ...(route.method === 'GET' ? [] : (['conflict'] as const)),
    ...(route.method !== 'GET' && route.conditional ? (['precondition-failed'] as const) : []),
    ...(route.method === 'GET' ? [] : (['payload-too-large', 'unsupported-media-type'] as const)),
    'validation-failed',
    'rate-limit-exceeded',
    'internal-error',
    'service-unavailable',
  ]
}

// Two types share 403: a response of its own name says so.
const FORBIDDEN = 'invalid-api-key-or-insufficient-scope'
const PROBLEM_RESPONSES = [...(Object.keys(PROBLEMS) as ProblemType[]).filter(type => PROBLEMS[type].status !== 403), FORBIDDEN]

function problemResponse(name: string, config: Config): Json {
  const types = name.split('-or-') as ProblemType[]
  const links = types.map(type => `[${PROBLEMS[type].title}](${config.docsUrl}/errors/${type})`)
  const extra = EXTRA_HEADERS[types[0] as ProblemType] ?? []
  const names = ['X-Trace-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', ...extra]
  return {
    description: `${links.join(' or ')}.`,
    headers: Object.fromEntries(names.map(header => [header, { $ref: `#/components/headers/${header}` }])),
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  }
}

const EXTRA_HEADERS: Partial<Record<ProblemType, string[]>> = {
  'authentication-required': ['WWW-Authenticate'],
  'rate-limit-exceeded': ['Retry-After'],
  'service-unavailable': ['Retry-After'],
  conflict: ['Location', 'Retry-After'],
  'validation-failed': ['Link'],
}

const text = (description: string, schema: Json = { type: 'string' }): Json => ({ description, schema })
const count = (description: string): Json => text(description, { type: 'integer', minimum: 0 })
const HEADERS: Record<string, Json> = {
  'X-Trace-Id': text('Quote it in support requests.', { type: 'string', pattern: '^[0-9a-f]{32}$' }),
  'X-RateLimit-Limit': count('Requests the bucket holds in 60 seconds.'),
  'X-RateLimit-Remaining': count('Requests left in it now.'),
  'X-RateLimit-Reset': count('Seconds until the oldest request leaves the window.'),
  ETag: text('A hash of the body; for If-None-Match and If-Match.'),
  Location: text('The path of the resource.'),
  'Retry-After': count('Seconds to wait.'),
  'WWW-Authenticate': text('Bearer'),
  Deprecation: text('With offset: true.'),
  Sunset: text('With offset: when it ended.'),
  Link: text('With offset: what to use instead.'),
  Warning: text('With offset: the same in words.'),
}

const PROBLEM = Type.Object({
  type: Type.String({ description: 'Stable: switch on it. It is the address of a page.' }),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String(),
  instance: Type.String({ description: 'The path of the request.' }),
  trace_id: Type.String(),
  code: Type.Optional(Type.String({ description: 'What exactly, where one type has several causes.' })),
  errors: Type.Optional(Type.Array(Type.Object({ field: Type.String(), code: Type.String(), message: Type.String() }))),
  retry_after_sec: Type.Optional(Type.Integer()),
})

type Refer = (schema: TSchema) => unknown

/** Schemas with a title are named once, collected, and referred to. */
function collector(schemas: Json): Refer {
  const refer = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(refer)
    if (value === null || typeof value !== 'object') return value
    const { title, ...rest } = value as Json
    const inner = Object.fromEntries(Object.entries(rest).map(([name, item]) => [name, name === 'example' ? item : refer(item)]))
    if (typeof title !== 'string' || rest['type'] !== 'object') return title === undefined ? inner : { title, ...inner }
    schemas[title] = { title, ...inner }
    return { $ref: `#/components/schemas/${title}` }
  }
  return schema => refer(plain(schema))
}

// As JSON, without what TypeBox keeps on the side.
const plain = (schema: unknown): Json => JSON.parse(JSON.stringify(schema)) as Json
