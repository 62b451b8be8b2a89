// The OpenAPI 3.1 document, from the same declarations the server enforces: every operation, its parameters, its body and its answers.

import { isDeepStrictEqual } from 'node:util'
import { type TObject, type TSchema, Type } from 'typebox'
import type { Config } from '../config.ts'
import { idPattern, type Prefix } from '../ids.ts'
import { JSON_BODY_BYTES, JSON_DEPTH } from '../limits.ts'
import { answersOf, bare, isRefused, optionsAnswers, type Refer, sharedAnswers } from './openapi-answers.ts'
import { HEADERS, headerParameters, PARAMETERS } from './openapi-headers.ts'
import type { Route, WriteRoute } from './route.ts'

type Json = Record<string, unknown>

/** A request that this service makes to others. */
export interface Call {
  name: string
  summary: string
  /** Required unless they say otherwise. */
  headers: Record<string, { description: string; schema: object; required?: boolean }>
  body: TSchema
  example: unknown
}

/**
 * @param groups the tags, in the order of the reference, with a sentence each
 * @param calls what is sent to webhooks
 */
export function openApi(routes: Route[], groups: { name: string; description: string }[], calls: Call[], config: Config): Json {
  const schemas: Json = {}
  const refer = collector(schemas)
  const shared = sharedAnswers(refer, config.docsUrl)
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const described = operation(route, refer, config.docsUrl)
    paths[route.path] ??= { options: optionsOf(route) }
    const path = paths[route.path] as Json
    path[route.method.toLowerCase()] = described
    if (route.method === 'GET') path['head'] = headOf(described, shared)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Shopdesk REST API', version: '1.0.0', description: DESCRIPTION },
    externalDocs: { description: 'Guides', url: config.docsUrl },
    servers: [{ url: config.baseUrl }],
    tags: groups,
    security: [{ apiKey: [] }],
    paths,
    webhooks: Object.fromEntries(calls.map(call => [call.name, { post: sent(call, refer) }])),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'A REST API key with the scopes read, write or both: `Authorization: Bearer sk_…`',
        },
      },
      headers: HEADERS,
      parameters: PARAMETERS,
      responses: shared,
      schemas,
    },
  }
}

// What holds for every operation, said once.
const DESCRIPTION = `Orders, products, contacts, conversations and webhooks of a workspace.

Lists page by cursor, errors are problem documents (RFC 9457), every answer carries its rate limit and its trace id. A HEAD answers as its GET does, without the body. OPTIONS answers 204 with the path’s methods in \`Allow\`; a method that the path does not have is a 405 with the same header.

Bodies are JSON in UTF-8 of at most ${JSON_BODY_BYTES / 1024 / 1024} MiB and ${JSON_DEPTH} levels. Their strings hold neither NUL nor half of a surrogate pair. Fields that a schema does not name are refused; query parameters that are not listed are ignored, one that is given twice is refused, and around the items of a comma list white space is ignored. Enumerations with \`x-any-case\` are read in any case and answered as written here. With \`fields\`, an answer has the members that were named and no others.

What is not HTTP, has a head of more than 16 KB or a body that takes longer than a minute, or comes over one connection too many, is answered before it is a request: a 400, 408, 431 or 503 without the headers above, with which the connection ends.`

function operation(route: Route, refer: Refer, docsUrl: string): Json {
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description && { description: route.description }),
    security: route.public ? [] : [{ apiKey: [route.scope] }],
    parameters: [...pathParameters(route), ...queryParameters(queryOf(route)), ...headerParameters(route)],
    ...(route.method !== 'GET' && (route.body || route.upload) && { requestBody: requestBody(route, refer) }),
    responses: answersOf(route, refer, docsUrl),
  }
}

const sent = ({ name, summary, headers, body, example }: Call, refer: Refer): Json => ({
  operationId: name.replaceAll(/[._](\w)/g, (_all, letter: string) => letter.toUpperCase()),
  summary,
  security: [],
  parameters: Object.entries(headers).map(([name, header]) => ({ name, in: 'header', required: true, ...header })),
  requestBody: { required: true, content: { 'application/json': { schema: refer(body), example } } },
  responses: { '2XX': { description: 'It has arrived.' }, default: { description: 'It is tried again.' } },
})

const headOf = (get: Json, shared: Json): Json => ({
  ...get,
  operationId: `${get['operationId']}Head`,
  summary: `${get['summary']} (headers alone)`,
  responses: bare(get['responses'] as Json, shared),
})

const optionsOf = (route: Route): Json => ({
  operationId: `${route.operationId}Options`,
  tags: [route.tag],
  summary: 'List the methods of this path',
  security: [],
  parameters: pathParameters(route).map(({ schema: _schema, ...parameter }) => ({ ...parameter, schema: { type: 'string' } })),
  responses: optionsAnswers(),
})

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

const queryOf = (route: Route): TObject => (route.method === 'GET' ? route.query : (route.upload?.query ?? Type.Object({})))

function queryParameters(query: TObject): Json[] {
  const offered = Object.entries(query.properties as Record<string, TSchema & Json>).filter(([, schema]) => !isRefused(schema))
  return offered.map(([name, { description, deprecated, ...schema }]) => ({
    name,
    in: 'query',
    required: query.required?.includes(name) ?? false,
    ...(description !== undefined && { description }),
    ...(deprecated !== undefined && { deprecated }),
    ...(schema['type'] === 'array' && { style: 'form', explode: false }),
    schema: plain(schema),
  }))
}

function requestBody(route: WriteRoute, refer: Refer): Json {
  if (route.upload) {
    const { types, maxBytes, examples } = route.upload
    const schema = { type: 'string', description: `The file, of at most ${maxBytes} bytes.` }
    return { required: true, content: Object.fromEntries(types.map(type => [type, { schema, example: examples[type] }])) }
  }
  const example = route.example === undefined ? {} : { example: route.example }
  return { required: !route.bodyOptional, content: { 'application/json': { schema: refer(route.body as TSchema), ...example } } }
}

/** Schemas with a title are named once, collected, and referred to. */
function collector(schemas: Json): Refer {
  const refer = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(refer)
    if (value === null || typeof value !== 'object') return value
    const { title, ...rest } = value as Json
    const inner = Object.fromEntries(Object.entries(rest).map(([name, item]) => [name, name === 'example' ? item : refer(item)]))
    if (typeof title !== 'string' || rest['type'] !== 'object') return title === undefined ? inner : { title, ...inner }
    const named = { title, ...inner }
    if (schemas[title] && !isDeepStrictEqual(schemas[title], named)) throw new Error(`Two shapes are named ${title}.`)
    schemas[title] = named
    return { $ref: `#/components/schemas/${title}` }
  }
  return schema => refer(plain(schema))
}

// As JSON, without what TypeBox keeps on the side.
const plain = (schema: unknown): Json => JSON.parse(JSON.stringify(schema)) as Json
