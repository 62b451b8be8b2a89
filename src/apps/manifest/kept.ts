// What of events an app keeps in its records. A later step may hand it on to the app's service, so that needs the scopes that it needs directly.
import { baseOf, type TriggerType } from './flow-shapes.ts'
import { type Scope, scopesOfPath } from './scopes.ts'
import type { Flow, Manifest, Step } from './shape.ts'
import { parseTemplate, textsIn } from './templates.ts'

/** The scopes of what a path leads to in the record that a step of the flow has written. */
export type Kept = (flow: Flow, path: string) => Iterable<Scope>

type Writing = Extract<Step, { type: 'create_record' | 'update_record' }>

const isWriting = (step: Step): step is Writing => step.type === 'create_record' || step.type === 'update_record'

/** Whichever flow writes a field, and by whatever other field it comes there. */
export function keptBy(manifest: Manifest, triggers: readonly TriggerType[]): Kept {
  const scopes = spread(manifest, triggers)
  return (flow, path) => fieldsOf(flow, path).flatMap(field => [...(scopes.get(field) ?? [])])
}

/** All fields of a resource, where a path leads to a record as a whole. */
const ALL = '*'
const nameOf = (resource: string, field: string): string => `${resource} ${field}`

/** The fields that a path leads to: none, unless it leads into what such a step gave. */
function fieldsOf({ steps }: Flow, path: string): string[] {
  const [root, id, member, field = ALL] = path.split('.')
  if (root !== 'steps' || (member !== undefined && member !== 'output')) return []
  return steps.filter(step => id === undefined || step.id === id).flatMap(step => (isWriting(step) ? nameOf(step.resource, field) : []))
}

/** By field: what events put into it, also by way of other fields. */
function spread(manifest: Manifest, triggers: readonly TriggerType[]): Map<string, Set<Scope>> {
  const found = new Map<string, Set<Scope>>()
  const targets = new Map<string, Set<string>>()
  const direct: [field: string, scope: Scope][] = []
  for (const flow of manifest.flows ?? []) {
    const { event } = baseOf(
      manifest,
      triggers.find(({ name }) => name === flow.trigger),
    )
    for (const [field, path] of flow.steps.filter(isWriting).flatMap(written)) {
      for (const scope of scopesOfPath(path, event)) direct.push([field, scope])
      for (const source of fieldsOf(flow, path)) targets.set(source, (targets.get(source) ?? new Set()).add(field))
    }
  }
  function add(field: string, scope: Scope): void {
    const scopes = found.get(field) ?? new Set()
    if (scopes.has(scope)) return
    found.set(field, scopes.add(scope))
    for (const target of targets.get(field) ?? []) add(target, scope)
    const all = nameOf(field.slice(0, field.indexOf(' ')), ALL)
    if (field !== all) add(all, scope)
  }
  for (const [field, scope] of direct) add(field, scope)
  return found
}

/** The fields that a step writes, each with the paths in its value. */
function written({ resource, values, external_id }: Writing): [field: string, path: string][] {
  return [...Object.entries(values), ['external_id', external_id] as const].flatMap(([name, value]) =>
    [...textsIn(value)].flatMap(([, text]) =>
      (parseTemplate(text)?.paths ?? []).map((path): [string, string] => [nameOf(resource, name), path]),
    ),
  )
}
