// Flows from the event to their effects, by a real worker.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { suite, test } from 'node:test'
import { configure, disable, uninstall } from '../../src/apps/deeds.ts'
import { pruneUninstalled } from '../../src/apps/leftovers.ts'
import type { Flow, Step } from '../../src/apps/manifest/shape.ts'
import type { Caller } from '../../src/caller.ts'
import { eventTypes } from '../../src/catalog.ts'
import { emit } from '../../src/events/emit.ts'
import { release, take } from '../../src/flows/running/lease-store.ts'
import { claim } from '../../src/flows/running/store.ts'
import { dryRun } from '../../src/flows/runs.ts'
import { newId } from '../../src/ids.ts'
import { STANDING_ABORT_MS, STANDING_BEAT_MS } from '../../src/limits/queue.ts'
import { OrderCreated } from '../../src/orders/events.ts'
import { pruneAll } from '../../src/postgres/prune.ts'
import { begin, part } from '../../src/postgres/sql.ts'
import { ProductLowStock } from '../../src/products/events.ts'
import { aSkill } from '../skills/given.ts'
import { type TestTenant, testApp } from '../support/app.ts'
import { installApp, tryInstall } from '../support/apps.ts'
import { command } from '../support/command.ts'
import { eventually, eventuallyHolds } from '../support/eventually.ts'
import { aLine, anInbound, anOrder, aProduct, ok } from '../support/given.ts'
import { waitingForAdvisory } from '../support/locks.ts'
import { explained } from '../support/plans.ts'
import { settingsOf } from '../support/shopdesk.ts'
import { aFlow, installFlows, runsOf, stepsOf } from './given.ts'
import { manifestOf, recipes } from './recipes.ts'
import { startService } from './service.ts'

// Few slots, so that runs are short of them.
const SLOTS = 20
const app = await testApp({ WORKER_CONCURRENCY: String(SLOTS) })
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
const operator = ({ id: tenant }: TestTenant): Caller => ({ tenant, actor: { type: 'cli' } })
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

  test('fails where a tag or an external_id holds nothing once it is rendered, or is too long, and says so', async () => {
    const shop = await app.tenant()
    const tags = (id: string, tag: string) => ({ id, steps: [{ id: 'tag', type: 'tag_contact', tag }] as Step[] })
    const keeps = (id: string, external_id: string, type = 'create_record') => ({
      id,
      steps: [{ id: 'keep', type, resource: 'points', values: { points: 1 }, external_id }] as Step[],
    })
    const [blank, long] = ['{{event.order.external_id}}', '{{event.order_id}}'.repeat(11)]
    await installFlows(app, shop, [
      ...[tags('tag-blank', blank), tags('tag-long', long)],
      ...[keeps('id-blank', `${blank} `), keeps('id-long', long), keeps('change-blank', blank, 'update_record')],
    ])
    const { customer } = await order(shop)
    const runs = await ended(shop, 5)
    assert.deepEqual(runs.map(each => `${each.flow_id} ${each.state} ${each.code}`).sort(), [
      'change-blank failed blank',
      'id-blank failed blank',
      'id-long failed too_long',
      'tag-blank failed blank',
      'tag-long failed too_long',
    ])
    assert.deepEqual((await contactOf(shop, customer.contact_id)).tags, [])
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

  test('begins by the conditions of the moment: an upgrade, a setting and a disabled app count for the next event', async () => {
    const shop = await app.tenant()
    const atLeast = (value: number): Partial<Flow> => ({
      id: 'dear',
      conditions: [{ field: 'event.order.total_amount', op: 'gte', value }],
    })
    const { manifest, id } = await installFlows(app, shop, [atLeast(5_000)])
    const bySetting = { field: 'config.wanted', op: 'eq', value: 'yes' } as const
    const over = { config: [{ key: 'wanted', type: 'string' as const }] }
    const other = await installFlows(app, shop, [{ id: 'asked', conditions: [bySetting] }], over, { config: { wanted: 'no' } })
    const begins = async (count: number) => {
      await order(shop)
      return (await ended(shop, count)).map(run => run.flow_id)
    }
    assert.deepEqual(await begins(0), [])
    await installApp(app, shop, { ...manifest, flows: [aFlow(atLeast(1_000))] })
    assert.deepEqual(await begins(1), ['dear'])
    await begin(sql, tx => configure(tx, operator(shop), other.id, { wanted: 'yes' }, app.keyring))
    await begin(sql, tx => disable(tx, operator(shop), id))
    assert.deepEqual(await begins(2), ['dear', 'asked'])
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

  test('waits without a worker, as often as it is to, keeps its event meanwhile, and goes on when it is time', async () => {
    const shop = await app.tenant()
    const pause = { type: 'wait', minutes: 43_200 }
    await installFlows(app, shop, [
      {
        steps: [
          { id: 'pause', ...pause },
          { id: 'more', ...pause },
          { id: 'tag', type: 'tag_contact', tag: '{{event.order_id}}' },
        ] as Step[],
      },
    ])
    const { id, customer } = await order(shop)
    for (const place of [1, 2]) {
      const run = await eventually(async () => (await runsOf(app, shop)).find(each => each.state === 'waiting' && each.place === place))
      assert.match(run.reason ?? '', /^It waits until /)
      await eventually(async () => (await sql`select 1 from flow_queues where tenant_id = ${shop.id} and lease_token is null`).length === 1)
      await sql`delete from events where tenant_id = ${shop.id}`
      await sql`update flow_runs set due_at = now() - interval '1 second' where tenant_id = ${shop.id}`
    }
    assert.equal((await ended(shop, 1))[0]?.state, 'succeeded')
    assert.deepEqual((await contactOf(shop, customer.contact_id)).tags, [id])
  })

  test('expires ten minutes after its first step; a wait gives it another ten', async () => {
    const after = async (set: (shop: TestTenant) => PromiseLike<unknown>) => {
      const shop = await app.tenant()
      await installFlows(app, shop, [
        {
          steps: [
            { id: 'before', type: 'tag_contact', tag: 'early' },
            { id: 'pause', type: 'wait', minutes: 5 },
            { id: 'tag', type: 'tag_contact', tag: 'late' },
          ] as Step[],
        },
      ])
      await order(shop)
      await eventually(async () => (await runsOf(app, shop)).find(each => each.state === 'waiting'))
      const [before] = await sql`select since from flow_runs where tenant_id = ${shop.id}`
      assert.equal(before?.['since'], null, 'the wait has ended the ten minutes of the steps before it')
      await set(shop)
      const [run] = await ended(shop, 1)
      return [run?.state, run?.code]
    }
    const hourAgo = (shop: TestTenant) => sql`
      update flow_runs set due_at = now() - interval '1 second', created_at = now() - interval '1 hour', started_at = now() - interval '1 hour'
       where tenant_id = ${shop.id}`
    assert.deepEqual(await after(hourAgo), ['succeeded', null])
    const goingOn = (shop: TestTenant) => sql`
      update flow_runs set due_at = now() - interval '1 second', since = now() - interval '11 minutes' where tenant_id = ${shop.id}`
    assert.deepEqual(await after(goingOn), ['failed', 'expired'])
  })
})

suite('a run that waits', () => {
  const waits = (tag: string): Partial<Flow> => ({
    steps: [
      { id: 'pause', type: 'wait', minutes: 43_200 },
      { id: 'tag', type: 'tag_contact', tag },
    ] as Step[],
  })
  /** Places an order and waits until its run does. @returns its contact */
  const waiting = async (shop: TestTenant, count: number): Promise<string> => {
    const { customer } = await order(shop, { customer: { email: `customer-${count}@shop.example` } })
    await eventually(async () => (await runsOf(app, shop)).filter(({ state }) => state === 'waiting').length === count)
    return customer.contact_id
  }
  const aMonthLater = (shop: TestTenant) => sql`
    update flow_runs set due_at = now() - interval '1 second' where tenant_id = ${shop.id} and due_at is not null`

  test('ends on the revision with which it began, across an upgrade, a downgrade and an upgrade that is refused', async () => {
    const shop = await app.tenant()
    const settings = (type: 'string' | 'secret') => [{ key: 'word', type }]
    const first = waits('first{{config.word}}')
    const installed = await installFlows(app, shop, [first], { config: settings('string') }, { config: { word: '-plain' } })
    const flow = installed.manifest.flows?.[0] as Flow
    const contacts = [await waiting(shop, 1)]
    const revise = (version: string, tag: string, over: object = {}, wanted: { config?: Record<string, string> } = {}) =>
      tryInstall(
        app,
        shop,
        { ...installed.manifest, config: settings('secret'), version, flows: [{ ...flow, ...waits(tag) }], ...over },
        wanted,
      )
    // What a setting of the first revision is called now is a secret, which that revision may show no more than this one.
    assert.ok((await revise('2.0.0', 'second', {}, { config: { word: '-the-secret' } })).ok)
    contacts.push(await waiting(shop, 2))
    assert.ok((await revise('1.5.0', 'third')).ok)
    const more = { flows: [{ ...flow, ...waits('never'), trigger: 'order.paid' }] }
    assert.ok(!(await revise('3.0.0', '', { ...more, scopes: [...installed.manifest.scopes, 'subscribe:order.paid'] })).ok)
    contacts.push(await waiting(shop, 3))
    await aMonthLater(shop)
    assert.ok((await ended(shop, 3)).every(({ state }) => state === 'succeeded'))
    for (const [index, tag] of ['first', 'second', 'third'].entries())
      assert.deepEqual((await contactOf(shop, contacts[index] as string)).tags, [tag])
    const listed = await shop.get(`/api/platform/apps/${installed.id}/runs`)
    assert.equal(listed.text, JSON.stringify(listed.body), 'without spaces')
    assert.deepEqual(
      ok(listed).data.map(({ revision }: { revision: number }) => revision),
      [3, 2, 1],
    )
  })

  test('tags the contact that the one of its event was merged into meanwhile', async () => {
    const shop = await app.tenant()
    const { id: appId } = await installFlows(app, shop, [waits('late')])
    const merged = await waiting(shop, 1)
    const { id: kept } = ok(await shop.post('/api/v1/contacts', { name: 'Ada' }))
    ok(await shop.post(`/api/v1/contacts/${kept}/merge`, { contact_id: merged }))
    await aMonthLater(shop)
    const [run] = await ended(shop, 1)
    assert.equal(run?.state, 'succeeded', run?.reason ?? '')
    assert.deepEqual((await contactOf(shop, kept)).tags, ['late'])
    const { steps } = ok(await shop.get(`/api/platform/apps/${appId}/runs/${run?.id}`))
    assert.deepEqual(steps.at(-1).output, { contact_id: kept, added: true })
  })

  test('ends with its flow or its app also where these end while the event is being matched', async () => {
    for (const end of ['disable', 'upgrade'] as const) {
      const shop = await app.tenant()
      const { id, manifest } = await installFlows(app, shop, [waits('never')])
      const [held, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      // The first run of an app is written with the row of its queue, for which the matching waits here.
      const holding = sql.begin(async tx => {
        await tx`insert into flow_queues (tenant_id, id) values (${shop.id}, ${id})`
        held.resolve()
        await go.promise
        throw new Error('rolled back')
      })
      await held.promise
      await order(shop)
      const waitingFor = (what: string) => sql`
        select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like ${`%${what}%`}`
      await eventually(async () => (await waitingFor('insert into flow_runs')).length === 1)
      let isOver = false
      const over = (
        end === 'disable'
          ? begin(sql, tx => disable(tx, operator(shop), id))
          : installApp(app, shop, { ...manifest, flows: (manifest.flows ?? []).map(each => ({ ...each, enabled: false })) })
      ).then(() => {
        isOver = true
      })
      await eventually(async () => isOver || (await waitingFor('for update of a')).length === 1)
      go.resolve()
      await Promise.all([over, holding.catch(() => {})])
      const code = { disable: 'app_disabled', upgrade: 'flow_disabled' }[end]
      await eventually(async () => (await sql`select 1 from flow_events where tenant_id = ${shop.id}`).length === 0)
      for (const run of await runsOf(app, shop)) assert.deepEqual([run.state, run.code], ['cancelled', code])
    }
  })

  test('says that it waits for a setting that its app lacks by then, and goes on once that is set', async () => {
    const shop = await app.tenant()
    const config = [{ key: 'word', type: 'string' as const, required: true }]
    const installed = await installFlows(app, shop, [waits('{{config.word}}')], { config }, { config: { word: 'late' } })
    const contact = await waiting(shop, 1)
    const set = (word: string | null) => begin(sql, tx => configure(tx, operator(shop), installed.id, { word }, app.keyring))
    assert.ok((await set(null)).ok)
    const told = async () => {
      const [{ status, code, reason }] = ok(await shop.get(`/api/platform/apps/${installed.id}/runs`)).data
      return [status, code, reason]
    }
    assert.deepEqual((await told()).slice(0, 2), ['waiting', 'wait'])
    await aMonthLater(shop)
    assert.deepEqual(await told(), [
      'waiting',
      'config_required',
      'The app has no value for a setting that it needs; the run goes on when it has.',
    ])
    assert.ok((await set('late')).ok)
    assert.deepEqual([(await ended(shop, 1))[0]?.state, (await told())[1]], ['succeeded', null])
    assert.deepEqual((await contactOf(shop, contact)).tags, ['late'])
  })

  test('does nothing that an upgrade gave up meanwhile: each step that needs such a scope fails', async () => {
    const shop = await app.tenant()
    const [wait] = waits('').steps as Step[]
    const more = { on_error: 'continue' } as const
    const tell = {
      id: 'tell',
      type: 'notify',
      title: '{{steps.call.error.code}} {{steps.hand.error.code}}',
      body: '{{steps.tag.error.message}}',
    }
    const values = { points: 1, note: '{{event.order.customer.email}}' }
    const steps = [
      { id: 'held', type: 'create_record', resource: 'points', values },
      wait,
      { id: 'call', type: 'call_skill', skill: 'award', input: { email: '{{event.order.customer.email}}' }, ...more },
      { id: 'hand', type: 'call_skill', skill: 'award', input: { email: '{{steps.held.output.note}}' }, ...more },
      { id: 'tag', type: 'tag_contact', tag: 'given-up', ...more },
      tell,
      { id: 'keep', type: 'create_record', resource: 'points', values: { points: 1 } },
    ] as Step[]
    const skills = [aSkill('http://127.0.0.1:1/')]
    const { manifest } = await installFlows(app, shop, [{ steps }], { skills })
    const contact = await waiting(shop, 1)
    const [flow] = manifest.flows as [Flow]
    const scopes = ['notify:team', 'subscribe:order.created']
    await installApp(app, shop, { ...manifest, scopes, flows: [{ ...flow, steps: [wait as Step] }] })
    await aMonthLater(shop)
    const [run] = await ended(shop, 1)
    assert.deepEqual([run?.state, run?.code, run?.place], ['failed', 'not_granted', 6])
    assert.deepEqual((await contactOf(shop, contact)).tags, [])
    const [told] = await sql`select doc from notifications where tenant_id = ${shop.id}`
    const { title, body } = JSON.parse(told?.['doc'])
    assert.deepEqual([title, body.includes('write:contacts')], ['not_granted not_granted', true])
    assert.equal((await sql`select 1 from skill_calls where tenant_id = ${shop.id}`).length, 0)
  })

  test('ends at once with its flow or its app; installed again, within a month or after it, the app begins anew and takes up nothing', async () => {
    const shop = await app.tenant()
    const { id, manifest } = await installFlows(app, shop, [waits('kept')])
    const statesOf = async () => (await runsOf(app, shop)).map(({ state, code }) => code ?? state)
    await waiting(shop, 1)
    await installApp(app, shop, { ...manifest, flows: [] })
    assert.deepEqual(await statesOf(), ['flow_disabled'])
    await installApp(app, shop, manifest)
    const contact = await waiting(shop, 1)
    // Whether a wait is cut short, its run says by the database's clock, whatever the worker's clock said of its end.
    await sql`update flow_steps set ended_at = now() where tenant_id = ${shop.id}`
    await begin(sql, tx => uninstall(tx, operator(shop), id))
    assert.deepEqual(await statesOf(), ['flow_disabled', 'app_uninstalled'])
    await order(shop)
    assert.equal((await ended(shop, 2)).length, 2)
    assert.equal((await installApp(app, shop, manifest)).id, id)
    const path = `/api/platform/apps/${id}/runs`
    const over = ok(await shop.get(path)).data[0]
    assert.deepEqual([over.status, over.code], ['cancelled', 'app_uninstalled'])
    const [pause] = ok(await shop.get(`${path}/${over.id}`)).steps
    assert.deepEqual([pause.status, pause.ended_at], ['cancelled', over.ended_at])
    assert.equal((await shop.post(`${path}/${over.id}/retry`)).body.code, 'not_failed')
    await waiting(shop, 1)
    await aMonthLater(shop)
    assert.equal((await ended(shop, 3)).at(-1)?.state, 'succeeded')
    assert.deepEqual((await contactOf(shop, contact)).tags, ['kept'])
    await begin(sql, tx => uninstall(tx, operator(shop), id))
    await sql`update apps set uninstalled_at = now() - interval '31 days' where tenant_id = ${shop.id}`
    await pruneAll(sql, pruneUninstalled)
    const anew = await installApp(app, shop, manifest)
    assert.notEqual(anew.id, id)
    await waiting(shop, 1)
    assert.equal(ok(await shop.get(`/api/platform/apps/${anew.id}/runs`)).data.length, 1)
    const queues = await sql`select id from flow_queues where tenant_id = ${shop.id}`
    assert.deepEqual(
      queues.map(row => row['id']),
      [anew.id],
      'of the app that is gone nothing is left',
    )
  })
})

suite('calls', () => {
  const CALL: Step[] = [
    { id: 'award', type: 'call_skill', skill: 'award', input: { order: '{{event.order_id}}', token: '{{config.token}}' } },
    { id: 'tag', type: 'tag_contact', tag: '{{steps.award.output.level}}' },
  ] as Step[]
  /** An app whose service answers as told. */
  const calling = async (answer: () => { status: number; body?: unknown }, over: { steps?: Step[] } = {}) => {
    const service = await startService(answer)
    const shop = await app.tenant()
    const skill = {
      id: 'award',
      name: 'Award',
      description: 'Awards points.',
      endpoint: `${service.origin}/award`,
      inputSchema: { type: 'object' },
    }
    const installed = await installFlows(
      app,
      shop,
      [{ steps: over.steps ?? CALL }],
      { skills: [skill], config: [{ key: 'token', type: 'secret', required: true }] },
      { config: { token: 'the-secret-of-this-app' } },
    )
    return { service, shop, installed, path: `/api/platform/apps/${installed.id}/runs` }
  }

  test('a skill is called with the run’s key, its output is there for later steps, and the secret is in no log', async () => {
    const { service, shop, path } = await calling(() => ({ status: 200, body: { level: 'gold' } }))
    const placed = await order(shop)
    const [run] = await ended(shop, 1)
    assert.equal(run?.state, 'succeeded', JSON.stringify(run))
    assert.deepEqual((await contactOf(shop, placed.customer.contact_id)).tags, ['gold'])
    const [request] = service.requests
    assert.deepEqual(request?.body, { order: placed.id, token: 'the-secret-of-this-app' })
    const text = (await shop.get(`${path}/${run?.id}`)).text
    assert.ok(!text.includes('the-secret-of-this-app'))
    assert.deepEqual(JSON.parse(text).steps[0].input, { order: placed.id, token: '••••' })
    assert.deepEqual(JSON.parse(text).steps[0].output, { level: 'gold' })
  })

  test('a setting that is taken away while a run goes on holds it up, for none of its ten minutes', async () => {
    const { service, shop, installed, path } = await calling(() => ({ status: 200 }), {
      steps: [CALL[0], { ...CALL[0], id: 'again' }] as Step[],
    })
    const set = (token: string | null) => begin(sql, tx => configure(tx, operator(shop), installed.id, { token }, app.keyring))
    const answer = Promise.withResolvers<void>()
    service.hold = answer.promise
    const placed = await order(shop)
    await eventually(async () => service.requests.length === 1)
    assert.ok((await set(null)).ok)
    answer.resolve()
    const run = await eventually(async () => (await runsOf(app, shop)).find(({ code }) => code === 'config_required'))
    assert.deepEqual([run.state, run.place], ['waiting', 1])
    const told = ok(await shop.get(`${path}/${run.id}`))
    assert.deepEqual([told.status, told.code, told.steps[1].status], ['waiting', 'config_required', 'waiting'])
    await sql`update flow_runs set since = since - interval '11 minutes' where tenant_id = ${shop.id}`
    assert.ok((await set('another-secret')).ok)
    assert.deepEqual((await ended(shop, 1))[0]?.state, 'succeeded')
    assert.deepEqual(
      service.requests.map(({ body }) => body),
      [
        { order: placed.id, token: 'the-secret-of-this-app' },
        { order: placed.id, token: 'another-secret' },
      ],
    )
  })

  test('a secret leads nowhere but into a call, also in a revision that an earlier program let through', async () => {
    const steps = [{ id: 'tag', type: 'tag_contact', tag: 'x{{run.id}}' }] as Step[]
    const { shop, path } = await calling(() => ({ status: 200 }), { steps })
    await sql`update app_revisions set manifest = replace(manifest, '{{run.id}}', '{{config.token}}') where tenant_id = ${shop.id}`
    const { customer } = await order(shop)
    const [run] = await ended(shop, 1)
    assert.deepEqual((await contactOf(shop, customer.contact_id)).tags, ['x'])
    assert.ok(!(await shop.get(`${path}/${run?.id}`)).text.includes('the-secret-of-this-app'))
  })

  test('characters of an app’s answer that cannot be stored keep no step from its work', async () => {
    const steps = [CALL[0], { id: 'tag', type: 'tag_contact', tag: '{{steps.award.output.level}}' }] as Step[]
    const { shop } = await calling(() => ({ status: 200, body: { level: 'go\0ld\ud800' } }), { steps })
    const { customer } = await order(shop)
    const [run] = await ended(shop, 1)
    assert.equal(run?.state, 'succeeded', JSON.stringify(run))
    assert.deepEqual((await contactOf(shop, customer.contact_id)).tags, ['go\ufffdld\ufffd'])
  })

  test('a large output is read by the steps that name it, and by no claim of the run', async () => {
    const steps = [
      CALL[0],
      { id: 'pause', type: 'wait', minutes: 1 },
      {
        id: 'tag',
        type: 'tag_contact',
        tag: '{{steps.award.output.level}}',
        conditions: [{ field: 'steps.award.output.points', op: 'gt', value: 1 }],
      },
      { id: 'tell', type: 'notify', title: 'Points', body: '{{steps.award.output.points}} {{steps.tag.output.added}}' },
      { id: 'ask', type: 'call_skill', skill: 'award', input: { first: '{{steps.award.output.notes.0}}' } },
      { id: 'last', type: 'tag_contact', tag: '{{steps.ask.output.level}}-again' },
    ] as Step[]
    const notes = ['short', 'x'.repeat(40 * 1024)]
    const { service, shop, installed } = await calling(() => ({ status: 200, body: { level: 'gold', points: 12, notes } }), { steps })
    const { customer } = await order(shop)
    await eventually(async () => (await runsOf(app, shop)).some(({ code }) => code === 'wait'))
    const [queue, token] = [{ tenant: shop.id, id: installed.id }, randomUUID()]
    await eventually(async () => take(sql, queue, token))
    await sql`update flow_runs set due_at = now() - interval '1 second' where tenant_id = ${shop.id}`
    const [claimed] = await claim(sql, queue, token, 8, [])
    assert.ok(JSON.stringify(claimed).length < 16 * 1024, `${JSON.stringify(claimed).length} characters`)
    await release(sql, queue, token)
    const [run] = await ended(shop, 1)
    assert.equal(run?.state, 'succeeded', JSON.stringify(run))
    assert.deepEqual((await contactOf(shop, customer.contact_id)).tags, ['gold', 'gold-again'])
    const [told] = await sql`select doc from notifications where tenant_id = ${shop.id}`
    assert.equal(JSON.parse(told?.['doc']).body, '12 true')
    assert.deepEqual(service.requests[1]?.body, { first: 'short' })
  })

  test('a failed step is tried again by a retry, with the same key, and what was done before is not done again', async () => {
    let status = 400
    const first = { id: 'before', type: 'notify', title: 'Once', body: 'once', level: 'info' } as Step
    const { service, shop, path, installed } = await calling(() => ({ status, body: { level: 'gold' } }), { steps: [first, ...CALL] })
    await order(shop)
    const [failed] = await ended(shop, 1)
    assert.deepEqual([failed?.state, failed?.code, failed?.place], ['failed', 'http_status', 1])
    const [run] = ok(await shop.get(`${path}?status=failed`)).data
    // What an author reads holds no advice to a model.
    assert.match(run.reason, /^The skill “.*” failed\. It answered 400\.$/)
    assert.equal(run.id, failed?.id)
    status = 200
    const disabled = installed.manifest.flows?.map(each => ({ ...each, enabled: false })) ?? []
    for (const flows of [disabled, []]) {
      await installApp(app, shop, { ...installed.manifest, flows })
      const refused = await shop.post(`${path}/${run.id}/retry`)
      assert.deepEqual([refused.status, refused.body.code, refused.body.run_status], [409, 'flow_disabled', 'failed'])
    }
    await installApp(app, shop, installed.manifest)
    assert.equal(ok(await shop.post(`${path}/${run.id}/retry`)).status, 'queued')
    const [done] = await ended(shop, 1)
    assert.equal(done?.state, 'succeeded')
    assert.equal(service.requests.length, 2)
    assert.equal(new Set(service.requests.map(({ key }) => key)).size, 1)
    assert.equal((await sql`select 1 from notifications where tenant_id = ${shop.id}`).length, 1)
    const { steps } = ok(await shop.get(`${path}/${run.id}`))
    assert.deepEqual(
      steps.map((each: { status: string; attempts: number }) => [each.status, each.attempts]),
      [
        ['succeeded', 1],
        ['succeeded', 2],
        ['succeeded', 1],
      ],
    )
    const again = await shop.post(`${path}/${run.id}/retry`)
    assert.deepEqual([again.status, again.body.code, again.body.run_status], [409, 'not_failed', 'succeeded'])
  })

  test('while the app’s breaker is open a run waits, says why, and asks nothing of the app', async () => {
    const { service, shop, installed, path } = await calling(() => ({ status: 500 }))
    for (let failed = 1; failed <= 5; failed++) {
      await order(shop)
      await ended(shop, failed)
    }
    const asked = service.requests.length
    // However long it takes to look, the app is spared meanwhile.
    await sql`update skill_breakers set spared_until = now() + interval '1 hour' where tenant_id = ${shop.id}`
    await order(shop)
    const run = await eventually(async () => (await runsOf(app, shop)).find(({ state, code }) => state === 'waiting' && code !== null))
    assert.equal(run.code, 'app_unavailable')
    const { steps } = ok(await shop.get(`${path}/${run.id}`))
    assert.deepEqual([steps[0].status, steps[0].reason === null], ['waiting', false])
    assert.equal(service.requests.length, asked)
    // Of many that are due, those under way at once are told, and the others wait for what becomes of them.
    await Promise.all(Array.from({ length: 23 }, () => order(shop)))
    const waiting = () =>
      runsOf(app, shop).then(runs => runs.filter(({ state, due_at }) => state === 'waiting' && Number(due_at) > Date.now()))
    await eventually(async () => (await waiting()).length === 24)
    // The last of them may be about to make the others wait.
    await eventually(async () => (await sql`select 1 from flow_queues where tenant_id = ${shop.id} and lease_token is null`).length === 1)
    await sql`update flow_runs set due_at = now() where tenant_id = ${shop.id} and state = 'waiting'`
    await eventually(async () => (await waiting()).length === 24)
    const [{ until }] = await sql<[{ until: Date }]>`select spared_until as until from skill_breakers where tenant_id = ${shop.id}`
    const told = (await waiting()).filter(({ due_at }) => Number(due_at) < until.getTime() + 1_000)
    assert.ok(told.length >= 1 && told.length <= 16, `${told.length} of 24 asked`)
    assert.deepEqual(new Set((await waiting()).map(({ code }) => code)), new Set(['app_unavailable']))
    // What a run waited for when it was ended waits no longer, in either log.
    ok(await shop.post(`${path}/${run.id}/cancel`))
    const over = ok(await shop.get(`${path}/${run.id}`))
    assert.deepEqual([over.status, over.steps[0].status, over.steps[0].ended_at], ['cancelled', 'cancelled', over.ended_at])
    const calls = ok(await shop.get(`/api/platform/apps/${installed.id}/calls?limit=100`)).data
    const statusOf = (id: string) => calls.find(({ run_id }: { run_id: string }) => run_id === id)?.status
    assert.equal(statusOf(run.id), 'cancelled')
    assert.ok(told.some(({ id }) => statusOf(id) === 'waiting'))
  })

  test('eight runs of an app are under way at most: news of more makes them wait their turn, and holds up no others', async () => {
    const held = Promise.withResolvers<void>()
    const [{ service, shop }, other] = [await calling(() => ({ status: 200, body: { level: 'gold' } })), await app.tenant()]
    await installFlows(app, other, [{}])
    service.hold = held.promise
    for (let i = 0; i < 9; i++) await order(shop)
    await eventually(async () => service.requests.length === 8)
    await order(shop)
    await eventually(async () => (await runsOf(app, shop)).filter(({ state }) => state === 'queued').length === 2)
    await order(other)
    assert.equal((await ended(other, 1))[0]?.state, 'succeeded')
    assert.equal(service.requests.length, 8)
    held.resolve()
    assert.ok((await ended(shop, 10)).every(({ state }) => state === 'succeeded'))
    assert.equal(service.requests.length, 10)
  })

  test('what a crash of the server takes back of an app’s lease holds up no run: giving back is durable, and taking is done again', async () => {
    const held = Promise.withResolvers<void>()
    const { service, shop, installed } = await calling(() => ({ status: 200, body: { level: 'gold' } }))
    service.hold = held.promise
    await order(shop)
    await eventually(async () => service.requests.length === 1)
    const queue = { tenant: shop.id, id: installed.id }
    await begin(sql, async tx => {
      await tx`set local synchronous_commit = on`
      await release(tx, queue, randomUUID())
      assert.equal((await tx`show synchronous_commit`)[0]?.['synchronous_commit'], 'on')
    })
    // As before it was taken, with a job that is gone; and the sweep would find that much later.
    await sql`update flow_queues set lease_token = null, lease_until = null, queued_at = now() + interval '1 hour' where tenant_id = ${shop.id}`
    await order(shop)
    await eventually(async () => (await runsOf(app, shop)).length === 2)
    held.resolve()
    assert.ok((await ended(shop, 2)).every(({ state }) => state === 'succeeded'))
  })

  test('an answer that is lost while runs are claimed leaves the app’s lease with no process', async () => {
    const shop = await app.tenant()
    await installFlows(app, shop, [{}])
    await begin(sql, async tx => {
      await tx`lock table flow_steps in access exclusive mode`
      await order(shop)
      const ends = () => sql`
        select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%flow_queues r%cross join lateral%'`
      await eventually(async () => (await ends()).length === 1)
    })
    assert.equal((await ended(shop, 1))[0]?.state, 'succeeded')
  })

  test('runs whose worker loses its standing for a moment go on in that worker, and none of their calls is made again', async () => {
    const held = Promise.withResolvers<void>()
    const { service, shop } = await calling(() => ({ status: 200, body: { level: 'gold' } }))
    service.hold = held.promise
    // More than go on at once, so that the slice has always something left to claim.
    for (let i = 0; i < 9; i++) await order(shop)
    await eventually(async () => service.requests.length === 8)
    // Another session comes before the worker's next one, so that others see the worker standing, and no session answers it.
    const other = await sql.reserve()
    const taking = other`select pg_advisory_lock(worker_lock(process)) from worker_processes`.execute()
    await eventually(async () => (await waitingForAdvisory(sql)).length === 1)
    const standing = part`from pg_stat_activity where datname = current_database() and application_name = 'shopdesk standing'`
    await sql`select pg_terminate_backend(pid) ${standing}`
    await taking
    // It asks in vain for longer than what must not be under way twice may go on.
    const asked = new Set<number>()
    await eventually(async () => {
      for (const { at } of await sql<{ at: Date }[]>`select query_start as at ${standing} and query like '%worker_stand%'`)
        asked.add(at.getTime())
      return asked.size > STANDING_ABORT_MS / STANDING_BEAT_MS + 1
    })
    await other`select pg_advisory_unlock_all()`
    other.release()
    await eventually(
      async () => (await sql`select 1 ${standing} and pid in (select pid from pg_locks where locktype = 'advisory')`).length === 1,
    )
    held.resolve()
    const runs = await ended(shop, 9)
    assert.ok(runs.every(({ state }) => state === 'succeeded'))
    assert.equal(service.requests.length, 9)
  })

  test('apps that hang take no slots for long: more of them are asked than there are slots, a run that found none says so, and others run', async () => {
    const held = Promise.withResolvers<void>()
    const apps = await Promise.all(Array.from({ length: SLOTS + 4 }, () => calling(() => ({ status: 200, body: { level: 'gold' } }))))
    for (const { service } of apps) service.hold = held.promise
    // Their calls begin at the same moment: on a busy machine the first would else have given up their places before the others come.
    await begin(sql, async tx => {
      await tx`lock table skill_calls in exclusive mode`
      await Promise.all(apps.map(({ shop }) => order(shop)))
      await eventually(async () => (await sql`select 1 from flow_steps where state = 'running'`).length > SLOTS / 2 + 1)
    })
    const busy = await eventually(async () => {
      const [run] = await sql<{ id: string; app_id: string; tenant_id: string }[]>`
        select id, app_id, tenant_id from flow_runs where state = 'waiting' and code = 'busy'`
      return run
    })
    const { shop, path } = apps.find(each => each.shop.id === busy.tenant_id) as (typeof apps)[number]
    const run = ok(await shop.get(`${path}/${busy.id}`))
    assert.deepEqual([run.status, run.steps[0].status, run.reason.includes('too many calls')], ['waiting', 'waiting', true])
    await eventually(async () => {
      await sql`update flow_runs set due_at = now() where code = 'busy' and due_at > now()`
      return apps.every(({ service }) => service.requests.length === 1)
    })
    const other = await app.tenant()
    await installFlows(app, other, [{}])
    await order(other)
    assert.equal((await ended(other, 1))[0]?.state, 'succeeded')
    held.resolve()
    for (const each of apps) assert.equal((await ended(each.shop, 1))[0]?.state, 'succeeded')
  })

  test('a run is cancelled, or ended with its app, before its next step: what the call under way brings is not used', async () => {
    for (const end of ['cancel', 'disable', 'upgrade', 'uninstall'] as const) {
      const held = Promise.withResolvers<void>()
      const { service, shop, path, installed } = await calling(() => ({ status: 200, body: { level: 'gold' } }))
      service.hold = held.promise
      const { customer } = await order(shop)
      await eventually(async () => service.requests.length === 1)
      const [run] = await runsOf(app, shop)
      if (end === 'cancel') ok(await shop.post(`${path}/${run?.id}/cancel`))
      if (end === 'disable') await begin(sql, tx => disable(tx, operator(shop), installed.id))
      if (end === 'uninstall') await begin(sql, tx => uninstall(tx, operator(shop), installed.id))
      if (end === 'upgrade') {
        const flows = installed.manifest.flows?.map(each => ({ ...each, enabled: false })) as Flow[]
        await installApp(app, shop, { ...installed.manifest, flows })
      }
      held.resolve()
      await eventually(async () => (await sql`select 1 from flow_queues where tenant_id = ${shop.id} and lease_token is null`).length === 1)
      const [over] = await runsOf(app, shop)
      assert.deepEqual(
        [over?.state, over?.code],
        ['cancelled', { cancel: 'cancelled', disable: 'app_disabled', upgrade: 'flow_disabled', uninstall: 'app_uninstalled' }[end]],
      )
      assert.deepEqual((await contactOf(shop, customer.contact_id)).tags, [])
      const again = await shop.post(`${path}/${run?.id}/cancel`)
      assert.deepEqual([again.status, again.body.code], end === 'uninstall' ? [404, undefined] : [409, 'run_over'])
    }
  })
})

suite('the recipes of the guide', () => {
  test('can be installed together, and each does its work on an event of its type', async () => {
    const service = await startService(() => ({ status: 200, body: { points: 12 } }))
    const shop = await app.tenant()
    const contact = ok(await shop.post('/api/v1/contacts', { name: 'Ada' }))
    const { conversation } = await anInbound(app, shop, { contact_id: contact.id })
    await installApp(app, shop, manifestOf(recipes, service.origin))
    const ids = { con: contact.id, conv: conversation.id } as Record<string, string>
    /** The example of a type, of this contact and conversation, with what the recipes ask for. */
    const happened = (value: unknown, name = ''): unknown => {
      if (name in WANTED) return WANTED[name]
      if (typeof value === 'string') return ids[/^([a-z]+)_[0-9a-z]{26}$/.exec(value)?.[1] ?? ''] ?? value
      if (Array.isArray(value)) return value.map(each => happened(each))
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, happened(each, key)]))
    }
    const WANTED: Record<string, unknown> = {
      total_amount: 60_000,
      text: 'May I have the catalogue?',
      refund_pending: true,
      added: ['vip'],
      conversation_id: conversation.id,
      contact_id: contact.id,
    }
    const triggers = new Set(recipes.map(({ flow }) => flow.trigger))
    const types = eventTypes.filter(({ name }) => triggers.has(name))
    await begin(sql, async tx => {
      for (const type of types) await emit(tx, { tenant: shop.id, actor: { type: 'system' } }, type, happened(type.example) as never)
    })
    const runs = await eventually(async () => {
      const found = (await runsOf(app, shop)).filter(({ depth }) => depth === 0)
      return found.length >= recipes.length && found.every(({ due_at, code }) => due_at === null || code === 'wait') && found
    })
    assert.deepEqual(
      Object.fromEntries(runs.map(({ flow_id, code, state }) => [flow_id, code ?? state])),
      Object.fromEntries(recipes.map(({ flow }) => [flow.id, flow.steps[0]?.type === 'wait' ? 'wait' : 'succeeded'])),
    )
    assert.equal(service.requests.length, 1)
    assert.deepEqual((await contactOf(shop, contact.id)).tags.sort(), ['has-points', 'vip', 'wants-catalogue'])
  })
})

suite('trying a flow', () => {
  test('shows each condition with what it met and each step as rendered, and does nothing; without --dry-run it is a new run', async () => {
    const shop = await app.tenant()
    const dear = { field: 'event.order.total_amount', op: 'gte', value: 5_000 } as const
    const { manifest } = await installFlows(app, shop, [
      { id: 'greet', steps: [{ id: 'tag', type: 'tag_contact', tag: 'n{{event.order.number}}', conditions: [dear] }] as Step[] },
    ])
    const placed = await order(shop)
    await ended(shop, 1)
    const [event] = await sql`select id from events where tenant_id = ${shop.id} and type = 'order.created'`
    const [{ id: name }] = ok(await shop.get('/api/platform/apps')).data
    const run = (...more: string[]) => command(['app', 'run', name, 'greet', '--tenant', shop.id, ...more], settingsOf(app))
    const tried = await run('--event', event?.['id'], '--dry-run')
    assert.equal(tried.code, 0, tried.stderr)
    assert.match(tried.stdout, /greet on order\.created evt_\w+: begins/)
    assert.match(tried.stdout, new RegExp(`✖ event.order.total_amount gte 5000: ${placed.total_amount}`))
    assert.match(tried.stdout, new RegExp(`"tag":"n${placed.number}"`))
    assert.equal((await runsOf(app, shop)).length, 1)
    const onExample = await run('--example', '--dry-run', '--json')
    assert.equal(JSON.parse(onExample.stdout).begins, true)
    const replayed = await run('--event', event?.['id'], '--json')
    const id = JSON.parse(replayed.stdout).run_id
    assert.ok((await ended(shop, 2)).some(each => each.id === id && each.state === 'succeeded'))
    for (const on of [['--example'], ['--event', String(event?.['id'])]]) {
      const mistyped = await command(['app', 'run', name, 'gret', '--tenant', shop.id, ...on], settingsOf(app))
      assert.match(mistyped.stderr, /^<flow> is gret, which is no flow of acme:app-\d+; did you mean greet\?$/m)
    }
    const nothing = await run()
    assert.notEqual(nothing.code, 0)
    assert.match(nothing.stderr, /--example/)
    const trial = () => dryRun(sql, operator(shop), name, 'greet', { event: event?.['id'] }, { ...app, triggers: eventTypes })
    assert.equal((await trial()).held_up, null)
    await installApp(app, shop, { ...manifest, flows: manifest.flows?.map(each => ({ ...each, enabled: false })) ?? [] })
    assert.equal((await trial()).held_up, 'The flow greet is disabled.')
    await begin(sql, tx => disable(tx, operator(shop), name))
    assert.match((await trial()).held_up ?? '', / is disabled; enable it first\.$/)
  })
})

test('a flow that is run on the example of its event goes on after a wait, and where it failed', async () => {
  const shop = await app.tenant()
  const { id, app_id } = await installFlows(app, shop, [
    {
      id: 'later',
      steps: [
        { id: 'pause', type: 'wait', minutes: 5 },
        { id: 'change', type: 'update_record', resource: 'points', external_id: '{{event.order_id}}', values: { points: 2 } },
      ] as Step[],
    },
  ])
  const run = await command(['app', 'run', app_id, 'later', '--example', '--tenant', shop.id], settingsOf(app))
  assert.equal(run.code, 0, run.stderr)
  await eventually(async () => (await runsOf(app, shop)).find(({ state }) => state === 'waiting'))
  await sql`update flow_runs set due_at = now() where tenant_id = ${shop.id}`
  const [failed] = await ended(shop, 1)
  assert.deepEqual([failed?.state, failed?.code], ['failed', 'resource_not_found'], failed?.reason ?? '')
  const external_id = OrderCreated.example?.order_id
  ok(await shop.post(`/api/platform/resources/${encodeURIComponent(app_id)}%3Apoints`, { points: 1, external_id }))
  ok(await shop.post(`/api/platform/apps/${id}/runs/${failed?.id}/retry`))
  const [over] = await ended(shop, 1)
  assert.equal(over?.state, 'succeeded', over?.reason ?? '')
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

  test('an event that begins nothing soon has no row, and has one again as soon as an app has changed', async () => {
    const shop = await app.tenant()
    const asks = (available: number, version: string) =>
      installFlows(app, shop, [{ trigger: 'product.low_stock', conditions: [{ field: 'event.available', op: 'gte', value: available }] }], {
        id: 'acme:foreseen',
        version,
      })
    const rows = (after: () => Promise<unknown> = async () => {}) =>
      begin(sql, async tx => {
        await after()
        await emit(tx, { tenant: shop.id, actor: { type: 'system' } }, ProductLowStock, {
          ...ProductLowStock.example,
          available: 3,
        } as never)
        return (await tx`select 1 from flow_events where tenant_id = ${shop.id}`).length
      })
    const unmatched = () => eventually(async () => (await sql`select 1 from flow_events where tenant_id = ${shop.id}`).length === 0)
    await asks(4, '1.0.0')
    await eventually(async () => (await unmatched()) && (await rows()) === 0)
    assert.deepEqual([...(await runsOf(app, shop))], [])
    // What this process keeps is old by one transaction.
    assert.equal(await rows(() => asks(3, '1.0.1')), 1)
    await ended(shop, 1)
    // Of what may begin there is a row, however often it is looked at.
    assert.equal(await rows(), 1)
    await ended(shop, 2)
  })

  test('emitting costs a workspace without a flow for the event one look in an index, whatever flows others have', async () => {
    const { id: tenant } = await app.tenant()
    const { sql: measured, plan, close } = await explained(app.superuserUrl)
    await measured`set session_replication_role = replica`
    await measured`insert into app_triggers (tenant_id, event_type, app) select 'ten_' || n, 'product.low_stock', 'a' from generate_series(1, 1000) n`
    await measured`reset session_replication_role`
    const { reads, longest } = await plan(() =>
      begin(measured, tx => emit(tx, { tenant, actor: { type: 'system' } }, ProductLowStock, ProductLowStock.example as never)),
    )
    await measured`delete from app_triggers where app = 'a'`
    await close()
    // For a workspace without a row either of the two that begin with the workspace ends at once.
    assert.match(reads.filter(name => /^(app|flow)/.test(name)).join(), /^app_triggers_(pkey|app)$/)
    assert.ok(longest <= 1, `${longest} rows`)
  })

  test('a workspace without a flow for an event has no row of it, and product.low_stock begins one', async () => {
    const [shop, other] = [await app.tenant(), await app.tenant()]
    await installFlows(app, shop, [
      {
        trigger: 'product.low_stock',
        steps: [{ id: 'tell', type: 'notify', title: 'Low', body: '{{event.available}}', level: 'info' }] as Step[],
      },
    ])
    const rows = (tenant: string) =>
      begin(sql, async tx => {
        await emit(tx, { tenant, actor: { type: 'system' } }, ProductLowStock, ProductLowStock.example as never)
        return (await tx`select 1 from flow_events where tenant_id = ${tenant}`).length
      })
    assert.deepEqual([await rows(other.id), await rows(shop.id)], [0, 1])
    await ended(shop, 1)
    const { id } = ok(await shop.post('/api/v1/products', aProduct({ stock: 6 })))
    await order(shop, { items: [aLine({ product_id: id })] })
    await ended(shop, 2)
    await eventuallyHolds(async () => {
      const rows = await sql`select doc from notifications where tenant_id = ${shop.id} order by id`
      assert.deepEqual(
        rows.map(row => JSON.parse(row['doc']).body),
        ['3', '5'],
      )
    })
  })
})
