// Who writes: one of the staff, by the credential that they use.
import * as keys from '../access/keys.ts'
import type { Actor, Caller } from '../caller.ts'
import type { Fragment } from '../postgres/sql.ts'
import { personNamePart } from '../tenants/person-name.ts'
import type { Author } from './schema.ts'

/** What is read of a writer, as a part of a statement: a row for `authorOf`. */
export function authorPart({ tenant, actor: { type, id }, grant }: Caller): Fragment | undefined {
  if (id === undefined) return undefined
  if (type === 'api_key' || type === 'agent_key') return keys.namePart(tenant, id)
  return grant === undefined ? undefined : personNamePart(tenant, id)
}

const isKey = ({ type }: Actor): boolean => type === 'api_key' || type === 'agent_key'

export function authorOf({ actor, grant }: Caller, row: { name: string | null } | undefined): Author {
  const id = actor.id ?? null
  if (isKey(actor) && id !== null) return { type: 'operator', id, name: row?.name ?? null, via: actor.type === 'agent_key' ? 'mcp' : 'api' }
  if (grant !== undefined) return { type: 'operator', id, name: row?.name ?? null, via: 'mcp' }
  if (actor.type === 'user') return { type: 'operator', id, name: null, via: 'dashboard' }
  return { type: 'operator', id, name: null, via: 'cli' }
}
