// An app that does not answer is spared, and found out about by one call at a time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../src/ids.ts'
import { SKILL_BREAKER_CALLS } from '../../src/limits/skills.ts'
import { testApp } from '../support/app.ts'
import { rawServer, receiver } from '../support/outbound.ts'
import { appWith, aSkill, briefly, contextOf } from './given.ts'

const app = await testApp()
const DONE = { output: {} }
const SPARED = ['network', 'app_unavailable']

/** An app that answers by this status. */
async function answering(t: Parameters<typeof receiver>[0], first: number) {
  const state = { status: first }
  const there = await receiver(t, response => response.writeHead(state.status).end('{}'))
  const given = await appWith(t, app, [aSkill(there.origin)])
  const breaker = async () => (await app.sql`select * from skill_breakers where tenant_id = ${given.shop.id}`)[0]
  /** As if its time were over. */
  const wait = () => app.sql`update skill_breakers set spared_until = now() - interval '1 second' where tenant_id = ${given.shop.id}`
  /** Whether it is spared for so many seconds, told from the call that has just ended: begun by the database at `since`. */
  const spared = async (since: Date, seconds: number) => {
    const [row] = await app.sql`
      select spared_until - make_interval(secs => ${seconds}) between ${since} and clock_timestamp() as holds
        from skill_breakers where tenant_id = ${given.shop.id}`
    return row?.['holds']
  }
  const clock = async () => (await app.sql<[{ now: Date }]>`select clock_timestamp() as now`)[0].now
  return { ...given, state, there, breaker, wait, spared, clock }
}

test('five calls in a row without an answer below 500, and the app is spared, for longer each time', async t => {
  const { ask, there, wait, spared, clock, state, breaker } = await answering(t, 500)
  let since = await clock()
  for (let n = 0; n < SKILL_BREAKER_CALLS; n++) assert.deepEqual(briefly(await ask()), ['http', 'http_status'])
  assert.equal(there.received.length, 2 * SKILL_BREAKER_CALLS)
  assert.deepEqual(briefly(await ask()), SPARED)
  assert.equal(there.received.length, 2 * SKILL_BREAKER_CALLS, 'it is not asked')
  for (const seconds of [30, 60, 120, 240, 300, 300]) {
    assert.ok(await spared(since, seconds), `${seconds} s`)
    await wait()
    since = await clock()
    assert.deepEqual(briefly(await ask()), ['http', 'http_status'])
    assert.deepEqual(briefly(await ask()), SPARED)
  }
  await wait()
  state.status = 400
  assert.deepEqual(briefly(await ask()), ['http', 'http_status'], 'an answer below 500 ends it')
  state.status = 200
  assert.deepEqual(briefly(await ask()), DONE)
  assert.equal(await breaker(), undefined)
})

test('one call at a time finds out; a call that answers in between ends the count', async t => {
  const there = await rawServer(t, (socket, _request, connection) => {
    if (connection > 2) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}')
  })
  const { ask, shop, installed } = await appWith(t, app, [aSkill(there.origin)])
  const hurried = contextOf(t, app, { timeoutMs: 300 })
  await app.sql`insert into skill_breakers (tenant_id, app, failures, openings, spared_until) values (${shop.id}, ${installed.id}, 5, 1, now() - interval '1 second')`
  const both = await Promise.all([1, 2, 3].map(() => ask({}, hurried)))
  assert.deepEqual(both.map(each => ('refused' in each ? each.code : 'done')).sort(), ['app_unavailable', 'app_unavailable', 'timeout'])
  assert.equal(there.connections(), 2)
  await app.sql`update skill_breakers set spared_until = now() - interval '1 second' where tenant_id = ${shop.id}`
  assert.deepEqual(briefly(await ask()), DONE)
  assert.deepEqual(briefly(await ask()), DONE)
})

test('a test passes, and counts for nothing but a success', async t => {
  const { ask, state, breaker } = await answering(t, 500)
  for (let n = 0; n < SKILL_BREAKER_CALLS + 1; n++) await ask({ for: 'test' })
  assert.equal(await breaker(), undefined)
  for (let n = 0; n < SKILL_BREAKER_CALLS; n++) await ask()
  assert.deepEqual(briefly(await ask()), SPARED)
  assert.deepEqual(briefly(await ask({ for: 'test' })), ['http', 'http_status'])
  state.status = 200
  assert.deepEqual(briefly(await ask({ for: 'test' })), DONE)
  assert.deepEqual(briefly(await ask()), DONE)
})

test('a run’s step is told when to ask again, and asks with the same key', async t => {
  const { ask, installed, there, state, wait, shop } = await answering(t, 500)
  for (let n = 0; n < SKILL_BREAKER_CALLS; n++) await ask()
  const before = there.received.length
  const step = { run: newId('run'), step: 'award', revision: installed.revision, secrets: [] }
  const told = await ask({ for: step })
  assert.ok('refused' in told && told.again_at !== undefined && Date.parse(told.again_at) > Date.now())
  assert.deepEqual(briefly(told), SPARED)
  await wait()
  state.status = 200
  assert.deepEqual(briefly(await ask({ for: step })), DONE)
  assert.equal(there.received.length, before + 1)
  const rows = await app.sql`select * from skill_calls where tenant_id = ${shop.id} and purpose = 'run'`
  assert.equal(rows.length, 1)
})
