// Every statement of clients.
import { CLIENT_UNUSED_DAYS } from '../limits/oauth.ts'
import { pruneExpired } from '../postgres/prune.ts'
import { arrayText } from '../postgres/row-set.ts'
import { part, type Queryable, type Tx } from '../postgres/sql.ts'
import type { ClientMetadata } from './registration.ts'

export interface Client {
  id: string
  metadata: ClientMetadata
  /** Null for one without a secret. */
  secretHash: Buffer | null
  /**
   * A client known by a document: until when it need not be read again, and until when people may be asked by it if it cannot be. What
   * they allowed it before does not depend on either.
   */
  freshUntil: Date | null
  servesUntil: Date | null
}

export async function insert(tx: Tx, { id, metadata, secretHash }: Pick<Client, 'id' | 'metadata' | 'secretHash'>): Promise<Date> {
  const [row] = await tx<{ created_at: Date }[]>`
    insert into oauth_clients (id, metadata, secret_hash)
    values (${id}, ${JSON.stringify(metadata)}::text::jsonb, ${secretHash})
    returning created_at`
  return row?.created_at as Date
}

/** @returns in the order asked; undefined for one that is not there */
export async function find(sql: Queryable, ids: string[]): Promise<(Client | undefined)[]> {
  const rows = await sql<Client[]>`
    select c.id, c.metadata, c.secret_hash as "secretHash", c.fresh_until as "freshUntil", c.serves_until as "servesUntil"
      from oauth_clients c
     where c.id = any(${arrayText(ids)}::text::text[])`
  const found = new Map(rows.map(row => [row.id, row]))
  return ids.map(id => found.get(id))
}

/** Keeps what a client's document says. Its grants stay. */
export async function keepDocument(
  sql: Queryable,
  id: string,
  metadata: ClientMetadata,
  freshSeconds: number,
  servesDays: number,
): Promise<void> {
  await sql`
    insert into oauth_clients (id, metadata, fresh_until, serves_until)
    values (${id}, ${JSON.stringify(metadata)}::text::jsonb, now() + make_interval(secs => ${freshSeconds}), now() + make_interval(days => ${servesDays}))
    on conflict (id) do update
       set metadata = excluded.metadata, fresh_until = excluded.fresh_until, serves_until = excluded.serves_until`
}

/** Those that never led to a grant. */
export const pruneClients = pruneExpired({
  table: 'oauth_clients',
  key: ['id'],
  by: 'created_at',
  expired: part`o.granted_at is null and o.created_at < now() - make_interval(days => ${CLIENT_UNUSED_DAYS})`,
})
