// A manifest whose shape is wrong in places, with those places filled in, so that the rules can be held against the rest: everything that is wrong is told
// at once, and nothing that may only follow from what is told already.
import { isJsonObject } from '../../json.ts'
import type { Finding } from './finding.ts'
import type { Manifest } from './shape.ts'

export interface Mended {
  manifest: Manifest
  /** Whether what a rule found is wrong whatever the filled places will be. */
  isSure(finding: Finding): boolean
}

type Json = Record<string, unknown>

/** Entries of a list that are looked at: more than it may have, so that what stands behind is looked at too, within bounds. */
const ENTRIES_MAX = 200

/** Members that are lists, which are sound but for their entries. */
const LISTS = new Set(['fields', 'relations', 'conditions', 'steps', 'enumValues', 'value'])

/** @param wrong what is wrong with the shape @returns undefined where there is no manifest to be seen in it */
export function mend(value: unknown, wrong: readonly Finding[]): Mended | undefined {
  if (!isJsonObject(value)) return undefined
  const broken = new Set<string>()
  const mended = new Set<string>()
  const entries = (list: unknown, at: string, fill: (entry: Json) => Json | undefined, inner?: (entry: Json, at: string) => Json): Json[] =>
    (Array.isArray(list) ? list.slice(0, ENTRIES_MAX) : []).map((entry, index) => {
      const here = `${at}[${index}]`
      const shaped = isJsonObject(entry) ? (inner?.(entry, here) ?? entry) : {}
      const faults = wrong.filter(({ path }) => isIn(path, here) && ![...mended].some(place => isIn(path, place)))
      if (isJsonObject(entry) && faults.length === 0) return shaped
      mended.add(here)
      // What is sound of it stays as it is, for the rules.
      const sound = Object.fromEntries(
        Object.entries(shaped)
          .filter(
            ([name, inside]) => (Array.isArray(inside) && LISTS.has(name)) || !faults.some(({ path }) => isIn(path, `${here}.${name}`)),
          )
          .map(([name, inside]) => [name, name === 'enumValues' && Array.isArray(inside) ? inside.filter(isText) : inside]),
      )
      const filled = isJsonObject(entry) ? fill(sound) : undefined
      if (filled) return filled
      broken.add(here)
      return blank(at)
    })
  const manifest = {
    ...value,
    scopes: (Array.isArray(value['scopes']) ? value['scopes'] : []).map((scope, index) => {
      if (typeof scope === 'string') return scope
      broken.add(`scopes[${index}]`)
      return ''
    }),
    resources: entries(value['resources'], 'resources', FILLED.resource, (entry, at) => ({
      ...entry,
      fields: entries(entry['fields'], `${at}.fields`, FILLED.field),
      relations: entries(entry['relations'], `${at}.relations`, () => undefined),
    })),
    skills: entries(value['skills'], 'skills', FILLED.skill),
    views: entries(value['views'], 'views', FILLED.view),
    knowledge: entries(value['knowledge'], 'knowledge', FILLED.knowledge),
    config: entries(value['config'], 'config', FILLED.field),
    flows: entries(value['flows'], 'flows', FILLED.flow, (entry, at) => ({
      ...entry,
      conditions: entries(entry['conditions'], `${at}.conditions`, FILLED.condition),
      steps: entries(entry['steps'], `${at}.steps`, FILLED.step, (step, place) => ({
        ...step,
        ...('conditions' in step && { conditions: entries(step['conditions'], `${place}.conditions`, FILLED.condition) }),
      })),
    })),
  } as unknown as Manifest
  const told = new Set(wrong.map(({ path }) => path))
  // Each entry of a list that is too long is looked at; nothing is inside any other value that is wrong.
  const wholly = wrong.filter(({ code }) => !COUNTS.includes(code)).map(({ path }) => path)
  return {
    manifest,
    isSure: finding =>
      !told.has(finding.path) && !wholly.some(path => path !== '' && isIn(finding.path, path)) && isSure(finding, broken, told),
  }
}

/** A rule joins the values of an enum, and compares them in small letters. */
const isText = (value: unknown): boolean => typeof value === 'string'

/** Codes of what is wrong with a list as a whole. */
const COUNTS = ['too_many', 'too_few', 'duplicate']

const isIn = (path: string, place: string): boolean => path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`)

/** An entry's sound members, and others in place of those that are wrong or missing, which break no rule. Undefined where nothing can be said of the rest. */
const FILLED = {
  resource: (sound: Json): Json => ({ id: '', name: 'Filled', fields: [], ...sound }),
  field: (sound: Json): Json => ({ name: '', key: '', type: sound['enumValues'] === undefined ? 'string' : 'enum', ...sound }),
  skill: (sound: Json): Json => ({
    id: '',
    name: 'Filled',
    description: 'Filled',
    endpoint: '',
    inputSchema: { type: 'object' },
    ...sound,
  }),
  view: (sound: Json): Json => ({ id: '', name: 'Filled', target: 'dashboard.page', component: '', ...sound }),
  knowledge: (sound: Json): Json => ({ id: '', title: 'Filled', content: '', ...sound }),
  flow: (sound: Json): Json => ({ id: '', name: 'Filled', trigger: '', steps: [], ...sound }),
  // A value is held against the operator.
  condition: ({ field, op, value }: Json): Json =>
    op === undefined || field === undefined ? { field: field ?? 'run.id', op: 'exists', value: true } : { field, op, value },
  step: (sound: Json): Json | undefined => {
    const filled = STEPS[String(sound['type'])]
    return filled && { id: '', ...filled, ...sound }
  },
}

const STEPS: Record<string, Json> = {
  call_skill: { skill: '', input: {} },
  create_record: { resource: '', values: {} },
  update_record: { resource: '', external_id: '', values: {} },
  tag_contact: { tag: '' },
  send_message: { text: '' },
  notify: { title: '', body: '' },
  wait: { minutes: 1 },
}

/** An entry of which nothing can be said. */
function blank(list: string): Json {
  if (list.endsWith('relations')) return { target: '', type: 'has_many' }
  if (list.endsWith('steps')) return { id: '', type: 'wait', minutes: 1 }
  const kind = Object.keys(BLANKS).find(name => list.endsWith(name)) as keyof typeof BLANKS
  return BLANKS[kind]({}) as Json
}

const BLANKS = {
  resources: FILLED.resource,
  fields: FILLED.field,
  skills: FILLED.skill,
  views: FILLED.view,
  knowledge: FILLED.knowledge,
  config: FILLED.field,
  flows: FILLED.flow,
  conditions: FILLED.condition,
}

function isSure({ path, code, message }: Finding, broken: ReadonlySet<string>, told: ReadonlySet<string>): boolean {
  const places = [...broken]
  // A list or an object that is filled whole is sound inside, but for its own members.
  if (places.some(place => isIn(path, place) && !isInside(path, place))) return false
  const has = (pattern: RegExp) => [...told].some(each => pattern.test(each))
  switch (code) {
    case 'missing_scope':
      return !has(/^scopes/)
    case 'unused_scope':
      return told.size === 0
    case 'unknown_path':
      return /^names (event|trigger|run)\b/.test(message) || !has(/^(config|skills|resources|flows)/)
    case 'unknown_resource':
      return !has(/^resources(\[\d+\](\.id)?)?$/)
    case 'unknown_skill':
      return !has(/^skills(\[\d+\](\.id)?)?$/)
    case 'no_relation':
      return !has(/^resources(\[\d+\](\.relations.*)?)?$/)
    default:
      return !(/\.values[.[]/.test(path) && has(/^resources(\[\d+\](\.fields.*)?)?$/))
  }
}

/** Whether what was found lies in an entry of a list within the place, which was looked at by itself. */
const isInside = (path: string, place: string): boolean => /^\.(fields|relations|conditions|steps)\[/.test(path.slice(place.length))
