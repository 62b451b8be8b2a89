// Forgetting what was counted long ago.
import { ANALYTICS_DAYS, BLOCK_DAYS } from '../limits/analytics.ts'
import { PRUNE_BATCH } from '../limits/retention.ts'
import { oldestFirst, type Prune } from '../postgres/prune.ts'
import { listOf, sameIn } from '../postgres/row-set.ts'
import { part } from '../postgres/sql.ts'

/** Days more than are kept, so that the first day of every time zone is whole. */
const OVER = 2

/** Workspace by workspace, for there is no index over all. */
const pruneOf = (
  table: 'analytics_quarters' | 'analytics_hours' | 'analytics_products' | 'analytics_blocks',
  time: 'quarter' | 'hour' | 'day',
  key: readonly string[],
  over = OVER,
): Prune => {
  const [rows, by, keys] = [part.unsafe(table), part.unsafe(time), listOf(key, 'o')]
  const same = sameIn(key, 'd', 'old')
  return sql =>
    oldestFirst(async () => {
      const { count } = await sql`
        delete from ${rows} d
         using (
           select e.*
             from tenants t,
                  lateral (
                    select ${keys}
                      from ${rows} o
                     where o.tenant_id = t.id and o.${by} < now() - make_interval(days => ${ANALYTICS_DAYS + over})
                     order by o.${by}
                     limit ${PRUNE_BATCH}) e
            limit ${PRUNE_BATCH}) old
         where ${same}`
      return count
    })
}

const pruneQuarters = pruneOf('analytics_quarters', 'quarter', ['tenant_id', 'quarter', 'currency'])
const pruneHours = pruneOf('analytics_hours', 'hour', ['tenant_id', 'hour', 'currency'])
const KEY = ['tenant_id', 'day', 'product_id', 'currency'] as const
const pruneProducts = pruneOf('analytics_products', 'day', KEY)
/** A block goes after its last day. */
const pruneBlocks = pruneOf('analytics_blocks', 'day', KEY, OVER + BLOCK_DAYS)

export const pruneAnalytics: Prune = async function* (sql) {
  yield* pruneQuarters(sql)
  yield* pruneHours(sql)
  yield* pruneProducts(sql)
  yield* pruneBlocks(sql)
}
