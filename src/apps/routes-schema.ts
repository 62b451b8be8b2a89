// The shape of an installed app as REST shows it.
import { Type } from 'typebox'
import { idPattern } from '../ids.ts'
import { type Listing, listQuery } from '../ingress/list.ts'
import { choice, nullable, Time } from '../schemas.ts'
import { CREDENTIAL_MODES, STATES } from './schema.ts'

export const appListing: Listing = {
  path: '/api/platform/apps',
  idPrefix: 'app',
  sorts: { created_at: 'time', updated_at: 'time' },
  offers: { offset: false },
}
export const appQuery = listQuery(appListing, {})

/** `app_…`, or the id of the manifest, whose colon may be written as it is or as %3A. */
export const APP_NAME = {
  name: 'app',
  noun: 'app',
  pattern: `${idPattern('app').replace(/\$$/, '')}$|^[A-Za-z0-9][A-Za-z0-9._-]{0,62}:[A-Za-z0-9][A-Za-z0-9._-]{0,62}$`,
}

const part = (members: Record<string, ReturnType<typeof Type.String>>, title: string) =>
  Type.Object({ id: Type.String(), name: Type.String(), ...members }, { title })

const SHOWN_STATES = STATES.filter(each => each !== 'uninstalled')

const Setting = Type.Object(
  {
    key: Type.String(),
    type: Type.String(),
    required: Type.Boolean(),
    value: Type.Optional(
      Type.Unsafe<string | number | boolean | null>({
        type: ['string', 'number', 'boolean', 'null'],
        description: 'Null where none is set. A secret has none: it is never shown.',
      }),
    ),
    set: Type.Optional(Type.Boolean({ description: 'Of a secret: whether it has a value.' })),
    updated_at: Type.Optional(nullable(Time)),
  },
  { title: 'AppSetting' },
)

export const App = Type.Object(
  {
    object: Type.Literal('app'),
    id: Type.String({ pattern: idPattern('app') }),
    full_id: Type.String({ description: 'Of the manifest: <vendor>:<slug>.' }),
    name: Type.String(),
    description: nullable(Type.String()),
    author: Type.String(),
    version: Type.String({ description: 'As its author wrote it.' }),
    revision: Type.Integer({ description: 'Rises by one with each changed manifest.' }),
    status: choice(SHOWN_STATES, {
      description: 'needs_config: a required setting has no value, so no skill is called and no flow begins.',
    }),
    missing_config: Type.Array(Type.String(), { description: 'The keys of required settings without a value.' }),
    scopes: Type.Array(Type.String(), { description: 'What it was granted.' }),
    credential: Type.Object(
      { mode: choice(CREDENTIAL_MODES), set: Type.Boolean(), updated_at: nullable(Time) },
      { title: 'AppCredential', description: 'With what its service is called. The secret is never shown.' },
    ),
    config: Type.Array(Setting),
    resources: Type.Array(
      Type.Object(
        { id: Type.String(), full_id: Type.String(), name: Type.String(), fields: Type.Array(Type.String()) },
        { title: 'AppResource' },
      ),
    ),
    skills: Type.Array(part({}, 'AppSkill')),
    views: Type.Array(part({ target: Type.String() }, 'AppView')),
    knowledge: Type.Array(Type.Object({ id: Type.String(), title: Type.String() }, { title: 'AppKnowledge' })),
    flows: Type.Array(
      Type.Object({ id: Type.String(), name: Type.String(), trigger: Type.String(), enabled: Type.Boolean() }, { title: 'AppFlow' }),
    ),
    created_at: Time,
    updated_at: Time,
  },
  { title: 'App' },
)

const Count = Type.Integer({ minimum: 0 })

export const AppHealth = Type.Object(
  {
    object: Type.Literal('app_health'),
    app_id: Type.String({ pattern: idPattern('app') }),
    full_id: Type.String(),
    status: choice(SHOWN_STATES),
    hours: Type.Integer({ description: 'How far the counts reach back at most; see since.' }),
    since: { ...Time, description: 'From when on calls are counted: 24 hours ago, or later where there were too many.' },
    calls: Type.Object(
      {
        total: Count,
        succeeded: Count,
        failed: Count,
        outcomes: Type.Unsafe<Record<string, number>>({
          type: 'object',
          additionalProperties: { type: 'integer' },
          description: 'How many by code; done of those that succeeded.',
        }),
        duration_ms: Type.Object({ p50: nullable(Type.Integer()), p95: nullable(Type.Integer()) }),
      },
      { description: 'Of its skills; trials by their author are not counted.' },
    ),
    runs: Type.Unsafe<Record<string, number>>({
      type: 'object',
      additionalProperties: { type: 'integer' },
      description: 'How many runs of its flows are in each state.',
    }),
    breaker: Type.Object(
      {
        state: choice(['closed', 'open'], { description: 'open: it has not answered lately, and is spared.' }),
        consecutive_failures: Count,
        spared_until: nullable(Time),
      },
      { title: 'AppBreaker' },
    ),
    last_error: nullable(
      Type.Object(
        { at: Time, skill_id: Type.String(), code: nullable(Type.String()), error: nullable(Type.String()) },
        { title: 'AppLastError' },
      ),
    ),
  },
  { title: 'AppHealth' },
)
