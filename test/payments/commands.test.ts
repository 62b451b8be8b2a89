// `shopdesk payment …`: providers made, changed and shown, and what is wrong said in the words of the command line.
import assert from 'node:assert/strict'
import { after, before, mock, test } from 'node:test'
import { Command } from 'commander'
import { diagnose as diagnoseCallbacks } from '../../src/callbacks/diagnosis.ts'
import { commands } from '../../src/payments/commands.ts'
import { diagnose as diagnosePayments } from '../../src/payments/diagnosis.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { settingsOf } from '../support/shopdesk.ts'
import { paymentApp } from './given.ts'
import { dispute, event, intent, SECRET } from './stripe-events.ts'

const app = await paymentApp()
const shop = await app.tenant()

before(() => Object.assign(process.env, settingsOf(app)))
after(() => mock.restoreAll())

async function run(...args: string[]): Promise<string> {
  const said: string[] = []
  const log = mock.method(console, 'log', (text: string) => said.push(text))
  const program = new Command('shopdesk').exitOverride().configureOutput({ writeErr: () => {} })
  commands(program)
  for (const each of program.commands.flatMap(command => [command, ...command.commands]))
    each.exitOverride().configureOutput({ writeErr: () => {} })
  try {
    await program.parseAsync(['payment', ...args, '--tenant', shop.id], { from: 'user' })
  } finally {
    log.mock.restore()
  }
  return said.join('\n')
}
const json = async (...args: string[]) => JSON.parse(await run(...args, '--json'))

test('a provider is made, listed, read, changed, disabled, enabled and deleted; its secret is never shown', async () => {
  const made = await json('create', '--provider', 'stripe', '--secret', SECRET, '--name', 'Our Stripe')
  const provider = await json('get', made.id)
  assert.deepEqual(provider, {
    object: 'payment_provider',
    id: made.id,
    provider: 'stripe',
    name: 'Our Stripe',
    status: 'enabled',
    callback_url: made.callback_url,
    version: 1,
    created_at: provider.created_at,
    updated_at: provider.created_at,
  })
  assert.deepEqual((await json('list')).data, [provider])
  assert.match(await run('list'), new RegExp(`${made.id}.*stripe.*enabled.*Our Stripe`))
  assert.partialDeepStrictEqual(await json('update', made.id, '--name', 'Stripe, EU'), { name: 'Stripe, EU', version: 2 })
  assert.equal((await json('disable', made.id)).status, 'disabled')
  assert.equal((await json('enable', made.id)).status, 'enabled')
  assert.deepEqual(await json('delete', made.id), { object: 'payment_provider', id: made.id, deleted: true })
  assert.deepEqual((await json('list')).data, [])
  for (const name of ['get', 'disable', 'delete']) await assert.rejects(run(name, made.id), /no such payment provider/)
  const rows = await app.sql`select action, details from audit_log where subject_id = ${made.id} order by id`
  assert.deepEqual(
    rows.map(row => row['action']),
    ['create', 'update', 'disable', 'enable', 'delete'].map(each => `payment_provider.${each}`),
  )
  assert.doesNotMatch(JSON.stringify(rows), /whsec/)
  const [kept] = await app.sql`select secrets from payment_providers where id = ${made.id}`
  assert.equal(kept?.['secrets'], null)
})

test('another workspace’s provider is none', async () => {
  const { id } = await app.provider('stripe')
  for (const args of [
    ['get', id],
    ['update', id, '--name', 'x'],
    ['disable', id],
    ['delete', id],
    ['log', id],
    ['reapply', id],
  ])
    await assert.rejects(run(...args), /no such payment provider/i)
})

test('a secret that is missing or wrong is said so, and not repeated', async () => {
  await assert.rejects(run('create', '--provider', 'stripe'), /--secret is required: the signing secret/)
  await assert.rejects(run('create', '--provider', 'stripe', '--secret', 'sk_live_secret'), ({ message }: Error) => {
    assert.match(message, /--secret must be a signing secret/)
    assert.doesNotMatch(message, /sk_live/)
    return true
  })
  await assert.rejects(run('create', '--provider', 'generic', '--secret', SECRET), /--secret is made here/)
  await assert.rejects(run('create', '--provider', 'stripe', '--secret', '@/nowhere/secret'), /--secret: \/nowhere\/secret cannot be read/)
  await assert.rejects(run('update', 'pay_x'), /at least one of --secret, --name/)
})

test('the ledger shows payments, filtered', async () => {
  const at = await app.provider('stripe', shop)
  const { id } = await app.order(at)
  await app.tell(at, event('payment_intent.succeeded', intent({ amount_received: 1, metadata: { order_id: id } })))
  const { data } = await json('ledger', '--status', 'mismatched,unmatched')
  assert.deepEqual([data.length, data[0].order_id], [1, id])
  assert.match(await run('ledger', '--order-id', id), /mismatched.*The order owes 4900, the payment is of 1\./)
  assert.equal(await run('ledger', '--status', 'failed'), 'None.')
  const { id: lost } = await app.order(at)
  const of = { charge: 'ch_lost', payment_intent: 'pi_lost' }
  await app.tell(at, event('payment_intent.succeeded', intent({ id: 'pi_lost', latest_charge: 'ch_lost', metadata: { order_id: lost } })))
  await app.tell(at, event('charge.dispute.closed', dispute({ ...of, amount: 900, status: 'lost' })))
  assert.match(await run('ledger', '--order-id', lost), /paid +4900 +900 .*dispute: lost/)
  await assert.rejects(run('ledger', '--status', 'lost'), /--status/)
})

test('the log shows what was told; what failed is applied again', async () => {
  const at = await app.provider('stripe', shop)
  await app.tell(at, event('customer.created', {}))
  assert.match(await run('log', at.id), /ignored.*customer\.created is no type of event/)
  const { id } = await app.order(at)
  await app.tell(at, event('payment_intent.succeeded', intent({ id: 'pi_again', metadata: { order_id: id } })))
  // As if what applies it had been at fault.
  await app.sql`update callbacks set status = 'failed' where source_id = ${at.id} and status = 'applied'`
  await app.sql`delete from payment_events_taken where provider_id = ${at.id}`
  assert.deepEqual(await json('reapply', at.id), { id: at.id, reapplied: 1 })
  await eventuallyHolds(async () => assert.deepEqual((await json('log', at.id, '--status', 'failed')).data, []))
  assert.equal((await app.orderOf(at, id)).paid_amount, 4900)
})

test('doctor names what could not be applied, and which workspaces have payments that wait for a person', async () => {
  const at = await app.provider('stripe')
  const { id } = await app.order(at)
  await app.tell(at, event('payment_intent.succeeded', intent({ id: 'pi_less', amount_received: 1, metadata: { order_id: id } })))
  await eventuallyHolds(async () => assert.match((await diagnosePayments(app.sql)).text, new RegExp(`1 of ${at.shop.id}`)))
  assert.equal((await diagnoseCallbacks(app.sql)).ok, true)
  await app.sql`update callbacks set status = 'failed' where source_id = ${at.id}`
  const { ok, text } = await diagnoseCallbacks(app.sql)
  assert.equal(ok, false)
  assert.match(text, new RegExp(`1 of ${at.id}: bin/shopdesk payment log ${at.id} --status failed --tenant ${at.shop.id}`))
})
