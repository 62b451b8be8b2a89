// Scopes: what an app may do. The list is complete.
import type { Manifest, Step } from './shape.ts'

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
export const STEP_SCOPES: Partial<Record<Step['type'], Scope>> = {
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
export const EVENT_SCOPES: Record<string, Scope> = {
  contact: 'read:contacts',
  order: 'read:orders',
  product: 'read:products',
  conversation: 'read:conversations',
  message: 'read:messages',
  first_message: 'read:messages',
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
