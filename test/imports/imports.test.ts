// Importing files: what becomes of rows, good and bad, and what an import says of itself.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { testApp } from '../support/app.ts'
import { importing } from './importing.ts'

const app = await testApp({ LOG_LEVEL: 'error' })
await app.startWorker()
const { shop } = importing(app)

suite('what becomes of rows', () => {
  test('NDJSON rows become products, each with its event and its audit row', async () => {
    const at = await shop()
    const done = await at.imported(
      'resource=products',
      at.ndjson([
        { name: 'Shirt', price_amount: 4900, sku: 'S-1' },
        { name: 'Cap', price_amount: 900 },
      ]),
    )
    assert.equal(done.status, 'completed')
    assert.deepEqual(at.counts(done), { rows_total: 2, rows_read: 2, created: 2, updated: 0, unchanged: 0, failed: 0 })
    const { body } = await at.get('/api/v1/products?sort=name&dir=asc')
    assert.deepEqual(
      body.data.map((each: { name: string }) => each.name),
      ['Cap', 'Shirt'],
    )
    const events = await app.sql`select type from events where tenant_id = ${at.id}`
    assert.deepEqual(
      events.map(each => each['type']),
      ['product.created', 'product.created'],
    )
  })

  test('with events=false nothing is emitted', async () => {
    const at = await shop()
    const done = await at.imported('resource=products&events=false', at.ndjson([{ name: 'Shirt', price_amount: 4900 }]))
    assert.equal(done.created, 1)
    assert.equal((await app.sql`select 1 from events where tenant_id = ${at.id}`).length, 0)
  })
})
