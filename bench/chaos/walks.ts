// Webhooks that walk over old events: they miss events, some old and some about to be, catch up with them, and have them sent again.
import { newId } from '../../src/ids.ts'
import { eventually } from '../../test/support/eventually.ts'
import type { Delivery } from './deliveries.ts'
import { post, type Shop, type Webhook } from './environment.ts'
import { DAY_MS, LINE_MS } from './old-rows.ts'
import type { Shops } from './shops.ts'

/** Where nothing is lost, all of it is over long before: a killed worker's leases lapse after 25 s. */
export const DRAINED_MAX_MS = 120_000
/** Events that a walk goes over: a third old, a third old within the minute, a third young. */
export const WALK = 90
const WALK_MS = 60_000

export interface Hook extends Webhook {
  shop: Shop
}

export interface Walks {
  made: number
  /** Missed events that were never old: each must have a delivery. */
  young: Pick<Delivery, 'endpoint' | 'event'>[]
  recoveries: string[]
  /** Does work of which no webhook may miss anything: none is disabled meanwhile. One at a time. */
  apart<T>(work: () => Promise<T>): Promise<T>
}

export function createWalks(): Walks {
  let last: Promise<unknown> = Promise.resolve()
  return {
    made: 0,
    young: [],
    recoveries: [],
    apart(work) {
      const done = last.then(work)
      last = done.catch(() => {})
      return done
    },
  }
}

interface Walking extends Pick<Shops, 'sql' | 'origin' | 'closing'> {
  walks: Walks
}

/** Misses events, some of them old and some about to be; catches up with them; and has them sent again. */
export async function walk(run: Walking, hook: Hook): Promise<void> {
  const { sql, origin, closing, walks } = run
  const line = Date.now() - LINE_MS
  const young = aged(line + DAY_MS)
  await miss(run, hook, [...aged(line - WALK_MS), ...aged(line), ...young])
  walks.young.push(...young.map(event => ({ endpoint: hook.id, event })))
  const isOver = (state: () => Promise<readonly unknown[]>) =>
    eventually(async () => closing.aborted || (await state()).length === 0, DRAINED_MAX_MS).catch(() => {})
  await isOver(
    () => sql`
      select 1 from webhook_endpoints where id = ${hook.id} and status <> 'enabled' union all
      select 1 from webhook_deliveries where endpoint_id = ${hook.id} and state = 'pending'`,
  )
  if (closing.aborted) return
  const [since, until] = [line - 2 * WALK_MS, line + 2 * WALK_MS].map(at => new Date(at).toISOString())
  const recovery = await post<{ id: string }>(origin, byTurns(run, hook), `/${hook.id}/recoveries`, {
    scope: 'all',
    since,
    until,
    max_per_second: 100,
  })
  walks.recoveries.push(recovery.id)
  await isOver(() => sql`select 1 from webhook_recoveries where id = ${recovery.id} and state = 'running'`)
}

/** Pauses a webhook with old pending deliveries: they wait until it is resumed, through any number of passes. */
export async function hold(run: Walking, hook: Hook): Promise<void> {
  await miss(run, hook, aged(Date.now() - LINE_MS - DAY_MS))
  await post(run.origin, hook.shop, `/${hook.id}/pause`)
  await eventually(async () => (await run.sql`select 1 from webhook_endpoints where id = ${hook.id} and catching_up is null`).length > 0)
}

/** Disables the webhook while the events happen, and enables it to catch up with them. */
function miss(run: Walking, { id, shop }: Hook, events: string[]): Promise<void> {
  const { sql, origin, walks } = run
  return walks.apart(async () => {
    walks.made++
    const by = byTurns(run, { shop })
    await post(origin, by, `/${id}/disable`)
    await sql`
      insert into events (tenant_id, id, type, created_at, body)
      select ${shop.tenant}, i, 'order.created', now() - interval '1 hour',
             json_build_object('id', i, 'type', 'order.created', 'created_at', '2000-01-01T00:00:00.000Z', 'data', repeat('x', 300))
        from unnest(${events}::text[]) i`
    await post(origin, by, `/${id}/enable`, { pending: 'send', missed: 'send' })
  })
}

/** Ids of a minute's events. */
const aged = (from: number): string[] =>
  Array.from({ length: WALK / 3 }, (_, i) => newId('evt', Math.round(from + (i * WALK_MS * 3) / WALK)))

/** The shop with one of its keys, each of which may write so often. */
const byTurns = ({ walks }: Walking, { shop }: Pick<Hook, 'shop'>): Shop => ({
  ...shop,
  keys: [shop.keys[walks.made % shop.keys.length] as string],
})
