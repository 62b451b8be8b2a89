// What the parts of a manifest demand of each other. Each rule is a row: its code, and where it is broken with the way out. Flows have rules of their own
// (flows.ts), and so have the schemas in a manifest (../../skills/judge.ts).
import { KNOWLEDGE_BYTES } from '../../limits/knowledge.ts'
import { meant } from '../../nearest.ts'
import { checkUrl, type Policy, type UrlProblem } from '../../outbound/address.ts'
import type { Steps } from './finding.ts'
import { checkFrameUrl } from './frame-url.ts'
import { ENTITY_SCOPES, scopeNames } from './scopes.ts'
import type { Manifest } from './shape.ts'

export interface Setting {
  /** The types of events that flows may begin with. */
  eventNames: readonly string[]
  outbound: Policy
}

/** A place where a rule is broken, and the sentence. `code` where the rule has several. */
export interface Breach {
  at: Steps
  message: string
  code?: string
}

export interface Rule {
  code: string
  /** Told, and nothing is refused. */
  warns?: true
  find(manifest: Manifest, setting: Setting): Iterable<Breach>
}

/** The names of a record's own members. */
const RESERVED = ['object', 'id', 'resource', 'external_id', 'version', 'created_at', 'updated_at', 'links']

export const RULES: Rule[] = [
  { code: 'duplicate', find: duplicates },
  { code: 'reserved_name', find: reservedNames },
  { code: 'required', find: missingEnumValues },
  { code: 'unexpected_enum_values', find: strayEnumValues },
  { code: 'too_long', find: longKnowledge },
  { code: 'unknown_scope', find: unknownScopes },
  { code: 'missing_scope', warns: true, find: unreadEntities },
  { code: 'malformed', find: endpoints },
  { code: 'unknown_resource', find: unknownLists },
  { code: 'malformed', find: frames },
  { code: 'no_relation', warns: true, find: emptyTabs },
]

function* duplicates({
  resources = [],
  skills = [],
  views = [],
  knowledge = [],
  config = [],
  flows = [],
  scopes,
}: Manifest): Generator<Breach> {
  const named: Record<string, { id: string }[]> = { resources, skills, views, knowledge, flows }
  for (const [list, each] of Object.entries(named)) yield* twice(each, ({ id }) => id, [list], 'id')
  yield* twice(config, each => each.key, ['config'], 'key')
  yield* twice(scopes, each => each, ['scopes'])
  for (const [index, { fields, relations = [] }] of resources.entries()) {
    yield* twice(fields, each => each.name, ['resources', index, 'fields'], 'name')
    yield* twice(relations, each => `${each.type} ${each.target}`, ['resources', index, 'relations'], 'target')
  }
  for (const [index, { steps }] of flows.entries()) yield* twice(steps, each => each.id, ['flows', index, 'steps'], 'id')
}

// The second of two with one name is told.
function* twice<T>(list: readonly T[], nameOf: (each: T) => string, at: Steps, member?: string): Generator<Breach> {
  const seen = new Set<string>()
  for (const [index, each] of list.entries()) {
    const name = nameOf(each)
    if (seen.has(name))
      yield { at: [...at, index, ...(member ? [member] : [])], message: `is ${JSON.stringify(name)}, as before; each may stand here once.` }
    seen.add(name)
  }
}

function* reservedNames({ resources = [] }: Manifest): Generator<Breach> {
  for (const [index, { fields }] of resources.entries())
    for (const [place, { name }] of fields.entries())
      if (RESERVED.includes(name))
        yield {
          at: ['resources', index, 'fields', place, 'name'],
          message: `is ${name}, which every record has already; choose another name.`,
        }
}

const enums = ({ resources = [], config = [] }: Manifest): [Steps, { type: string; enumValues?: string[] }][] => [
  ...resources.flatMap(({ fields }, index) =>
    fields.map((each, place): [Steps, typeof each] => [['resources', index, 'fields', place], each]),
  ),
  ...config.map((each, index): [Steps, typeof each] => [['config', index], each]),
]

function* missingEnumValues(manifest: Manifest): Generator<Breach> {
  for (const [at, { type, enumValues }] of enums(manifest))
    if (type === 'enum' && !enumValues) yield { at: [...at, 'enumValues'], message: 'is required beside "type": "enum"; list the values.' }
}

function* strayEnumValues(manifest: Manifest): Generator<Breach> {
  for (const [at, { type, enumValues }] of enums(manifest))
    if (type !== 'enum' && enumValues)
      yield { at: [...at, 'enumValues'], message: `means nothing beside "type": "${type}"; make it an enum, or leave them out.` }
}

function* longKnowledge({ knowledge = [] }: Manifest): Generator<Breach> {
  for (const [index, { content }] of knowledge.entries()) {
    const bytes = Buffer.byteLength(content)
    if (bytes > KNOWLEDGE_BYTES)
      yield {
        at: ['knowledge', index, 'content'],
        message: `has ${bytes} bytes; at most ${KNOWLEDGE_BYTES} are allowed: make several entries of it.`,
      }
  }
}

function* unknownScopes({ scopes }: Manifest, { eventNames }: Setting): Generator<Breach> {
  const known = scopeNames(eventNames)
  for (const [index, scope] of scopes.entries())
    if (!known.includes(scope))
      yield {
        at: ['scopes', index],
        message: `is ${JSON.stringify(scope)}, which is no scope${meant(scope, known, '; the reference of the manifest lists them')}`,
      }
}

function* unreadEntities({ scopes, resources = [], views = [] }: Manifest): Generator<Breach> {
  const places: [Steps, string][] = [
    ...resources.flatMap(({ relations = [] }, index) =>
      relations.map(({ target }, place): [Steps, string] => [['resources', index, 'relations', place, 'target'], target]),
    ),
    ...views.map(({ target }, index): [Steps, string] => [['views', index, 'target'], target]),
  ]
  for (const [at, target] of places) {
    const scope = ENTITY_SCOPES[target]
    if (scope && !scopes.includes(scope)) yield { at, message: `is ${target}; an app that is about it asks for the scope ${scope}.` }
  }
}

function* endpoints({ skills = [] }: Manifest, { outbound }: Setting): Generator<Breach> {
  for (const [index, { endpoint }] of skills.entries()) {
    const problem = checkUrl(endpoint, outbound)
    if (problem) yield { at: ['skills', index, 'endpoint'], ...wordsOf(problem) }
  }
}

// A webhook's words where these would mislead.
const WORDS: Partial<Record<UrlProblem['code'], string>> = {
  malformed: 'cannot be read as an address; write it like https://app.example/page, without spaces or backslashes.',
  https_required: 'must begin with https://, for customers’ data goes there; put TLS in front of your service.',
  userinfo: 'must not hold a user name or password; the admin sets the credential on the installed app.',
}

const wordsOf = ({ code, message, allowedBy }: UrlProblem): Omit<Breach, 'at'> => ({
  code,
  message:
    allowedBy === undefined
      ? (WORDS[code] ?? message)
      : `is an address of this machine; while you develop, the operator allows it by ${allowedBy}.`,
})

const LIST = 'list:'
const CUSTOM = 'custom:'

function* unknownLists({ views = [], resources = [] }: Manifest): Generator<Breach> {
  const ids = resources.map(({ id }) => id)
  for (const [index, { component }] of views.entries()) {
    if (!component.startsWith(LIST)) continue
    const id = component.slice(LIST.length)
    if (!ids.includes(id))
      yield {
        at: ['views', index, 'component'],
        message: `names the resource ${JSON.stringify(id)}, which this app does not have${meant(id, ids)}`,
      }
  }
}

function* frames({ views = [] }: Manifest): Generator<Breach> {
  for (const [index, { component }] of views.entries()) {
    const problem = component.startsWith(CUSTOM) ? checkFrameUrl(component.slice(CUSTOM.length)) : undefined
    // No setting lets a browser in where our own calls may go.
    if (problem) yield { at: ['views', index, 'component'], ...wordsOf({ code: problem.code, message: problem.message }) }
  }
}

const TAB_ENTITIES: Record<string, string> = { 'contact.tabs': 'builtin:contact', 'product.tabs': 'builtin:product' }

function* emptyTabs({ views = [], resources = [] }: Manifest): Generator<Breach> {
  for (const [index, { target, component }] of views.entries()) {
    const resource = component.startsWith(LIST) ? resources.find(({ id }) => id === component.slice(LIST.length)) : undefined
    const entity = TAB_ENTITIES[target]
    if (!resource || !entity || resource.relations?.some(each => each.target === entity)) continue
    yield {
      at: ['views', index, 'component'],
      message: `lists ${resource.id}, which has no relation to ${entity}, so the tab stays empty; add the relation.`,
    }
  }
}
