// Scopes: what an app may do. The list is complete.
import type { Shape } from './paths.ts'
import type { Manifest, Step } from './shape.ts'
import { parseTemplate, textsIn } from './templates.ts'

/** What each scope gates, as the reference of the manifest says it. */
const SCOPES = {
  'read:contacts': 'contacts may leave for the app’s service',
  'read:orders': 'orders may leave for the app’s service',
  'read:products': 'products may leave for the app’s service',
  'read:conversations': 'conversations may leave for the app’s service',
  'read:messages': 'messages may leave for the app’s service',
  'read:records': 'records of its own resources are read',
  'write:records': 'records of its own resources are created, changed and deleted',
  'write:contacts': 'flows tag contacts',
  'write:messages': 'flows write to customers',
  'notify:team': 'flows notify the team',
} as const
export type Scope = keyof typeof SCOPES

export const subscription = (event: string): string => `subscribe:${event}`

/** Every scope there is. @param events that a flow may begin with */
export const scopeNames = (events: readonly string[]): string[] => [...Object.keys(SCOPES), ...events.map(subscription)]

/** What a step does needs a scope. */
const STEP_SCOPES: Partial<Record<Step['type'], Scope>> = {
  create_record: 'write:records',
  update_record: 'write:records',
  tag_contact: 'write:contacts',
  send_message: 'write:messages',
  notify: 'notify:team',
}

/** What is read where a record or a tab is about one of these. */
export const ENTITY_SCOPES: Record<string, Scope> = {
  'builtin:contact': 'read:contacts',
  'builtin:order': 'read:orders',
  'builtin:product': 'read:products',
  'contact.tabs': 'read:contacts',
  'product.tabs': 'read:products',
}

/** What leaves with a member of an event's data; ids are free. */
const EVENT_SCOPES: Record<string, Scope> = {
  contact: 'read:contacts',
  order: 'read:orders',
  product: 'read:products',
  conversation: 'read:conversations',
  message: 'read:messages',
  first_message: 'read:messages',
}

/** What a step does needs this scope. */
export const scopeOfStep = ({ type }: Step): Scope | undefined => STEP_SCOPES[type]

/** What must be granted before what a path leads to may leave for the app's service. @param event the shape of the event's data */
export function scopesOfPath(path: string, event: Shape | undefined): Scope[] {
  const [root, member, ...rest] = path.split('.')
  if (root !== 'event') return []
  // An id says nothing of what it names.
  if (rest.length === 1 && rest[0] === 'id') return []
  const members = member === undefined ? Object.keys(event?.members ?? {}) : [member]
  return members.flatMap(each => (Object.hasOwn(EVENT_SCOPES, each) ? (EVENT_SCOPES[each] as Scope) : []))
}

/** All that must be granted for a step. @param scopesOf those of a path, before what it leads to may leave */
export function scopesOfStep(step: Step, scopesOf: (path: string) => Iterable<Scope>): Scope[] {
  const paths = step.type === 'call_skill' ? [...textsIn(step.input)].flatMap(([, text]) => parseTemplate(text)?.paths ?? []) : []
  return [scopeOfStep(step) ?? [], ...paths.map(path => [...scopesOf(path)])].flat()
}

/** Those of which something in the manifest is in use without a path in a flow: what its flows' inputs read is found where paths are (flows.ts). */
export function plainScopes(manifest: Manifest): Set<string> {
  const { resources = [], views = [], flows = [] } = manifest
  const used = new Set<string>()
  if (resources.length > 0) for (const scope of ['read:records', 'write:records']) used.add(scope)
  for (const { target } of [...resources.flatMap(({ relations = [] }) => relations), ...views]) {
    const scope = ENTITY_SCOPES[target]
    if (scope) used.add(scope)
  }
  for (const { trigger, steps } of flows) {
    used.add(subscription(trigger))
    for (const { type } of steps) {
      const scope = STEP_SCOPES[type]
      if (scope) used.add(scope)
    }
  }
  return used
}
