// A manifest while it is written. What would go beyond what a manifest may hold is left out, and told.
import type { Config, Field, Flow, Manifest, Resource, Skill, Step, View } from '../../apps/manifest/shape.ts'
import { MANIFEST_LISTS } from '../../limits/apps.ts'
import { createEffort, type Effort } from './effort.ts'
import type { Target as Meant } from './meant.ts'
import { free, idOf, isSame, lastPart, titleOf } from './names.ts'
import type { Description } from './sentences.ts'

type List = 'resources' | 'skills' | 'views' | 'knowledge' | 'config' | 'flows'
type Whole = Manifest & Required<Pick<Manifest, List>>
type Entity = NonNullable<Resource['relations']>[number]['target']
type Target = View['target']

export interface Draft {
  manifest: Whole
  /** What was not understood, or not done, each a sentence. */
  notes: string[]
  said: Description
  /** What the whole description tells of, where a flow speaks of it before it is told. */
  foreseen: { resources: readonly Resource[]; config: readonly Config[] }
  /** What was said before: of it "that" is said. */
  before: string
  /** What "them" and "it" mean: what was spoken of last. */
  resource: Resource | undefined
  flow: Flow | undefined
  /** What was read is so already, or stays as it is. */
  isSettled: boolean
  /** What was changed or named last. */
  spoken: Meant | undefined
  /** Of which kind it was: "one" is another of it. */
  topic: Meant['kind'] | undefined
  /** A manifest was given. */
  isEdit: boolean
  /** The flow is one that the description told of. */
  isFlowTold: boolean
  /** The clauses of the sentence, as they were read. */
  clauses: string[]
  /** One for all that is tried of a description. */
  effort: Effort
  /** Whether the words of a clause are proved. */
  proves: boolean
  /** The ids of resources that are there before they are told of. */
  ahead: string[]
}

/** Notes of one description; more of them tell nothing new. */
const NOTES_MAX = 50
export function newDraft(said: Description, from?: Manifest, foreseen: Draft['foreseen'] = { resources: [], config: [] }): Draft {
  const blank: Manifest = { manifestVersion: 1, id: '', version: '1.0.0', name: '', author: '', scopes: [] }
  const { resources = [], skills = [], views = [], knowledge = [], config = [], flows = [], ...rest } = structuredClone(from ?? blank)
  const manifest = { ...rest, resources, skills, views, knowledge, config, flows }
  return {
    manifest,
    notes: [],
    said,
    foreseen,
    before: '',
    resource: resources.length === 1 ? resources[0] : undefined,
    flow: flows.at(-1),
    isFlowTold: false,
    isSettled: false,
    spoken: undefined,
    topic: undefined,
    isEdit: from !== undefined,
    clauses: [],
    effort: createEffort(),
    proves: true,
    ahead: [],
  }
}

export function note(draft: Draft, sentence: string): void {
  if (draft.notes.length < NOTES_MAX && !draft.notes.includes(sentence)) draft.notes.push(sentence)
}

export const notUnderstood = (draft: Draft, part: string): void => note(draft, notice(draft, part))

/** What was told as not understood is, by a sentence behind it. */
export function understood(draft: Draft, part: string): void {
  draft.notes = draft.notes.filter(each => each !== notice(draft, part))
}

const notice = (draft: Draft, part: string): string => `Not understood: "${draft.said.restore(part).slice(0, 300)}".`

/** What was not understood says when a flow acts, or how: as it is written it would do more than was asked, so it is disabled. */
export function disable(draft: Draft, flow: Flow, part: string): void {
  flow.enabled = false
  note(
    draft,
    `Not understood: "${draft.said.restore(part).slice(0, 300)}". The flow "${flow.name}" is disabled, for without that it would do more than was asked.`,
  )
}

/** @returns whether there was room for it */
export function put<L extends List>(draft: Draft, list: L, entry: Whole[L][number]): boolean {
  const entries = draft.manifest[list] as unknown[]
  if (entries.length >= MANIFEST_LISTS[list]) {
    note(draft, `A manifest has at most ${MANIFEST_LISTS[list]} ${list}; the rest is left out.`)
    return false
  }
  entries.push(entry)
  return true
}

/** By its whole name, or by the last word of it: "points" are the only "loyalty points". */
export function resourceNamed({ manifest: { resources } }: { manifest: { resources: Resource[] } }, name: string): Resource | undefined {
  const known = resources.find(({ id, name: title }) => isSame(id, name) || isSame(title, name))
  // "loyalty points" by their last word, "complaints about orders" by what stands before "about".
  const heads = (title: string): string[] => [
    title.split(' ').at(-1) as string,
    title.split(/ (?:about|for|of|on|from|with|in|at) /)[0] as string,
  ]
  const alike = name.trim().includes(' ') ? [] : resources.filter(({ name: title }) => heads(title).some(head => isSame(head, name)))
  return known ?? (alike.length === 1 ? alike[0] : undefined)
}

/** The one of which records are made: it may be told of later than the flow that makes them. */
export function resourceToMake(draft: Draft, name: string): Resource | undefined {
  const known = resourceNamed(draft, name)
  if (known) return known
  const told = resourceNamed({ manifest: { resources: [...draft.foreseen.resources] } }, name)
  const resource = told && structuredClone({ id: told.id, name: told.name, fields: told.fields })
  if (!resource || !put(draft, 'resources', resource)) return undefined
  draft.ahead.push(resource.id)
  return resource
}

/** The one that is there already, or a new one. */
export function resourceFor(draft: Draft, name: string): Resource | undefined {
  const known = resourceNamed(draft, name)
  if (known) return known
  const { resources } = draft.manifest
  const resource: Resource = {
    id: free(
      idOf(name, 'records'),
      resources.map(({ id }) => id),
    ),
    name: titleOf(name) || 'Records',
    fields: [],
  }
  return put(draft, 'resources', resource) ? resource : undefined
}

/** A field that is there already stays as it is. */
export function addFields(draft: Draft, resource: Resource, fields: readonly Field[]): void {
  if (fields.length > 0 && draft.ahead.includes(resource.id)) {
    draft.ahead = draft.ahead.filter(id => id !== resource.id)
    resource.fields = []
  }
  for (const field of fields) {
    if (resource.fields.some(({ name }) => name === field.name)) {
      if (draft.isEdit) note(draft, `${field.name} is a field of ${resource.id} already, and stays as it is.`)
      continue
    }
    if (resource.fields.length < MANIFEST_LISTS.fields) resource.fields.push(field)
    else note(draft, `A resource has at most ${MANIFEST_LISTS.fields} fields; ${field.name} is left out.`)
  }
}

export function relate(resource: Resource, target: Entity, type: 'belongs_to' | 'has_many' = 'belongs_to'): void {
  resource.relations ??= []
  if (!resource.relations.some(each => each.target === target)) resource.relations.push({ target, type })
}

/** What a tab is about. */
const ENTITIES: Partial<Record<Target, Entity>> = { 'contact.tabs': 'builtin:contact', 'product.tabs': 'builtin:product' }

export function showList(draft: Draft, resource: Resource, target: Target): void {
  const entity = ENTITIES[target]
  if (entity) relate(resource, entity)
  show(draft, `list:${resource.id}`, target, resource.name)
}

export function show(draft: Draft, component: string, target: Target, name: string): void {
  const { views } = draft.manifest
  if (views.some(each => each.component === component && each.target === target)) return
  put(draft, 'views', {
    id: free(
      idOf(name, 'view'),
      views.map(({ id }) => id),
    ),
    name: titleOf(name) || 'Page',
    target,
    component,
  })
}

/** The skill at an address, with these arguments besides its own. */
export function skillAt(draft: Draft, endpoint: string, inputs: readonly string[], description: string, name = ''): Skill | undefined {
  const { skills } = draft.manifest
  const known = skills.find(each => each.endpoint === endpoint)
  const skill = known ?? {
    id: free(
      idOf(lastPart(endpoint), 'call'),
      skills.map(({ id }) => id),
    ),
    name: titleOf(name) || titleOf(lastPart(endpoint)) || 'Call',
    description,
    endpoint,
    inputSchema: { type: 'object', properties: {} },
  }
  skill.inputSchema['properties'] ??= {}
  const properties = skill.inputSchema['properties'] as Record<string, unknown>
  for (const name of inputs) if (!Object.hasOwn(properties, name)) properties[name] = {}
  return known || put(draft, 'skills', skill) ? skill : undefined
}

export function addFlow(draft: Draft, trigger: string, name: string): Flow | undefined {
  const { flows } = draft.manifest
  const flow: Flow = {
    id: free(
      trigger.replaceAll(/[._]/g, '-'),
      flows.map(({ id }) => id),
    ),
    name: titleOf(name).slice(0, 90) || titleOf(trigger),
    trigger,
    steps: [],
  }
  if (!put(draft, 'flows', flow)) return undefined
  draft.flow = flow
  draft.isFlowTold = true
  return flow
}

/** A step without its id, whatever its type. */
export type NewStep = Step extends infer S ? (S extends Step ? Omit<S, 'id'> : never) : never

export function addStep(draft: Draft, flow: Flow, step: NewStep): void {
  if (flow.steps.length >= MANIFEST_LISTS.steps) {
    note(draft, `A flow has at most ${MANIFEST_LISTS.steps} steps; the rest is left out.`)
    return
  }
  const id = free(
    STEP_IDS[step.type],
    flow.steps.map(each => each.id),
  )
  flow.steps.push({ id, ...step } as Step)
}

const STEP_IDS: Record<Step['type'], string> = {
  call_skill: 'call',
  create_record: 'record',
  update_record: 'update',
  tag_contact: 'tag',
  send_message: 'message',
  notify: 'notify',
  wait: 'wait',
}

/** The manifest, without lists that are empty. */
export function manifestOf({ manifest }: Draft): Manifest {
  const { resources, skills, views, knowledge, config, flows, ...rest } = manifest
  // A resource has a field at least.
  for (const resource of resources) if (resource.fields.length === 0) resource.fields.push({ name: 'name', type: 'string' })
  return {
    ...rest,
    ...(resources.length > 0 && { resources }),
    ...(skills.length > 0 && { skills }),
    ...(views.length > 0 && { views }),
    ...(knowledge.length > 0 && { knowledge }),
    ...(config.length > 0 && { config }),
    ...(flows.length > 0 && { flows }),
  }
}
