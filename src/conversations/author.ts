// Who writes: one of the staff, by the credential that they use.
import * as keys from '../access/keys.ts'
import type { Actor, Caller } from '../caller.ts'
import { type Fragment, part, type Text } from '../postgres/sql.ts'
import { personNamePart } from '../tenants/person-name.ts'
import type { Author } from './schema.ts'

/** By what a writer's name is found: at most one of the two is given. */
export interface NamedBy {
  key: string | null
  person: string | null
}

export function namedBy({ actor, grant }: Caller): NamedBy {
  const id = actor.id ?? null
  const key = isKey(actor) ? id : null
  return { key, person: grant !== undefined && !isKey(actor) ? id : null }
}

/** The writer's name, as a value of a statement whose row says by what it is found. */
export const nameValue = (tenant: Text, { key, person }: { [By in keyof NamedBy]: Text }): Fragment =>
  part`coalesce((${keys.namePart(tenant, key)}), (${personNamePart(tenant, person)}))`

const isKey = ({ type }: Actor): boolean => type === 'api_key' || type === 'agent_key'

export function authorOf({ actor, grant }: Caller, name: string | null): Author {
  const id = actor.id ?? null
  if (isKey(actor) && id !== null) return { type: 'operator', id, name, via: actor.type === 'agent_key' ? 'mcp' : 'api' }
  if (grant !== undefined) return { type: 'operator', id, name, via: 'mcp' }
  if (actor.type === 'user') return { type: 'operator', id, name: null, via: 'dashboard' }
  return { type: 'operator', id, name: null, via: 'cli' }
}
