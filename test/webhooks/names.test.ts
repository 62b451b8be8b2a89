// Webhooks whose names are looked up at a real name server, which answers for some domains and is silent for others.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '../support/app.ts'
import { startNameServer } from '../support/name-server.ts'
import { startReceiver, testCertificate } from '../support/receiver.ts'
import { emitted } from '../support/subscriber.ts'

const app = await testApp()
const { sql } = app

test('while sixty webhooks of a tenant have names that are never answered, another tenant’s deliveries go on, and none of them fails', async () => {
  const receiver = await startReceiver(undefined, { tls: true })
  after(receiver.close)
  const names = await startNameServer(name => (name.endsWith('hang.test') ? undefined : { addresses: ['127.0.0.1'], ttl: 0 }))
  after(names.close)
  const [hanging, healthy] = [await app.tenant(), await app.tenant()]
  const subscribe = async (shop: typeof hanging, url: string): Promise<string> => {
    const made = await shop.post('/api/v1/webhooks', { url, events: ['order.created'] })
    assert.equal(made.status, 201, made.text)
    return made.body.id
  }
  for (let n = 0; n < 60; n++) await subscribe(hanging, `https://x${n}.hang.test/`)
  const id = await subscribe(healthy, `https://receiver.test:${receiver.port}/`)
  // Each connection is closed at once, and its name forgotten soon: it is looked up again among the others'.
  await app.startWorker({ ...names.files, ca: testCertificate, keepAliveMs: 1 })
  await emitted(sql, hanging.id)
  const tried = () => sql`select 1 from webhook_attempts where tenant_id = ${hanging.id}`
  let delivered = 0
  while ((await tried()).length < 20) {
    await emitted(sql, healthy.id)
    await receiver.until(++delivered)
  }
  assert.ok(delivered >= 10, `${delivered} were delivered during the other tenant’s look-ups`)
  const [log] = await sql`
    select count(*) filter (where error is null)::int as succeeded, count(*) filter (where error is not null)::int as failed, max(dns_ms) as dns
      from webhook_attempts where endpoint_id = ${id}`
  assert.equal(log?.['failed'], 0)
  assert.ok(log?.['dns'] < 1_000, `its look-up took ${log?.['dns']} ms`)
  const [endpoint] = await sql`select status, failures from webhook_endpoints where id = ${id}`
  assert.deepEqual([endpoint?.['status'], endpoint?.['failures']], ['enabled', 0])
})
