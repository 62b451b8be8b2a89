// Workers that are cut off from the database, one at a time: with a reset, by an orderly end, or without a word in either direction or both; under a load
// of orders to webhooks that are all ordered, so that two senders would show.
import { setTimeout as delay } from 'node:timers/promises'
import type { Sql } from '../../src/postgres/sql.ts'
import { eventually } from '../../test/support/eventually.ts'
import { type FlakyProxy, openFlakyProxy } from '../../test/support/flaky-proxy.ts'
import type { Reporting } from '../../test/support/processes.ts'
import { seeded } from '../../test/support/random.ts'
import { delaysOf } from './abandoned-leases.ts'
import { createWebhook, openEnvironment, type Shop } from './environment.ts'
import { duplicatesOf, type Evidence, findings, readWritten } from './evidence.ts'
import type { Fault } from './fault.ts'
import { drained, KEYS, SHOPS } from './kills.ts'
import { startOrders } from './orders.ts'
import { startReceivers } from './receivers.ts'
import { none, type Outcome, quantile } from './verdict.ts'

export interface CutsPlan {
  seed: number
  cuts: number
  workers: number
  ordersPerSecond: number
  /** How long a cut lasts, and how long it is until the next. */
  cutMs: [least: number, most: number]
  pauseMs: [least: number, most: number]
  settings?: Record<string, string>
}

const CUTS: Record<string, (proxy: FlakyProxy) => void> = {
  'an orderly end': proxy => proxy.block(),
  'a reset': proxy => proxy.block('resetAndDestroy'),
  'a reset for a moment': proxy => proxy.cut('resetAndDestroy'),
  'connections lost here alone': proxy => proxy.lose(),
  'silence in both directions': proxy => proxy.silence('both'),
  'silence to the database': proxy => proxy.silence('to the database'),
  'silence from the database': proxy => proxy.silence('from the database'),
}

export async function runCuts(plan: CutsPlan): Promise<Outcome> {
  const environment = await openEnvironment(plan.settings)
  const random = seeded(plan.seed)
  const proxies: FlakyProxy[] = []
  try {
    // Each shop has one that answers soon and one that does not: cuts come in the midst of its requests.
    const owners = Array.from({ length: 2 * SHOPS }, (_, i) => Math.floor(i / 2))
    const receivers = await startReceivers(owners.map((_, i) => (i % 2 === 0 ? 'slow' : 'slower')))
    const web = await environment.start('web')
    const shops = await Promise.all(Array.from({ length: SHOPS }, () => environment.shop(KEYS)))
    const webhooks = await Promise.all(
      owners.map((shop, i) => createWebhook(String(web.ready), shops[shop] as Shop, receivers.urls[i] as string, 1)),
    )
    receivers.setSecrets(webhooks.map(({ secret }) => secret))
    const workers: Reporting[] = []
    for (let i = 0; i < plan.workers; i++) {
      const proxy = await openFlakyProxy(environment.databaseUrl)
      proxies.push(proxy)
      workers.push(await environment.start('worker', { DATABASE_URL: proxy.url }))
    }
    await noteLeases(environment.sql)
    // Each worker counts as running on a machine of its own.
    await environment.sql`update worker_processes set place = 'elsewhere ' || pid`
    const orders = startOrders(String(web.ready), shops, plan.ordersPerSecond)
    environment.closing.addEventListener('abort', () => void orders.stop().catch(() => {}))
    const faults: Fault[] = []
    const kinds = random.shuffled(Array.from({ length: plan.cuts }, (_, i) => Object.keys(CUTS)[i % Object.keys(CUTS).length] as string))
    for (const kind of kinds) {
      await delay(random.between(...plan.pauseMs))
      const proxy = proxies[Math.floor(random.next() * proxies.length)] as FlakyProxy
      const from = Date.now()
      CUTS[kind]?.(proxy)
      await delay(random.between(...plan.cutMs))
      proxy.mend()
      faults.push({ kind: 'cut', from, until: Date.now() })
    }
    await orders.stop()
    // Each worker stands again, perhaps under another name.
    const back = await eventually(async () => {
      const [row] = await environment.sql<{ n: number }[]>`select count(*)::int as n from worker_processes`
      return row?.n === plan.workers
    }, 60_000).catch(() => false)
    await drained(environment.sql)
    const posts = await receivers.posts()
    const written = await readWritten(environment.sql)
    const ended = workers.filter(worker => worker.hasEnded())
    const took = workers.reduce((sum, { output }) => sum + output().split('others took over').length - 1, 0)
    const evidence = {
      posts,
      faults,
      written,
      accepted: orders.accepted,
      webhooks,
      owners: owners.map(shop => (shops[shop] as Shop).tenant),
      leases: await environment.sql<Lease[]>`select webhook, extract(epoch from at)::float8 * 1000 as at from leases_begun`,
    }
    const delays = delaysOf(posts)
    return {
      facts: {
        seed: plan.seed,
        'cuts, of seven kinds': faults.length,
        'they lasted': `${((faults.reduce((sum, { from, until }) => sum + until - from, 0) / faults.length || 0) / 1000).toFixed(1)} s on average`,
        'taken over while they lived': took,
        'orders accepted': orders.accepted.length,
        'POSTs received': `${posts.length}: ${duplicatesOf(posts)} duplicates`,
        'from event to first POST': `p50 ${quantile(delays, 0.5)} ms, p99 ${(quantile(delays, 0.99) / 1000).toFixed(1)} s, at most ${(quantile(delays, 1) / 1000).toFixed(1)} s`,
      },
      findings: [
        ...findings(evidence),
        none(
          'no worker ends',
          ended.map(({ output }) => output().slice(-500)),
        ),
        none('each stands again when it is cut off no more', back ? [] : ['not all']),
      ],
    }
  } finally {
    for (const proxy of proxies) proxy.mend()
    await environment.close()
    for (const proxy of proxies) proxy.close()
  }
}

type Lease = NonNullable<Evidence['leases']>[number]

async function noteLeases(sql: Sql): Promise<void> {
  await sql.unsafe(`
    create table leases_begun (webhook text not null, at timestamptz not null default clock_timestamp());
    create function note_lease() returns trigger language plpgsql security definer as $$
    begin
      insert into public.leases_begun (webhook) values (new.id);
      return null;
    end
    $$;
    create trigger note_lease after update of lease_token on webhook_endpoints
      for each row when (new.lease_token is distinct from old.lease_token and new.lease_token is not null) execute function note_lease()`)
}
