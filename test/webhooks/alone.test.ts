// A slice alone is taken and recorded by other statements than several together: both keep the same rules, in every situation.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import type { Ref } from '../../src/ids.ts'
import { newId } from '../../src/ids.ts'
import { SMALL_BODY_BYTES } from '../../src/limits/webhooks.ts'
import { begin, type Tx } from '../../src/postgres/sql.ts'
import { record } from '../../src/webhooks/delivery/record-store.ts'
import { testApp } from '../support/app.ts'
import { resultOf } from '../support/results.ts'
import { takeOrUnmark } from '../support/taking.ts'

const app = await testApp()
const { sql } = app
const shop = await app.tenant()
const EVENTS = Array.from({ length: 3 }, () => newId('evt'))
await sql`
  insert into events (tenant_id, id, type, created_at, body)
  select ${shop.id}, e.id, 'order.created', now(), rpad('{}', case e.n when 3 then ${SMALL_BODY_BYTES + 1}::integer else 2 end)
    from unnest(${EVENTS}::text[]) with ordinality as e (id, n)`

/** An endpoint with `due` pending deliveries, and one more whose event is gone. */
async function anEndpoint(due: number): Promise<Ref> {
  const ref = { tenant: shop.id, id: newId('whk') }
  await sql`
    insert into webhook_endpoints (tenant_id, id, url, events, secret, created_at, updated_at)
    values (${ref.tenant}, ${ref.id}, 'https://shop.example', array['none'], 'sealed', now(), now())`
  await sql`
    insert into webhook_deliveries (tenant_id, endpoint_id, event_id, due_at)
    select ${ref.tenant}, ${ref.id}, e, '2026-01-01' from unnest(${EVENTS.slice(0, due)}::text[]) e`
  return ref
}

/** Changes an endpoint's row. */
type Change = (on: Tx | typeof sql, ref: Ref) => Promise<unknown>
const set =
  (...columns: [name: string, value: string][]): Change =>
  (on, { id }) =>
    on.unsafe(`update webhook_endpoints set ${columns.map(([name, value]) => `${name} = ${value}`)} where id = '${id}'`)
const nothing: Change = async () => {}

/** The results of both ways for endpoints that are alike: alone, then beside another. */
async function bothWays<T>(change: Change, look: (ref: Ref, beside: Ref[]) => Promise<T>, due: number): Promise<[T, T]> {
  const [one, other, third] = [await anEndpoint(due), await anEndpoint(due), await anEndpoint(0)]
  for (const ref of [one, other]) await change(sql, ref)
  return [await look(one, []), await look(other, [third])]
}

const LEASED = set(['lease_token', `'${randomUUID()}'`], ['lease_until', "now() + interval '1 minute'"])

const TAKING: Record<string, Change> = {
  'that is idle': nothing,
  'with a queued job': set(['queued_at', "now() - interval '5 seconds'"]),
  'with a job that was queued after its own': set(['queued_at', "now() + interval '1 minute'"]),
  'that is paused': set(['status', "'paused'"]),
  'that is disabled': set(['status', "'disabled'"]),
  'whose lease is held': LEASED,
  'whose lease is held, with a queued job': async (on, ref) => {
    await LEASED(on, ref)
    await set(['queued_at', 'now()'])(on, ref)
  },
  'whose lease has lapsed': set(
    ['lease_token', "'5e5e5e5e-0000-4000-8000-000000000000'"],
    ['lease_until', "now() - interval '1 second'"],
    ['deaths', '1'],
  ),
  'that rests without a lease': set(['lease_until', "now() + interval '1 minute'"]),
  'that is silent': set(['silent_until', "'2099-01-01'"], ['failures', '3']),
  'whose silence is over': set(['silent_until', "'2026-01-02'"], ['failures', '3'], ['failing_since', "'2026-01-01'"]),
  'that is ordered and has a rate': set(['max_parallel', '1'], ['max_per_minute', '60'], ['paced_until', "'2026-01-02'"]),
  'whose secret was changed lately': set(['previous_secret', "'before'"], ['previous_secret_until', "now() + interval '1 minute'"]),
  'whose secret was changed long ago': set(['previous_secret', "'before'"], ['previous_secret_until', "now() - interval '1 minute'"]),
  'with headers, a slate and a history': set(
    ['headers', "'sealed'"],
    ['slate', '3'],
    ['version', '7'],
    ['last_success_at', "'2026-01-03'"],
    ['failure_known_at', "'2026-01-04'"],
  ),
  'of which an event is gone': (on, ref) =>
    on`insert into webhook_deliveries (tenant_id, endpoint_id, event_id, due_at) values (${ref.tenant}, ${ref.id}, 'evt_gone', '2026-01-01')`,
  'of which one is due later': (on, ref) =>
    on`update webhook_deliveries set due_at = now() + interval '1 hour' where endpoint_id = ${ref.id} and event_id = ${EVENTS[0] as string}`,
  'of which one was tried': (on, ref) =>
    on`update webhook_deliveries set attempts = 2, first_attempt_at = '2026-01-01' where endpoint_id = ${ref.id} and event_id = ${EVENTS[0] as string}`,
  'that was deleted': (on, ref) => on`delete from webhook_endpoints where id = ${ref.id}`,
}

const rowOf = async ({ id }: Ref) => {
  const [row] = await sql`
    select lease_token is not null as leased, lease_until > now() + interval '20 seconds' as lasting, queued_at is not null as queued, status, failures, silent_until, last_error,
           last_success_at = '2026-05-05' as succeeded, proven, version, failing_since, failure_known_at
      from webhook_endpoints where id = ${id}`
  const deliveries = await sql`select event_id, state, attempts from webhook_deliveries where endpoint_id = ${id} order by event_id`
  return { row: row && { ...row }, deliveries: deliveries.map(each => ({ ...each })) }
}

describe('taking an endpoint alone comes to what it comes to beside another', () => {
  for (const [which, change] of Object.entries(TAKING))
    for (const due of [0, 3])
      for (const [how, markedBy] of Object.entries({ 'by a job': Number.POSITIVE_INFINITY, 'that was told': null }))
        test(`${which}, with ${due} due, ${how}`, async () => {
          const [alone, beside] = await bothWays(
            change,
            async (ref, others) => {
              const dropped: unknown[] = []
              const [taken] = await takeOrUnmark(
                sql,
                [ref, ...others].map(each => ({ ...each, token: randomUUID(), markedBy })),
                each => dropped.push(each.map(({ events }) => events)),
              )
              return { taken, dropped, after: await rowOf(ref) }
            },
            due,
          )
          assert.deepEqual(alone, beside)
        })

  test('that another transaction holds', async () => {
    const held = await anEndpoint(1)
    await begin(sql, async tx => {
      await tx`select 1 from webhook_endpoints where id = ${held.id} for update`
      const take = async (...refs: Ref[]) =>
        (
          await takeOrUnmark(
            sql,
            refs.map(each => ({ ...each, token: randomUUID(), markedBy: Number.POSITIVE_INFINITY })),
          )
        )[0]
      assert.deepEqual([await take(held), await take(held, await anEndpoint(0))], ['locked', 'locked'])
    })
  })
})

const RECORDING: Record<string, Change> = {
  'under its lease': nothing,
  'under a lease that others have by now': LEASED,
  'under no lease any more': set(['lease_token', 'null']),
  'of an endpoint that was changed': set(['version', 'version + 1']),
  'of an endpoint that was enabled anew': set(['version', 'version + 1'], ['slate', 'slate + 1']),
  'of an endpoint that was paused': set(['status', "'paused'"], ['version', 'version + 1']),
  'after a later success': set(['last_success_at', "'2026-06-06'"], ['proven', 'true']),
  'where what was sent was dropped': (on, ref) =>
    on`update webhook_deliveries set state = 'dropped' where endpoint_id = ${ref.id} and event_id = ${EVENTS[0] as string}`,
  'of an endpoint that was deleted': (on, ref) => on`delete from webhook_endpoints where id = ${ref.id}`,
}

describe('recording a slice’s last success alone comes to what it comes to beside another', () => {
  for (const [which, change] of Object.entries(RECORDING))
    for (const [due, withJob] of [
      [1, true],
      [1, false],
      [2, true],
    ] as const)
      test(`${which}, of ${due} due, ${withJob ? 'by a job' : 'without a job'}`, async () => {
        const [alone, beside] = await bothWays(
          nothing,
          async (ref, others) => {
            const refs = [ref, ...others]
            const slices = await Promise.all(
              refs.map(async each => ({ endpoint: each, token: randomUUID(), job: withJob ? await aJob() : null })),
            )
            const taken = await takeOrUnmark(
              sql,
              slices.map(({ endpoint, token, job }) => ({ ...endpoint, token, markedBy: job === null ? null : Number.POSITIVE_INFINITY })),
            )
            const results = slices.map((slice, i) => {
              const { lease } = taken[i] as { lease: { version: number; slate: number } }
              const result = resultOf({ ...slice, lease }, EVENTS[0] as string, 204)
              const at = Date.parse('2026-05-05')
              return { ...result, made: { ...result.made, startedAt: at - 250.4, endedAt: at }, ends: true }
            })
            await change(sql, ref)
            const [recorded] = await record(sql, results)
            return { recorded, after: await rowOf(ref), logged: await logOf(ref), job: await isQueued(slices[0]?.job) }
          },
          due,
        )
        assert.deepEqual(alone, beside)
      })

  test('of a delivery whose lease others have by now: a success ends it, a failure leaves it as it is', async () => {
    for (const [status, others, left] of [
      [204, 0, 0],
      [204, 1, 0],
      [500, 0, 1],
    ] as const) {
      const ref = await anEndpoint(1)
      await LEASED(sql, ref)
      const refs = [ref, ...(others > 0 ? [await anEndpoint(0)] : [])]
      const results = refs.map(endpoint => ({
        ...resultOf({ endpoint, token: randomUUID(), job: null, lease: { version: 1, slate: 0 } }, EVENTS[0] as string, status),
        ends: true,
      }))
      assert.deepEqual((await record(sql, results))[0], { current: false, judged: false, ended: false })
      assert.deepEqual(
        (await rowOf(ref)).deliveries.map(each => each['attempts']),
        Array(left).fill(0),
      )
      assert.deepEqual(
        (await logOf(ref)).map(each => each['final']),
        [status === 204],
      )
    }
  })

  test('while another transaction holds the endpoint', async () => {
    const [ref, other] = [await anEndpoint(1), await anEndpoint(0)]
    const token = randomUUID()
    await takeOrUnmark(sql, [{ ...ref, token, markedBy: Number.POSITIVE_INFINITY }])
    const result = {
      ...resultOf({ endpoint: ref, token, job: null, lease: { version: 1, slate: 0 } }, EVENTS[0] as string, 204),
      ends: true,
    }
    const beside = {
      ...resultOf({ endpoint: other, token, job: null, lease: { version: 1, slate: 0 } }, EVENTS[0] as string, 204),
      ends: true,
    }
    await begin(sql, async tx => {
      await tx`select 1 from webhook_endpoints where id = ${ref.id} for update`
      assert.deepEqual(await record(sql, [result]), ['locked'])
      assert.equal((await record(sql, [result, beside]))[0], 'locked')
    })
    assert.deepEqual(await logOf(ref), [])
  })
})

const logOf = async ({ id }: Ref) => {
  const rows = await sql`select * from webhook_attempts where endpoint_id = ${id}`
  return rows.map(({ id, endpoint_id, ...row }) => row)
}

const aJob = async (): Promise<string> =>
  (await sql`select id::text from graphile_worker.add_job('none', run_at => now() + interval '1 hour')`)[0]?.['id']

const isQueued = async (job: string | null | undefined): Promise<boolean> =>
  job != null && (await sql`select 1 from graphile_worker._private_jobs where id = ${job}::bigint`).length > 0
