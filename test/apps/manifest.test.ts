// Manifests: what is refused, with which path and code. Each row changes one good manifest, and says all that must be found.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { checkManifest } from '../../src/apps/manifest/check.ts'
import { readSource } from '../../src/apps/manifest/source.ts'
import { eventTypes } from '../../src/catalog.ts'
import { MANIFEST_BYTES } from '../../src/limits/apps.ts'
import { ERRORS_MAX } from '../../src/limits/bodies.ts'
import { KNOWLEDGE_BYTES } from '../../src/limits/knowledge.ts'

const home = join(import.meta.dirname, '../..')
const strict = { triggers: eventTypes, outbound: { allowPrivate: false, allowOrigins: [] } }
const codesOf = (findings: { path: string; code: string }[]) => findings.map(({ path, code }) => `${path} ${code}`)

/** The manifest of the guide. */
const guide = /```json\n(.*?)```/s.exec(readFileSync(join(home, 'docs/apps/manifest.md'), 'utf8'))?.[1] as string
// biome-ignore lint/suspicious/noExplicitAny: each row changes another part
type Any = any
const good = (): Any => JSON.parse(guide)

const stepsOf = (path: string): string[] => path.split(/[.[\]]+/).filter(step => step !== '')

/** Sets the member at a path, or takes it away. */
const set = (path: string, value?: unknown) => (manifest: Any) => {
  const steps = stepsOf(path)
  const last = steps.pop() as string
  const holder = steps.reduce((part, step) => part[step], manifest)
  if (value === undefined) delete holder[last]
  else holder[last] = value
}

/** Adds an entry to the list at a path. */
const add = (path: string, value: unknown) => (manifest: Any) => {
  stepsOf(path)
    .reduce((part, step) => part[step], manifest)
    .push(value)
}

function found(change: (manifest: Any) => unknown): { errors: string[]; warnings: string[] } {
  const manifest = good()
  const other = change(manifest)
  const { errors, warnings } = checkManifest(other === undefined ? manifest : other, strict)
  for (const { message } of [...errors, ...warnings]) assert.match(message, /[.?]$/, message)
  return { errors: codesOf(errors), warnings: codesOf(warnings) }
}

/** An app that may read no orders keeps an e-mail in a record, and hands this to its service. */
const handedOn = (email: string) => (manifest: Any) => {
  manifest.scopes = manifest.scopes.filter((scope: string) => scope !== 'read:orders')
  manifest.resources[0].fields.push({ name: 'note', type: 'string' }, { name: 'copy', type: 'string' })
  const [{ skill }, keep, tag] = manifest.flows[0].steps
  keep.values.note = 'By {{event.order.customer.email}}'
  manifest.flows[0].steps = [keep, { id: 'call', type: 'call_skill', skill, input: { email, points: 1 } }, tag]
}

test('the manifest of the guide has neither errors nor warnings', () => {
  const { errors, warnings, manifest } = checkManifest(good(), strict)
  assert.deepEqual([errors, warnings], [[], []])
  assert.equal(manifest?.id, 'acme:loyalty')
})

const REFUSED: [what: string, change: (manifest: Any) => unknown, ...expected: string[]][] = [
  // The shape.
  ['no manifest at all', () => 'text', ' invalid_type'],
  ['a list', () => [], ' invalid_type'],
  ['null', () => null, ' invalid_type'],
  ['no version of the manifest', set('manifestVersion'), 'manifestVersion required'],
  ['version 2 of the manifest', set('manifestVersion', 2), 'manifestVersion invalid_choice'],
  ['the version of the manifest as text', set('manifestVersion', '1'), 'manifestVersion invalid_type'],
  ['the other spelling of manifestVersion', set('manifest_version', 1), 'manifest_version unknown_field'],
  ['no name', set('name'), 'name required'],
  ['a blank name', set('name', '  '), 'name invalid_format'],
  ['no author', set('author'), 'author required'],
  ['no scopes', set('scopes'), 'scopes required'],
  ['an id without a vendor', set('id', 'loyalty'), 'id invalid_format'],
  ['an id of three parts', set('id', 'a:b:c'), 'id invalid_format'],
  ['a version of two parts', set('version', '1.0'), 'version invalid_format'],
  ['a version with a zero before', set('version', '01.0.0'), 'version invalid_format'],
  ['auth at the top', set('auth', {}), 'auth unknown_field'],
  ['auth of a skill', set('skills[0].auth', { token: 'x' }), 'skills[0].auth unknown_field'],
  ['resources as an object', set('resources', {}), 'resources invalid_type'],
  ['a resource without fields', set('resources[0].fields', []), 'resources[0].fields too_few'],
  ['a field for money', set('resources[0].fields[0].type', 'money'), 'resources[0].fields[0].type invalid_choice'],
  ['a field named __proto__', set('resources[0].fields[0].name', '__proto__'), 'resources[0].fields[0].name invalid_format'],
  [
    'a relation to what is not there',
    set('resources[0].relations[0].target', 'builtin:cart'),
    'resources[0].relations[0].target invalid_choice',
  ],
  ['exposeToAi as text', set('resources[0].exposeToAi', 'yes'), 'resources[0].exposeToAi invalid_type'],
  ['a skill without inputSchema', set('skills[0].inputSchema'), 'skills[0].inputSchema required'],
  ['a view elsewhere', set('views[0].target', 'order.tabs'), 'views[0].target invalid_choice'],
  ['a component of another kind', set('views[0].component', 'html:<b>'), 'views[0].component invalid_format'],
  ['a setting of another type', set('config[0].type', 'json'), 'config[0].type invalid_choice'],
  ['a key with a dot', set('config[0].key', 'a.b'), 'config[0].key invalid_format'],
  ['a key named __proto__', set('config[0].key', '__proto__'), 'config[0].key invalid_format'],
  ['a step with a dot', set('flows[0].steps[0].id', 'a.b'), 'flows[0].steps[0].id invalid_format'],
  ['a step of another type', set('flows[0].steps[1].type', 'delete_record'), 'flows[0].steps[1].type invalid_choice'],
  ['a step without a type', set('flows[0].steps[1].type'), 'flows[0].steps[1].type required'],
  ['a flow without steps', set('flows[0].steps', []), 'flows[0].steps too_few'],
  ['a wait of no time', add('flows[0].steps', { id: 'w', type: 'wait', minutes: 0 }), 'flows[0].steps[3].minutes out_of_range'],
  ['a wait of half a minute', add('flows[0].steps', { id: 'w', type: 'wait', minutes: 0.5 }), 'flows[0].steps[3].minutes invalid_type'],
  ['an operator that is not there', set('flows[0].conditions[0].op', 'like'), 'flows[0].conditions[0].op invalid_choice'],
  [
    '21 resources',
    (m: Any) => {
      m.resources = Array.from({ length: 21 }, (_, n) => ({ ...m.resources[0], id: n ? `p${n}` : 'points' }))
    },
    'resources too_many',
  ],
  [
    '11 steps',
    set(
      'flows[0].steps',
      Array.from({ length: 11 }, (_, n) => ({ id: `w${n}`, type: 'wait', minutes: 1 })),
    ),
    'flows[0].steps too_many',
  ],
  // Text.
  ['NUL in a name', set('name', 'a\0'), 'name invalid_text'],
  ['half a surrogate pair in knowledge', set('knowledge[0].content', '\ud800'), 'knowledge[0].content invalid_text'],
  [
    'a backslash in the name of a property',
    set('skills[0].inputSchema.properties.a\\b', {}),
    'skills[0].inputSchema.properties.a\\b invalid_name',
  ],
  [
    'a number without an end',
    set('skills[0].inputSchema.properties.points.minimum', Number.POSITIVE_INFINITY),
    'skills[0].inputSchema.properties.points.minimum out_of_range',
  ],
  // Rules.
  [
    'two views of one id',
    (m: Any) => {
      m.views.push(m.views[0])
    },
    'views[1].id duplicate',
  ],
  [
    'two fields of one name',
    (m: Any) => {
      m.resources[0].fields.push(m.resources[0].fields[0])
    },
    'resources[0].fields[2].name duplicate',
  ],
  ['two steps of one id', set('flows[0].steps[2].id', 'keep'), 'flows[0].steps[2].id duplicate'],
  [
    'two settings of one key',
    (m: Any) => {
      m.config.push(m.config[0])
    },
    'config[1].key duplicate',
  ],
  ['one scope twice', add('scopes', 'read:orders'), 'scopes[6] duplicate'],
  [
    'one relation twice',
    (m: Any) => {
      m.resources[0].relations.push(m.resources[0].relations[0])
    },
    'resources[0].relations[1].target duplicate',
  ],
  ['a reserved name', add('resources[0].fields', { name: 'version', type: 'number' }), 'resources[0].fields[2].name reserved_name'],
  [
    'an enum without values',
    set('resources[0].fields[1].enumValues'),
    'resources[0].fields[1].enumValues required',
    'flows[0].steps[1].values.reason invalid_choice',
  ],
  ['values beside a number', set('resources[0].fields[0].enumValues', ['1']), 'resources[0].fields[0].enumValues unexpected_enum_values'],
  ['an enum of settings without values', add('config', { key: 'level', type: 'enum' }), 'config[1].enumValues required'],
  ['one value twice', set('resources[0].fields[1].enumValues', ['order', 'order']), 'resources[0].fields[1].enumValues duplicate'],
  [
    'knowledge of more than 64 KB, two bytes a character',
    set('knowledge[0].content', 'ä'.repeat(KNOWLEDGE_BYTES / 2 + 1)),
    'knowledge[0].content too_long',
  ],
  ['a scope that is not there', add('scopes', 'read:everything'), 'scopes[6] unknown_scope'],
  ['a subscription to what is not there', add('scopes', 'subscribe:order.payed'), 'scopes[6] unknown_scope'],
  ['a list of another resource', set('views[0].component', 'list:pints'), 'views[0].component unknown_resource'],
  // Addresses.
  ['this machine', set('skills[0].endpoint', 'http://127.0.0.1:8090/x'), 'skills[0].endpoint https_required'],
  ['http', set('skills[0].endpoint', 'http://app.example/x'), 'skills[0].endpoint https_required'],
  ['ftp', set('skills[0].endpoint', 'ftp://app.example/x'), 'skills[0].endpoint https_required'],
  ['no address', set('skills[0].endpoint', 'app.example'), 'skills[0].endpoint malformed'],
  ['a private address', set('skills[0].endpoint', 'https://10.0.0.1/x'), 'skills[0].endpoint private_host'],
  ['a password', set('skills[0].endpoint', 'https://u:p@app.example/x'), 'skills[0].endpoint userinfo'],
  ...[
    '127.1',
    '0x7f.1',
    '2130706433',
    '0177.0.0.1',
    '127.0.0.1',
    '[::1]',
    'localhost',
    'intranet',
    'shop.local',
    'db.internal',
    '0x08080808',
    '134744072',
  ].map((host): [string, (m: Any) => unknown, string] => [
    `a view at ${host}`,
    set('views[0].component', `custom:https://${host}/x`),
    'views[0].component private_host',
  ]),
  ['a view over http', set('views[0].component', 'custom:http://app.example'), 'views[0].component https_required'],
  ['a view of a script', set('views[0].component', 'custom:javascript:alert(1)'), 'views[0].component https_required'],
  // Schemas.
  [
    'arguments that are no object',
    set('skills[0].inputSchema', { type: 'array' }),
    'skills[0].inputSchema.type invalid_schema',
    'flows[0].steps[0].input invalid_input',
  ],
  ['a type that JSON does not have', set('skills[0].outputSchema', { type: 'money' }), 'skills[0].outputSchema.type invalid_schema'],
  [
    'another dialect',
    set('skills[0].inputSchema.$schema', 'http://json-schema.org/draft-04/schema#'),
    'skills[0].inputSchema.$schema unknown_dialect',
  ],
  [
    'a reference to elsewhere',
    set('skills[0].outputSchema', { $ref: 'https://evil.example/schema' }),
    'skills[0].outputSchema.$ref invalid_ref',
  ],
  ['a reference to nothing', set('skills[0].outputSchema', { $ref: '#/$defs/none' }), 'skills[0].outputSchema.$ref invalid_ref'],
  ['a dynamic reference', set('skills[0].outputSchema', { $dynamicRef: '#a' }), 'skills[0].outputSchema.$dynamicRef invalid_ref'],
  [
    'a circle',
    set('skills[0].outputSchema', { $ref: '#/$defs/a', $defs: { a: { items: { $ref: '#/$defs/a' } } } }),
    'skills[0].outputSchema.$defs.a circular_ref',
  ],
  ['a reference to itself', set('skills[0].outputSchema', { $ref: '#' }), 'skills[0].outputSchema circular_ref'],
  [
    'forty definitions, each of which names the one before twice',
    m => {
      const parts = Array.from({ length: 40 }, (_, n) => [
        `d${n}`,
        n ? { allOf: [{ $ref: `#/$defs/d${n - 1}` }, { $ref: `#/$defs/d${n - 1}` }] } : {},
      ])
      m.skills[0].outputSchema = { $ref: '#/$defs/d39', $defs: Object.fromEntries(parts) }
    },
    'skills[0].outputSchema schema_too_large',
  ],
  ['a schema of 65 KB', set('skills[0].outputSchema', { description: 'x'.repeat(65 * 1024) }), 'skills[0].outputSchema schema_too_large'],
  [
    'unbounded unique items',
    set('skills[0].outputSchema', { uniqueItems: true }),
    'skills[0].outputSchema.uniqueItems unbounded_unique_items',
  ],
  ['a look-ahead', set('skills[0].outputSchema', { pattern: '^(?=a)' }), 'skills[0].outputSchema.pattern invalid_pattern'],
  ['a back-reference', set('skills[0].outputSchema', { pattern: '(a)\\1' }), 'skills[0].outputSchema.pattern invalid_pattern'],
  ['one by name', set('skills[0].outputSchema', { pattern: '(?<n>a)\\k<n>' }), 'skills[0].outputSchema.pattern invalid_pattern'],
  [
    'what is wrong with a schema, by its place in it',
    set('skills[0].outputSchema', { allOf: [{}, { properties: { 'a/b': { type: 'int' } } }] }),
    'skills[0].outputSchema.allOf[1].properties.a/b.type invalid_schema',
  ],
  [
    'a pattern of names with a look-ahead',
    set('skills[0].outputSchema', { patternProperties: { '(?!a)': {} } }),
    'skills[0].outputSchema.patternProperties.(?!a) invalid_pattern',
  ],
  [
    'patterns that are too large together',
    set('skills[0].outputSchema', { allOf: Array.from({ length: 12 }, () => ({ pattern: 'a{1000}' })) }),
    'skills[0].outputSchema.allOf[9].pattern invalid_pattern',
    'skills[0].outputSchema.allOf[10].pattern invalid_pattern',
    'skills[0].outputSchema.allOf[11].pattern invalid_pattern',
  ],
  // Flows.
  ['a trigger that is not there', set('flows[0].trigger', 'order.payed'), 'flows[0].trigger unknown_event'],
  ['a trigger without its scope', set('flows[0].trigger', 'order.shipped'), 'flows[0].trigger missing_scope'],
  [
    'a record without its scope',
    (m: Any) => {
      m.scopes = m.scopes.filter((s: string) => s !== 'write:records')
    },
    'flows[0].steps[1].type missing_scope',
  ],
  [
    'a tag without its scope',
    (m: Any) => {
      m.scopes = m.scopes.filter((s: string) => s !== 'write:contacts')
    },
    'flows[0].steps[2].type missing_scope',
  ],
  [
    'an e-mail that leaves without its scope',
    (m: Any) => {
      m.scopes = m.scopes.filter((s: string) => s !== 'read:orders')
    },
    'flows[0].steps[0].input.email missing_scope',
  ],
  [
    'the whole event, without any scope of it',
    m => {
      m.scopes = m.scopes.filter((s: string) => s !== 'read:orders')
      m.flows[0].steps[0].input.email = '{{event}}'
    },
    'flows[0].steps[0].input.email missing_scope',
  ],
  [
    'an e-mail that leaves by way of a record, without its scope',
    handedOn('{{steps.keep.output.note}}'),
    'flows[0].steps[1].input.email missing_scope',
  ],
  ['a whole record that holds an e-mail', handedOn('{{steps.keep.output}}'), 'flows[0].steps[1].input.email missing_scope'],
  ['an e-mail that leaves by way of all steps', handedOn('About {{steps}}'), 'flows[0].steps[1].input.email missing_scope'],
  [
    'an e-mail that another flow kept, and that went from field to field',
    m => {
      handedOn('ada@shop.example')(m)
      const { skill } = m.flows[0].steps[1]
      const change = { type: 'update_record', resource: 'points', external_id: 'ada' }
      const steps = [
        { id: 'copy', ...change, values: { copy: '{{steps.read.output.note}}' } },
        { id: 'read', ...change, values: {} },
        { id: 'call', type: 'call_skill', skill, input: { email: '{{steps.copy.output.copy}}', points: 1 } },
      ]
      m.flows.push({ id: 'other', name: 'Other', trigger: 'order.paid', steps: [steps[1], steps[0], steps[2]] })
    },
    'flows[1].steps[2].input.email missing_scope',
  ],
  [
    'a message without its scope',
    add('flows[0].steps', { id: 'say', type: 'send_message', text: 'hello' }),
    'flows[0].steps[3].type missing_scope',
  ],
  [
    'a notice without its scope',
    add('flows[0].steps', { id: 'tell', type: 'notify', title: 'a', body: 'b' }),
    'flows[0].steps[3].type missing_scope',
  ],
  ['a skill that is not there', set('flows[0].steps[0].skill', 'awards'), 'flows[0].steps[0].skill unknown_skill'],
  ['a resource that is not there', set('flows[0].steps[1].resource', 'point'), 'flows[0].steps[1].resource unknown_resource'],
  ['a field that is not there', set('flows[0].steps[1].values.ammount', 1), 'flows[0].steps[1].values.ammount unknown_field'],
  ['a required field that is missing', set('flows[0].steps[1].values.amount'), 'flows[0].steps[1].values.amount required'],
  ['a required field that is null', set('flows[0].steps[1].values.amount', null), 'flows[0].steps[1].values.amount required'],
  ['text for a number', set('flows[0].steps[1].values.amount', 'ten'), 'flows[0].steps[1].values.amount invalid_type'],
  [
    'text with a template for a number',
    set('flows[0].steps[1].values.amount', '{{event.order.total_amount}} points'),
    'flows[0].steps[1].values.amount invalid_type',
  ],
  [
    'a text for a number by a path',
    set('flows[0].steps[1].values.amount', '{{event.order.id}}'),
    'flows[0].steps[1].values.amount invalid_type',
  ],
  ['none of the values', set('flows[0].steps[1].values.reason', 'Order'), 'flows[0].steps[1].values.reason invalid_choice'],
  ['a path that leads nowhere', set('flows[0].conditions[0].field', 'event.order.total'), 'flows[0].conditions[0].field unknown_path'],
  ['a path of another event', set('flows[0].steps[2].tag', '{{event.message.text}}'), 'flows[0].steps[2].tag unknown_path'],
  [
    'a path through a list without a number',
    set('flows[0].steps[2].tag', '{{event.order.items.sku}}'),
    'flows[0].steps[2].tag unknown_path',
  ],
  [
    'a step that runs later',
    set('flows[0].steps[0].input.email', '{{steps.keep.output.id}}'),
    'flows[0].steps[0].input.email unknown_path',
  ],
  ['what a step does not lead to', set('flows[0].steps[2].tag', '{{steps.keep.output.balance}}'), 'flows[0].steps[2].tag unknown_path'],
  [
    'the error of a step that stops the run',
    set('flows[0].steps[2].tag', '{{steps.keep.error.code}}'),
    'flows[0].steps[2].tag unknown_path',
  ],
  ['a setting that is not there', set('flows[0].steps[2].tag', '{{config.programme}}'), 'flows[0].steps[2].tag unknown_path'],
  [
    'a secret in a tag',
    m => {
      m.config.push({ key: 'token', type: 'secret' })
      m.flows[0].steps[2].tag = '{{config.token}}'
    },
    'flows[0].steps[2].tag secret_path',
  ],
  [
    'a secret in a condition',
    m => {
      m.config.push({ key: 'token', type: 'secret' })
      m.flows[0].conditions[0] = { field: 'config.token', op: 'eq', value: 'x' }
    },
    'flows[0].conditions[0].field secret_path',
  ],
  ['a path by the prototype', set('flows[0].steps[2].tag', '{{event.constructor.name}}'), 'flows[0].steps[2].tag unknown_path'],
  ['a template that is not closed', set('flows[0].steps[2].tag', 'a {{event.order_id'), 'flows[0].steps[2].tag invalid_template'],
  ['a helper', set('flows[0].steps[2].tag', '{{upper event.order_id}}'), 'flows[0].steps[2].tag invalid_template'],
  ['an empty template', set('flows[0].steps[2].tag', '{{}}'), 'flows[0].steps[2].tag invalid_template'],
  [
    'an order of texts',
    set('flows[0].conditions[0]', { field: 'event.order.id', op: 'gt', value: 5 }),
    'flows[0].conditions[0].op invalid_operator',
  ],
  ['text for a number in a condition', set('flows[0].conditions[0].value', '1000'), 'flows[0].conditions[0].value invalid_value'],
  [
    'null in a condition',
    set('flows[0].conditions[0]', { field: 'event.order.number', op: 'eq', value: null }),
    'flows[0].conditions[0].value invalid_value',
  ],
  [
    'no time',
    set('flows[0].conditions[0]', { field: 'event.order.created_at', op: 'gt', value: '2026-02-30' }),
    'flows[0].conditions[0].value invalid_value',
  ],
  [
    'a status that is not there',
    set('flows[0].conditions[0]', { field: 'event.order.status', op: 'eq', value: 'paid' }),
    'flows[0].conditions[0].value invalid_choice',
  ],
  [
    'a status that is not there, among others',
    set('flows[0].conditions[0]', { field: 'event.order.status', op: 'in', value: ['shipped', 'sent'] }),
    'flows[0].conditions[0].value[1] invalid_choice',
  ],
  [
    'one value for in',
    set('flows[0].conditions[0]', { field: 'event.order.status', op: 'in', value: 'shipped' }),
    'flows[0].conditions[0].value invalid_value',
  ],
  [
    'text for exists',
    set('flows[0].conditions[0]', { field: 'event.order.number', op: 'exists', value: 'yes' }),
    'flows[0].conditions[0].value invalid_value',
  ],
  ['an argument of another type', set('flows[0].steps[0].input.points', 'ten'), 'flows[0].steps[0].input.points invalid_input'],
  ['an argument out of range', set('flows[0].steps[0].input.points', 0), 'flows[0].steps[0].input.points invalid_input'],
  ['an argument that is missing', set('flows[0].steps[0].input.points'), 'flows[0].steps[0].input.points invalid_input'],
  [
    'an argument, by its place',
    (m: Any) => {
      m.skills[0].inputSchema.properties['a/b'] = { items: { const: { id: 1 } } }
      m.flows[0].steps[0].input['a/b'] = [{ id: 1 }, { valueOf: 1 }]
    },
    'flows[0].steps[0].input.a/b[1] invalid_input',
  ],
]

describe('a manifest is refused', () => {
  for (const [what, change, ...expected] of REFUSED) test(what, () => assert.deepEqual(found(change).errors, expected))
})

describe('a manifest is not refused', () => {
  for (const [what, change, ...warnings] of [
    ['upper case in ids', set('id', 'ACME:Loyalty')],
    [
      'ids with dots, and names that begin with an underscore',
      (m: Any) => {
        m.resources[0].id = m.views[0].id = m.knowledge[0].id = m.flows[0].id = m.skills[0].id = 'v2.points'
        m.views[0].component = 'list:v2.points'
        m.flows[0].steps[1].resource = m.flows[0].steps[0].skill = 'v2.points'
        m.resources[0].fields.push({ name: '_note', type: 'string' }, { name: '__proto', type: 'string' })
        m.config.push({ key: '_mode', type: 'string' })
        m.flows[0].steps[0].id = '1st'
        m.flows[0].steps[1].values._note = '{{steps.1st.output.balance}} {{config._mode}}'
      },
    ],
    ['the id of a record that holds an e-mail', handedOn('{{steps.keep.output.id}}')],
    ['a field of such a record that holds none', handedOn('{{steps.keep.output.reason}} {{steps.keep.output.copy}}')],
    ['empty lists', set('knowledge', [])],
    ['$schema at the top', set('$schema', 'https://shop.example/docs/apps/manifest.schema.json')],
    ['a scope that nothing uses', add('scopes', 'notify:team'), 'scopes[6] unused_scope'],
    [
      'a relation without its read scope',
      (m: Any) => {
        m.scopes = m.scopes.filter((s: string) => s !== 'read:contacts')
      },
      'resources[0].relations[0].target missing_scope',
      'views[0].target missing_scope',
    ],
    [
      'steps that have nothing to act on, whatever happens',
      (m: Any) => {
        m.scopes.push('write:messages', 'subscribe:contact.created', 'subscribe:product.low_stock', 'subscribe:message.received')
        const steps = [
          { id: 'say', type: 'send_message', text: 'Hello' },
          { id: 'tag', type: 'tag_contact', tag: 'new' },
        ]
        for (const trigger of ['contact.created', 'product.low_stock', 'message.received'])
          m.flows.push({ id: trigger.replace('.', '-'), name: 'A flow', trigger, steps })
      },
      'flows[1].steps[0].type no_subject',
      'flows[2].steps[0].type no_subject',
      'flows[2].steps[1].type no_subject',
    ],
    ['a tab of what is not linked', set('resources[0].relations'), 'views[0].component no_relation'],
    [
      'a keyword that JSON Schema does not have',
      set('skills[0].inputSchema.requires', []),
      'skills[0].inputSchema.requires unknown_keyword',
    ],
    [
      'a keyword of another draft',
      set('skills[0].outputSchema', {
        $schema: 'http://json-schema.org/draft-07/schema#',
        anyOf: [{ properties: { a: {} } }],
        unevaluatedProperties: false,
      }),
      'skills[0].outputSchema.unevaluatedProperties unknown_keyword',
    ],
    ['a format that is not known', set('skills[0].outputSchema.format', 'money'), 'skills[0].outputSchema.format unknown_format'],
    [
      'a look-ahead beside a known format',
      set('skills[0].inputSchema.properties.email.pattern', '^(?!\\.)'),
      'skills[0].inputSchema.properties.email.pattern pattern_left_out',
    ],
    [
      'draft-07',
      set('skills[0].outputSchema', {
        $schema: 'http://json-schema.org/draft-07/schema#',
        definitions: { a: { type: 'object' } },
        $ref: '#/definitions/a',
      }),
    ],
    [
      'a definition that is named often',
      set('skills[0].outputSchema', {
        $defs: { a: { type: 'string' } },
        properties: Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`p${n}`, { $ref: '#/$defs/a' }])),
      }),
    ],
    ['an anchor', set('skills[0].outputSchema', { $defs: { a: { $anchor: 'here' } }, $ref: '#here' })],
    ['a value in another case', set('flows[0].conditions[0]', { field: 'event.order.status', op: 'in', value: ['shipped', 'Delivered'] })],
    [
      'an id, without any scope',
      (m: Any) => {
        m.flows[0].steps[0].input.email = '{{event.order.id}}'
        m.scopes = m.scopes.filter((s: string) => s !== 'read:orders')
      },
    ],
    [
      'a secret in the input of a skill',
      (m: Any) => {
        m.config.push({ key: 'token', type: 'secret' })
        m.flows[0].steps[0].input.token = '{{config.token}}'
      },
    ],
    ['an entry of a list by its number', set('flows[0].steps[2].tag', 'bought {{ event.order.items.0.sku }}')],
    [
      'the error of a step that lets the run go on',
      (m: Any) => {
        m.flows[0].steps[1].on_error = 'continue'
        m.flows[0].steps[2].tag = '{{steps.keep.error.code}}'
      },
    ],
    ['a public address as it is', set('views[0].component', 'custom:https://8.8.8.8/x')],
    ['a view of one place of a page', set('views[0].component', 'custom:https://app.example/#/points?tab=1')],
  ] as [string, (m: Any) => unknown, ...string[]][])
    test(what, () => assert.deepEqual(found(change), { errors: [], warnings }))
})

test('faults of all kinds in one manifest are told at once, each once', () => {
  const { errors } = found(m => {
    m.version = 1
    m.resources[0].fields[1].type = 'money'
    m.scopes.push('read:everything')
    m.skills[0].endpoint = 'http://app.example'
    m.views.push({ ...m.views[0], component: 'list:nothing' })
    m.flows[0].conditions[0].op = 'like'
    m.flows[0].steps[0].skill = 'awards'
    m.flows[0].steps[2].tag = '{{event.ordr_id}}'
  })
  assert.deepEqual(errors.toSorted(), [
    'flows[0].conditions[0].op invalid_choice',
    'flows[0].steps[0].skill unknown_skill',
    'flows[0].steps[2].tag unknown_path',
    'resources[0].fields[1].type invalid_choice',
    'scopes[6] unknown_scope',
    'skills[0].endpoint https_required',
    'version invalid_type',
    'views[1].component unknown_resource',
    'views[1].id duplicate',
  ])
})

test('nothing is warned of that may only follow from what is wrong', () => {
  const { errors, warnings } = found(m => {
    // What needs its scopes is no more to be seen.
    m.flows[0].steps = m.flows[0].steps.map(() => 5)
    m.resources[0].relations = 5
    m.views[0].target = 'contact.tabs'
  })
  assert.ok(errors.includes('resources[0].relations invalid_type'), errors.join())
  assert.deepEqual(warnings, [])
})

test('what is wrong in one part is told at once: its shape, and what the rest of it breaks', () => {
  const { errors } = found(m => {
    m.resources[0].fields.push({ name: 'version', type: 'money' }, { name: 'level', type: 'enum', required: 'yes' })
    m.skills[0] = { ...m.skills[0], auth: {}, endpoint: 'http://app.example', outputSchema: { pattern: '(?=a)' } }
    m.views.push({ id: 'other', target: 'dashboard.page', component: 'list:nothing' })
    m.knowledge.push({ id: 'long', content: 'x'.repeat(KNOWLEDGE_BYTES + 1) })
    m.flows[0].conditions[0] = { field: 'event.order.totl', op: 'like', value: 1 }
    m.flows[0].steps[1] = { type: 'create_record', resource: 'nothing', external_id: '{{event.ordr_id}}' }
    m.flows[0].steps[2].tags = 'x'
    m.flows[0].steps[2].tag = '{{event.nothing}}'
    m.flows.push({ ...m.flows[0], name: undefined, id: 'again', trigger: 'order.payed', steps: [{ id: 'w', type: 'wait' }] })
  })
  assert.deepEqual(errors.toSorted(), [
    'flows[0].conditions[0].field unknown_path',
    'flows[0].conditions[0].op invalid_choice',
    'flows[0].steps[1].external_id unknown_path',
    'flows[0].steps[1].id required',
    'flows[0].steps[1].resource unknown_resource',
    'flows[0].steps[1].values required',
    'flows[0].steps[2].tag unknown_path',
    'flows[0].steps[2].tags unknown_field',
    'flows[1].conditions[0].op invalid_choice',
    'flows[1].name required',
    'flows[1].steps[0].minutes required',
    'flows[1].trigger unknown_event',
    'knowledge[1].content too_long',
    'knowledge[1].title required',
    'resources[0].fields[2].name reserved_name',
    'resources[0].fields[2].type invalid_choice',
    'resources[0].fields[3].enumValues required',
    'resources[0].fields[3].required invalid_type',
    'skills[0].auth unknown_field',
    'skills[0].endpoint https_required',
    'skills[0].outputSchema.pattern invalid_pattern',
    'views[1].component unknown_resource',
    'views[1].name required',
  ])
})

test('a mistyped name is told the nearest there is, and an address of a view no setting that would not help', () => {
  const messageOf = (change: (m: Any) => void) => {
    const manifest = good()
    change(manifest)
    return checkManifest(manifest, strict).errors[0]?.message ?? ''
  }
  assert.match(messageOf(set('resources[0].exposeToAI', true)), /^is not a field here; did you mean exposeToAi\? Known are id, name,/)
  assert.match(messageOf(set('resources[0].fields[0].type', 'bolean')), /^must be one of string, .*; did you mean boolean\?$/)
  assert.equal(messageOf(set('manifestVersion', 2)), 'must be 1.')
  assert.equal(
    messageOf(set('skills[0].inputSchema.properties', { a: { type: 'Integer' } })),
    'must be one of array, boolean, integer, null, number, object, string; did you mean integer?',
  )
  assert.match(messageOf(set('flows[0].steps[2].type', 'tagContact')), /; did you mean tag_contact\?$/)
  assert.match(messageOf(set('flows[0].steps[1].values.amuont', 1)), /; did you mean amount\?$/)
  assert.match(
    messageOf(set('views[0].component', 'custom:https://10.0.0.1')),
    /^10\.0\.0\.1 is not a public address \(private\); use a host [^()]*\.$/,
  )
})

test('a day that a skill answers with is compared as a field of type date is', () => {
  const { errors } = found(m => {
    const [call] = m.flows[0].steps
    m.skills[0].outputSchema = { type: 'object', properties: { until: { type: 'string', format: 'date' } } }
    m.flows[0].steps = [
      call,
      {
        id: 'tag',
        type: 'tag_contact',
        tag: 'lasting',
        conditions: [{ field: `steps.${call.id}.output.until`, op: 'gt', value: '2026-05-25' }],
      },
    ]
  })
  assert.deepEqual(errors, [])
})

test('of too many faults the first hundred are told', () => {
  const { errors } = found(m => {
    m.flows = Array.from({ length: 20 }, (_, n) => ({
      ...m.flows[0],
      id: `f${n}`,
      steps: Array.from({ length: 10 }, (_each, k) => ({ id: `s${k}`, type: 'tag_contact', tag: '{{nothing}}' })),
    }))
  })
  assert.equal(errors.length, ERRORS_MAX)
})

describe('a file is refused', () => {
  const bytes = (text: string) => Buffer.from(text)
  for (const [what, file, code, line, column] of [
    ['nothing', bytes(''), 'invalid_json', 1, 1],
    ['a comma too many', bytes('{\n  "a": 1,\n}'), 'invalid_json', 3, 1],
    ['a comma too few', bytes('{\n  "a": 1\n  "b": 2\n}'), 'invalid_json', 3, 3],
    ['a comment', bytes('{\n// no\n}'), 'invalid_json', 2, 1],
    ['single quotes', bytes("{'a': 1}"), 'invalid_json', 1, 2],
    ['more behind its end', bytes('{}{}'), 'invalid_json', 1, 3],
    ['a byte order mark', bytes('\u{FEFF}{}'), 'invalid_json', 1, 1],
    ['another encoding', Buffer.from('{"name":"\xe9"}', 'latin1'), 'invalid_text', 1, 1],
    ['100 000 brackets', bytes('['.repeat(100_000)), 'too_deep', 1, 33],
    ['100 000 brackets behind a comment with a quotation mark', bytes(`/* " */${'['.repeat(100_000)}`), 'too_deep', 1, 40],
    ['3 MB', Buffer.alloc(MANIFEST_BYTES + 1, ' '), 'too_large', 1, 1],
  ] as const)
    test(what, () => {
      const { errors, placeOf } = readSource(file)
      assert.deepEqual(codesOf(errors), [` ${code}`])
      assert.deepEqual(placeOf(errors[0] as never), { line, column })
    })

  test('a file that was just made says that it is empty', () => {
    assert.match(readSource(bytes(' \n')).errors[0]?.message ?? '', /^is empty;/)
  })

  test('what looks like brackets, members and ends in its texts is none', () => {
    const value = { 'a:"{[': ['\\', '\\"', '"}]:', { '': { ':': '\\\\"' } }], 'b\\': '{"b": 1, "b": 2}', ä: '\u2028', c: '['.repeat(100) }
    const source = readSource(bytes(JSON.stringify(value, undefined, 2)))
    assert.deepEqual([source.errors, source.value], [[], value])
    assert.deepEqual(source.placeOf({ path: 'c', code: 'invalid_type', message: '' }), { line: 14, column: 8 })
  })

  test('one name twice, and __proto__ as a name', () => {
    const twice = readSource(bytes('{"a": 1, "b": {"c": 1, "c": 2}}'))
    assert.deepEqual(codesOf(twice.errors), ['b.c duplicate'])
    assert.deepEqual(twice.placeOf(twice.errors[0] as never), { line: 1, column: 24 })
    const source = readSource(bytes(guide.replace('"type": "object",', '"type": "object", "__proto__": {"x": 1},')))
    assert.deepEqual(codesOf(checkManifest(source.value, strict).errors), ['skills[0].inputSchema.__proto__ invalid_name'])
    assert.equal(({} as Any).x, undefined)
  })
})

test('a manifest as large as it may be is judged in time that nothing waits for long', () => {
  const manifest = good()
  manifest.knowledge = Array.from({ length: 6 }, (_, n) => ({ id: `k${n}`, title: 'a', content: 'x'.repeat(60_000) }))
  manifest.skills = Array.from({ length: 30 }, (_, n) => ({
    ...manifest.skills[0],
    id: n ? `s${n}` : 'award',
    outputSchema: { properties: Object.fromEntries(Array.from({ length: 100 }, (_each, k) => [`p${n}_${k}`, { type: 'string' }])) },
  }))
  assert.ok(JSON.stringify(manifest).length < MANIFEST_BYTES)
  assert.deepEqual(checkManifest(manifest, strict).errors, [])
})

describe('shopdesk app validate', () => {
  const folder = mkdtempSync(join(tmpdir(), 'manifest-'))
  after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'loyalty.json')
  const run = async (...args: string[]) => {
    const env = { ...process.env, DATABASE_URL: '', DATA_DIR: join(folder, 'none'), BASE_URL: 'https://shop.example', NO_COLOR: '1' }
    const { stdout, stderr, code } = await promisify(execFile)(join(home, 'bin/shopdesk'), ['app', 'validate', ...args], { env })
      .then(done => ({ ...done, code: 0 }))
      .catch(error => error)
    return { stdout, stderr, code }
  }

  test('says of each fault where it is, how to mend it and where to read more, without a database', async () => {
    writeFileSync(file, guide.replace('"type": "number"', '"type": "money"').replace('"read:contacts", ', ''))
    const { stdout, code } = await run(file)
    assert.equal(code, 1)
    assert.ok(
      stdout.includes(
        'loyalty.json:13:37  resources[0].fields[0].type  must be one of string, number, boolean, date, enum; keep money in your own service  (invalid_choice)\n',
      ),
      stdout,
    )
    assert.ok(stdout.includes('Warnings\n  loyalty.json:16:33  resources[0].relations[0].target  is builtin:contact;'), stdout)
    assert.ok(stdout.includes('  https://shop.example/docs/apps/errors#invalid_choice\n'))
    assert.ok(stdout.endsWith('loyalty.json cannot be installed: 1 error, 2 warnings.\n'))
    const { stdout: json, code: same } = await run('--json', file)
    assert.equal(same, 1)
    const [error] = JSON.parse(json).errors
    assert.deepEqual([error.path, error.code, error.line, error.column], ['resources[0].fields[0].type', 'invalid_choice', 13, 37])
  })

  test('takes what is right, and says in one line what it cannot read', async () => {
    writeFileSync(file, guide)
    assert.deepEqual(await run(file), { stdout: 'loyalty.json can be installed: no errors, no warnings.\n', stderr: '', code: 0 })
    assert.match((await run(folder)).stderr, /^\S+ cannot be read: it is a directory; name the file in it\.\n$/)
    assert.match((await run(join(folder, 'none.json'))).stderr, /there is no such file\.\n$/)
  })
})

test('every code has its place on the page of errors, and every place its code', () => {
  const read = (pattern: string): string =>
    globSync(join(home, pattern))
      .map(file => readFileSync(file, 'utf8'))
      .join()
  const places = new Set([...read('docs/apps/errors.md').matchAll(/^### `([a-z_]+)`$/gm)].map(match => match[1] as string))
  // Whatever can be found: by the rules, by what looks through schemas and addresses, and of the shape.
  const given = read('src/{apps/manifest/*,skills/inspect,skills/judge,outbound/address}.ts')
  const codes = [...given.matchAll(/(?:\bcode: |\btell\([^'()]*|\brefused\()'([a-z_]+)'/g)].map(match => match[1] as string)
  const ofUrls: string[] = /code: ('malformed'[^\n]*)\n/.exec(given)?.[1]?.match(/[a-z_]+/g) ?? []
  const ofShape = REFUSED.flatMap(([, , ...expected]) => expected.map(each => each.split(' ').at(-1) as string))
  const told = new Set([...codes, ...ofUrls, ...ofShape])
  assert.ok(ofUrls.includes('refused_port') && told.size > 40, `${told.size} codes`)
  assert.deepEqual(
    [...told].filter(code => !places.has(code)),
    [],
  )
  // The page has those of installs besides, and of the shape some that no row above has.
  const elsewhere = read('src/{apps/*,ingress/field-errors,ingress/validate}.ts')
  assert.deepEqual(
    [...places].filter(code => !told.has(code) && !elsewhere.includes(`'${code}'`)),
    [],
  )
})

test('the first app of the guide has nothing wrong, where its address is allowed', () => {
  const guide = readFileSync(join(home, 'docs/apps/first-app.md'), 'utf8')
  const [, manifest = ''] = /```json\n([\s\S]*?)```/.exec(guide) ?? []
  const outbound = { allowPrivate: false, allowOrigins: ['http://127.0.0.1:4000'] }
  const { errors, warnings } = checkManifest(JSON.parse(manifest), { ...strict, outbound })
  assert.deepEqual([errors, warnings], [[], []])
})

test('the example is installed where its author develops, and elsewhere the setting that allows it is named', () => {
  const loyalty = JSON.parse(readFileSync(join(home, 'examples/loyalty/loyalty.json'), 'utf8'))
  const { errors } = checkManifest(loyalty, strict)
  assert.deepEqual(codesOf(errors), ['skills[0].endpoint https_required', 'skills[1].endpoint https_required'])
  for (const { message } of errors) assert.match(message, /OUTBOUND_ALLOW_ORIGINS=http:\/\/127\.0\.0\.1:8090\.$/)
  const allowed = checkManifest(loyalty, { ...strict, outbound: { allowPrivate: false, allowOrigins: ['http://127.0.0.1:8090'] } })
  assert.deepEqual([allowed.errors, allowed.warnings], [[], []])
})
