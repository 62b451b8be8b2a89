// Who writes: one of the staff, by the credential that they use.
import * as keys from '../access/keys.ts'
import type { Caller } from '../caller.ts'
import type { Tx } from '../postgres/sql.ts'
import type { Author } from './schema.ts'

export async function authorOf(tx: Tx, { tenant, actor }: Caller): Promise<Author> {
  const id = actor.id ?? null
  if (actor.type === 'api_key' && id !== null) return { type: 'operator', id, name: await keys.nameOf(tx, tenant, id), via: 'api' }
  if (actor.type === 'user') return { type: 'operator', id, name: null, via: 'dashboard' }
  return { type: 'operator', id, name: null, via: 'cli' }
}
