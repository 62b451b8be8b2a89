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

/** @param wrong what is wrong with the shape @returns undefined where there is no manifest to be seen in it */
export function mend(value: unknown, wrong: readonly Finding[]): Mended | undefined {
  if (!isJsonObject(value)) return undefined
  const broken = new Set<string>()
  const entries = (list: unknown, at: string, fill: (entry: Json) => Json, inner?: (entry: Json, at: string) => Json): Json[] =>
    (Array.isArray(list) ? list.slice(0, ENTRIES_MAX) : []).map((entry, index) => {
      const here = `${at}[${index}]`
      const shaped = isJsonObject(entry) ? (inner?.(entry, here) ?? entry) : {}
      if (isJsonObject(entry) && !wrong.some(({ path }) => isIn(path, here) && ![...broken].some(place => isIn(path, place)))) return shaped
      broken.add(here)
      return fill(shaped)
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
      relations: entries(entry['relations'], `${at}.relations`, FILLED.relation),
    })),
    skills: entries(value['skills'], 'skills', FILLED.skill),
    views: entries(value['views'], 'views', FILLED.view),
    knowledge: entries(value['knowledge'], 'knowledge', FILLED.knowledge),
    config: entries(value['config'], 'config', FILLED.config),
    flows: entries(value['flows'], 'flows', FILLED.flow, (entry, at) => ({
      ...entry,
      conditions: entries(entry['conditions'], `${at}.conditions`, FILLED.condition),
      steps: entries(entry['steps'], `${at}.steps`, FILLED.step),
    })),
  } as unknown as Manifest
  const told = new Set(wrong.map(({ path }) => path))
  return { manifest, isSure: finding => !told.has(finding.path) && isSure(finding, broken, told) }
}

const isIn = (path: string, place: string): boolean => path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`)

const text = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise)

const FILLED = {
  resource: ({ id, fields, relations }: Json): Json => ({
    id: text(id, ''),
    name: 'Filled',
    fields: fields ?? [],
    relations: relations ?? [],
  }),
  field: ({ name }: Json): Json => ({ name: text(name, ''), type: 'string' }),
  relation: (): Json => ({ target: '', type: 'has_many' }),
  skill: ({ id }: Json): Json => ({
    id: text(id, ''),
    name: 'Filled',
    description: 'Filled',
    endpoint: '',
    inputSchema: { type: 'object' },
  }),
  view: ({ id }: Json): Json => ({ id: text(id, ''), name: 'Filled', target: 'dashboard.page', component: '' }),
  knowledge: ({ id }: Json): Json => ({ id: text(id, ''), title: 'Filled', content: '' }),
  config: ({ key }: Json): Json => ({ key: text(key, ''), type: 'string' }),
  flow: ({ id, trigger, conditions, steps }: Json): Json => ({
    id: text(id, ''),
    name: 'Filled',
    trigger: text(trigger, ''),
    conditions: conditions ?? [],
    steps: steps ?? [],
  }),
  condition: (): Json => ({ field: 'run.id', op: 'exists', value: true }),
  step: ({ id }: Json): Json => ({ id: text(id, ''), type: 'wait', minutes: 1 }),
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
      return !(path.includes('.values.') && has(/^resources(\[\d+\](\.fields.*)?)?$/))
  }
}

/** Whether what was found lies in an entry of a list within the place, which was looked at by itself. */
const isInside = (path: string, place: string): boolean => /^\.(fields|relations|conditions|steps)\[/.test(path.slice(place.length))
