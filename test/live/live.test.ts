// Live streams: what is told, to whom, and that nothing is missed.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { after, mock, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { pino } from 'pino'
import { createStreams, type LiveStream } from '../../src/ingress/live.ts'
import {
  LIVE_BEHIND_BYTES,
  LIVE_LOOK_MS,
  LIVE_LOOKED_AT,
  LIVE_READ_TOGETHER,
  LIVE_RESUMED_MAX,
  LIVE_STREAMS_OF_KEY,
} from '../../src/limits/live.ts'
import { createChanges } from '../../src/live/changes.ts'
import { changedPart, typing } from '../../src/live/feed.ts'
import { changesSince, positionNow, pruneLive } from '../../src/live/feed-store.ts'
import { createRooms } from '../../src/live/rooms.ts'
import { epoch } from '../../src/postgres/epoch.ts'
import { pruneAll } from '../../src/postgres/prune.ts'
import { begin, openDatabase } from '../../src/postgres/sql.ts'
import { startWeb } from '../../src/web.ts'
import { testApp } from '../support/app.ts'
import { eventually, eventuallyHolds } from '../support/eventually.ts'
import { anInbound } from '../support/given.ts'
import { explained } from '../support/plans.ts'
import { openCounter } from '../support/statement-counter.ts'
import { change, follow } from './following.ts'

// Only timers that repeat go by this clock: a process looks for changes that it was not told of when it is moved.
mock.timers.enable({ apis: ['setInterval'] })
const app = await testApp()
const other = await startWeb({ ...app, config: { ...app.config, port: 0 } })
after(() => other.close())

async function aTalk() {
  const shop = await app.tenant()
  const { body: contact } = await shop.post('/api/v1/contacts', { name: 'Ada', email: 'ada@example.com' })
  const { conversation, message } = await anInbound(app, shop, { contact_id: contact.id, text: 'Hello?' })
  return {
    shop,
    contact,
    conversation,
    message,
    of: { conversation: conversation.id },
    said: { conversation: conversation.id, message: message.id },
  }
}

test('a change is told at once, whole, on every web process', async () => {
  const { shop, conversation, message, of, said } = await aTalk()
  const followers = [await follow(app.url, shop.key), await follow(other.address, shop.key)]
  await change(app.sql, shop.id, [of, said])
  for (const follower of followers) {
    assert.equal(follower.headers['content-type'], 'text/event-stream')
    assert.equal(follower.headers['cache-control'], 'no-store')
    assert.equal(follower.headers['etag'], undefined)
    const talk = await follower.hears(({ event }) => event === 'conversation')
    assert.deepEqual(talk.data, conversation)
    const { data, id } = await follower.hears(({ event }) => event === 'message')
    assert.deepEqual(data, { conversation_id: conversation.id, message })
    assert.match(id ?? '', /^\d+$/)
  }
})

test('what changed is read by the look that finds it, and of very many changes by as many more as it takes', async () => {
  const { shop, of, said } = await aTalk()
  const read: string[] = []
  const counter = await openCounter(app.databaseUrl, text => /live_changes|from messages m/.test(text) && read.push(text))
  const { sql, close } = openDatabase(counter.url, { name: 'counted', lanes: 0, pool: 1 })
  const changes = createChanges(sql, app.databaseUrl, pino({ level: 'silent' }))
  const heard: string[] = []
  const stream = { over: new AbortController().signal, send: (event: Buffer) => heard.push(event.toString()) } as unknown as LiveStream
  try {
    await createRooms(sql, changes).join({ tenant: shop.id, stream, conversation: undefined, waiting: undefined }, undefined)
    // Once a change is heard, the process listens: what it finds before, without being told, is read apart.
    heard.length = 0
    await change(app.sql, shop.id, [of])
    await eventually(async () => heard.length > 0)
    heard.length = 0
    read.length = 0
    await change(app.sql, shop.id, [of, said])
    await eventuallyHolds(async () => assert.equal(heard.length, 2))
    assert.deepEqual(
      read.filter(text => !text.includes('live_changes')),
      [],
    )
    assert.match(heard[1] as string, new RegExp(`"message":.*"id":"${said.message}"`))

    const { body: contact } = await shop.post('/api/v1/contacts', { name: 'Bob' })
    const many = LIVE_READ_TOGETHER + 10
    await app.sql`
      insert into conversations (tenant_id, id, thread, platform, channel_id, contact_id, status, ai_status, version, updated_at, created_at, unread_count, failed_count, messages_count, doc)
      select t.tenant_id, 'conv_' || uuidv7(), 'many ' || n, t.platform, t.channel_id, ${contact.id}, t.status, t.ai_status, t.version, t.updated_at, t.created_at, 0, 0, 0, t.doc
        from conversations t, generate_series(1, ${many}) n
       where t.tenant_id = ${shop.id}`
    const rows = await app.sql<{ id: string }[]>`select id from conversations where contact_id = ${contact.id}`
    await change(
      app.sql,
      shop.id,
      rows.map(({ id }) => ({ conversation: id })),
    )
    await eventuallyHolds(async () => assert.equal(heard.filter(each => each.includes('"name":"Bob"')).length, many))
  } finally {
    await changes.close()
    await close()
    await counter.close()
  }
})

test('what nobody was told of is found a second later', async () => {
  const { shop, of } = await aTalk()
  const follower = await follow(app.url, shop.key)
  const { body: contact } = await shop.post('/api/v1/contacts', { name: 'Bob' })
  // Of the feed, a row is all there is.
  await app.sql`update conversations set contact_id = ${contact.id} where id = ${of.conversation}`
  await app.sql`
    insert into live_changes (tenant_id, epoch, conversation_id)
    select ${shop.id}, epoch, ${of.conversation} from event_epoch`
  const isTold = () => follower.told().some(({ data }) => data.contact?.name === 'Bob')
  for (let n = 0; n < 20; n++) await turn()
  assert.ok(!isTold())
  await eventually(async () => {
    mock.timers.tick(LIVE_LOOK_MS)
    return isTold()
  })
})

test('a transaction that commits late is not missed, and holds up nobody', async () => {
  const { shop, of, said } = await aTalk()
  const follower = await follow(app.url, shop.key)
  let commit = () => {}
  const late = begin(app.sql, async tx => {
    await tx`${changedPart(tx, shop.id, [said])}`
    await new Promise<void>(resolve => {
      commit = resolve
    })
  })
  for (let n = 0; n < 3; n++) await change(app.sql, shop.id, [of])
  await eventuallyHolds(async () => assert.ok(follower.told().length >= 1))
  const before = follower.told().filter(({ event }) => event === 'message').length
  commit()
  await late
  await eventuallyHolds(async () => assert.ok(follower.told().filter(({ event }) => event === 'message').length > before))
})

test('a transaction that stays open, of whatever program, costs streams nothing, however much changes meanwhile', async () => {
  const { shop, of, said } = await aTalk()
  const follower = await follow(app.url, shop.key)
  const heard = (name: string) => follower.told().filter(({ event }) => event === name).length
  let end = () => {}
  const open = begin(app.sql, async tx => {
    await tx`${changedPart(tx, shop.id, [said])}`
    await new Promise<void>(resolve => {
      end = resolve
    })
  })
  // Each is heard before the next, for a look that finds so many at once tells its readers to read anew.
  for (let changes = 0; changes <= LIVE_LOOKED_AT; changes += LIVE_LOOKED_AT / 4) {
    const before = heard('conversation')
    await change(
      app.sql,
      shop.id,
      Array.from({ length: LIVE_LOOKED_AT / 4 }, () => of),
    )
    await eventuallyHolds(async () => assert.ok(heard('conversation') > before))
  }
  end()
  await open
  await follower.hears(({ event }) => event === 'message')
  assert.equal(heard('reset'), 0)
})

test('a look reads no more than it finds, however much has changed since the last', async () => {
  const { shop, of, said } = await aTalk()
  const { sql, plan, close } = await explained(app.superuserUrl)
  // A transaction that is under way is looked for among the changes that follow.
  let end = () => {}
  const open = begin(app.sql, async tx => {
    await tx`${changedPart(tx, shop.id, [said])}`
    await change(app.sql, shop.id, [of])
    await new Promise<void>(resolve => {
      end = resolve
    })
  })
  await eventuallyHolds(async () => assert.match((await positionNow(sql)).snapshot, /:\d/))
  const place = { tenant: shop.id, ...(await positionNow(sql)), rendered: false }
  await sql`
    insert into live_changes (tenant_id, epoch, conversation_id)
    select ${shop.id}, ${epoch}, 'conv_' || n from generate_series(1, ${5 * LIVE_LOOKED_AT}::integer) n`
  let found = 0
  const { longest } = await plan(async () => {
    found = (await changesSince(sql, [place], LIVE_LOOKED_AT)).rows.length
  })
  end()
  await open
  await close()
  assert.equal(found, LIVE_LOOKED_AT)
  assert.ok(longest <= LIVE_LOOKED_AT, `${longest} rows`)
})

test('no stream carries a foreign row, and one of a single conversation no other', async () => {
  const [mine, theirs] = [await aTalk(), await aTalk()]
  const { body: contact } = await mine.shop.post('/api/v1/contacts', { name: 'Bob' })
  const second = await anInbound(app, mine.shop, { contact_id: contact.id, text: 'Hi' })
  const all = await follow(app.url, mine.shop.key)
  const one = await follow(app.url, mine.shop.key, `?conversation_id=${second.conversation.id}`)
  await change(app.sql, theirs.shop.id, [theirs.of, theirs.said])
  // A feed that names a foreign row finds none.
  await change(app.sql, mine.shop.id, [theirs.of, theirs.said, mine.of, { conversation: second.conversation.id }])
  await all.hears(({ data }) => data.id === second.conversation.id)
  await one.hears(({ data }) => data.id === second.conversation.id)
  const about = (follower: typeof all) =>
    new Set(follower.told().map(({ event, data }) => (event === 'message' ? data.conversation_id : data.id)))
  assert.deepEqual(about(all), new Set([mine.conversation.id, second.conversation.id]))
  assert.deepEqual(about(one), new Set([second.conversation.id]))
  const foreign = await follow(app.url, mine.shop.key, `?conversation_id=${theirs.conversation.id}`)
  assert.equal(foreign.status, 404)
  assert.equal((await follow(app.url, mine.shop.key, '?conversation_id=x')).status, 422)
})

test('a reader that comes back gets what it has missed, once each and as it is now, from half a minute before on', async () => {
  const { shop, of, said } = await aTalk()
  const follower = await follow(app.url, shop.key)
  await change(app.sql, shop.id, [of])
  const { id } = await follower.hears(() => true)
  follower.leave()
  for (let n = 0; n < 5; n++) await change(app.sql, shop.id, [said, of])
  const back = await follow(app.url, shop.key, '', { 'Last-Event-ID': id as string })
  await back.hears(({ event }) => event === 'conversation')
  assert.deepEqual(
    back
      .told()
      .slice(0, 2)
      .map(({ event }) => event),
    ['message', 'conversation'],
  )
  const { length } = back.told()
  await change(app.sql, shop.id, [said])
  await eventuallyHolds(async () => assert.ok(back.told().length > length, 'and then goes on'))

  await app.sql`update live_changes set at = at - interval '31 seconds', epoch = epoch - 1 where tenant_id = ${shop.id}`
  const later = await follow(app.url, shop.key, '', { 'Last-Event-ID': id as string })
  await change(app.sql, shop.id, [said])
  await later.hears(() => true)
  assert.ok(
    later.told().every(({ event }) => event === 'message'),
    'what is older than that is not sent again',
  )
})

test('a reader that was cut off before anything changed comes back with the id of its beginning, and has missed nothing', async () => {
  const { shop, of, said } = await aTalk()
  await app.sql`update live_changes set at = at - interval '1 minute' where tenant_id = ${shop.id}`
  const follower = await follow(app.url, shop.key)
  const [, id] = /^id: (\d+)\n: open\n\n/.exec(follower.text()) ?? []
  follower.leave()
  await change(app.sql, shop.id, [said, of])
  const back = await follow(app.url, shop.key, '', { 'Last-Event-ID': id as string })
  await back.hears(({ event }) => event === 'conversation')
  assert.deepEqual(
    back.told().map(({ event }) => event),
    ['message', 'conversation'],
  )
})

test('a reader who was away for over a day, or missed too much, is told to read anew, and the stream goes on', async () => {
  const { shop, of } = await aTalk()
  for (const id of [String(Date.now() - 24 * 3_600_000), 'nonsense']) {
    const back = await follow(app.url, shop.key, '', { 'Last-Event-ID': id })
    const { event, data, id: next } = await back.hears(() => true)
    assert.deepEqual([event, data], ['reset', {}])
    assert.ok(Date.now() - Number(next) < 60_000, 'one who comes back again goes on from there')
    await change(app.sql, shop.id, [of])
    await back.hears(({ event }) => event === 'conversation')
  }
  await app.sql`
    insert into live_changes (tenant_id, epoch, conversation_id)
    select ${shop.id}, e.epoch, ${of.conversation} from event_epoch e, generate_series(0, ${LIVE_RESUMED_MAX}::integer)`
  const busy = await follow(app.url, shop.key, '', { 'Last-Event-ID': String(Date.now()) })
  assert.equal((await busy.hears(() => true)).event, 'reset')
})

test('typing is shown to those who watch, and kept nowhere', async () => {
  const { shop, of } = await aTalk()
  const follower = await follow(app.url, shop.key, `?conversation_id=${of.conversation}`)
  const until = new Date(Date.now() + 3_000).toISOString()
  typing(shop.id, { conversation_id: 'conv_other', by: 'customer', until })
  typing(shop.id, { conversation_id: of.conversation, by: 'customer', until })
  const told = await follower.hears(({ event }) => event === 'typing')
  assert.deepEqual(told, { event: 'typing', id: undefined, data: { conversation_id: of.conversation, by: 'customer', until } })
})

test('a quiet stream gets a comment now and then', async () => {
  const streams = createStreams({ all: 1, code: 'c', what: 'streams', instead: 'wait' }, 60_000, 20)
  let text = ''
  const stream = streams
    .open('ten_a', () => {})
    .setEncoding('utf8')
    .on('data', chunk => {
      text += chunk
    })
  await eventually(async () => {
    mock.timers.tick(20)
    return text.length > 0
  })
  assert.match(text, /^(:\n\n)+$/)
  stream.destroy()
})

test(`a key has ${LIVE_STREAMS_OF_KEY} streams, and one that ends makes room`, async () => {
  const { shop } = await aTalk()
  const streams = await Promise.all(Array.from({ length: LIVE_STREAMS_OF_KEY }, () => follow(app.url, shop.key)))
  const refused = await shop.get('/api/v1/conversations/live')
  assert.equal(refused.status, 409)
  assert.equal(refused.body.code, 'too_many_live_streams')
  streams[0]?.leave()
  await eventually(async () => {
    const again = await follow(app.url, shop.key)
    return again.status === 200
  })
})

test('a workspace has a quarter of a process’s streams, those of its visitors included, and another has its own', t => {
  const streams = createStreams({ all: 8, code: 'too_many_live_streams', what: 'live streams', instead: 'end one' }, 60_000)
  t.after(() => streams.end())
  const open = (tenant: string) => streams.open(tenant, () => {})
  const [first] = [open('greedy'), open('greedy')]
  assert.throws(() => open('greedy'), { members: { code: 'too_many_live_streams' } })
  open('modest')
  first?.destroy()
  return eventuallyHolds(async () => void open('greedy'))
})

test('visitors of a workspace, however many streams they hold, keep out neither its staff nor each other', async t => {
  const streams = createStreams({ all: 16, code: 'too_many_live_streams', what: 'live streams', instead: 'end one' }, 60_000)
  t.after(() => streams.end())
  const held = Array.from({ length: 4 }, () => streams.open('shop', () => {}, '192.0.2.1').resume())
  streams.open('shop', () => {})
  await once(held[3] as Readable, 'close')
  streams.open('shop', () => {}, '192.0.2.2')
  await once(held[2] as Readable, 'close')
  assert.throws(() => streams.open('shop', () => {}, '192.0.2.1'), { members: { code: 'too_many_live_streams' } })
})

test('streams end with their time, with their process, and for a reader that takes nothing', async () => {
  const kind = { all: 10, code: 'c', what: 'streams', instead: 'wait' }
  const streams = createStreams(kind, 50)
  let behind = 0
  const slow = streams.open('ten_a', stream => {
    for (; !slowIsOver(stream) && behind < 100; behind++) stream.send(Buffer.alloc(LIVE_BEHIND_BYTES / 4))
  })
  await once(slow, 'close')
  assert.equal(behind, 5)
  const timed = streams.open('ten_a', stream => stream.send('x'))
  timed.resume()
  await eventually(async () => {
    mock.timers.tick(50)
    return timed.closed
  })
  const ended = streams.open('ten_a', stream => stream.send('x'))
  streams.end()
  await once(ended.resume(), 'close')
})
test('a reader that takes nothing of what waits for it is let go, and one that takes it stays', async t => {
  const streams = createStreams({ all: 10, code: 'c', what: 'streams', instead: 'wait' }, 60_000, 60_000, 50)
  t.after(() => streams.end())
  const [asleep, awake] = [streams.open('ten_a', stream => stream.send('x')), streams.open('ten_a', stream => stream.send('x')).resume()]
  await eventually(async () => {
    mock.timers.tick(1_000)
    return asleep.readableEnded || asleep.destroyed
  })
  assert.equal(awake.destroyed, false)
})
const slowIsOver = (stream: { over: AbortSignal }) => stream.over.aborted

test('changes are forgotten after a day', async () => {
  const { shop, of } = await aTalk()
  await change(app.sql, shop.id, [of])
  await app.sql`
    insert into live_changes (tenant_id, epoch, conversation_id, at)
    select ${shop.id}, e.epoch, 'conv_old', now() - interval '26 hours' from event_epoch e`
  await pruneAll(app.sql, pruneLive)
  const left = await app.sql`select conversation_id from live_changes where tenant_id = ${shop.id}`
  assert.ok(left.length >= 1)
  assert.ok(left.every(row => row['conversation_id'] === of.conversation))
})
