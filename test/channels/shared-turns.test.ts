// The turns of sources that have news at the same moment: in one transaction, and yet each by itself.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { pino } from 'pino'
import { createQuickTurns } from '../../src/callbacks/quick-turns.ts'
import { claimNew, insertAll } from '../../src/callbacks/store.ts'
import { channelKind } from '../../src/channels/receiving/kind.ts'
import { newId, type Ref } from '../../src/ids.ts'
import { SHARED_TURN_CALLBACKS } from '../../src/limits/callbacks.ts'
import { begin, openDatabase, type Sql } from '../../src/postgres/sql.ts'
import { testApp } from '../support/app.ts'
import { aChannel } from '../support/channels.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { explained } from '../support/plans.ts'
import { openCounter } from '../support/statement-counter.ts'

// No worker runs here: what is left to a job stays as it is.
const app = await testApp()
const log = pino({ level: 'silent' })
const turnsThrough = (sql: Sql) =>
  createQuickTurns({ sql, kinds: [channelKind({ keyring: app.keyring })], stopping: new AbortController().signal, log })
const turns = turnsThrough(app.sql)

/** What other channels have had: callbacks, and people. */
const HAD = 60

let said = 0
const says = (source: Ref, text: string, customer = 'c1') =>
  insertAll(app.sql, [{ tenant: source.tenant, source: source.id, id: newId('cbk'), text: callback(`m${++said}`, text, customer) }])
const callback = (id: string, text: string, customer: string): string =>
  JSON.stringify({ id, from: { id: customer, name: `Customer ${customer}`, email: `${customer}@shop.example` }, text })

async function aSource(tenant?: string): Promise<Ref> {
  const id = tenant ?? (await app.tenant()).id
  return { tenant: id, id: await aChannel(app, { id }) }
}
const sources = (count: number): Promise<Ref[]> => Promise.all(Array.from({ length: count }, () => aSource()))

/** The first goes at once, and the others, which are told of meanwhile, together. */
async function taken([first, ...others]: Ref[]): Promise<void> {
  for (const each of [first as Ref, ...others]) turns.told(each)
  await turns.ended()
}

interface Heard {
  channel: string
  contact: string
  text: string
  xid: string
}
/** What a workspace was told, by all its rows; each with the transaction that wrote it. */
const heard = async ({ tenant }: Ref): Promise<Heard[]> => [
  ...(await app.sql<Heard[]>`
    select m.channel_id as channel, c.id as contact, m.doc::json ->> 'text' as text, m.xmin::text as xid
      from messages m
      join conversations t on t.tenant_id = m.tenant_id and t.id = m.conversation_id and t.channel_id = m.channel_id
      join contacts c on c.tenant_id = t.tenant_id and c.id = t.contact_id
     where m.tenant_id = ${tenant}
     order by m.created_at, m.id`),
]
const texts = async (source: Ref): Promise<string[]> => (await heard(source)).map(each => each.text)
const statuses = async ({ tenant, id }: Ref): Promise<string[]> =>
  (await app.sql<{ status: string }[]>`select status from callbacks where tenant_id = ${tenant} and source_id = ${id} order by id`).map(
    each => each.status,
  )

suite('sources of several workspaces that have news at the same moment', () => {
  test('are one transaction, which keeps them apart: people, talks, events, audit and the feed are each workspace’s own', async () => {
    const all = await sources(5)
    const second = await aSource(all[1]?.tenant)
    for (const round of [1, 2]) {
      // The same ids everywhere: new people at first, then known ones.
      for (const source of [...all, second])
        await insertAll(app.sql, [
          { tenant: source.tenant, source: source.id, id: newId('cbk'), text: callback(`m-${round}`, `${round} for ${source.id}`, 'ada') },
        ])
      await taken([...all, second])
    }
    for (const source of all) {
      const own = all.indexOf(source) === 1 ? [source, second] : [source]
      const rows = await heard(source)
      assert.deepEqual(
        rows.map(({ channel, text }) => [channel, text]).sort(),
        own.flatMap(({ id }) => [1, 2].map(round => [id, `${round} for ${id}`])).sort(),
      )
      assert.equal(new Set(rows.map(each => each.contact)).size, 1, 'one person on both channels of a workspace')
      const [counts] = await app.sql`
        select (select count(*)::integer from contacts where tenant_id = ${source.tenant}) as contacts,
               (select count(*)::integer from conversations where tenant_id = ${source.tenant} and unread_count = 2) as talks,
               (select count(*)::integer from contact_channels where tenant_id = ${source.tenant}) as ids,
               (select count(*)::integer from events where tenant_id = ${source.tenant} and type = 'message.received') as events,
               (select count(*)::integer from audit_log where tenant_id = ${source.tenant} and action in ('conversation.start', 'message.receive')) as audit,
               (select count(distinct message_id)::integer from live_changes where tenant_id = ${source.tenant}) as changes`
      const n = own.length
      assert.deepEqual({ ...counts }, { contacts: 1, talks: n, ids: n, events: 2 * n, audit: 2 * n, changes: 2 * n })
      const [event] = await app.sql<{ body: string }[]>`
        select body from events where tenant_id = ${source.tenant} and type = 'message.received' order by seq desc limit 1`
      const { message, conversation, contact } = JSON.parse(event?.body as string).data
      assert.deepEqual([conversation.id, conversation.contact.id], [message.conversation_id, contact.id])
    }
    const xids = (await Promise.all([...all.slice(1)].map(heard))).flat().map(each => each.xid)
    assert.equal(new Set(xids).size, 2, 'a transaction each time for all but the first')
  })

  test('do not suffer from one whose callback cannot be applied: it alone is left, and shares no turn for a while', async () => {
    await app.sql.unsafe(`
      create function poisoned() returns trigger language plpgsql as $$ begin raise exception 'poisoned'; end $$;
      create trigger poisoned before insert on messages for each row when (new.doc like '%poison%') execute function poisoned()`)
    const [first, poisoned, ...others] = (await sources(5)) as [Ref, Ref, ...Ref[]]
    for (const source of [first, poisoned, ...others]) await says(source, source === poisoned ? 'poison' : 'fine')
    await taken([first, poisoned, ...others])
    for (const source of [first, ...others]) assert.deepEqual([await texts(source), await statuses(source)], [['fine'], ['applied']])
    assert.deepEqual([await texts(poisoned), await statuses(poisoned)], [[], ['waiting']])
    await eventuallyHolds(async () =>
      assert.deepEqual([...(await app.sql`select queued from callback_sources where id = ${poisoned.id}`)], [{ queued: true }]),
    )
    for (const source of [first, poisoned, ...others]) await says(source, 'again')
    await taken([first, poisoned, ...others])
    const xids = await Promise.all(others.map(async each => (await heard(each)).at(-1)?.xid))
    assert.equal(new Set(xids).size, 1, 'they share the next one')
    await app.sql`drop trigger poisoned on messages`
  })

  test('wait a moment for a conversation that somebody holds, and then go on without it', async () => {
    const [first, held, ...others] = (await sources(4)) as [Ref, Ref, ...Ref[]]
    for (const source of [first, held, ...others]) await says(source, 'one')
    await taken([first, held, ...others])
    const holder = await app.sql.reserve()
    await holder`begin`
    await holder`select 1 from conversations where tenant_id = ${held.tenant} for update`
    for (const source of [first, held, ...others]) await says(source, 'two')
    for (const source of [first, held, ...others]) turns.told(source)
    for (const source of [first, ...others]) await eventuallyHolds(async () => assert.deepEqual(await texts(source), ['one', 'two']))
    assert.deepEqual(await texts(held), ['one'])
    await holder`commit`
    holder.release()
    await turns.ended()
  })

  test('of which one has many: the others are not held up by it, and all of its own are applied in their order', async () => {
    const [first, busy, quiet] = (await sources(3)) as [Ref, Ref, Ref]
    const many = Array.from({ length: 2 * SHARED_TURN_CALLBACKS + 1 }, (_, n) => `${n}`)
    await insertAll(
      app.sql,
      many.map(text => ({ tenant: busy.tenant, source: busy.id, id: newId('cbk'), text: callback(`b${text}`, text, 'c1') })),
    )
    for (const source of [first, quiet]) await says(source, 'one')
    await taken([first, busy, quiet])
    assert.deepEqual(await texts(quiet), ['one'])
    await eventuallyHolds(async () => assert.deepEqual(await texts(busy), many))
    const [beside] = await heard(quiet)
    assert.equal((await heard(busy)).filter(each => each.xid === beside?.xid).length, SHARED_TURN_CALLBACKS)
  })
})

test('a process that is behind takes what came since it was told, however long ago, and nothing that was left before', async () => {
  const [long, short] = (await sources(2)) as [Ref, Ref]
  for (const source of [long, short]) await says(source, 'late')
  await app.sql`update callbacks set received_at = received_at - interval '8 seconds' where source_id = any(${[long.id, short.id]})`
  const asked = [
    { ...long, toldMs: 4_000 },
    { ...short, toldMs: 2_000 },
  ]
  const claimed = await begin(app.sql, tx => claimNew(tx, asked, { most: 10, bytes: 10_000, lockMs: 300 }))
  assert.deepEqual([...claimed.keys()], [long.id])
  assert.equal(claimed.get(long.id)?.length, 1)
})

test('sources are in line from when they are told of until their turn is over, for a minute at most', async t => {
  const [first, ...others] = (await sources(3)) as [Ref, ...Ref[]]
  for (const source of [first, ...others]) turns.told(source)
  assert.deepEqual(
    turns.waiting(),
    [first, ...others].map(each => (each as Ref).id),
  )
  const in61Seconds = performance.now() + 61_000
  const clock = t.mock.method(performance, 'now', () => in61Seconds)
  assert.deepEqual(turns.waiting(), [], 'a turn that hangs, too')
  clock.mock.restore()
  await turns.ended()
  assert.deepEqual(turns.waiting(), [])
})

test('a message alone takes three round trips, and ten sources together take no more', async () => {
  const all = await sources(11)
  const counter = await openCounter(app.databaseUrl, undefined, 10)
  const { sql, close } = openDatabase(counter.url, { name: 'counted', lanes: 0, pool: 1 })
  const counted = turnsThrough(sql)
  const trips = async (sources: Ref[]): Promise<number> => {
    for (const source of sources) await says(source, 'Hello?')
    const before = counter.roundTrips()
    for (const source of sources) counted.told(source)
    await counted.ended()
    return counter.roundTrips() - before
  }
  // Statements are prepared, and people are known.
  for (const warmUp of [all, all, all.slice(0, 1)]) await trips(warmUp)
  try {
    assert.equal(await trips(all.slice(0, 1)), 3)
    assert.equal(await trips(all), 3 + 3, 'the first alone, the others together')
  } finally {
    await close()
    await counter.close()
  }
})

test('a message costs as much on channels that have had many, from many people', async () => {
  const all = await sources(3)
  // Where shops are many, a planner that does not know that a channel is of one shop takes each channel for nearly empty.
  const others = Array.from({ length: 100 }, (): Ref => ({ tenant: newId('ten'), id: newId('chn') }))
  const each = [...all, ...others]
  const [tenants, ids] = [each.map(({ tenant }) => tenant), each.map(({ id }) => id)]
  await app.sql`
    insert into callbacks (tenant_id, source_id, id, body)
    select s.tenant, s.id, 'cbk_' || uuidv7(), ${'x'.repeat(300)}
      from unnest(${tenants}::text[], ${ids}::text[]) s (tenant, id), generate_series(1, ${HAD})`
  // A queue that was emptied, all but a bit, leaves its index large.
  await app.sql`update callbacks set status = 'applied', done_at = now() where source_id = any(${ids}) and source_id <> ${ids.at(-1) as string}`
  await app.sql`
    with person as (
      insert into contacts (tenant_id, id, created_at, updated_at, doc)
      select s.tenant, 'con_' || uuidv7(), now(), now(), '{}' from unnest(${tenants}::text[]) s (tenant), generate_series(1, ${HAD})
      returning tenant_id, id
    )
    insert into contact_channels (tenant_id, channel_id, external_id, contact_id, platform, connected_at)
    select p.tenant_id, s.id, p.id, p.id, 'api', now()
      from person p
      join unnest(${tenants}::text[], ${ids}::text[]) s (tenant, id) on s.tenant = p.tenant_id`
  await app.sql`vacuum analyze callbacks, contacts, contact_channels`
  const { sql, plan, close } = await explained(app.superuserUrl)
  const counted = turnsThrough(sql)
  const turn = async () => {
    for (const source of all) await says(source, 'Hello?')
    return plan(async () => {
      for (const source of all) counted.told(source)
      await counted.ended()
    })
  }
  try {
    await turn()
    const { longest } = await turn()
    for (const source of all) assert.deepEqual(await texts(source), ['Hello?', 'Hello?'])
    assert.ok(longest < HAD, `${longest} rows in one scan`)
  } finally {
    await close()
  }
})
