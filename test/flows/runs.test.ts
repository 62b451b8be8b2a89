// Flows from the event to their effects, by a real worker.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Flow, Step } from '../../src/apps/manifest/shape.ts'
import { newId } from '../../src/ids.ts'
import { type TestTenant, testApp } from '../support/app.ts'
import { eventually, eventuallyHolds } from '../support/eventually.ts'
import { aLine, anInbound, anOrder, aProduct, ok } from '../support/given.ts'
import { aFlow, installFlows, runsOf, stepsOf } from './given.ts'

const app = await testApp()
const { sql } = app
await app.startWorker()

const order = async (shop: TestTenant, over: object = {}) => ok(await shop.post('/api/v1/orders', anOrder({ ...over })))
/** When all runs of the workspace are over. */
const ended = (shop: TestTenant, count: number) =>
  eventually(async () => {
    const unmatched = await sql`select 1 from flow_events where tenant_id = ${shop.id}`
    const runs = await runsOf(app, shop)
    return unmatched.length === 0 && runs.length === count && runs.every(({ due_at }) => due_at === null) && [...runs]
  })
const contactOf = async (shop: TestTenant, id: string) => ok(await shop.get(`/api/v1/contacts/${id}`))

suite('a run', () => {
  test('does its steps in order, each through its verb, and later steps name what earlier ones gave', async () => {
    const shop = await app.tenant()
    const { id: appId } = await installFlows(app, shop, [
      {
        steps: [
          { id: 'tag', type: 'tag_contact', tag: 'order-{{event.order.number}}' },
          {
            id: 'record',
            type: 'create_record',
            resource: 'points',
            values: { points: '{{event.order.total_amount}}', note: 'Tagged: {{steps.tag.output.added}}' },
            external_id: '{{event.order_id}}',
          },
          { id: 'more', type: 'update_record', resource: 'points', external_id: '{{event.order_id}}', values: { note: 'by {{run.id}}' } },
          { id: 'tell', type: 'notify', title: 'Order {{event.order.number}}', body: '{{steps.record.output.id}}', level: 'info' },
        ] as Step[],
      },
    ])
    const placed = await order(shop)
    const [run] = await ended(shop, 1)
    assert.equal(run?.state, 'succeeded', JSON.stringify(run))
    assert.deepEqual((await contactOf(shop, placed.customer.contact_id)).tags, [`order-${placed.number}`])
    const [record] = await sql`select doc from records where tenant_id = ${shop.id}`
    const doc = JSON.parse(record?.['doc'])
    assert.deepEqual([doc.points, doc.note, doc.external_id], [placed.total_amount, `by ${run?.id}`, placed.id])
    assert.deepEqual(doc.links, [{ target: 'builtin:contact', id: placed.customer.contact_id }])
    const [told] = await sql`select doc from notifications where tenant_id = ${shop.id}`
    const notification = JSON.parse(told?.['doc'])
    assert.deepEqual([notification.title, notification.body, notification.run_id], [`Order ${placed.number}`, doc.id, run?.id])
    const steps = await stepsOf(app, run?.id as string)
    assert.deepEqual(
      steps.map(each => [each.step_id, each.state, each.attempts]),
      [
        ['tag', 'succeeded', 1],
        ['record', 'succeeded', 1],
        ['more', 'succeeded', 1],
        ['tell', 'succeeded', 1],
      ],
    )
    assert.deepEqual(JSON.parse(steps[0]?.input as string), { tag: `order-${placed.number}` })
    const [tagged] = await sql`select depth, run_id from events where tenant_id = ${shop.id} and type = 'contact.tagged'`
    assert.deepEqual({ ...tagged }, { depth: 1, run_id: run?.id })
    const [audited] = await sql`select actor_type, actor_id from audit_log where tenant_id = ${shop.id} and action = 'contact.update'`
    assert.deepEqual({ ...audited }, { actor_type: 'app', actor_id: appId })
  })

  test('begins where all conditions of its flow hold; a step whose conditions do not is skipped, and says why', async () => {
    const shop = await app.tenant()
    const dear = { field: 'event.order.total_amount', op: 'gte', value: 5_000 } as const
    const tag = (id: string, conditions: object[] = []): Step => ({ id, type: 'tag_contact', tag: id, conditions }) as Step
    await installFlows(app, shop, [
      { id: 'dear', conditions: [dear] },
      { id: 'all', steps: [tag('dear', [dear]), tag('cheap', [{ ...dear, op: 'lt' }]), tag('last')] },
      { id: 'off', enabled: false },
      { id: 'other', trigger: 'order.paid' },
    ])
    const { customer } = await order(shop)
    const runs = await ended(shop, 1)
    assert.deepEqual(
      runs.map(each => each.flow_id),
      ['all'],
    )
    assert.deepEqual((await contactOf(shop, customer.contact_id)).tags, ['cheap', 'last'])
    const [skipped] = await stepsOf(app, runs[0]?.id as string)
    assert.equal(skipped?.state, 'skipped')
    assert.equal(skipped?.reason, 'event.order.total_amount gte 5000 does not hold: it is 2500.')
  })

  test('writes to the customer as the app, and neither pauses the assistant nor answers for the staff', async () => {
    const shop = await app.tenant()
    const contact = ok(await shop.post('/api/v1/contacts', { name: 'Ada' }))
    const installed = await installFlows(app, shop, [
      { trigger: 'message.received', steps: [{ id: 'say', type: 'send_message', text: 'Hello {{event.contact.name}}' }] as Step[] },
    ])
    const { conversation } = await anInbound(app, shop, { contact_id: contact.id })
    await ended(shop, 1)
    const after = ok(await shop.get(`/api/v1/conversations/${conversation.id}`))
    assert.deepEqual([after.ai_status, after.waiting_since], ['on', conversation.waiting_since])
    assert.deepEqual(
      [after.last_message.text, after.last_message.author],
      ['Hello Ada', { type: 'app', id: installed.id, name: installed.name, via: 'flow' }],
    )
  })

  test('that fails says at which step and why, and stops; one that continues names the error to later steps', async () => {
    const shop = await app.tenant()
    const write = (over: object = {}) => ({
      id: 'write',
      type: 'update_record',
      resource: 'points',
      external_id: 'none',
      values: {},
      ...over,
    })
    const tag = { id: 'tag', type: 'tag_contact', tag: '{{steps.write.error.code}}' }
    await installFlows(app, shop, [
      { id: 'stops', steps: [write(), { ...tag, tag: 'never' }] as Step[] },
      { id: 'continues', steps: [write({ on_error: 'continue' }), tag] as Step[] },
      { id: 'nowhere', steps: [{ id: 'say', type: 'send_message', text: 'Hello' }] as Step[] },
    ])
    const { customer } = await order(shop)
    const runs = await ended(shop, 3)
    assert.deepEqual(Object.fromEntries(runs.map(each => [each.flow_id, [each.state, each.code, each.place]])), {
      stops: ['failed', 'resource_not_found', 0],
      continues: ['succeeded', null, 2],
      nowhere: ['failed', 'no_conversation', 0],
    })
    assert.deepEqual((await contactOf(shop, customer.contact_id)).tags, ['resource_not_found'])
  })

  test('waits without a worker, keeps its event meanwhile, and goes on when it is time', async () => {
    const shop = await app.tenant()
    await installFlows(app, shop, [
      {
        steps: [
          { id: 'pause', type: 'wait', minutes: 43_200 },
          { id: 'tag', type: 'tag_contact', tag: '{{event.order_id}}' },
        ] as Step[],
      },
    ])
    const { id, customer } = await order(shop)
    const run = await eventually(async () => (await runsOf(app, shop)).find(each => each.state === 'waiting'))
    assert.match(run.reason ?? '', /^It waits until /)
    await eventually(async () => (await sql`select 1 from flow_queues where tenant_id = ${shop.id} and lease_token is null`).length === 1)
    await sql`delete from events where tenant_id = ${shop.id}`
    await sql`update flow_runs set due_at = now() where tenant_id = ${shop.id}`
    assert.equal((await ended(shop, 1))[0]?.state, 'succeeded')
    assert.deepEqual((await contactOf(shop, customer.contact_id)).tags, [id])
  })

  test('expires ten minutes after its first step; a wait gives it another ten', async () => {
    const shop = await app.tenant()
    await installFlows(app, shop, [
      {
        steps: [
          { id: 'pause', type: 'wait', minutes: 5 },
          { id: 'tag', type: 'tag_contact', tag: 'late' },
        ] as Step[],
      },
    ])
    await order(shop)
    await eventually(async () => (await runsOf(app, shop)).find(each => each.state === 'waiting'))
    await sql`update flow_runs set due_at = now(), since = now() - interval '11 minutes' where tenant_id = ${shop.id}`
    const [run] = await ended(shop, 1)
    assert.deepEqual([run?.state, run?.code], ['failed', 'expired'])
  })
})

suite('loops', () => {
  const tags = (tag: string, over: Partial<Flow> = {}): Partial<Flow> => ({
    trigger: 'contact.tagged',
    steps: [{ id: 'tag', type: 'tag_contact', tag }] as Step[],
    ...over,
  })
  const tag = async (shop: TestTenant, name: string) => {
    const { id } = ok(await shop.post('/api/v1/contacts', { name: 'Ada' }))
    ok(await shop.patch(`/api/v1/contacts/${id}`, { tags: [name] }))
    return id as string
  }
  const skipped = async (shop: TestTenant, count: number) =>
    (await ended(shop, count)).map(each => `${each.flow_id} ${each.depth} ${each.code ?? each.state}`).sort()

  test('a flow that tags on contact.tagged runs once, and its own event is skipped', async () => {
    const shop = await app.tenant()
    await installFlows(app, shop, [tags('{{trigger.id}}', { id: 'echo' })])
    await tag(shop, 'first')
    assert.deepEqual(await skipped(shop, 2), ['echo 0 succeeded', 'echo 1 loop'])
  })

  test('two flows, and two apps, that set each other off end after each has run once', async () => {
    const shop = await app.tenant()
    await installFlows(app, shop, [tags('{{run.id}}', { id: 'ping' })])
    await installFlows(app, shop, [tags('{{run.id}}', { id: 'pong' })])
    await tag(shop, 'first')
    // Both begin; each sets off the other one; what those do would set off both again.
    const [done, loops] = [
      ['ping 0', 'ping 1', 'pong 0', 'pong 1'],
      ['ping 1', 'ping 2', 'ping 2', 'pong 1', 'pong 2', 'pong 2'],
    ]
    assert.deepEqual(await skipped(shop, 10), [...done.map(each => `${each} succeeded`), ...loops.map(each => `${each} loop`)].sort())
  })

  test('an event of depth three starts no flow at all', async () => {
    const shop = await app.tenant()
    const names = ['a', 'b', 'c', 'd']
    await installFlows(
      app,
      shop,
      names.map((id, index) => tags(names[index + 1] ?? 'end', { id, conditions: [{ field: 'event.added', op: 'contains', value: id }] })),
    )
    await tag(shop, 'a')
    assert.deepEqual(await skipped(shop, 4), ['a 0 succeeded', 'b 1 succeeded', 'c 2 succeeded', 'd 3 depth'])
  })

  test('what a channel tells later of a message is caused by the run that wrote it', async () => {
    const shop = await app.tenant()
    const contact = ok(await shop.post('/api/v1/contacts', { name: 'Ada' }))
    const say = [{ id: 'say', type: 'send_message', text: 'Sent {{trigger.id}}' }] as Step[]
    await installFlows(app, shop, [
      { id: 'answer', trigger: 'message.received', steps: say },
      { id: 'echo', trigger: 'message.sent', steps: say },
    ])
    await anInbound(app, shop, { contact_id: contact.id })
    assert.deepEqual(await skipped(shop, 3), ['answer 0 succeeded', 'echo 1 succeeded', 'echo 2 loop'])
  })
})

suite('once', () => {
  test('a flow has one run for an event, however often the event is matched', async () => {
    const shop = await app.tenant()
    await installFlows(app, shop, [aFlow(), aFlow({ id: 'second' })])
    await order(shop)
    const before = await ended(shop, 2)
    const [event] = await sql`select id from events where tenant_id = ${shop.id} and type = 'order.created'`
    await sql`insert into flow_events (tenant_id, event_id) values (${shop.id}, ${event?.['id']})`
    await eventually(async () => (await sql`select 1 from flow_events where tenant_id = ${shop.id}`).length === 0)
    assert.deepEqual(await ended(shop, 2), before)
  })

  test('an event that is gone, or is not of this workspace, leaves nothing behind', async () => {
    const shop = await app.tenant()
    await installFlows(app, shop, [{}])
    await sql`insert into flow_events (tenant_id, event_id) values (${shop.id}, ${newId('evt')})`
    await eventually(async () => (await sql`select 1 from flow_events where tenant_id = ${shop.id}`).length === 0)
    assert.deepEqual([...(await runsOf(app, shop))], [])
  })

  test('a workspace without a flow for an event has no row of it, and product.low_stock begins one', async () => {
    const [shop, other] = [await app.tenant(), await app.tenant()]
    await installFlows(app, shop, [
      {
        trigger: 'product.low_stock',
        steps: [{ id: 'tell', type: 'notify', title: 'Low', body: '{{event.available}}', level: 'info' }] as Step[],
      },
    ])
    await order(other)
    const { id } = ok(await shop.post('/api/v1/products', aProduct({ stock: 6 })))
    await order(shop, { items: [aLine({ product_id: id })] })
    await ended(shop, 1)
    await eventuallyHolds(async () => {
      const [row] = await sql`select doc from notifications where tenant_id = ${shop.id}`
      assert.equal(JSON.parse(row?.['doc'] ?? '{}').body, '5')
    })
  })
})
