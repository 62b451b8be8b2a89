// What the statement that records results holds until it is committed.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { newId } from '../../src/ids.ts'
import { begin, type Tx } from '../../src/postgres/sql.ts'
import { takeAll, wake } from '../../src/webhooks/delivery-store.ts'
import { record } from '../../src/webhooks/record-store.ts'
import { testApp } from '../support/app.ts'
import { resultOf } from '../support/results.ts'

const app = await testApp()
const { sql } = app

/** An endpoint under lease that succeeded so many seconds ago, and the success of another delivery to it. */
async function given(secondsAgo: number) {
  const shop = await app.tenant()
  const webhook = await shop.post('/api/v1/webhooks', { url: 'https://shop.example', events: ['order.created'] })
  const ref = { tenant: shop.id as string, endpoint: webhook.body.id as string }
  const token = randomUUID()
  const [taken] = await takeAll(sql, [{ ...ref, token }])
  assert.ok(taken)
  const { lease } = taken
  await sql`update webhook_endpoints set last_success_at = now() - make_interval(secs => ${secondsAgo}) where id = ${ref.endpoint}`
  const result = resultOf({ endpoint: ref, token, lease }, newId('evt'), 204)
  /** Whether the verb has to wait while the record is not yet committed. */
  const waits = (verb: (tx: Tx) => Promise<unknown>): Promise<boolean> =>
    begin(sql, async recording => {
      assert.deepEqual(await record(recording, [result]), [{ current: true, ended: false }])
      return begin(sql, async tx => {
        await tx`set local lock_timeout = '50ms'`
        return verb(tx)
      }).then(
        () => false,
        error => error.code === '55P03' || Promise.reject(error),
      )
    })
  return { ref, waits }
}

test('whoever wakes an endpoint waits for a record only if it changes the endpoint’s health, and for no success of this very second', async () => {
  const [steady, rare] = [await given(0), await given(60)]
  assert.equal(await steady.waits(tx => wake(tx, [steady.ref])), false)
  assert.equal(await rare.waits(tx => wake(tx, [rare.ref])), true)
})

test('an endpoint is not deleted while its results are recorded', async () => {
  for (const secondsAgo of [0, 60]) {
    const { ref, waits } = await given(secondsAgo)
    assert.equal(await waits(tx => tx`delete from webhook_endpoints where id = ${ref.endpoint}`), true)
  }
})
