// What Stripe tells, from the signed callback to the order: each row of docs/payments.md.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { ok } from '../support/given.ts'
import { paymentApp } from './given.ts'
import { charge, dispute, event, intent, refund, session } from './stripe-events.ts'

const app = await paymentApp()
const { tell, orderOf, paymentsOf, refundsOf, eventsOf, mailsOf } = app

/** An order of 49.00 EUR, and the metadata that names it. */
async function ordered(over: Record<string, unknown> = {}) {
  const at = await app.provider('stripe')
  const { id } = await app.order(at, over)
  return { at, id, metadata: { order_id: id } }
}
const paid = (metadata: object, over: object = {}) => event('payment_intent.succeeded', intent({ metadata, ...over }))
const APPLIED = [['applied', null]]
const outcomes = (rows: { status: string; reason: string | null }[]) => rows.map(({ status, reason }) => [status, reason])

suite('a payment of exactly what is owed', () => {
  for (const [type, object] of [
    ['checkout.session.completed', session],
    ['checkout.session.async_payment_succeeded', session],
    ['payment_intent.succeeded', intent],
  ] as const)
    test(`${type} pays the order`, async () => {
      const { at, id, metadata } = await ordered()
      assert.deepEqual(outcomes(await tell(at, event(type, object({ metadata }), { created: 1_780_000_000 }))), APPLIED)
      const order = await orderOf(at, id)
      assert.deepEqual([order.payment_status, order.paid_amount, order.paid_at], ['paid', 4900, '2026-05-28T20:26:40.000Z'])
      assert.deepEqual(order.payment, { method: 'card', provider: 'stripe', reference: 'pi_1', paid_at: order.paid_at })
      const [payment, ...others] = await paymentsOf(at)
      assert.deepEqual(others, [])
      assert.partialDeepStrictEqual(payment, {
        order_id: id,
        provider: 'stripe',
        provider_id: at.id,
        reference: 'pi_1',
        status: 'paid',
        amount: 4900,
        error: null,
      })
      assert.deepEqual(await eventsOf(at), ['order.paid'])
    })

  test('told of twice by two events, and each of them repeated, pays once', async () => {
    const { at, id, metadata } = await ordered()
    const both = [event('checkout.session.completed', session({ metadata })), paid(metadata)]
    await tell(at, ...both)
    const again = await tell(at, ...both)
    assert.deepEqual(outcomes(again), Array(2).fill(['ignored', 'It was taken before.']))
    assert.equal((await orderOf(at, id)).paid_amount, 4900)
    assert.deepEqual([(await paymentsOf(at)).length, await eventsOf(at)], [1, ['order.paid']])
  })

  test('without a name of its order is that of the payment that is known by its intent', async () => {
    const { at, id, metadata } = await ordered()
    await tell(at, event('payment_intent.amount_capturable_updated', intent({ metadata, amount_capturable: 4900, amount_received: 0 })))
    assert.equal((await orderOf(at, id)).payment_status, 'authorized')
    await tell(at, paid({}))
    assert.equal((await orderOf(at, id)).payment_status, 'paid')
  })

  test('that came before its order was named is matched when it is', async () => {
    const { at, id, metadata } = await ordered()
    await tell(at, paid({}))
    assert.equal((await paymentsOf(at))[0].status, 'unmatched')
    await tell(at, event('checkout.session.completed', session({ metadata })))
    assert.deepEqual([(await orderOf(at, id)).payment_status, (await paymentsOf(at)).length], ['paid', 1])
  })

  for (const [currency, told] of [
    ['ISK', 490_000],
    ['MGA', 49],
  ] as const)
    test(`is in minor units where Stripe counts ${currency} otherwise`, async () => {
      const { at, id, metadata } = await ordered({ currency })
      await tell(at, paid(metadata, { currency: currency.toLowerCase(), amount_received: told }))
      assert.equal((await orderOf(at, id)).payment_status, 'paid')
    })

  test('of a cancelled order opens a refund, which Stripe’s word completes', async () => {
    const { at, id, metadata } = await ordered()
    await at.shop.patch(`/api/v1/orders/${id}`, { status: 'CANCELLED' })
    await tell(at, paid(metadata))
    assert.deepEqual([(await orderOf(at, id)).status, (await refundsOf(at, id))[0].status], ['CANCELLED', 'pending'])
    await tell(at, event('charge.refunded', charge()))
    const [done, ...others] = await refundsOf(at, id)
    assert.deepEqual([done.status, done.amount, others], ['completed', 4900, []])
    assert.deepEqual([(await orderOf(at, id)).status, (await orderOf(at, id)).payment_status], ['CANCELLED', 'refunded'])
  })
})

suite('an attempt', () => {
  const failed = (metadata: object) =>
    event(
      'payment_intent.payment_failed',
      intent({ metadata, amount_received: 0, last_payment_error: { code: 'card_declined', message: 'No.' } }),
    )

  test('that failed is noted, and one that succeeds later pays', async () => {
    const { at, id, metadata } = await ordered()
    await tell(at, failed(metadata))
    const [payment] = await paymentsOf(at)
    assert.deepEqual(
      [(await orderOf(at, id)).payment_status, payment.status, payment.error],
      ['failed', 'failed', { code: 'card_declined', message: 'No.' }],
    )
    await tell(at, paid(metadata))
    assert.partialDeepStrictEqual((await paymentsOf(at))[0], { id: payment.id, status: 'paid', error: null })
    assert.equal((await orderOf(at, id)).payment_status, 'paid')
  })

  test('that failed changes nothing that is authorized or paid, however late it is told of', async () => {
    const { at, id, metadata } = await ordered()
    await tell(at, event('payment_intent.amount_capturable_updated', intent({ metadata, amount_capturable: 4900 })), failed(metadata))
    assert.deepEqual([(await orderOf(at, id)).payment_status, (await paymentsOf(at))[0].status], ['authorized', 'authorized'])
    const other = await ordered()
    await tell(other.at, event('payment_intent.amount_capturable_updated', intent({ metadata: other.metadata, amount_capturable: 4899 })))
    const [less] = await paymentsOf(other.at)
    assert.deepEqual(
      [(await orderOf(other.at, other.id)).payment_status, less.status],
      ['unpaid', 'authorized'],
      'nor is less than is owed',
    )
    await tell(at, paid(metadata))
    const before = await orderOf(at, id)
    assert.deepEqual(outcomes(await tell(at, failed(metadata))), [['ignored', 'The payment is paid already.']])
    assert.deepEqual([await orderOf(at, id), (await paymentsOf(at))[0].status], [before, 'paid'])
  })
})

suite('refunds', () => {
  const refunded = (amount_refunded: number, before?: number) =>
    event('charge.refunded', charge({ amount_refunded }), before === undefined ? {} : { previous: { amount_refunded: before } })

  test('what amount_refunded has grown by is a refund, and no growth is none', async () => {
    const { at, id, metadata } = await ordered()
    await tell(at, paid(metadata), refunded(900), refunded(900), refunded(2400))
    assert.deepEqual(
      (await refundsOf(at, id)).map((each: { amount: number }) => each.amount),
      [1500, 900],
    )
    assert.partialDeepStrictEqual(await orderOf(at, id), { status: 'pending', payment_status: 'partially_refunded', refunded_amount: 2400 })
    await tell(at, refunded(4900))
    assert.partialDeepStrictEqual(await orderOf(at, id), { status: 'REFUNDED', payment_status: 'refunded', refunded_amount: 4900 })
    assert.equal((await paymentsOf(at))[0].refunded_amount, 4900)
    assert.deepEqual(await eventsOf(at), ['order.paid', 'order.refunded', 'order.refunded', 'order.refunded', 'order.status_changed'])
  })

  test('before their payment wait for it, and before an earlier one for that', async () => {
    const { at, id, metadata } = await ordered()
    await tell(at, refunded(2400, 900))
    assert.deepEqual([await paymentsOf(at), (await orderOf(at, id)).refunded_amount], [[], 0])
    await tell(at, paid(metadata))
    assert.deepEqual([(await orderOf(at, id)).paid_amount, (await orderOf(at, id)).refunded_amount], [4900, 0])
    await tell(at, refunded(900, 0))
    assert.deepEqual(
      (await refundsOf(at, id)).map((each: { amount: number }) => each.amount),
      [1500, 900],
    )
    assert.deepEqual([...(await app.sql`select 1 from payment_updates_waiting where tenant_id = ${at.shop.id}`)], [])
  })

  test('that failed are corrected once, whichever of two events tells of it, the status is left, and the admins are told', async () => {
    const { at, id, metadata } = await ordered()
    await app.admin(at)
    await tell(at, paid(metadata), refunded(4900), event('refund.failed', refund()), event('charge.refund.updated', refund()))
    assert.partialDeepStrictEqual(await orderOf(at, id), { status: 'REFUNDED', payment_status: 'paid', refunded_amount: 0 })
    assert.deepEqual(
      (await refundsOf(at, id)).map((each: Record<string, unknown>) => [each['status'], each['reference']]),
      [['failed', 're_1']],
    )
    assert.equal((await paymentsOf(at))[0].refunded_amount, 0)
    const [mail, ...others] = await mailsOf(at)
    assert.deepEqual([mail?.kind, others], ['refund.failed', []])
    await tell(at, refunded(1000))
    assert.equal((await orderOf(at, id)).refunded_amount, 1000)
  })

  test('whose failure is told of first are never counted', async () => {
    const { at, id, metadata } = await ordered()
    const [payment, given, failure] = [paid(metadata), refunded(900), event('refund.failed', refund({ amount: 900 }))]
    await tell(at, failure, payment, given)
    assert.partialDeepStrictEqual(await orderOf(at, id), { payment_status: 'paid', refunded_amount: 0 })
    assert.equal((await refundsOf(at, id))[0].status, 'failed')
  })

  test('larger than what is left are not booked, and the admins are told', async () => {
    const { at, id, metadata } = await ordered()
    await app.admin(at)
    await tell(at, paid(metadata))
    await at.shop.post(`/api/v1/orders/${id}/refunds`, { amount: 4000 })
    const [row] = await tell(at, refunded(4900))
    assert.deepEqual([row?.status, /not booked/.test(row?.reason ?? '')], ['ignored', true])
    assert.partialDeepStrictEqual(await orderOf(at, id), { refunded_amount: 4000, status: 'pending' })
    assert.deepEqual(
      (await mailsOf(at)).map(mail => mail.kind),
      ['refund.too_large'],
    )
  })
})

suite('a dispute', () => {
  test('is shown, told of once and mailed with the time to answer; a lost one is a refund', async () => {
    const { at, id, metadata } = await ordered()
    await app.admin(at)
    const opened = event('charge.dispute.created', dispute())
    await tell(at, opened, paid(metadata))
    const [payment] = await paymentsOf(at)
    const due_by = '2026-06-09T10:13:20.000Z'
    assert.deepEqual(payment.dispute, { id: 'dp_1', status: 'needs_response', reason: 'product_not_received', amount: 4900, due_by })
    assert.deepEqual(await eventsOf(at), ['order.paid', 'payment.disputed'])
    assert.deepEqual(
      (await mailsOf(at)).map(({ kind, text }) => [kind, text.includes(due_by), text.includes(id)]),
      [['payment.disputed', true, true]],
    )
    const closed = event('charge.dispute.closed', dispute({ status: 'lost' }))
    await tell(at, closed, event('charge.dispute.updated', dispute({ status: 'under_review' })), { ...closed, id: 'evt_again' })
    const [lost, ...others] = await refundsOf(at, id)
    assert.deepEqual([lost.reason, lost.amount, lost.reference, lost.status, others], ['dispute', 4900, 'dp_1', 'completed', []])
    assert.equal((await paymentsOf(at))[0].dispute.status, 'lost')
    assert.equal((await orderOf(at, id)).status, 'REFUNDED')
    assert.equal((await eventsOf(at)).filter(type => type === 'payment.disputed').length, 1)
    assert.deepEqual(
      (await mailsOf(at)).map(mail => mail.kind),
      ['payment.disputed', 'payment.dispute_closed'],
    )
  })

  test('that was lost is known for good, though another one of its payment is told of after it', async () => {
    const { at, id, metadata } = await ordered()
    const lost = dispute({ status: 'lost', amount: 1000 })
    const another = dispute({ id: 'dp_2', amount: 500 })
    await tell(at, paid(metadata), event('charge.dispute.closed', lost), event('charge.dispute.created', another))
    const [again] = await tell(at, event('charge.dispute.updated', lost))
    assert.deepEqual([again?.status, again?.reason], ['ignored', 'It is known already.'])
    assert.deepEqual([(await orderOf(at, id)).refunded_amount, (await paymentsOf(at))[0].dispute.id], [1000, 'dp_2'])
    await tell(at, event('charge.dispute.closed', { ...another, status: 'lost' }))
    assert.equal((await orderOf(at, id)).refunded_amount, 1500)
  })

  test('that was prevented is decided, and nothing is to be answered', async () => {
    const { at, metadata } = await ordered()
    await app.admin(at)
    const [prevented, open] = [dispute({ status: 'prevented' }), dispute({ id: 'dp_2', amount: 500 })]
    await tell(at, paid(metadata), event('charge.dispute.created', open), event('charge.dispute.created', prevented))
    assert.equal((await paymentsOf(at))[0].dispute.id, 'dp_2')
    assert.deepEqual(
      (await mailsOf(at)).map(mail => mail.kind),
      ['payment.disputed', 'payment.dispute_closed'],
    )
  })

  test('is one of several of its payment: each is told of once, and the one to be answered first is shown', async () => {
    const { at, metadata } = await ordered()
    await app.admin(at)
    const due = (due_by: number) => ({ evidence_details: { due_by, has_evidence: false, past_due: false, submission_count: 0 } })
    const [late, soon] = [dispute(due(1_782_000_000)), dispute({ id: 'dp_2', ...due(1_781_000_000) })]
    const updated = (of: object) => event('charge.dispute.updated', { ...of, status: 'under_review' })
    await tell(at, paid(metadata), event('charge.dispute.created', late), event('charge.dispute.created', soon))
    await tell(at, updated(late), updated(soon), updated(late), updated(soon))
    const shown = async () => (await paymentsOf(at))[0].dispute
    const told = async () =>
      (
        await app.sql`select body::json -> 'data' -> 'payment' -> 'dispute' ->> 'id' as id from events
      where tenant_id = ${at.shop.id} and type = 'payment.disputed' order by seq`
      ).map(row => row['id'])
    assert.deepEqual(await told(), ['dp_1', 'dp_2'])
    assert.partialDeepStrictEqual(await shown(), { id: 'dp_2', status: 'under_review' })
    await tell(at, event('charge.dispute.closed', { ...soon, status: 'won' }))
    assert.partialDeepStrictEqual(await shown(), { id: 'dp_1', status: 'under_review' })
    await tell(at, event('charge.dispute.closed', { ...late, status: 'won' }))
    assert.partialDeepStrictEqual(await shown(), { id: 'dp_1', status: 'won' })
    assert.deepEqual(await told(), ['dp_1', 'dp_2'])
    const mailed = (await mailsOf(at)).flatMap(({ text }) => text.match(/Disputed as dp_.*/g) ?? [])
    assert.deepEqual(mailed.map(line => line.replace(/^Disputed as (dp_.): 4900 EUR, (.*?)( by .*)?$/, '$1 $2')).sort(), [
      'dp_1 decided: won',
      'dp_1 to be answered',
      'dp_2 decided: won',
      'dp_2 to be answered',
    ])
  })

  test('is kept among twenty of its payment, and what is told of one more is ignored and says so', async () => {
    const { at, metadata } = await ordered()
    const opened = (n: number) => event('charge.dispute.created', dispute({ id: `dp_${n}`, amount: 1 }))
    await tell(at, paid(metadata), ...Array.from({ length: 20 }, (_, n) => opened(n)))
    const [more, closed] = await tell(at, opened(20), event('charge.dispute.closed', dispute({ id: 'dp_19', amount: 1, status: 'lost' })))
    assert.deepEqual([more?.status, more?.reason], ['ignored', 'The payment has 20 other disputes, and no more are kept of one.'])
    assert.deepEqual([closed?.status, (await paymentsOf(at))[0].refunded_amount], ['applied', 1])
  })

  test('that was lost after all is a refund, and one that was lost in another currency is none, also of a payment that is accepted', async () => {
    const { at, id, metadata } = await ordered()
    const closed = (over: object) => event('charge.dispute.closed', dispute({ amount: 700, ...over }))
    await tell(at, paid(metadata, { amount_received: 4000 }), closed({ status: 'won' }), closed({ status: 'lost' }))
    await tell(at, closed({ id: 'dp_2', status: 'lost', currency: 'jpy' }))
    const [{ id: payment }] = await paymentsOf(at)
    ok(await at.shop.post(`/api/v1/payments/${payment}/accept`, {}))
    const refunds = (await refundsOf(at, id)).map(({ amount, reference }: Record<string, unknown>) => [amount, reference])
    assert.deepEqual([refunds, (await orderOf(at, id)).refunded_amount], [[[700, 'dp_1']], 700])
  })

  test('that was won leaves the order as it is', async () => {
    const { at, id, metadata } = await ordered()
    await tell(at, paid(metadata))
    const before = await orderOf(at, id)
    await tell(at, event('charge.dispute.closed', dispute({ status: 'won' })))
    assert.deepEqual([await orderOf(at, id), (await paymentsOf(at))[0].dispute.status], [before, 'won'])
  })
})

test('what waited for three days for its payment is unmatched then, and mailed; a payment that comes all the same brings it along', async () => {
  const { at, id, metadata } = await ordered()
  await app.admin(at)
  await tell(
    at,
    event('charge.refunded', charge({ amount_refunded: 900 })),
    event('charge.dispute.created', dispute({ charge: 'ch_2', payment_intent: 'pi_2' })),
  )
  assert.deepEqual(await paymentsOf(at), [])
  await app.sql`update payment_updates_waiting set until = until - interval '3 days' where tenant_id = ${at.shop.id}`

  const unmatched = await eventually(async () => {
    const found = await paymentsOf(at, '?status=unmatched')
    return found.length === 2 ? found : undefined
  })
  assert.deepEqual(
    unmatched.map((each: Record<string, unknown>) => [each['reference'], each['refunded_amount'], each['dispute'] !== null]).sort(),
    [
      ['pi_1', 900, false],
      ['pi_2', 0, true],
    ],
  )
  assert.deepEqual((await mailsOf(at)).map(mail => mail.kind).sort(), ['payment.disputed', 'payment.unmatched'])
  await tell(at, paid(metadata))
  assert.partialDeepStrictEqual(await orderOf(at, id), { paid_amount: 4900, refunded_amount: 900, payment_status: 'partially_refunded' })
})
