// bin/shopdesk webhook …: the tenant's tools on the command line, as processes, with the JSON of REST.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eventTypes } from '../../src/catalog.ts'
import { check } from '../../src/ingress/validate.ts'
import { Delivery, Health, Recovery, RecoveryPreview, webhookShapes } from '../../src/webhooks/schema.ts'
import { type TestTenant, testApp } from '../support/app.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { anOrder } from '../support/given.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { shopdesk } from '../support/shopdesk.ts'

const app = await testApp()
const { Webhook, CreatedWebhook } = webhookShapes(['order.created'])

describe('webhook commands', () => {
  let shop: TestTenant
  let receiver: Receiver
  let id: string
  let event: string
  before(async () => {
    await app.startWorker()
    receiver = await startReceiver()
    shop = await app.tenant()
    const body = { url: receiver.origin, events: ['order.created'], headers: { 'X-Key': 's3cret' } }
    id = (await shop.post('/api/v1/webhooks', body)).body.id
    await shop.post('/api/v1/orders', anOrder())
    await eventuallyHolds(async () => {
      const [delivery] = (await shop.get(`/api/v1/webhooks/${id}/deliveries`)).body.data
      assert.equal(delivery.state, 'succeeded')
      event = delivery.event_id
    })
  })
  after(() => receiver.close())

  async function run(name: string, ...args: string[]): Promise<{ code: number | string; stdout: string; stderr: string }> {
    const { ended, stdout, stderr } = shopdesk(
      ['webhook', ...name.split(' '), ...args, ...(name === 'event-types' ? [] : ['--tenant', shop.id])],
      {
        DATABASE_URL: app.databaseUrl,
        SECRET_KEY: Object.values(app.keyring)[0]?.toString('hex'),
        LOG_LEVEL: 'silent',
        OUTBOUND_ALLOW_PRIVATE: 'true',
      },
    )
    return { code: await ended, stdout: stdout(), stderr: stderr() }
  }
  async function json(name: string, ...args: string[]) {
    const { code, stdout, stderr } = await run(name, ...args, '--json')
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(stdout, /^\{.*\}\n$/)
    return JSON.parse(stdout)
  }
  async function text(name: string, ...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await run(name, ...args)
    assert.deepEqual([code, stderr], [0, ''])
    return stdout
  }

  test('with --json each prints what REST answers', async () => {
    assert.deepEqual(check(Webhook, (await json('list')).data[0]), [])
    assert.deepEqual(await json('get', id), (await shop.get(`/api/v1/webhooks/${id}`)).body)
    const [delivery] = (await json('deliveries', id, '--state', 'succeeded', '--type', 'order.created')).data
    assert.deepEqual(check(Delivery, delivery), [])
    assert.deepEqual(await json('deliveries', id, '--event', event), (await shop.get(`/api/v1/webhooks/${id}/deliveries/${event}`)).body)
    assert.deepEqual(check(Health, await json('health', id)), [])
    assert.deepEqual((await json('event-types')).data, (await shop.get('/api/v1/event-types')).body.data)
  })

  test('update changes what it is told to, headers by name', async () => {
    const changed = await json(
      'update',
      id,
      '--max-per-minute',
      '600',
      '--header',
      'X-New: a: b',
      '--remove-header',
      'X-Key',
      '--description',
      'Mine',
    )
    assert.deepEqual(
      [changed.max_per_minute, changed.headers, changed.description, changed.events],
      [600, { 'X-New': '••••' }, 'Mine', ['order.created']],
    )
    assert.equal((await json('update', id, '--max-per-minute', 'none')).max_per_minute, null)
    const refused = await run('update', id, '--max-parallel', 'many')
    assert.deepEqual([refused.code, refused.stdout, refused.stderr], [1, '', '--max-parallel must be a whole number.\n'])
    assert.match((await run('update', id)).stderr, /^must have at least 1\.\n$/)
  })

  test('pause, resume, disable, enable; rotate and confirm', async () => {
    assert.equal((await json('pause', id)).status, 'paused')
    assert.equal((await json('resume', id)).status, 'enabled')
    assert.equal((await json('disable', id)).status, 'disabled')
    const refused = await run('pause', id)
    assert.deepEqual([refused.code, refused.stdout], [1, ''])
    assert.match(refused.stderr, /^This webhook is disabled[^\n]+\n$/)
    assert.equal((await json('enable', id, '--pending', 'send')).status, 'enabled')
    assert.deepEqual(check(CreatedWebhook, await json('rotate-secret', id)), [])
    assert.equal((await json('confirm-secret', id)).previous_secret_until, null)
  })

  test('redeliver, test and recover begin, and for people follow until the end', async () => {
    assert.deepEqual(check(Recovery, await json('redeliver', id, event)), [])
    assert.match(await text('test', id, '--type', 'order.created'), /1 of 1 sent: 1 succeeded, 0 failed, .*completed/)
    assert.ok(receiver.received.some(each => each.headers['x-service-test'] === 'true'))
    const since = '2026-01-01T00:00:00Z'
    const preview = await json('recover', id, '--scope', 'all', '--since', since, '--dry-run')
    assert.deepEqual(check(RecoveryPreview, preview), [])
    assert.match(await text('recover', id, '--scope', 'all', '--since', since), new RegExp(`${preview.total} of ${preview.total} sent`))
    const refused = await run('recover', id, '--scope', 'all')
    assert.deepEqual([refused.code, refused.stderr], [1, 'since: is required: from when on shall everything be sent again?\n'])
  })

  test('recoveries are listed, read and cancelled, and a webhook is deleted', async () => {
    const other = await shop.post('/api/v1/webhooks', { url: receiver.origin, events: ['order.created'] })
    const mine: string = other.body.id
    const begun = await json('recover', mine, '--scope', 'all', '--since', '2026-01-01T00:00:00Z', '--rate', '1')
    assert.deepEqual((await json('recoveries', mine)).data[0].id, begun.id)
    assert.deepEqual(check(Recovery, await json('recoveries', mine, '--recovery', begun.id)), [])
    assert.match(await text('recoveries', mine), new RegExp(`^created_at +id +scope +state[^\\n]+\\n\\S+ +${begun.id} +all `))
    assert.match((await json('cancel-recovery', mine, begun.id)).state, /^(cancelled|completed)$/)
    assert.equal((await run('cancel-recovery', mine, begun.id.replace(/.$/, '0'))).stderr, 'There is no such recovery.\n')
    assert.equal((await json('delete', mine)).deleted, true)
    assert.equal((await run('recoveries', mine)).stderr, 'There is no such webhook.\n')
  })

  test('for people there are tables', async () => {
    const [head, row] = (await text('list')).split('\n')
    assert.match(head ?? '', /^id +status +url +events/)
    assert.match(row ?? '', new RegExp(`^${id} +enabled +http://127`))
    assert.match(await text('deliveries', id), /created_at +event_id +type +state[\s\S]*succeeded/)
    assert.match(await text('deliveries', id, '--event', event), /"url": "http:\/\/127/)
    assert.match(await text('health', id), /success_rate +1/)
    assert.equal((await text('event-types')).trim().split('\n').length, eventTypes.length + 1)
  })

  test('another workspace’s webhook is not there', async () => {
    const other = await app.tenant()
    const { ended, stderr } = shopdesk(['webhook', 'get', id, '--tenant', other.id], {
      DATABASE_URL: app.databaseUrl,
      SECRET_KEY: Object.values(app.keyring)[0]?.toString('hex'),
    })
    assert.equal(await ended, 1)
    assert.equal(stderr(), 'There is no such webhook.\n')
  })
})
