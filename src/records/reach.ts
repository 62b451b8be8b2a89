// Which resource a caller means, and whether its app may read or write records: what the app was granted is never widened by a key.
import { heldApp, type Installed, installedApp } from '../apps/installed.ts'
import type { Resource } from '../apps/manifest/shape.ts'
import type { Caller } from '../caller.ts'
import type { Queryable, Tx } from '../postgres/sql.ts'
import { notFound, Problem } from '../problems.ts'
import type { SlottedField } from './slots.ts'
import type { Within } from './store.ts'

/** A resource of an app that the workspace has. */
export interface Reached extends Within {
  app: Installed
  declared: Resource
  /** All fields, in the order in which the resource was given them. */
  fields: SlottedField[]
}

/**
 * @param resource `<vendor>:<slug>:<resource>`
 * @throws {Problem} 404 where the workspace has no such resource; 403 where its app was not granted read:records, or the assistant may not read it
 */
export async function reachToRead(sql: Queryable, caller: Caller, resource: string): Promise<Reached> {
  const reached = reachedOf(caller, resource, await installedApp(sql, caller.tenant, appOf(resource)))
  requireGrant(reached, 'read:records')
  if (isAssistant(caller) && !reached.declared.exposeToAi) throw closedToAssistant(reached, 'exposeToAi')
  return reached
}

/**
 * The same to write records: until the transaction ends, the app is neither upgraded, disabled nor uninstalled.
 * @throws {Problem} 404; 403 where its app was not granted write:records, or the assistant may not write it
 */
export async function reachToWrite(tx: Tx, caller: Caller, resource: string): Promise<Reached> {
  const reached = reachedOf(caller, resource, await heldApp(tx, caller.tenant, appOf(resource)))
  requireGrant(reached, 'write:records')
  if (isAssistant(caller) && !reached.declared.allowAiWrite) throw closedToAssistant(reached, 'allowAiWrite')
  return reached
}

/** @throws {Problem} 409 where the app is disabled: its records are read, and not written */
export function requireEnabled({ app }: Reached): void {
  if (app.state === 'disabled')
    throw new Problem('conflict', `${app.name} is disabled, so its records cannot be changed; an admin can enable it.`, {
      code: 'app_disabled',
    })
}

export const isAssistant = ({ actor }: Caller): boolean => actor.type === 'assistant'

/** The app's id: all before the last colon. */
const appOf = (resource: string): string => (IS_FULL_ID.test(resource) ? resource.slice(0, resource.lastIndexOf(':')) : '')

const PART = '[A-Za-z0-9][A-Za-z0-9._-]{0,62}'
/** `<vendor>:<slug>:<resource>`, as a pattern. */
export const FULL_ID = `^${PART}:${PART}:${PART}$`
/** Said where there is none: the full id is easily taken for the app's, or written in another case. */
export const NAMED = 'one is named <vendor>:<app>:<resource> as its manifest spells them, such as acme:loyalty:points'
const IS_FULL_ID = new RegExp(FULL_ID)

function reachedOf({ tenant }: Caller, resource: string, app: Installed | undefined): Reached {
  const id = resource.slice(resource.lastIndexOf(':') + 1)
  const declared = app?.manifest.resources?.find(each => each.id === id)
  if (!app || !declared) throw notFound('resource', NAMED)
  return { tenant, resource, app, declared, fields: app.slots[id] ?? [] }
}

function requireGrant({ app }: Reached, scope: 'read:records' | 'write:records'): void {
  if (app.scopes.includes(scope)) return
  throw new Problem('insufficient-scope', `${app.name} was not granted ${scope}, so its records are out of reach.`, {
    code: 'not_granted',
    required_scope: scope,
  })
}

const closedToAssistant = ({ declared }: Reached, flag: 'exposeToAi' | 'allowAiWrite'): Problem =>
  new Problem('insufficient-scope', `The app does not let the assistant do this with ${declared.name}: ${flag} is not set.`, {
    code: 'closed_to_assistant',
  })
