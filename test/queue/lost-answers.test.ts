// A crash of the database that meets a statement leaves unknown whether it took effect. A lease that was taken so is given back, by every noun of leased
// work: its holder lives, so nothing else would go on with the row for 25 s.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { createFetch } from '../../src/attachments/fetch.ts'
import { createTurns } from '../../src/callbacks/turn.ts'
import { createSending } from '../../src/channels/sending/engine.ts'
import { createRunning } from '../../src/flows/running/engine.ts'
import { newId, type Ref } from '../../src/ids.ts'
import { createApply } from '../../src/imports/apply.ts'
import { LEASE_SECONDS } from '../../src/limits/queue.ts'
import { createClient } from '../../src/outbound/client.ts'
import { isUnavailable } from '../../src/postgres/errors.ts'
import { begin, openDatabase, part, type Queryable } from '../../src/postgres/sql.ts'
import { createCompany } from '../../src/queue/company.ts'
import { beginSlice } from '../../src/queue/slice.ts'
import { createSlots } from '../../src/queue/slots.ts'
import { UNWATCHED } from '../../src/queue/standing.ts'
import { UNTRIED } from '../../src/queue/trial.ts'
import { encrypt, type Keyring, parseKeyring } from '../../src/secrets.ts'
import { createCatchUp } from '../../src/webhooks/catch-up/catch-up.ts'
import { settle } from '../../src/webhooks/delivery/disable-store.ts'
import { createDeliver } from '../../src/webhooks/delivery/engine.ts'
import { secretBinding } from '../../src/webhooks/endpoints/secrets.ts'
import { createRecover } from '../../src/webhooks/recovery/run.ts'
import { connectedDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { flakyProxy } from '../support/flaky-proxy.ts'
import { sessionWaits } from '../support/locks.ts'
import { startReceiver } from '../support/receiver.ts'

const { url, sql } = await connectedDatabase({ lanes: 0, pool: 4 })
const proxy = await flakyProxy(url)
const far = openDatabase(proxy.url, { name: 'far', lanes: 0, pool: 1 })
after(() => far.close())

const client = createClient({ allowPrivate: true, allowOrigins: [] })
after(() => client.close())
const keyring = parseKeyring('1'.repeat(64)) as Keyring
const [tenant, endpoint] = [newId('ten'), newId('whk')]
const secret = encrypt(keyring, 'whsec_x', secretBinding(tenant, endpoint))
await sql`insert into tenants (id, name, plan) values (${tenant}, 'A shop', 'enterprise')`
await sql`
  insert into webhook_endpoints (tenant_id, id, url, events, secret, status, created_at, updated_at, max_parallel, catching_up)
  values (${tenant}, ${endpoint}, 'http://127.0.0.1', '{order.created}', ${secret}, 'paused', now(), now(), 1, '{"next_status": "enabled", "drop_before": "2026-01-01Z", "missed_from": null}')`

const stopping = new AbortController().signal
// What a slice needs beyond this it needs once it has begun its work.
const context = { sql: far.sql, db: far, keyring, standing: UNWATCHED, stopping, log: pino({ level: 'silent' }) } as never

interface Noun {
  table: string
  token?: string
  ref?: Ref
  insert?(ref: Ref): Promise<unknown>
  run(ref: Ref): Promise<unknown>
  /** The task of the job that goes on with it; without it: nothing waits. */
  task?: string
  /** The table that the slice reads or writes next. */
  next?: string
  /** What the slice takes besides. */
  besides?(): Promise<unknown>
}

const nouns: Noun[] = [
  {
    table: 'imports',
    task: 'imports/apply',
    next: 'import_chunks',
    insert: async ({ id }) => sql`
      insert into imports (tenant_id, id, resource, mode, format, dry_run, events, caller, status)
      values (${tenant}, ${id}, 'products', 'create', 'csv', false, true, '{}', 'queued')`,
    run: ref => createApply(context)(ref, UNTRIED),
  },
  {
    table: 'attachments',
    task: 'attachments/fetch',
    next: 'imports',
    insert: async ({ id }) => sql`
      insert into attachments (tenant_id, id, type, mime_type, status, created_at) values (${tenant}, ${id}, 'image', 'image/png', 'pending', now())`,
    run: ref => createFetch(context)(ref, UNTRIED),
  },
  {
    table: 'webhook_recoveries',
    task: 'webhooks/recover',
    next: 'events',
    insert: async ({ id }) => sql`
      insert into webhook_recoveries (tenant_id, id, endpoint_id, scope, first_id, end_id, max_per_second, total, created_at)
      values (${tenant}, ${id}, ${endpoint}, 'all', '', '', 1, 2, now())`,
    // The lease of its ordered endpoint.
    besides: async () => sql`
      update webhook_endpoints w set lease_token = r.lease_token, lease_until = r.lease_until from webhook_recoveries r where r.endpoint_id = w.id`,
    run: ref => createRecover(context)(ref, UNTRIED),
  },
  {
    table: 'webhook_endpoints',
    token: 'catch_up_token',
    task: 'webhooks/catch-up',
    next: 'webhook_deliveries',
    ref: { tenant, id: endpoint },
    run: ref => createCatchUp(context)(ref, UNTRIED),
  },
  {
    table: 'callback_sources',
    ref: { tenant, id: newId('chn') },
    insert: async ({ id }) => sql`insert into callback_sources (tenant_id, id, kind) values (${tenant}, ${id}, 'channel')`,
    run: ref => createTurns({ ...(context as object), kinds: [{ prefix: 'chn' }] } as never, () => {})(ref, UNTRIED),
  },
  {
    table: 'channels',
    task: 'channels/send',
    ref: { tenant, id: newId('chn') },
    insert: aChannel,
    run: ref => sending().send(ref),
  },
  {
    table: 'flow_queues',
    insert: async ({ id }) => sql`insert into flow_queues (tenant_id, id) values (${tenant}, ${id})`,
    run: ref => createRunning({ ...(context as object), slots: createSlots(1, stopping, () => {}) } as never).run(ref),
  },
]

async function aChannel({ id }: Ref): Promise<void> {
  await sql`insert into channels (tenant_id, id, platform, name, created_at, updated_at) values (${tenant}, ${id}, 'web', 'Chat', now(), now())`
}

const sending = () => createSending({ ...(context as object), client, slots: createSlots(1, stopping, () => {}) } as never)

for (const { table, token = 'lease_token', task, next, besides, ref = { tenant, id: newId('evt') }, insert, run } of nouns) {
  const [row, column] = [part`${part(table)} where tenant_id = ${ref.tenant} and id = ${ref.id}`, part(token)]
  const holder = async () => (await sql`select ${column} as holder from ${row}`)[0]?.['holder']
  const jobs = () => sql<{ after: number }[]>`
    select round(extract(epoch from j.run_at - j.created_at))::integer as after
      from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id and t.identifier = ${task ?? null}`
  const ends = (): Promise<unknown> => run(ref).catch(error => error)

  test(`a lease of ${task ?? table} that was taken though the answer was lost is given back`, async () => {
    await insert?.(ref)
    const { taking } = await begin(sql, async tx => {
      await tx`select 1 from ${row} for update`
      const ending = ends()
      await sessionWaits(sql)
      proxy.silence('from the database')
      return { taking: ending }
    })
    await eventually(async () => (await holder()) !== null)
    proxy.cut()
    proxy.mend()
    assert.ok(isUnavailable(await taking))
    assert.deepEqual([await holder(), (await jobs()).length], [null, task ? 1 : 0])
  })

  test(`a lease of ${task ?? table} that is taken after its worker lost the connection is given back`, async () => {
    const { taking } = await begin(sql, async tx => {
      await tx`select 1 from ${row} for update`
      let hasEnded = false
      const ending = ends().finally(() => {
        hasEnded = true
      })
      await sessionWaits(sql)
      proxy.cut()
      proxy.mend()
      // It is still to be taken, and is waited for.
      await eventually(async () => hasEnded || (await farWaiting()) === 2)
      return { taking: ending }
    })
    assert.ok(isUnavailable(await taking))
    await eventually(async () => (await farWaiting()) === 0)
    assert.equal(await holder(), null)
  })

  if (next)
    test(`a slice of ${task} that a crash ends gives its lease back, and goes on a moment later`, async () => {
      await begin(sql, async tx => {
        await tx`lock table ${part(next)} in access exclusive mode`
        const ending = ends()
        await sessionWaits(sql)
        await besides?.()
        await crash(tx)
        assert.ok(isUnavailable(await ending))
      })
      const again = (await jobs()).at(-1)?.after
      const [also] = await sql`select lease_token from webhook_endpoints`
      assert.deepEqual([await holder(), also?.['lease_token'], again !== undefined && again > 0 && again <= 5], [null, null, true])
    })
}

/** How many statements of `far` wait for a lock. */
const farWaiting = async (): Promise<number> =>
  (
    await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and application_name = 'far'`
  ).length

/** A webhook whose job was just fetched, with a delivery that is due. */
async function aWebhook(over: object = { deaths: 0 }) {
  const [id, event] = [newId('whk'), newId('evt')]
  await sql`
    insert into webhook_endpoints (tenant_id, id, url, events, secret, queued_at, created_at, updated_at)
    values (${tenant}, ${id}, 'http://127.0.0.1', '{none}', ${encrypt(keyring, 'whsec_x', secretBinding(tenant, id))}, clock_timestamp(), now(), now())`
  await sql`update webhook_endpoints set ${sql(over)} where id = ${id}`
  await sql`insert into events (tenant_id, id, type, created_at, body) values (${tenant}, ${event}, 'order.created', now(), '{}')`
  await sql`insert into webhook_deliveries (tenant_id, endpoint_id, event_id, due_at) values (${tenant}, ${id}, ${event}, now())`
  const stop = new AbortController()
  const slots = createSlots(4, stop.signal, () => {})
  const { deliver } = createDeliver({
    ...(context as object),
    stopping: stop.signal,
    slots,
    client,
    timeoutMs: 10_000,
    scheduleSeconds: [1],
    company: createCompany(),
  } as never)
  return {
    ref: { tenant, id },
    stop,
    deliver: () => deliver({ tenant, id }, { id: '0', created_at: new Date() }).catch(error => error),
    row: async () => {
      const [row] = await sql`
        select lease_token is not null as held, lease_until is not null as leased, queued_at is not null as queued, deaths, paced_until is not null as paced
          from webhook_endpoints where id = ${id}`
      return { ...row }
    },
  }
}

/** Ends the statement of `far` that waits for a lock. */
const crash = (tx: Queryable, end = part`pg_terminate_backend`) =>
  eventually(
    async () =>
      (
        await tx`
          select ${end}(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and application_name = 'far'`
      ).length > 0,
  )
const FREE = { held: false, leased: false, queued: false, deaths: 0, paced: false }

test('a lease of webhooks/deliver that was taken though the answer was lost is given back', async () => {
  const webhook = await aWebhook()
  const { taking } = await begin(sql, async tx => {
    await tx`lock table events in access exclusive mode`
    const ending = webhook.deliver()
    await sessionWaits(sql)
    proxy.silence('from the database')
    return { taking: ending }
  })
  await eventually(async () => (await webhook.row())['held'])
  proxy.cut()
  proxy.mend()
  assert.ok(isUnavailable(await taking))
  assert.deepEqual(await webhook.row(), FREE)
})

test('a lease of webhooks/deliver that is taken after its worker lost the connection is given back', async () => {
  const webhook = await aWebhook()
  const { taking } = await begin(sql, async tx => {
    await tx`lock table events in access exclusive mode`
    const ending = webhook.deliver()
    await sessionWaits(sql)
    proxy.cut()
    proxy.mend()
    // It has tried to give the lease back, which the first session is still to take.
    await eventually(
      async () =>
        (
          await sql`
            select from pg_stat_activity
             where datname = current_database() and application_name = 'far' and state = 'idle' and query ~ 'webhook_(endpoints|release)'`
        ).length > 0,
    )
    return { taking: ending }
  })
  assert.ok(isUnavailable(await taking))
  assert.deepEqual(await webhook.row(), FREE)
})

for (const [when, over, after] of [
  ['before it has its lease', { deaths: 0 }, {}],
  ['in the middle', { failures: 1, max_per_minute: 60, deaths: 2 }, { deaths: 2, paced: true }],
] as const)
  test(`a slice of webhooks/deliver that a crash ends ${when} leaves its webhook to the sweep at once`, async () => {
    const webhook = await aWebhook(over)
    await begin(sql, async tx => {
      await tx`lock table events in access exclusive mode`
      const ending = webhook.deliver()
      await crash(tx)
      assert.ok(isUnavailable(await ending))
    })
    assert.deepEqual(await webhook.row(), { ...FREE, ...after })
  })

test('a slice of webhooks/deliver that cannot record an answer keeps its lease until that lapses, so that nothing is sent again sooner', async t => {
  const receiver = await startReceiver()
  t.after(receiver.close)
  const webhook = await aWebhook({ url: receiver.origin })
  await begin(sql, async tx => {
    await tx`lock table webhook_attempts in access exclusive mode`
    const ending = webhook.deliver()
    await receiver.until(1)
    await sessionWaits(sql)
    // Else it would try for 25 s.
    webhook.stop.abort()
    await crash(tx, part`pg_cancel_backend`)
    assert.ok(isUnavailable(await ending))
  })
  assert.deepEqual(await webhook.row(), { ...FREE, leased: true })
})

test('a slice of a channel that a crash ends in the middle gives its lease back', async t => {
  const ref = { tenant, id: newId('chn') }
  await aChannel(ref)
  await sql.unsafe(`
    create sequence crashes;
    create function crash() returns trigger language plpgsql as $$
    begin if nextval('crashes') = 1 then raise exception 'crash' using errcode = '57P01'; end if; return new; end $$;
    create trigger giving_back before update of lease_token on channels for each row when (new.lease_token is null) execute function crash();`)
  t.after(() => sql.unsafe('drop function crash cascade; drop sequence crashes'))
  await assert.rejects(sending().send(ref), isUnavailable)
  const [row] = await sql`select lease_token, lease_until from channels where id = ${ref.id}`
  assert.deepEqual({ ...row }, { lease_token: null, lease_until: null })
})

test('deaths that a slice has outlived are forgotten when its lease is given back, but not while another holds it', async () => {
  const [mine, other] = [UNWATCHED.token(), UNWATCHED.token()]
  const webhook = await aWebhook({ deaths: 3, lease_token: other })
  const deaths = async (): Promise<unknown> => {
    await settle(sql, { ...webhook.ref, token: mine }, 0)
    return (await webhook.row())['deaths']
  }
  assert.equal(await deaths(), 3)
  await sql`update webhook_endpoints set lease_token = null where id = ${webhook.ref.id}`
  assert.equal(await deaths(), 0)
})

test('an endpoint that cannot be marked as queued no longer keeps none from being served that was asked for in the same statement', async t => {
  const [idle, paused] = [newId('whk'), newId('whk')]
  await sql`
    insert into webhook_endpoints (tenant_id, id, url, events, secret, status, queued_at, created_at, updated_at)
    select ${tenant}, id, 'http://127.0.0.1', '{order.created}', ${encrypt(keyring, 'whsec_x', secretBinding(tenant, idle))}, status, now(), now(), now()
      from (values (${idle}, 'enabled'), (${paused}, 'paused')) as e (id, status)`
  await sql.unsafe(`
    create function refuse_mark() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
    create trigger mark before update of queued_at on webhook_endpoints for each row when (old.status = 'paused') execute function refuse_mark();`)
  t.after(() => sql`drop function refuse_mark cascade`)
  const { deliver } = createDeliver({ ...(context as object), slots: createSlots(4, stopping, () => {}) } as never)
  const ends = await Promise.allSettled([idle, paused].map(id => deliver({ tenant, id }, { id: '0', created_at: new Date() })))
  assert.deepEqual(
    ends.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  )
  const [row] = await sql`select lease_token, queued_at from webhook_endpoints where id = ${idle}`
  assert.deepEqual({ ...row }, { lease_token: null, queued_at: null })
})

test('what ended a slice is said, also where its lease cannot be given back either', async t => {
  await sql.unsafe(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception '%', tg_name; end $$;
    create trigger its_work before update of catching_up on webhook_endpoints for each row execute function refuse();
    create trigger giving_back before update of catch_up_token on webhook_endpoints for each row
      when (new.catch_up_token is null and old.catch_up_token is not null) execute function refuse();`)
  t.after(() => sql`drop function refuse cascade`)
  await assert.rejects(createCatchUp(context)({ tenant, id: endpoint }, UNTRIED), /its_work/)
})

test('a lease is renewed no more from when it is given back, which is tried again only while the database is away', async t => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  let renewals = 0
  const leases = { renew: async () => `${++renewals}` } as never
  // To be renewed at the next look.
  const askedAt = performance.now() - LEASE_SECONDS * 500
  const row = { sql, leases, ref: { tenant, id: endpoint }, trial: UNTRIED, token: UNWATCHED.token(), askedAt }
  const look = () => t.mock.timers.tick(1_000)
  const slice = beginSlice({ standing: UNWATCHED, stopping }, row)
  look()
  assert.equal(renewals, 1)
  slice.letGo()

  for (const away of [true, false]) {
    const error = Object.assign(new Error(), { code: away ? 'ECONNREFUSED' : '42703' })
    const held = beginSlice({ standing: UNWATCHED, stopping }, row)
    let tries = 0
    const given = held.giveBack(async () => {
      look()
      if (++tries === 1) throw error
      return 'given back'
    })
    assert.deepEqual([await given.catch(cause => cause), tries, renewals], away ? ['given back', 2, 1] : [error, 1, 1])
  }
})
