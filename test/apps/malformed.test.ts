// Three good manifests, each changed in one place: whatever the place, the fault is told there, with its code. The changes are made by rules, one for each
// thing that a part of a manifest can have wrong; each has a name, and together they are more than two hundred.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { ErrorObject } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { checkManifest } from '../../src/apps/manifest/check.ts'
import { eventTypes } from '../../src/catalog.ts'
import {
  APP_COMPILER_BYTES,
  APP_PATTERNS_KEPT_BYTES,
  APP_SCHEMA_BYTES,
  APP_SCHEMA_BYTES_A_CHARACTER,
  APP_SCHEMAS_KEPT_BYTES,
  APP_VALIDATORS_KEPT_BYTES,
} from '../../src/limits/skills.ts'
import { judge } from '../../src/skills/judge.ts'
import { statesOf } from '../../src/skills/patterns.ts'

const options = { triggers: eventTypes, outbound: { allowPrivate: false, allowOrigins: [] } }

// biome-ignore lint/suspicious/noExplicitAny: JSON documents, changed in every place
type Json = any

const guide = /```json\n(.*?)```/s.exec(readFileSync(join(import.meta.dirname, '../../docs/apps/manifest.md'), 'utf8'))?.[1] as string

const warranty: Json = {
  manifestVersion: 1,
  id: 'acme:warranty',
  version: '2.0.1',
  name: 'Warranties',
  author: 'Acme Ltd',
  scopes: ['read:products', 'read:records', 'write:records', 'notify:team', 'subscribe:product.created', 'subscribe:product.low_stock'],
  resources: [
    {
      id: 'warranties',
      name: 'Warranties',
      fields: [
        { name: 'serial', type: 'string', required: true },
        { name: 'until', type: 'date' },
        { name: 'level', type: 'enum', enumValues: ['gold', 'silver'] },
        { name: 'used', type: 'boolean' },
      ],
      relations: [{ target: 'builtin:product', type: 'belongs_to' }],
    },
  ],
  views: [
    { id: 'tab', name: 'Warranties', target: 'product.tabs', component: 'list:warranties' },
    { id: 'page', name: 'Terms', target: 'dashboard.page', component: 'custom:https://acme.example/terms' },
  ],
  config: [{ key: 'region', type: 'enum', enumValues: ['eu', 'us'], required: true }],
  flows: [
    {
      id: 'begin',
      name: 'A warranty for each product',
      trigger: 'product.created',
      conditions: [{ field: 'event.product.status', op: 'eq', value: 'active' }],
      steps: [
        {
          id: 'keep',
          type: 'create_record',
          resource: 'warranties',
          external_id: '{{event.product_id}}',
          values: { serial: '{{event.product.sku}}', level: 'gold', used: false },
        },
        { id: 'rest', type: 'wait', minutes: 60 },
        { id: 'change', type: 'update_record', resource: 'warranties', external_id: '{{event.product_id}}', values: { used: true } },
      ],
    },
    {
      id: 'low',
      name: 'Low stock',
      trigger: 'product.low_stock',
      steps: [{ id: 'tell', type: 'notify', title: 'Low stock', body: '{{event.product.name}} is low.', level: 'warning' }],
    },
  ],
}

const dispatch: Json = {
  manifestVersion: 1,
  id: 'parcel:dispatch',
  version: '0.1.0-beta.1',
  name: 'Dispatch',
  author: 'Parcel Inc',
  scopes: ['read:orders', 'write:contacts', 'write:messages', 'subscribe:order.shipped'],
  skills: [
    {
      id: 'track',
      name: 'Track a parcel',
      description: 'Call it to say where a parcel is.',
      endpoint: 'https://parcel.example/track',
      inputSchema: {
        type: 'object',
        properties: { waybill: { type: 'string', minLength: 3 }, fast: { type: 'boolean' } },
        required: ['waybill'],
      },
      outputSchema: { type: 'object', properties: { place: { type: 'string' } } },
    },
  ],
  knowledge: [{ id: 'times', title: 'How long it takes', content: 'Two days.' }],
  config: [
    { key: 'token', type: 'secret', required: true, description: 'Of your account.' },
    { key: 'greeting', type: 'string' },
  ],
  flows: [
    {
      id: 'sent',
      name: 'On its way',
      description: 'Tells where the parcel is.',
      enabled: true,
      trigger: 'order.shipped',
      steps: [
        {
          id: 'where',
          type: 'call_skill',
          skill: 'track',
          input: { waybill: '{{event.order.fulfillment.waybill_number}}', fast: true },
          on_error: 'continue',
        },
        { id: 'say', type: 'send_message', text: '{{config.greeting}} It is at {{steps.where.output.place}}.' },
        { id: 'mark', type: 'tag_contact', tag: 'shipped' },
      ],
    },
  ],
}

const GOOD: Record<string, Json> = { loyalty: JSON.parse(guide), warranty, dispatch }

interface Change {
  what: string
  change(manifest: Json): void
  /** `path code` of what must be told. */
  expected: string
}

/** The objects of a manifest, with their paths. */
function* objects(value: Json, at = ''): Generator<[at: string, part: Json]> {
  if (Array.isArray(value)) for (const [index, each] of value.entries()) yield* objects(each, `${at}[${index}]`)
  else if (typeof value === 'object' && value !== null) {
    yield [at, value]
    // What lies inside of schemas, inputs and values has rules of its own.
    for (const [name, each] of Object.entries(value))
      if (!['inputSchema', 'outputSchema', 'input', 'values'].includes(name)) yield* objects(each, at ? `${at}.${name}` : name)
  }
}

const partAt = (manifest: Json, at: string): Json =>
  at
    .split(/[.[\]]+/)
    .filter(step => step !== '')
    .reduce((part, step) => part[step], manifest)
const inside = (at: string, name: string): string => (at ? `${at}.${name}` : name)

/** Members that nothing stands without, whatever kind of part has them. */
const OPTIONAL = new Set(
  '$schema description enabled conditions on_error external_id level required relations exposeToAi outputSchema enumValues'.split(' '),
)
const ALWAYS_OPTIONAL = new Set(['resources', 'skills', 'views', 'knowledge', 'config', 'flows'])
const OPTIONAL_IN: [RegExp, string][] = [[/config\[\d+\]$/, 'description']]

function isNeeded(at: string, part: Json, name: string): boolean {
  if (at === '') return !ALWAYS_OPTIONAL.has(name) && !OPTIONAL.has(name)
  // Each skill needs its description, and the record that is changed its name.
  if (/^skills/.test(at) && name === 'description') return true
  if (part.type === 'update_record' && name === 'external_id') return true
  if (OPTIONAL_IN.some(([place, optional]) => place.test(at) && name === optional)) return false
  return !OPTIONAL.has(name)
}

/** Members whose text is one of a few. */
const CHOICES: [RegExp, string][] = [
  [/fields\[\d+\]$/, 'type'],
  [/relations\[\d+\]$/, 'type'],
  [/relations\[\d+\]$/, 'target'],
  [/views\[\d+\]$/, 'target'],
  [/config\[\d+\]$/, 'type'],
  [/conditions\[\d+\]$/, 'op'],
  [/steps\[\d+\]$/, 'type'],
  [/steps\[\d+\]$/, 'on_error'],
  [/steps\[\d+\]$/, 'level'],
]
/** Members whose text names another part. */
const NAMED: [string, string][] = [
  ['resource', 'unknown_resource'],
  ['skill', 'unknown_skill'],
  ['trigger', 'unknown_event'],
]

function* changes(manifest: Json): Generator<Change> {
  const set =
    (at: string, name: string, value: Json) =>
    (changed: Json): void => {
      partAt(changed, at)[name] = value
    }
  for (const [at, part] of objects(manifest)) {
    yield {
      what: `${at || 'the manifest'} with a member more`,
      change: set(at, 'auth', { token: 'x' }),
      expected: `${inside(at, 'auth')} unknown_field`,
    }
    for (const [name, value] of Object.entries(part) as [string, Json][]) {
      const path = inside(at, name)
      if (isNeeded(at, part, name))
        yield { what: `${path} left out`, change: changed => delete partAt(changed, at)[name], expected: `${path} required` }
      if (name === 'value') continue
      if (name === 'manifestVersion') {
        yield { what: `${path} of 2`, change: set(at, name, 2), expected: `${path} invalid_choice` }
        continue
      }
      const isChoice = CHOICES.some(([place, choice]) => place.test(at) && choice === name)
      if (isChoice) yield { what: `${path} of another kind`, change: set(at, name, 'other'), expected: `${path} invalid_choice` }
      else
        yield {
          what: `${path} of another type`,
          change: set(at, name, typeof value === 'number' ? 'x' : 7),
          expected: `${path} invalid_type`,
        }
      const code = NAMED.find(([named]) => named === name)?.[1]
      if (code) yield { what: `${path} that is not there`, change: set(at, name, 'nothing'), expected: `${path} ${code}` }
      if (['id', 'key'].includes(name) && at !== '') {
        yield { what: `${path} with a space`, change: set(at, name, 'a b'), expected: `${path} invalid_format` }
        const list = at.replace(/\[\d+\]$/, '')
        const length = (partAt(manifest, list) as Json[]).length
        yield {
          what: `${list}: ${value} twice`,
          change: changed => partAt(changed, list).push(structuredClone(part)),
          expected: `${list}[${length}].${name} duplicate`,
        }
      }
    }
  }
}

const ALL = Object.entries(GOOD).flatMap(([name, manifest]) => [...changes(manifest)].map(each => ({ ...each, name, manifest })))

test('the three manifests are good, and there are more than two hundred changes, each with a name of its own', () => {
  for (const [name, manifest] of Object.entries(GOOD)) {
    const { errors, warnings } = checkManifest(structuredClone(manifest), options)
    assert.deepEqual([errors, warnings], [[], []], name)
  }
  assert.ok(ALL.length >= 200, `${ALL.length}`)
  assert.equal(new Set(ALL.map(({ name, what }) => `${name}: ${what}`)).size, ALL.length)
})

describe('a manifest is refused where it was changed', () => {
  for (const name of Object.keys(GOOD))
    test(name, () => {
      const wrong: string[] = []
      for (const { what, change, expected, manifest } of ALL.filter(each => each.name === name)) {
        const changed = structuredClone(manifest)
        change(changed)
        const { errors, manifest: taken } = checkManifest(changed, options)
        const told = errors.map(({ path, code }) => `${path} ${code}`)
        for (const { message } of errors) assert.match(message, /[.?]$/, message)
        if (!told.includes(expected) || taken) wrong.push(`${what}: expected ${expected}, told ${told.join(', ')}`)
      }
      assert.deepEqual(wrong, [])
    })
})

test('a value of another kind, in any place of a manifest, is told as what is wrong with it', () => {
  const placesOf = (value: Json, at: (string | number)[] = []): (string | number)[][] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value)
          .flatMap(([name, inner]) => placesOf(inner, [...at, Array.isArray(value) ? Number(name) : name]))
          .concat([at])
      : [at]
  for (const good of [JSON.parse(guide), warranty, dispatch])
    for (const at of placesOf(good).filter(({ length }) => length > 0))
      for (const other of [[], ['x'], {}, 7, [7], { toString: 1 }, [{ toString: 1 }]]) {
        const manifest = structuredClone(good)
        const holder = at.slice(0, -1).reduce((inside: Json, name) => inside[name], manifest)
        holder[at.at(-1) as string] = other
        const { errors, manifest: taken } = checkManifest(manifest, options)
        assert.equal(errors.length === 0, taken !== undefined, `${at.join('.')} ${JSON.stringify(other)}`)
      }
})

describe('schemas in a manifest are refused by what is in them', () => {
  for (const [what, schema, expected] of [
    ['an enum of nothing', { enum: [] }, 'skills[0].outputSchema invalid_schema'],
    ['a type of nothing', { type: [] }, 'skills[0].outputSchema.type invalid_schema'],
    ['a negative length', { properties: { a: { minLength: -1 } } }, 'skills[0].outputSchema.properties.a.minLength invalid_schema'],
    ['half a length', { maxLength: 1.5 }, 'skills[0].outputSchema.maxLength invalid_schema'],
    ['a list of schemas for items', { items: [{}] }, 'skills[0].outputSchema.items invalid_schema'],
    ['required that is no list', { required: 'a' }, 'skills[0].outputSchema.required invalid_schema'],
    ['a multiple of nothing', { multipleOf: 0 }, 'skills[0].outputSchema.multipleOf invalid_schema'],
  ] as const)
    test(what, () => {
      const manifest = structuredClone(dispatch)
      manifest.skills[0].outputSchema = schema
      const told = checkManifest(manifest, options).errors.map(({ path, code }) => `${path} ${code}`)
      assert.deepEqual(told.slice(0, 1), [expected])
    })
})

test('judged schemas are kept, the largest that there may be in no more than their memory', () => {
  const large = (i: number) => ({ type: 'object', description: String(i).padEnd(APP_SCHEMA_BYTES - 100, '.') })
  const small = { type: 'string', description: 'kept' }
  const [first, second] = [judge(small), judge(large(0))]
  assert.equal(judge({ ...small }), first)
  assert.equal(judge(large(0)), second)
  const most = APP_SCHEMAS_KEPT_BYTES / (APP_SCHEMA_BYTES * APP_SCHEMA_BYTES_A_CHARACTER)
  for (let i = 1; i <= most; i++) judge(large(i))
  assert.notEqual(judge(large(0)), second)
})

describe('schemas of a size that would hold up everything else', () => {
  const named = (count: number, part: (n: number) => unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, part(n)]))
  const codes = (schema: Record<string, unknown>) => judge(schema).errors.map(({ code }) => code)

  test('are refused where they cannot be compiled, or take the square of their parts', () => {
    assert.deepEqual(codes({ properties: named(1_900, () => ({ type: 'string' })) }), ['schema_too_large'])
    assert.deepEqual(codes({ properties: named(90, () => true), allOf: [{}], unevaluatedProperties: false }), [])
    // Each took seconds, or overflowed the stack at its first value.
    for (const schema of [
      { properties: named(4_000, () => false) },
      { anyOf: Array.from({ length: 1_300 }, () => true) },
      { dependentRequired: { a: Object.keys(named(6_000, () => 0)) } },
      { dependentRequired: named(3_000, () => ['a']) },
      { properties: named(40, n => ({ required: Object.keys(named(200 - n, () => 0)) })) },
      { properties: named(80, n => ({ enum: Object.keys(named(140 - n, () => 0)) })) },
      { oneOf: Array.from({ length: 500 }, (_, n) => ({ minimum: n })) },
      { patternProperties: named(500, n => ({ minimum: n })) },
      { properties: named(150, n => ({ type: ['string', 'number', 'null'], minLength: 1, maxLength: 2, minimum: n, format: 'email' })) },
    ])
      assert.match(
        judge(schema).errors[0]?.message ?? '',
        /^(?:takes|has) [\d,]+ (?:steps to compile|parts with)/,
        JSON.stringify(schema).slice(0, 60),
      )
    // As large as any that people write; what is told of it is not compiled, and what is referred to is compiled once.
    const field = { type: 'string', title: 'A field', description: 'What it is for.', examples: ['x'], maxLength: 50 }
    for (const schema of [
      { type: 'object', required: Object.keys(named(20, () => 0)), properties: named(250, () => field) },
      { $defs: { all: { properties: named(40, () => field) } }, properties: named(40, () => ({ $ref: '#/$defs/all' })) },
      { enum: Object.keys(named(6_000, () => 0)) },
      // As programs write them out.
      { properties: named(300, n => ({ anyOf: [{ type: 'string' }, { type: 'null' }], title: `Field ${n}`, default: null })) },
      { properties: named(60, n => ({ type: 'object', description: `${n}`, properties: named(6, () => ({ type: ['string', 'null'] })) })) },
    ])
      assert.deepEqual(codes(schema), [])
    const apart = Array.from({ length: 101 }, (_, n) => ({ properties: { [`p${n}`]: true } }))
    assert.deepEqual(codes({ allOf: apart, unevaluatedProperties: false }), ['schema_too_large'])
  })

  test('are refused where those of a manifest are too many together, and the rest is not looked at', () => {
    const manifest = structuredClone(dispatch)
    const schema = { type: 'object', properties: named(250, () => ({ type: 'string' })) }
    manifest.skills = Array.from({ length: 30 }, (_, n) => ({
      ...dispatch.skills[0],
      id: `s${n}`,
      inputSchema: schema,
      outputSchema: schema,
    }))
    const told = checkManifest(manifest, options).errors.filter(({ code }) => code === 'schema_too_large')
    assert.deepEqual(
      told.map(({ path }) => path),
      ['skills[7].outputSchema'],
    )
  })

  for (const [what, schema, value, less] of [
    ['choices', { items: { anyOf: [...Array.from({ length: 100 }, (_, n) => ({ const: `x${n}` })), { type: 'integer' }] } }, 5, 1_000],
    ['objects to choose from', { items: { enum: Array.from({ length: 1_000 }, (_, n) => ({ x: n })) } }, { x: 999 }, 100],
    ['lists without equals', { items: { type: 'array', maxItems: 1_000, uniqueItems: true } }, Array.from({ length: 900 }, (_, n) => n), 3],
    ['patterns', { items: { pattern: '^[a-z]{900}!' } }, 'a'.repeat(20), 10],
    ['a pattern that is referred to', { $defs: { a: { pattern: '[a-z]{900}!' } }, items: { $ref: '#/$defs/a' } }, 'a'.repeat(20), 100],
    ['lengths', { items: { maxLength: 3 } }, 'é'.repeat(2_000), 1_000],
    ['formats', { items: { format: 'email' } }, 'é'.repeat(2_000), 1_000],
    [
      'members of any name',
      { items: { additionalProperties: { anyOf: Array.from({ length: 50 }, () => ({ const: 1 })) } } },
      { x: 1 },
      1_000,
    ],
    ['names', { items: { propertyNames: { anyOf: Array.from({ length: 50 }, () => ({ maxLength: 1 })) } } }, { x: 1 }, 1_000],
    ['conditions', { items: { if: { anyOf: Array.from({ length: 50 }, (_, n) => ({ const: n })) } } }, 99, 1_000],
    ['few patterns for names', { items: { patternProperties: { '^a': true, '^b': true } } }, { x: 1 }, 10_000],
    ['patterns for names', { items: { patternProperties: named(300, n => ({ minimum: n - 999 })) } }, { x: 1 }, 100],
  ] as [string, Record<string, unknown>, unknown, number][])
    test(`hold no value against ${what} that is too large for them, and every other`, () => {
      const { check } = judge(schema)
      const keywords = (count: number) => check?.(Array(count).fill(value)).map(({ keyword }) => keyword)
      assert.deepEqual(keywords(60_000), ['size'])
      assert.ok(!keywords(less)?.includes('size'))
    })
})

test('parts that are written alike are held against values as if each were compiled by itself', () => {
  const text = { anyOf: [{ type: 'string', maxLength: 2 }, { type: 'null' }], description: 'x' }
  const place = { type: 'object', properties: { a: text, b: text, c: { items: text } }, additionalProperties: text, required: ['a'] }
  const same = { a: place, b: { ...place, title: 'another' }, c: { $ref: '#/$defs/part-0' }, d: { prefixItems: [place, text] } }
  const values = ['x', 'long', 1, null].flatMap(each => [
    each,
    { a: each },
    { a: null, b: each },
    { a: 'x', c: [each] },
    { a: 'x', z: each },
    [{ a: each }, each],
  ])
  for (const schema of [
    { $defs: { 'part-0': { type: 'string' }, own: place }, properties: same },
    { $defs: { own: place }, properties: { ...same, c: { $ref: '#/$defs/own' } } },
    { properties: { ...same, c: { $ref: '#/properties/d/prefixItems/1' } } },
    { $defs: { 'part-0': { $anchor: 'it', ...place } }, properties: { ...same, d: { $ref: '#it' } } },
    { properties: JSON.parse(`{"__proto__":${JSON.stringify(place)},"c":${JSON.stringify(place)},"d":${JSON.stringify(place)}}`) },
    { properties: { a: place, d: { allOf: [place, place], unevaluatedProperties: false } } },
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      definitions: { own: place },
      properties: { a: place, d: { $ref: '#/definitions/own' } },
    },
  ]) {
    const { $schema: _dialect, ...said } = schema as Record<string, unknown>
    const plain = new Ajv2020({ strict: false, ownProperties: true }).compile(said)
    const { errors, check } = judge(schema)
    assert.deepEqual(errors, [])
    for (const value of values.flatMap(each =>
      ['a', 'b', 'c', 'd', '__proto__'].map(name => JSON.parse(`{"${name}":${JSON.stringify(each)}}`)),
    )) {
      const wanted = plain(value) ? [] : (plain.errors ?? [])
      const brief = (all: ErrorObject[]) =>
        all.map(({ instancePath, keyword, params }) => [instancePath, keyword, params]).filter(([, keyword]) => keyword !== '$ref')
      assert.deepEqual(brief(check?.(value) ?? []), brief(wanted), `${JSON.stringify(schema)} ${JSON.stringify(value)}`)
    }
  }
})

test('members whose names every object of the language has count where they were given, and no comparison calls them', () => {
  const names = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', 'then']
  const named = (value: unknown) => Object.fromEntries(names.map(name => [name, value]))
  const ones = names.map(name => ({ [name]: 1 }))
  for (const [schema, fits, fails] of [
    [{ properties: named({ type: 'string' }) }, [{}, named('x')], ones],
    [{ required: names }, [named(1)], [{}, ...ones]],
    [{ dependentRequired: named(['a']) }, [{}, { a: 1, ...named(1) }], ones],
    [{ additionalProperties: false }, [{}], ones],
    [{ anyOf: [{ properties: named({ type: 'number' }) }, {}], unevaluatedProperties: false }, [{}, ...ones], [{ a: 1 }]],
    [{ anyOf: [{ properties: { a: {} } }, {}], unevaluatedProperties: false }, [{}, { a: 1 }], ones],
    [{ anyOf: [{ additionalProperties: { type: 'number' } }, {}], unevaluatedProperties: false }, [{}, ...ones], [{ a: 'x' }]],
    // Ajv's own failed where a branch that noted nothing was met.
    [
      { anyOf: [{ properties: { a: { type: 'string' } } }, {}], patternProperties: { '^[ab]$': {} }, unevaluatedProperties: false },
      [{}, { a: 1, b: 2 }, { b: 1 }],
      ones,
    ],
    [{ dependentSchemas: { a: { properties: { a: {} } } }, unevaluatedProperties: { type: 'string' } }, [{ a: 1 }, named('x')], ones],
    [{ const: { a: 1 } }, [{ a: 1 }], [{}, ...ones]],
    [{ enum: [{ a: 1 }, [], ...ones] }, [{ a: 1 }, [], ...ones], [{}, named(1), { valueOf: 2 }, { toString: null }, { length: 0 }]],
    [{ uniqueItems: true, maxItems: 9 }, [ones, [[], {}]], [[...ones, { toString: 1 }]]],
  ] as const) {
    const { check } = judge(schema)
    for (const value of fits) assert.deepEqual(check?.(value), [], `${JSON.stringify(schema)} ${JSON.stringify(value)}`)
    for (const value of fails) assert.equal(check?.(value).length, 1, `${JSON.stringify(schema)} ${JSON.stringify(value)}`)
  }
})

test('items are unevaluated where no choice of schemas that a value met says something of them', () => {
  const texts = { prefixItems: [{ type: 'string' }] }
  const numbers = { items: { type: 'number' } }
  for (const [schema, fits, fails] of [
    [{ anyOf: [texts, {}], unevaluatedItems: false }, [[], ['a']], [[1], [1, 2], ['a', 2]]],
    [{ anyOf: [texts, {}], unevaluatedItems: { type: 'number' } }, [[], ['a', 1], [1, 2]], [['a', 'b'], [true]]],
    [{ anyOf: [{ $ref: '#/$defs/texts' }, {}], $defs: { texts }, unevaluatedItems: false }, [[], ['a']], [[1]]],
    [{ anyOf: [numbers, { prefixItems: [{}] }], unevaluatedItems: false }, [[1, 2, 3], ['a']], [['a', 1]]],
    [
      { anyOf: [{ prefixItems: [{}, {}] }, numbers], unevaluatedItems: { type: 'string' } },
      [
        [1, 2, 3],
        [true, 1, 'a'],
      ],
      [[true, 1, 2]],
    ],
  ] as const) {
    const { check } = judge(schema)
    for (const value of fits) assert.deepEqual(check?.(value), [], `${JSON.stringify(schema)} ${JSON.stringify(value)}`)
    for (const value of fails) assert.equal(check?.(value).length, 1, `${JSON.stringify(schema)} ${JSON.stringify(value)}`)
  }
})

test('an amount in cents is a multiple of a hundredth, as people count', () => {
  const { check } = judge({ items: { multipleOf: 0.01 } })
  assert.deepEqual(check?.([19.99, 0.07, 1_234_567.89, -4.35, 0]), [])
  for (const amount of [19.995, 0.001, 1_234_567.891]) assert.equal(check?.([amount])[0]?.keyword, 'multipleOf')
})

test('a few long lists without equals are too much too', () => {
  const { check } = judge({ items: { maxItems: 1_000, uniqueItems: true } })
  const list = Array.from({ length: 900 }, (_, n) => n)
  assert.deepEqual(
    [1, 5, 20].map(count => check?.(Array(count).fill(list)).map(({ keyword }) => keyword)),
    [[], [], ['size']],
  )
})

test('a large answer is held against a large schema, as long as each of its values meets few parts of it', () => {
  const fields = Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`p${n}`, { type: 'string', maxLength: 20 }]))
  const { check } = judge({
    type: 'object',
    properties: { orders: { type: 'array', items: { type: 'object', properties: fields, additionalProperties: false } } },
  })
  const order = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`p${n}`, 'text']))
  assert.deepEqual(check?.({ orders: Array(2_000).fill(order) }), [])
  assert.deepEqual(
    check?.({ orders: Array(2_000).fill({ ...order, p9: 5 }) }).map(({ keyword }) => keyword),
    ['type'],
  )
})

test('patterns of a schema that are too large together are told before they are compiled, each at its place', () => {
  // Two hundred million states, in 50 KB.
  const patterns = Array.from({ length: 550 }, (_, i) => [`p${i}`, { pattern: `${'(a{30}){30}'.repeat(8)}${i}` }])
  const before = process.cpuUsage()
  const { errors } = judge({ properties: Object.fromEntries(patterns) })
  const { user, system } = process.cpuUsage(before)
  assert.deepEqual(
    [errors.length, ...errors.slice(0, 2).map(({ at, code }) => `${at.join('.')} ${code}`)],
    [50, 'properties.p1.pattern invalid_pattern', 'properties.p2.pattern invalid_pattern'],
  )
  assert.ok(user + system < 1_500_000, `${(user + system) / 1000} ms of processor time`)
  for (const pattern of ['(?:[01]?\\d|2[0-4]\\d){4}', '\\u{1000}{9}', '[]a{1000}', '(((', 'a\\', '[a\\', '', '(?<year>\\d{4}){2}'])
    assert.ok(statesOf(pattern) < 1_100, pattern)
})

test('validators of schemas that come and go leave no memory taken, whatever their patterns are', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const check = (i: number) => judge({ properties: { a: { pattern: '[a-z]{1,900}'.repeat(5) + i } } }).check?.({ a: 'ab'.repeat(99) })
  check(0)
  collect()
  const before = process.memoryUsage().heapUsed
  for (let i = 1; i <= 25; i++) assert.equal(check(i)?.length, 1)
  collect()
  const more = process.memoryUsage().heapUsed - before
  assert.ok(more < APP_VALIDATORS_KEPT_BYTES + APP_PATTERNS_KEPT_BYTES + APP_COMPILER_BYTES, `${more / 1e6} MB`)
})

test('a file of 3 MB is refused, and one that changes while it is read is judged as it was read, without a stack', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'malformed-'))
  const file = join(folder, 'app.json')
  const validate = (): Promise<{ code: number; told: string }> =>
    new Promise(resolve =>
      execFile(join(import.meta.dirname, '../../bin/shopdesk'), ['app', 'validate', file], (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), told: stdout + stderr }),
      ),
    )
  try {
    writeFileSync(file, ' '.repeat(3_000_000))
    const large = await validate()
    assert.equal(large.code, 1)
    assert.match(large.told, /is larger than 512 KB/)
    let isRead = false
    const judged = validate().finally(() => {
      isRead = true
    })
    for (let at = 0; !isRead; at++) {
      writeFileSync(file, at % 2 === 0 ? guide : JSON.stringify(warranty).slice(0, 700))
      await new Promise(setImmediate)
    }
    const { code, told } = await judged
    assert.ok(code === 0 || code === 1, told)
    assert.doesNotMatch(told, /^ {2,}at |node:internal/m)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
