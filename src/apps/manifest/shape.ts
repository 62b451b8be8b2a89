// The shape of a manifest. What one part demands of another is in the rules (rules.ts); what JSON may be written is in source.ts.
import { type Static, Type } from 'typebox'
import { MANIFEST_LISTS as MAX } from '../../limits/apps.ts'
import { WAIT_MINUTES_MAX } from '../../limits/flows.ts'
import { choice, strict } from '../../schemas.ts'

const FIELD_TYPES = ['string', 'number', 'boolean', 'date', 'enum'] as const
const CONFIG_TYPES = ['string', 'number', 'boolean', 'enum', 'secret'] as const
const ENTITIES = ['builtin:contact', 'builtin:order', 'builtin:product'] as const
const RELATION_TYPES = ['belongs_to', 'has_many'] as const
const VIEW_TARGETS = ['contact.tabs', 'product.tabs', 'dashboard.page'] as const
const OPERATORS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'not_in', 'contains', 'exists'] as const
const ERROR_MODES = ['stop', 'continue'] as const
const LEVELS = ['info', 'warning'] as const

const Id = (description: string) =>
  Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$',
    description: `${description} Letters, digits, dots, hyphens and underscores, at most 63, beginning with a letter or a digit.`,
  })
/** What paths name has no dot. */
const StepId = (description: string) =>
  Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$',
    description: `${description} Letters, digits, hyphens and underscores, at most 63, beginning with a letter or a digit.`,
  })
/** What paths and filters name, and what is the name of a member besides: `__proto__` is mistaken for something else. */
const MemberName = (description: string) =>
  Type.String({
    pattern: '^(?!__proto__$)[A-Za-z_][A-Za-z0-9_-]{0,62}$',
    description: `${description} Letters, digits, hyphens and underscores, at most 63, beginning with a letter or an underscore.`,
  })
// Not blank: at least one character that is no space.
const Text = (maxLength: number, description: string, options: object = {}) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', description, ...options })
const list = <T extends Parameters<typeof Type.Array>[0]>(items: T, name: keyof typeof MAX, description: string, options: object = {}) =>
  Type.Array(items, { maxItems: MAX[name], description, ...options })
const EnumValues = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
  minItems: 1,
  maxItems: MAX.enumValues,
  uniqueItems: true,
  description: 'The values of an enum, as they are written.',
})

const Field = strict(
  {
    name: MemberName('The name of the field.'),
    type: choice(FIELD_TYPES, { description: 'There is no type for money: keep amounts in your own service.' }),
    required: Type.Optional(Type.Boolean({ description: 'Whether every record has it; false unless given.' })),
    enumValues: Type.Optional(EnumValues),
  },
  { title: 'Field' },
)

const Relation = strict(
  {
    target: choice(ENTITIES, { description: 'What a record is linked to.' }),
    type: choice(RELATION_TYPES, { description: 'belongs_to: the link to what the event or conversation is about is written by itself.' }),
  },
  { title: 'Relation' },
)

const Resource = strict(
  {
    id: Id('Unique among the app’s resources.'),
    name: Text(100, 'What people read.'),
    fields: list(Field, 'fields', 'What a record holds.', { minItems: 1 }),
    relations: Type.Optional(list(Relation, 'relations', 'What its records are linked to.')),
    exposeToAi: Type.Optional(Type.Boolean({ description: 'Whether the assistant may read records; false unless given.' })),
    allowAiWrite: Type.Optional(
      Type.Boolean({ description: 'Whether the assistant may write records; false unless given. Reading does not follow from it.' }),
    ),
  },
  { title: 'Resource' },
)

/** A JSON Schema of the author's: judged by the compiler of such schemas (../../skills/judge.ts). */
const OwnSchema = (description: string) => Type.Unsafe<Record<string, unknown>>({ type: 'object', description })

export const Skill = strict(
  {
    id: Id('Unique among the app’s skills.'),
    name: Text(100, 'What people read.'),
    description: Text(4_000, 'An instruction to the assistant: when to call it, and what comes of it.'),
    endpoint: Type.String({ minLength: 1, maxLength: 2048, description: 'The https address of your service that is called.' }),
    inputSchema: OwnSchema('A JSON Schema with "type": "object": arguments are held against it before the call.'),
    outputSchema: Type.Optional(OwnSchema('A JSON Schema: the answer is held against it before the model sees it.')),
  },
  { title: 'Skill' },
)

const View = strict(
  {
    id: Id('Unique among the app’s views.'),
    name: Text(100, 'What people read.'),
    target: choice(VIEW_TARGETS, { description: 'Where it is shown.' }),
    component: Type.String({
      minLength: 1,
      maxLength: 2048,
      pattern: '^(list|custom):',
      description: 'list: and the id of a resource of this app, or custom: and an https address.',
    }),
  },
  { title: 'View' },
)

const Knowledge = strict(
  {
    id: Id('Unique among the app’s knowledge.'),
    title: Text(200, 'What it is about.'),
    content: Type.String({ minLength: 1, description: 'The text that the assistant finds; at most 64 KB.' }),
  },
  { title: 'Knowledge' },
)

const Config = strict(
  {
    key: MemberName('The name of the setting.'),
    type: choice(CONFIG_TYPES, { description: 'A secret is stored encrypted, and never shown again.' }),
    required: Type.Optional(Type.Boolean({ description: 'Whether the app needs it to run; false unless given.' })),
    description: Type.Optional(Type.String({ maxLength: 1_000, description: 'What it is for, to the admin who sets it.' })),
    enumValues: Type.Optional(EnumValues),
  },
  { title: 'Setting' },
)

const Condition = strict(
  {
    field: Type.String({ minLength: 1, maxLength: 300, description: 'A path such as event.order.total_amount.' }),
    op: choice(OPERATORS),
    value: Type.Unknown({ description: 'What is compared with: a text, a number, a boolean or null; a list of such for in and not_in.' }),
  },
  { title: 'Condition' },
)
const Conditions = list(Condition, 'conditions', 'All must hold.')

const Values = (description: string) => Type.Unsafe<Record<string, unknown>>({ type: 'object', description })

const ExternalId = (description: string) => Type.String({ minLength: 1, maxLength: 1_000, description })

const stepOf = <T extends string, P extends Record<string, Parameters<typeof Type.Array>[0]>>(type: T, properties: P, title: string) =>
  strict(
    {
      id: StepId('Unique among the flow’s steps; later steps name it.'),
      type: Type.Literal(type),
      conditions: Type.Optional(Conditions),
      on_error: Type.Optional(choice(ERROR_MODES, { description: 'Whether the run goes on after this step failed; stop unless given.' })),
      ...properties,
    },
    { title },
  )

const STEPS = [
  stepOf(
    'call_skill',
    { skill: Type.String({ description: 'The id of a skill of this app.' }), input: Values('Its arguments.') },
    'Call a skill',
  ),
  stepOf(
    'create_record',
    {
      resource: Type.String({ description: 'The id of a resource of this app.' }),
      values: Values('The fields of the record.'),
      external_id: Type.Optional(ExternalId('A record that has it already is left as it is.')),
    },
    'Create a record',
  ),
  stepOf(
    'update_record',
    {
      resource: Type.String({ description: 'The id of a resource of this app.' }),
      external_id: ExternalId('Of the record that is changed.'),
      values: Values('The fields that change.'),
    },
    'Change a record',
  ),
  stepOf('tag_contact', { tag: Text(200, 'The tag that the contact gets.') }, 'Tag the contact'),
  stepOf('send_message', { text: Text(4_096, 'What is written to the customer.') }, 'Write to the customer'),
  stepOf(
    'notify',
    {
      title: Text(200, 'The subject.'),
      body: Text(4_000, 'The text.'),
      level: Type.Optional(choice(LEVELS, { description: 'A warning is mailed to the admins too; info unless given.' })),
    },
    'Notify the team',
  ),
  stepOf('wait', { minutes: Type.Integer({ minimum: 1, maximum: WAIT_MINUTES_MAX }) }, 'Wait'),
] as const

// One schema with a discriminator rather than a union: its errors then tell what is wrong with the step that was meant.
type AnyStep = { [I in keyof typeof STEPS]: Static<(typeof STEPS)[I]> }[number]
const Step = Type.Unsafe<AnyStep>({ type: 'object', discriminator: { propertyName: 'type' }, required: ['type'], oneOf: STEPS })

const Flow = strict(
  {
    id: Id('Unique among the app’s flows.'),
    name: Text(100, 'What people read.'),
    description: Type.Optional(Type.String({ maxLength: 1_000 })),
    enabled: Type.Optional(Type.Boolean({ description: 'true unless given.' })),
    trigger: Type.String({ maxLength: 100, description: 'An event type, such as order.paid; the scope subscribe:<event> goes with it.' }),
    conditions: Type.Optional(Conditions),
    steps: list(Step, 'steps', 'What is done, in this order.', { minItems: 1 }),
  },
  { title: 'Flow' },
)

export const Manifest = strict(
  {
    $schema: Type.Optional(Type.String({ maxLength: 2048, description: 'The address of this schema, for editors.' })),
    manifestVersion: Type.Literal(1, { description: 'Always 1.' }),
    id: Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}:[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$',
      description: '<vendor>:<slug>, such as acme:loyalty: each of letters, digits, dots, hyphens and underscores, at most 63.',
      examples: ['acme:loyalty'],
    }),
    version: Type.String({
      maxLength: 100,
      pattern: '^(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)(-[0-9A-Za-z.-]+)?(\\+[0-9A-Za-z.-]+)?$',
      description: 'A semantic version, such as 1.0.0.',
      examples: ['1.0.0'],
    }),
    name: Text(100, 'What people read.', { examples: ['Loyalty'] }),
    description: Type.Optional(Type.String({ maxLength: 2_000, description: 'What the app does, to the admin who installs it.' })),
    author: Text(200, 'Who made it.', { examples: ['Acme Ltd'] }),
    scopes: Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: MAX.scopes,
      description: 'What the app may do. Declare what is used, and no more.',
      examples: [['read:contacts', 'subscribe:order.paid']],
    }),
    resources: Type.Optional(list(Resource, 'resources', 'Types of records that the app adds.')),
    skills: Type.Optional(list(Skill, 'skills', 'What the assistant and flows can have your service do.')),
    views: Type.Optional(list(View, 'views', 'Screens of the dashboard.')),
    knowledge: Type.Optional(list(Knowledge, 'knowledge', 'Texts that the assistant finds.')),
    config: Type.Optional(list(Config, 'config', 'Settings of each workspace.')),
    flows: Type.Optional(list(Flow, 'flows', 'What is done when something happens.')),
  },
  { title: 'Manifest of an app', description: 'One JSON file describes an app: see the reference of the manifest.' },
)

export type Manifest = Static<typeof Manifest>
export type Resource = NonNullable<Manifest['resources']>[number]
export type Field = Resource['fields'][number]
export type Skill = NonNullable<Manifest['skills']>[number]
export type View = NonNullable<Manifest['views']>[number]
export type Config = NonNullable<Manifest['config']>[number]
export type Flow = NonNullable<Manifest['flows']>[number]
export type Step = Flow['steps'][number]
export type Condition = NonNullable<Flow['conditions']>[number]
