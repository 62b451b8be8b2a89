// Statements that serve many webhooks, while another transaction holds the row of one: the others are served at once, and that one is named.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { newId } from '../../src/ids.ts'
import { LOCKED } from '../../src/postgres/past-lock.ts'
import { begin } from '../../src/postgres/sql.ts'
import { type AskingSlice, releaseAll } from '../../src/webhooks/delivery/lease-store.ts'
import { record, recordAgain } from '../../src/webhooks/delivery/record-store.ts'
import type { Result } from '../../src/webhooks/delivery/result.ts'
import { wake } from '../../src/webhooks/delivery/store.ts'
import { sweep } from '../../src/webhooks/delivery/sweep.ts'
import { testApp } from '../support/app.ts'
import { resultOf } from '../support/results.ts'
import { takeOrUnmark } from '../support/taking.ts'

const app = await testApp()
const { sql } = app
const shop = await app.tenant()
const EVENT = newId('evt')
await sql`insert into events (tenant_id, id, type, created_at, body) values (${shop.id}, ${EVENT}, 'order.created', now(), '{}')`

/** Two webhooks with a delivery each, which is due, under leases of ours. */
interface Pair {
  slices: (AskingSlice & { job: string })[]
  /** A success of each. */
  results: Result[]
}

async function aPair(columns: string): Promise<Pair> {
  const slices = [1, 2].map(() => ({
    tenant: shop.id,
    id: newId('whk'),
    token: randomUUID(),
    job: '0',
    markedBy: Number.POSITIVE_INFINITY,
  }))
  for (const { tenant, id, token } of slices) {
    await sql`
      insert into webhook_endpoints (tenant_id, id, url, events, secret, lease_token, lease_until, created_at, updated_at)
      values (${tenant}, ${id}, 'https://shop.example', array['none'], 'sealed', ${token}, now() + interval '1 minute', now(), now())`
    await sql`insert into webhook_deliveries (tenant_id, endpoint_id, event_id, due_at) values (${tenant}, ${id}, ${EVENT}, now())`
    await sql.unsafe(`update webhook_endpoints set ${columns} where id = '${id}'`)
  }
  const results = slices.map(({ token, ...endpoint }) =>
    resultOf({ endpoint, token, job: null, lease: { version: 1, slate: 0 } }, EVENT, 204),
  )
  return { slices, results }
}

const lockedOf = (answers: unknown[]): boolean[] => answers.map(each => each === LOCKED)
const IDLE = 'lease_token = null, lease_until = null'

/** What is asked for both at once, what they are like before, and which of them were found locked. */
const STATEMENTS: Record<string, { columns: string; ask(pair: Pair): Promise<boolean[]> }> = {
  'waking them': {
    columns: IDLE,
    async ask({ slices }) {
      const left = await wake(sql, slices)
      return slices.map(({ id }) => left.some(each => each.id === id))
    },
  },
  'taking their leases': { columns: IDLE, ask: async ({ slices }) => lockedOf(await takeOrUnmark(sql, slices)) },
  'finding them paused, and their jobs used up': {
    columns: `${IDLE}, status = 'paused', queued_at = now()`,
    ask: async ({ slices }) => lockedOf(await takeOrUnmark(sql, slices)),
  },
  'recording successes while they are healthy': {
    columns: 'last_success_at = now()',
    ask: async ({ results }) => lockedOf(await record(sql, results)),
  },
  'recording successes after a failure': { columns: 'failures = 1', ask: async ({ results }) => lockedOf(await record(sql, results)) },
  'recording what may be recorded already': {
    columns: 'failures = 0',
    ask: async ({ results }) => lockedOf(await recordAgain(sql, results)),
  },
  'releasing their leases': {
    columns: 'failures = 0',
    ask: async ({ slices }) =>
      lockedOf(
        await releaseAll(
          sql,
          slices.map(each => ({ ...each, job: null, rest: true, version: null })),
        ),
      ),
  },
  'missing their jobs, which were lost': {
    columns: `${IDLE}, queued_at = now() - interval '1 minute'`,
    async ask({ slices }) {
      await sweep(sql)
      const found = await sql<{ id: string }[]>`select id from webhook_endpoints where queued_at < now() - interval '30 seconds'`
      return slices.map(({ id }) => found.some(each => each.id === id))
    },
  },
}

describe('a row that is locked keeps no other waiting', () => {
  for (const [what, { columns, ask }] of Object.entries(STATEMENTS))
    test(what, async () => {
      const pair = await aPair(columns)
      await begin(sql, async tx => {
        await tx`select 1 from webhook_endpoints where id = ${pair.slices[0]?.id ?? ''} for update`
        // A statement that waits for it fails by our lock_timeout.
        assert.deepEqual(await ask(pair), [true, false])
      })
      assert.deepEqual(await ask({ ...pair, slices: pair.slices.slice(0, 1), results: pair.results.slice(0, 1) }), [false])
    })
})
