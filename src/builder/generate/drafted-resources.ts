// Resources of a draft: which of them a name means, what they have, and where they are shown.
import type { Field, Resource, View } from '../../apps/manifest/shape.ts'
import { MANIFEST_LISTS } from '../../limits/apps.ts'
import { type Draft, note, put } from './draft.ts'
import { free, idOf, isSame, titleOf } from './names.ts'

type Entity = NonNullable<Resource['relations']>[number]['target']
type Target = View['target']

/** By its whole name, or by the last word of it: "points" are the only "loyalty points". */
export function resourceNamed({ manifest: { resources } }: { manifest: { resources: Resource[] } }, name: string): Resource | undefined {
  const known = resources.find(({ id, name: title }) => isSame(id, name) || isSame(title, name))
  // "loyalty points" by their last word, "complaints about orders" by what stands before "about".
  const heads = (title: string): string[] => [
    title.split(' ').at(-1) as string,
    title.replace(/ (?:list|log|register|book|table)s?$/i, ''),
    title.split(/ (?:about|for|of|on|from|with|in|at|against) /)[0] as string,
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
