// Who writes: one of the staff, by the credential that they use.
import * as keys from '../access/keys.ts'
import type { Actor, Caller } from '../caller.ts'
import type { Fragment } from '../postgres/sql.ts'
import type { Author } from './schema.ts'

/** What is read of a writer, as a part of a statement: a row for `authorOf`. */
export const authorPart = ({ tenant, actor }: Caller): Fragment | undefined =>
  isKey(actor) && actor.id !== undefined ? keys.namePart(tenant, actor.id) : undefined

const isKey = ({ type }: Actor): boolean => type === 'api_key' || type === 'agent_key'

export function authorOf({ actor }: Caller, row: { name: string | null } | undefined): Author {
  const id = actor.id ?? null
  if (isKey(actor) && id !== null) return { type: 'operator', id, name: row?.name ?? null, via: actor.type === 'agent_key' ? 'mcp' : 'api' }
  if (actor.type === 'user') return { type: 'operator', id, name: null, via: 'dashboard' }
  return { type: 'operator', id, name: null, via: 'cli' }
}
