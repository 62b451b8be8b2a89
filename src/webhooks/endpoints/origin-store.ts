// Every statement about the origins that a workspace's webhooks go to, and which of them have answered with 2xx.
import { PRUNE_BATCH, RETENTION_DAYS } from '../../limits/retention.ts'
import { oldestFirst, type Prune } from '../../postgres/prune.ts'
import type { Queryable } from '../../postgres/sql.ts'

export interface Destination {
  id: string
  url: string
  /** The origin of its URL has answered it with 2xx. */
  proven: boolean
}

export const destinations = (sql: Queryable, tenant: string): Promise<Destination[]> =>
  sql<Destination[]>`select id, url, proven from webhook_endpoints where tenant_id = ${tenant}`

/** Called after a success that is not recorded under the endpoint's lease. @param version the endpoint's, as it was when it was sent to */
export async function prove(sql: Queryable, tenant: string, endpoint: string, version: number): Promise<void> {
  await sql`
    update webhook_endpoints set proven = true
     where tenant_id = ${tenant} and id = ${endpoint} and version = ${version} and not proven`
}

/** Remembers the proof of an origin when the webhook that had proven it is deleted, or goes elsewhere. */
export async function leave(sql: Queryable, tenant: string, origin: string): Promise<void> {
  await sql`
    insert into webhook_origins (tenant_id, origin) values (${tenant}, ${origin}) on conflict (tenant_id, origin) do update set left_at = now()`
}

export async function wasProven(sql: Queryable, tenant: string, origin: string): Promise<boolean> {
  return (await sql`select from webhook_origins where tenant_id = ${tenant} and origin = ${origin}`).length > 0
}

/** Forgets proofs that are old, or their number would grow without bound. */
export const pruneOrigins: Prune = sql =>
  oldestFirst(async () => {
    const { count } = await sql`
      delete from webhook_origins o
       using (
         select tenant_id, origin
           from webhook_origins
          where left_at < now() - make_interval(days => ${RETENTION_DAYS})
          order by left_at
          limit ${PRUNE_BATCH}) old
       where o.tenant_id = old.tenant_id and o.origin = old.origin`
    return count
  })
