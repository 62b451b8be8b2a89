// Tells a worker of rows that have work, without a job: a job would be most of the cost of a lone message. Nothing is stored, so a sweep has to find what
// is lost (docs/decisions/2026-11-23-lone-wake-ups-go-directly-to-a-worker.md).
import type { Ref } from '../ids.ts'
import type { Queryable } from '../postgres/sql.ts'
import { beatsOn } from './pool-store.ts'

/** Always tells the same worker of a row, while the number of workers is the same; does not wait for the disk. @returns false: no worker lives */
export async function tell(sql: Queryable, rows: Ref[]): Promise<boolean> {
  const told = await sql`
    with pools as (
      select array_agg(p.id order by p.id) as ids from worker_pools p where ${beatsOn}
    )
    select pg_notify(t.pool, t.rows)
      from set_config('synchronous_commit', 'off', true), (
        select p.ids[1 + (hashtextextended(w.id, 0) & 65535) % cardinality(p.ids)] as pool, string_agg(w.tenant_id || ' ' || w.id, ' ') as rows
          from pools p
          join unnest(${rows.map(each => each.tenant)}::text[], ${rows.map(each => each.id)}::text[]) as w (tenant_id, id) on p.ids is not null
         group by 1) t`
  return told.length > 0
}

/** The rows named in a message of `tell`. */
export function toldOf(message: string): Ref[] {
  const words = message.split(' ')
  return Array.from({ length: words.length / 2 }, (_, i) => ({ tenant: words[2 * i] as string, id: words[2 * i + 1] as string }))
}
