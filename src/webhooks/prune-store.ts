// How old webhook rows go: events together with their finished deliveries and the log of both; and recoveries.
import { newId } from '../ids.ts'
import { PRUNE_BATCH, RETENTION_DAYS } from '../limits.ts'
import { oldestFirst, type Prune } from '../postgres/prune.ts'

const DAY_MS = 86_400_000

interface Pruned {
  tenant_id: string
  id: string
  looked_at: number
  deleted: number
}

/**
 * Events, whether or not anybody subscribed to them; not one that a pending delivery needs. Walks on from place to place rather than
 * beginning again, for what is kept would otherwise be looked at by every statement. See webhook_prune_events in sql/0010_liveness.sql.
 */
export const pruneEvents: Prune = async function* (sql) {
  // Ids are in the order of time, so one made for that moment is where the old ones end.
  const before = newId('evt', Date.now() - RETENTION_DAYS * DAY_MS)
  let place = { tenant_id: '', id: '' }
  for (;;) {
    const [row] = await sql<Pruned[]>`
      select tenant_id, id, looked_at, deleted
        from webhook_prune_events(${place.tenant_id}, ${place.id}, ${before}, ${PRUNE_BATCH})`
    if (!row || row.looked_at === 0) return
    yield row.deleted
    place = row
  }
}

export const pruneRecoveries: Prune = sql =>
  oldestFirst(async () => {
    const { count } = await sql`
      delete from webhook_recoveries r
       using (
         select o.tenant_id, o.id
           from webhook_recoveries o
          where o.finished_at < now() - make_interval(days => ${RETENTION_DAYS})
          order by o.finished_at
          limit ${PRUNE_BATCH}
            for update skip locked) old
       where r.tenant_id = old.tenant_id and r.id = old.id`
    return count
  })
