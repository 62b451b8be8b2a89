// The OpenAPI 3.1 document, from the declarations that the server enforces: every operation, its parameters, its body and its answers.

import { isDeepStrictEqual } from 'node:util'
import { type TObject, type TSchema, Type } from 'typebox'
import type { Config } from '../../config.ts'
import { idPattern, type Prefix } from '../../ids.ts'
import { takesJson } from '../body.ts'
import { cookieName } from '../page/cookies.ts'
import type { Route } from '../route.ts'
import { takesSessions } from '../sessions.ts'
import { answersOf, bare, isRefused, optionsAnswers, type Refer, sharedAnswers } from './answers.ts'
import { HEADERS, headerParameters, parametersOf } from './headers.ts'

type Json = Record<string, unknown>

/** A request that this service makes to others. */
export interface Call {
  name: string
  summary: string
  /** Required unless marked otherwise. */
  headers: Record<string, { description: string; schema: object; required?: boolean }>
  body: TSchema
  example: unknown
}

/**
 * @param groups the tags, in the order of the reference, with a sentence each
 * @param calls the requests that are sent to webhooks
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
    info: { title: 'Shopdesk REST API', version: '1.0.0', description: introduction(config) },
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
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: cookieName(config.baseUrl, ''),
          description:
            'The session of a person who is signed in to the dashboard, in a page of ours. A write needs `X-CSRF-Token` besides.',
        },
      },
      headers: HEADERS,
      parameters: parametersOf(routes),
      responses: shared,
      schemas,
    },
  }
}

// For a newcomer. The rules of all operations are in docs/api/conventions.md.
function introduction({ baseUrl, docsUrl }: Config): string {
  return `The Shopdesk API reads and writes a shop’s orders, products, contacts and conversations over HTTPS with JSON, and sends what happens there to your webhooks.

## A first call

An admin of the workspace makes an [API key](${docsUrl}/api/authentication) in the developer settings. With the key in \`API_KEY\`, this lists the latest three orders:

\`\`\`sh
curl "${baseUrl}/api/v1/orders?limit=3" -H "Authorization: Bearer $API_KEY"
\`\`\`

## Where to go next

- [Getting started](${docsUrl}/start): make a product, order it and ship it.
- [Webhooks](${docsUrl}/webhooks): receive events as they happen, and verify their signatures.
- [TypeScript client](${docsUrl}/api/client): typed calls that are repeated where that is safe.
- [Errors](${docsUrl}/errors): what each problem means, and what to do.
- [Conventions](${docsUrl}/api/conventions): what holds for every operation, such as ids, times, money, bodies and limits.`
}

function operation(route: Route, refer: Refer, docsUrl: string): Json {
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description && { description: route.description }),
    security: securityOf(route),
    parameters: [...pathParameters(route), ...queryParameters(queryOf(route)), ...filterParameter(route), ...headerParameters(route)],
    ...requestBody(route, refer),
    responses: answersOf(route, refer, docsUrl),
  }
}

const securityOf = ({ path, scope, public: isPublic }: Route): Json[] => {
  if (isPublic) return []
  return takesSessions(path) ? [{ apiKey: [scope] }, { session: [] }] : [{ apiKey: [scope] }]
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

function pathParameters({ idPrefix, names, noun, inner }: Route): Json[] {
  const first = names ?? (idPrefix && { name: 'id', pattern: idPattern(idPrefix as Prefix), noun })
  const ids = [...(first ? [first] : []), ...(inner ? [{ ...inner, pattern: idPattern(inner.idPrefix) }] : [])]
  return ids.map(({ name, pattern, noun }) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', pattern },
    description: `Names the ${noun}.`,
  }))
}

const queryOf = (route: Route): TObject => ('query' in route ? route.query : Type.Object({}))

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

const filterParameter = (route: Route): Json[] =>
  route.kind === 'read' && route.filters !== undefined
    ? [
        {
          name: 'filter',
          in: 'query',
          required: false,
          style: 'deepObject',
          explode: true,
          description: route.filters.description,
          schema: { type: 'object', additionalProperties: { type: 'string' }, examples: [route.filters.example] },
        },
      ]
    : []

function requestBody(route: Route, refer: Refer): Json {
  if (route.kind === 'upload') {
    const { types, maxBytes, examples } = route
    const schema = { type: 'string', description: `The file, of at most ${maxBytes} bytes.` }
    const content = [types].flat().map(type => [type, { schema, example: examples[type] }])
    return { requestBody: { required: true, content: Object.fromEntries(content) } }
  }
  if (!takesJson(route)) return {}
  const example = route.example === undefined ? {} : { example: route.example }
  return { requestBody: { required: !route.bodyOptional, content: { 'application/json': { schema: refer(route.body), ...example } } } }
}

/** Collects the schemas with a title, and refers to them by it. A schema is part of many answers, and is looked through once. */
function collector(schemas: Json): Refer {
  const known = new WeakMap<object, unknown>()
  const refer = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(refer)
    if (value === null || typeof value !== 'object') return value
    const made = known.get(value) ?? referTo(value as Json)
    known.set(value, made)
    return made
  }
  const referTo = ({ title, ...rest }: Json): Json => {
    // Members alone that JSON has: TypeBox hides its own, and those left undefined are none.
    const members = Object.entries(rest).filter(([, item]) => item !== undefined)
    const inner = Object.fromEntries(members.map(([name, item]) => [name, name === 'example' ? item : refer(item)]))
    if (typeof title !== 'string' || rest['type'] !== 'object') return title === undefined ? inner : { title, ...inner }
    const named = { title, ...inner }
    if (schemas[title] && !isDeepStrictEqual(schemas[title], named)) throw new Error(`Two schemas are named ${title}.`)
    schemas[title] = named
    return { $ref: `#/components/schemas/${title}` }
  }
  return refer
}

// As JSON, without the properties that TypeBox hides in a schema.
const plain = (schema: unknown): Json => JSON.parse(JSON.stringify(schema)) as Json
