// The OpenAPI document as a judge of answers, to the letter: status, headers, type and every member of the body.
import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { isBlank } from '../../src/blank.ts'
import type { Reply } from './app.ts'

// biome-ignore lint/suspicious/noExplicitAny: a JSON document
export type Json = any

export interface Operation {
  /** In lower case. */
  method: string
  path: string
  described: Json
}

export interface Contract {
  document: Json
  operations: Operation[]
  /** The value itself, or the target of its `$ref`. */
  resolved(value: Json): Json
  /** Fails unless the document lets a request to this path of the API be answered so. @param query `fields` leaves members out */
  assertAnswer(method: string, path: string, reply: Reply, query?: string): void
  /** Fails unless the document describes the event so. @param event its envelope */
  assertEvent(event: Json): void
  /** Whether a value to be sent fits the schema; written out, for it may hold references into the document. */
  fits(schema: Json, value: unknown): boolean
}

/** Headers that HTTP itself adds to answers. OpenAPI has Content-Type among the contents. */
const TRANSPORT = ['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding']

/** A schema of the document, kept in a form that JSON Schema validators read. */
type Form = (schema: Json) => Json

/** Whether a path is one of the API that the document describes. */
export const isDescribed = (path: string): boolean => /^\/api\/(v1|platform)\//.test(path)

export function contractOf(document: Json): Contract {
  const resolved = (value: Json): Json => (value?.$ref ? follow(document, value.$ref) : value)
  const whole = judge(document, closed, ANSWERED)
  // Most files of tests need neither of the other two.
  const sparse = once(() => judge(document, schema => ({ ...closed(schema), required: [] }), ANSWERED))
  const sent = once(() => judge(document, inAnyCase, SENT))
  const operations: Operation[] = Object.entries(document.paths as Json).flatMap(([path, item]) =>
    Object.entries(item as Json).map(([method, described]) => ({ method, path, described })),
  )
  const patterns = new Map(
    operations.map(({ path }) => [path, new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)]),
  )

  return {
    document,
    operations,
    resolved,
    fits: (schema, value) => sent().fits(schema, value),
    assertEvent(event) {
      const body = document.webhooks[event.type]?.post.requestBody ?? assert.fail(`${event.type} is not declared`)
      assert.ok(whole.fits(body.content['application/json'].schema, event), `${event.type}: ${whole.why()}: ${JSON.stringify(event)}`)
    },
    assertAnswer(method, path, reply, query = '') {
      if (!isDescribed(path)) return
      const declared = resolved(answersAt(method, path)[reply.status])
      const what = `${method.toUpperCase()} ${path} answered ${reply.status}`
      assert.ok(declared, `${what}, which is not declared: ${reply.text}`)
      assertHeaders(what, declared.headers ?? {}, reply.headers)
      if (!declared.content || method === 'HEAD') return assert.equal(reply.text, '', `${what} with a body that is not declared`)
      const type = reply.headers.get('content-type')?.split(';')[0] as string
      const media = declared.content[type] ?? declared.content['*/*'] ?? assert.fail(`${what} as ${type}, which is not declared`)
      if (!/[/+]json$/.test(type)) return
      const { fits, why } = /(^|&)fields=/.test(query) && reply.status < 300 ? sparse() : whole
      assert.ok(fits(media.schema, reply.body), `${what}: ${why()}: ${reply.text.slice(0, 2000)}`)
    },
  }

  /** Answers outside any operation: the document has no such path, or the path has no such method. */
  function answersAt(method: string, path: string): Json {
    const fixed = operations.filter(each => each.path === path)
    const here = fixed.length > 0 ? fixed : operations.filter(each => patterns.get(each.path)?.test(path))
    const operation = here.find(each => each.method === method.toLowerCase())
    if (operation) return operation.described.responses
    const shared = document.components.responses
    return here.length > 0 ? { 405: shared['method-not-allowed'] } : { 404: shared['resource-not-found'] }
  }

  function assertHeaders(what: string, declared: Json, given: Headers): void {
    const known = new Map(Object.entries(declared as Json).map(([name, header]) => [name.toLowerCase(), resolved(header)]))
    for (const [name, { required }] of known) assert.ok(!required || given.has(name), `${what} without its header ${name}`)
    for (const [name, value] of given) {
      if (TRANSPORT.includes(name)) continue
      const { schema } = known.get(name) ?? assert.fail(`${what} with the header ${name}, which is not declared`)
      assert.ok(whole.fits(schema, schema.type === 'integer' ? Number(value) : value), `${what}: ${name}: ${value}: ${whole.why()}`)
    }
  }
}

/** The target of a reference within the document; undefined where there is none. */
export function follow(document: Json, reference: string): Json {
  assert.match(reference, /^#\//)
  return reference
    .slice(2)
    .split('/')
    .reduce((at, part) => at?.[part.replaceAll('~1', '/').replaceAll('~0', '~')], document)
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

function judge(document: Json, form: Form, formats: Record<string, (text: string) => boolean>) {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    validateSchema: false,
    discriminator: true,
    // A file of tests uses most schemas a few times: shorter code does not earn back what shortening it takes.
    code: { optimize: false },
    // Else each answer that holds an order has the code of an order in its own.
    inlineRefs: false,
  })
  ajv.addVocabulary(['example', 'x-any-case', 'x-schemas'])
  ajv.addKeyword({ keyword: 'x-filled', validate: (_on: true, text: string) => !isBlank(text) })
  ajv.addKeyword({ keyword: 'x-one-of', validate: (known: unknown[], value: unknown) => known.includes(lower(value)) })
  for (const [name, validate] of Object.entries(formats)) ajv.addFormat(name, validate)
  const schemas = Object.entries(document.components.schemas as Json).map(([name, schema]) => [name, adapted(schema, form)])
  ajv.addSchema({ $id: 'openapi', 'x-schemas': Object.fromEntries(schemas) })
  const compiled = new WeakMap<object, ValidateFunction>()
  let errors: ValidateFunction['errors']
  const compile = (schema: Json): ValidateFunction => {
    const run = ajv.compile(adapted(schema, form))
    compiled.set(schema, run)
    return run
  }
  return {
    fits(schema: Json, value: unknown): boolean {
      const run = compiled.get(schema) ?? compile(schema)
      const sound = run(value)
      errors = run.errors
      return sound
    },
    why: () => ajv.errorsText(errors),
  }
}

const lower = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value)

/** The schema with `form` applied to each schema in it, and with references that lead to where the judge keeps them. */
function adapted(schema: Json, form: Form): Json {
  if (typeof schema !== 'object') return schema
  if (schema.$ref) return { $ref: schema.$ref.replace('#/components/schemas/', 'openapi#/x-schemas/') }
  const inner = (value: Json): Json => adapted(value, form)
  const members = Object.entries(schema as Json).map(([keyword, value]) => {
    if (['properties', 'patternProperties'].includes(keyword))
      return [keyword, Object.fromEntries(Object.entries(value as Json).map(([name, each]) => [name, inner(each)]))]
    if (['anyOf', 'oneOf', 'allOf'].includes(keyword)) return [keyword, (value as Json[]).map(inner)]
    return [
      keyword,
      ['items', 'additionalProperties', 'propertyNames', 'not', 'if', 'then', 'else'].includes(keyword) ? inner(value) : value,
    ]
  })
  return form(Object.fromEntries(members))
}

// Every member of an answer must be in its schema: any other would be undocumented.
const closed: Form = schema =>
  schema.properties && schema.additionalProperties === undefined ? { ...schema, additionalProperties: false } : schema

const inAnyCase: Form = ({ enum: values, ...schema }) =>
  values === undefined ? schema : schema['x-any-case'] ? { ...schema, 'x-one-of': values.map(lower) } : { ...schema, enum: values }

const isEmail = (text: string) => /^[^@\s]+@[^@\s.]+(\.[^@\s.]+)+$/.test(text)
const isUri = (text: string) => /^https?:/.test(text) && URL.canParse(text)
const isCurrency = (text: string) => Intl.supportedValuesOf('currency').includes(text)
/** RFC 3339 is wide; a day must exist all the same, and a year in UTC be one to 9999. */
const isTime = (text: string) => {
  const [, day, seconds] = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:(\d\d)(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.exec(text) ?? []
  if (day === undefined || Number.isNaN(Date.parse(text)) || seconds === '60') return false
  return new Date(`${day}T00:00:00Z`).toJSON()?.slice(0, 10) === day && /^(?!0000)\d{4}-/.test(new Date(text).toISOString())
}
const SENT = { 'date-time': isTime, email: isEmail, uri: isUri, currency: isCurrency }
/** The service writes times in one way. */
const ANSWERED = { ...SENT, 'date-time': (text: string) => isTime(text) && /\.\d{3}Z$/.test(text) }
