// bin/shopdesk webhook …: the tenant's tools on the command line, with the JSON of REST.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eventTypes } from '../../src/catalog.ts'
import { check } from '../../src/ingress/validate.ts'
import { webhookShapes } from '../../src/webhooks/endpoints/schema.ts'
import { Delivery, Health } from '../../src/webhooks/log/schema.ts'
import { Recovery, RecoveryPreview } from '../../src/webhooks/recovery/schema.ts'
import { type TestTenant, testApp } from '../support/app.ts'
import { command, type Ended } from '../support/command.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { anOrder, nobody } from '../support/given.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { settingsOf, shopdesk } from '../support/shopdesk.ts'

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
    for (const _ of [1, 2]) await shop.post('/api/v1/orders', anOrder())
    await eventuallyHolds(async () => {
      const { data } = (await shop.get(`/api/v1/webhooks/${id}/deliveries?state=succeeded`)).body
      assert.equal(data.length, 2)
      event = data[0].event_id
    })
  })
  after(() => receiver.close())

  const typed = (name: string, args: string[]): string[] => [
    'webhook',
    ...name.split(' '),
    ...args,
    ...(name === 'event-types' ? [] : ['--tenant', shop.id]),
  ]
  const run = (name: string, ...args: string[]): Promise<Ended> => command(typed(name, args), settingsOf(app))
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

  test('update changes the given settings alone, and headers by name', async () => {
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
    assert.deepEqual([refused.code, refused.stdout, refused.stderr], [1, '', '--max-parallel is "many"; it must be a whole number.\n'])
  })

  test('a webhook made there has every setting from the start; a header may stand before the id; a description can be removed', async () => {
    const settings = ['--max-parallel', '1', '--max-per-minute', '60', '--description', 'ERP', '--header', 'X-A: 1', '--header', 'X-B: b:2']
    const made = await json('create', '--url', receiver.origin, '--events', 'order.created', ...settings)
    assert.deepEqual(Object.keys(made), ['id', 'secret'])
    const { body } = await shop.get(`/api/v1/webhooks/${made.id}`)
    assert.deepEqual([body.max_parallel, body.max_per_minute, body.description, Object.keys(body.headers)], [1, 60, 'ERP', ['X-A', 'X-B']])
    const changed = await text('update', '--remove-header', 'X-A', '--description', '', made.id)
    assert.match(changed, /^description +–\n[\s\S]*^headers\.X-B +••••$/m)
    assert.doesNotMatch(changed, /X-A/)
    const reserved = await run('update', made.id, '--header', 'Host: s3cret')
    assert.deepEqual([reserved.code, reserved.stderr], [1, '--header Host is set by us or by the connection; choose another name.\n'])
    await shop.delete(`/api/v1/webhooks/${made.id}`)
  })

  test('lists go on where a page ended, in either direction and within times', async () => {
    const { data } = (await shop.get(`/api/v1/webhooks/${id}/deliveries?dir=asc`)).body
    const first = await json('deliveries', id, '--limit', '1', '--dir', 'asc')
    assert.deepEqual([first.data, first.has_more], [[data[0]], true])
    const second = await json('deliveries', id, '--cursor', first.next_cursor)
    assert.deepEqual(second, { data: [data[1]], next_cursor: null, has_more: false })
    assert.match(
      await text('deliveries', id, '--limit', '1', '--dir', 'asc'),
      new RegExp(`^… and more: --cursor ${first.next_cursor}$`, 'm'),
    )
    assert.equal(await text('deliveries', id, '--created-before', data[0].created_at), 'None.\n')
  })

  test('a test or redelivery that the receiver refuses says what it answered, and exits with 1', async t => {
    const refusing = await startReceiver(response => response.writeHead(503).end())
    t.after(() => refusing.close())
    const body = { url: refusing.origin, events: ['order.shipped'] }
    const mine: string = (await shop.post('/api/v1/webhooks', body)).body.id
    const refused = (answer: string, of: string) =>
      new RegExp(`^Not delivered: ${answer} \\(\\d+ ms\\)\\. [^\\n]+ webhook deliveries ${mine} --tenant ${shop.id} --event ${of}\\n$`)
    const tested = await run('test', mine)
    assert.equal(tested.code, 1)
    assert.match(tested.stderr, refused('503', 'evt_\\w+'))
    const many = await run('recover', mine, '--scope', 'all', '--since', '2026-01-01T00:00:00Z', '--types', 'order.created')
    assert.equal(many.code, 1)
    assert.match(many.stdout, /^2 of 2 sent: 0 succeeded, 2 failed, .*completed$/m)
    await refusing.close()
    const again = await run('redeliver', mine, event)
    assert.equal(again.code, 1)
    assert.match(again.stderr, refused('connection-refused: [^\\n]+ refused the connection', event))
    await shop.delete(`/api/v1/webhooks/${mine}`)
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
    assert.match(await text('test', id, '--type', 'order.created'), /^Delivered: 204 \(\d+ ms\)$/m)
    assert.ok(receiver.received.some(each => each.headers['x-service-test'] === 'true'))
    const since = '2026-01-01T00:00:00Z'
    const preview = await json('recover', id, '--scope', 'all', '--since', since, '--dry-run')
    assert.deepEqual(check(RecoveryPreview, preview), [])
    assert.match(await text('recover', id, '--scope', 'all', '--since', since), new RegExp(`${preview.total} of ${preview.total} sent`))
    const refused = await run('recover', id, '--scope', 'all')
    assert.deepEqual([refused.code, refused.stderr], [1, '--since is required: from when on shall everything be sent again?\n'])
  })

  test('recoveries are listed, read and cancelled, and a webhook is deleted', async () => {
    const other = await shop.post('/api/v1/webhooks', { url: receiver.origin, events: ['order.created'] })
    const mine: string = other.body.id
    const begun = await json('recover', mine, '--scope', 'all', '--since', '2026-01-01T00:00:00Z', '--rate', '1')
    assert.deepEqual((await json('recoveries', mine)).data[0].id, begun.id)
    assert.deepEqual(check(Recovery, await json('recoveries', mine, '--recovery', begun.id)), [])
    assert.match(await text('recoveries', mine), new RegExp(`^created_at +id +scope +state[^\\n]+\\n\\S+ +${begun.id} +all `))
    assert.match((await json('cancel-recovery', mine, begun.id)).state, /^(cancelled|completed)$/)
    assert.equal((await run('cancel-recovery', mine, nobody('rcv'))).stderr, 'There is no such recovery.\n')
    assert.equal((await json('delete', mine)).deleted, true)
    assert.equal((await run('recoveries', mine)).stderr, 'There is no such webhook.\n')
  })

  test('a process of its own says the same, and ends with the same code', async () => {
    for (const args of [typed('list', ['--json']), typed('get', [nobody('whk')]), typed('test', [id])]) {
      const { ended, stdout, stderr } = shopdesk(args, settingsOf(app))
      const inThis = await command(args, settingsOf(app))
      const own = { code: await ended, stdout: stdout(), stderr: stderr() }
      const alike = ({ code, stdout, stderr }: typeof own) => ({ code, stdout: stdout.replace(/rcv_\w+|\d+ ms/g, '…'), stderr })
      assert.deepEqual(alike(own), alike(inThis))
    }
  })

  test('for people there are tables', async () => {
    const [head, row] = (await text('list')).split('\n')
    assert.match(head ?? '', /^id +status +url +events/)
    assert.match(row ?? '', new RegExp(`^${id} +enabled +http://127`))
    assert.match(await text('deliveries', id), /created_at +event_id +type +state[\s\S]*succeeded +\d+ +204 \(\d+ ms\)/)
    assert.match(await text('deliveries', id, '--event', event), /"url": "http:\/\/127/)
    assert.match(await text('deliveries', id, '--event', event), /^Attempt 1 at \S+: 204 \(\d+ ms\)$/m)
    assert.match(await text('health', id), /^success_rate +1\n[\s\S]*^duration_ms\.p50 +\d+\nduration_ms\.p95 +\d+$/m)
    assert.equal((await text('event-types')).trim().split('\n').length, eventTypes.length + 1)
    assert.match(await text('event-types', 'order.created'), /^data\.order\.number +integer\.[\s\S]*"type": "order\.created"/m)
  })

  test('another workspace’s webhook is not there', async () => {
    const other = await app.tenant()
    const { code, stderr } = await command(['webhook', 'get', id, '--tenant', other.id], settingsOf(app))
    assert.deepEqual([code, stderr], [1, 'There is no such webhook.\n'])
  })
})
