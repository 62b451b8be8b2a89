// When money, a signature or a shape is wrong: never a wrong `paid`, never a 500, and nothing kept that nobody signed.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { before, suite, test } from 'node:test'
import { signWebhook } from '../../src/outbound/sign.ts'
import { change, disable, enable, remove } from '../../src/payments/providers/providers.ts'
import { begin } from '../../src/postgres/sql.ts'
import type { Reply } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { anOrder, assertProblem, nobody, ok } from '../support/given.ts'
import { type Provider, paymentApp } from './given.ts'
import { event, intent, SECRET, session, signature } from './stripe-events.ts'

const app = await paymentApp()
const { tell, orderOf, paymentsOf, eventsOf, mailsOf, post, pathOf } = app
let made = 0
const MAX = Number.MAX_SAFE_INTEGER

/** An event of the generic format, of a payment of 49.00 EUR. */
const told = (over: object = {}) => ({
  id: `e${++made}`,
  type: 'payment.succeeded',
  reference: `p${made}`,
  amount: 4900,
  currency: 'EUR',
  ...over,
})

async function shopWith(kind: Provider['kind'] = 'generic') {
  const at = await app.provider(kind)
  await app.admin(at)
  return { at, id: (await app.order(at)).id as string }
}

suite('money that is not exactly what is owed pays nothing', () => {
  const mismatches: [string, object, string][] = [
    ['smaller', { amount: 4899 }, 'amount_mismatch'],
    ['larger', { amount: 4901 }, 'amount_mismatch'],
    ['of zero', { amount: 0 }, 'amount_not_positive'],
    ['below zero', { amount: -4900 }, 'amount_not_positive'],
    ['in another currency', { currency: 'USD' }, 'currency_mismatch'],
  ]
  for (const [name, over, code] of mismatches)
    for (const kind of ['generic', 'stripe'] as const)
      test(`a payment ${name} is mismatched, by ${kind}: mailed, and its order untouched`, async () => {
        const { at, id } = await shopWith(kind)
        const before = await orderOf(at, id)
        const { amount, currency } = told(over)
        const asStripe = event(
          'payment_intent.succeeded',
          intent({ amount_received: amount, currency: currency.toLowerCase(), metadata: { order_id: id } }),
        )
        const given = kind === 'stripe' ? asStripe : told({ order_id: id, ...over })
        await tell(at, given, given)
        assert.deepEqual(await orderOf(at, id), before)
        const [payment, ...others] = await paymentsOf(at, '?status=mismatched,unmatched')
        assert.deepEqual(others, [])
        assert.partialDeepStrictEqual(payment, { order_id: id, status: 'mismatched', amount, currency, error: { code } })
        assert.deepEqual(await eventsOf(at), ['payment.mismatched'])
        const [row] = await app.sql`select body from events where tenant_id = ${at.shop.id} and type = 'payment.mismatched'`
        assert.deepEqual(JSON.parse(row?.['body']).data, { payment_id: payment.id, payment, order_id: id })
        const mails = await mailsOf(at)
        assert.deepEqual(
          mails.map(mail => mail.kind),
          ['payment.mismatched'],
        )
        for (const part of [payment.id, id, payment.error.message, 'accept']) assert.ok(mails[0]?.text.includes(part), part)
      })

  test('a second payment of a paid order is mismatched', async () => {
    const { at, id } = await shopWith()
    await tell(at, told({ order_id: id }))
    const before = await orderOf(at, id)
    await tell(at, told({ order_id: id }))
    assert.deepEqual(await orderOf(at, id), before)
    assert.equal((await paymentsOf(at, '?status=mismatched'))[0].error.code, 'already_paid')
  })

  for (const [name, naming, code] of [
    ['no order', () => ({}), 'no_order'],
    ['an order that is none', () => ({ order_id: nobody('ord') }), 'unknown_order'],
    ['an id that is none', () => ({ order_id: "ord_'; --" }), 'unknown_order'],
    ['a number that is none', () => ({ order_number: 999_999 }), 'unknown_order'],
    ['another workspace’s order', async () => ({ order_id: (await shopWith()).id }), 'unknown_order'],
  ] as const)
    test(`a payment that names ${name} is unmatched, mailed, and pays nothing`, async () => {
      const { at, id } = await shopWith()
      const before = await orderOf(at, id)
      const given = await naming()
      await tell(at, told(given))
      const [payment] = await paymentsOf(at)
      assert.partialDeepStrictEqual(payment, { order_id: null, status: 'unmatched', error: { code } })
      assert.deepEqual([await orderOf(at, id), await eventsOf(at)], [before, []])
      assert.deepEqual(
        (await mailsOf(at)).map(mail => mail.kind),
        ['payment.unmatched'],
      )
      if ('order_id' in given) {
        const [foreign] = await app.sql`select doc from orders where id = ${given.order_id as string}`
        if (foreign) assert.equal(JSON.parse(foreign['doc']).payment_status, 'unpaid')
      }
    })

  for (const [name, of] of [
    ['an unpaid session', (metadata: object) => event('checkout.session.completed', session({ metadata, payment_status: 'unpaid' }))],
    [
      'a session without a charge',
      (metadata: object) => event('checkout.session.completed', session({ metadata, payment_status: 'no_payment_required' })),
    ],
    ['an event that we do not know', (metadata: object) => event('invoice.paid', { id: 'in_1', metadata })],
    [
      'an authorization of no known order',
      () => event('payment_intent.amount_capturable_updated', intent({ metadata: { order_id: nobody('ord') } })),
    ],
    ['a declined payment of no order', () => event('payment_intent.payment_failed', intent({ metadata: {} }))],
    ['an event without a payment', () => event('payment_intent.succeeded', {})],
  ] as const)
    test(`${name} is kept, ignored with its reason, and pays nothing`, async () => {
      const { at, id } = await shopWith('stripe')
      const [row] = await tell(at, of({ order_id: id }))
      assert.equal(row?.status, 'ignored')
      assert.ok(row?.reason)
      assert.deepEqual([(await orderOf(at, id)).payment_status, await paymentsOf(at)], ['unpaid', []])
    })

  test('a refund larger than its payment is not booked, and the admins are told', async () => {
    const { at, id } = await shopWith()
    await tell(at, told({ order_id: id, reference: 'p' }))
    const [row] = await tell(at, told({ type: 'refund.succeeded', reference: 'p', amount: 4901, refund_id: 'r' }))
    assert.equal(row?.status, 'ignored')
    assert.partialDeepStrictEqual(await orderOf(at, id), { refunded_amount: 0, payment_status: 'paid' })
    assert.deepEqual(
      (await mailsOf(at)).map(mail => mail.kind),
      ['refund.too_large'],
    )
  })

  test('a failed refund in another currency than its payment takes nothing back', async () => {
    const { at, id } = await shopWith()
    const refund = { reference: 'p', refund_id: 'r', amount: 900 }
    await tell(at, told({ order_id: id, reference: 'p' }), told({ ...refund, type: 'refund.succeeded' }))
    const [row] = await tell(at, told({ ...refund, type: 'refund.failed', currency: 'JPY' }))
    assert.deepEqual([row?.status, row?.reason], ['ignored', 'It is in JPY, the payment in EUR.'])
    assert.equal((await orderOf(at, id)).refunded_amount, 900)
  })

  test('any number of refunds of the largest amount that can be told are ignored, and one that is right is booked all the same', async () => {
    const { at, id } = await shopWith()
    const refund = { type: 'refund.succeeded', reference: 'p', amount: MAX }
    await tell(at, told({ order_id: id, reference: 'p' }), told(refund))
    // The sum of a thousand and a few of them is more than the column holds.
    await app.sql`update payments set told_refunded_amount = 1024 * ${MAX}::bigint - 1 where order_id = ${id}`
    const [row] = await tell(at, told(refund))
    assert.match(`${row?.status}: ${row?.reason}`, /^ignored: More would be given back than was paid/)
    await tell(at, told({ ...refund, amount: 900 }))
    assert.equal((await orderOf(at, id)).refunded_amount, 900)
  })

  for (const [name, over] of [
    ['a refund', { type: 'refund.succeeded', refund_id: 'r' }],
    ['a lost dispute', { type: 'dispute.lost' }],
  ] as const)
    test(`${name} in another currency than its payment gives nothing back, and the admins are told`, async () => {
      const { at, id } = await shopWith()
      await tell(at, told({ order_id: id, reference: 'p' }))
      await tell(at, told({ ...over, reference: 'p', amount: 4900, currency: 'JPY' }))
      assert.partialDeepStrictEqual(await orderOf(at, id), { refunded_amount: 0, payment_status: 'paid' })
      const [mail, ...more] = await mailsOf(at)
      assert.deepEqual(more, [])
      assert.match(mail?.text ?? '', /4900 JPY/)
    })

  test('refunds that come too long before their payment are booked with it, or none of them where they are more than it, and the admins are told', async () => {
    const lives = [
      { amounts: [900, 300], refunded: 1200, mails: [] },
      { amounts: [900, 4500], refunded: 0, mails: ['refund.too_large'] },
    ]
    const end = async ({ amounts, refunded, mails }: (typeof lives)[number]): Promise<void> => {
      const { at, id } = await shopWith()
      await tell(at, ...amounts.map((amount, n) => told({ type: 'refund.succeeded', reference: 'p', amount, refund_id: `r${n}` })))
      await app.sql`update payment_updates_waiting set until = until - interval '3 days' where tenant_id = ${at.shop.id}`
      await eventually(async () => (await paymentsOf(at, '?status=unmatched')).length === 1)
      await tell(at, told({ order_id: id, reference: 'p' }))
      const [payment] = await paymentsOf(at)
      assert.deepEqual([payment.status, payment.refunded_amount, (await orderOf(at, id)).refunded_amount], ['paid', refunded, refunded])
      const kinds = (await mailsOf(at)).map(mail => mail.kind)
      assert.deepEqual(kinds, ['payment.unmatched', ...mails])
    }
    await Promise.all(lives.map(end))
  })

  test('a refund by its own id is booked once, and its failure takes it back once', async () => {
    const { at, id } = await shopWith()
    const refund = { type: 'refund.succeeded', reference: 'p', amount: 900, refund_id: 'r1' }
    await tell(at, told({ order_id: id, reference: 'p' }), told(refund), told(refund), told({ ...refund, refund_id: 'r2', amount: 100 }))
    assert.equal((await orderOf(at, id)).refunded_amount, 1000)
    // Another amount than the refund's changes nothing about which refund it is.
    const failed = { ...refund, type: 'refund.failed', amount: 700 }
    await tell(at, told(failed), told(failed))
    assert.equal((await orderOf(at, id)).refunded_amount, 100)
  })

  test('a refund that was recorded with its id, of an order of two payments, is not booked again when its provider tells of it', async () => {
    const { at, id } = await shopWith()
    ok(await at.shop.post(`/api/v1/orders/${id}/payments`, { amount: 1000 }))
    await tell(at, told({ order_id: id, reference: 'two', amount: 3900 }))
    ok(await at.shop.post(`/api/v1/orders/${id}/refunds`, { amount: 500, reference: 're_1' }))
    const [row] = await tell(at, told({ type: 'refund.succeeded', reference: 'two', amount: 500, refund_id: 're_1' }))
    assert.equal(row?.status, 'ignored')
    assert.equal((await orderOf(at, id)).refunded_amount, 500)
  })

  test('a refund that was recorded with its id, of an order of two payments, is undone once when its provider tells that it failed', async () => {
    for (const isTold of [false, true]) {
      const { at, id } = await shopWith()
      ok(await at.shop.post(`/api/v1/orders/${id}/payments`, { amount: 1000 }))
      const refund = { type: 'refund.succeeded', reference: 'two', amount: 500, refund_id: 're_1' }
      await tell(at, told({ order_id: id, reference: 'two', amount: 3900 }), told({ ...refund, refund_id: 're_2', amount: 300 }))
      ok(await at.shop.post(`/api/v1/orders/${id}/refunds`, { amount: 500, reference: 're_1' }))
      const failed = { ...refund, type: 'refund.failed' }
      await tell(at, ...(isTold ? [told(refund)] : []), told(failed), told({ ...failed, amount: 499 }))
      assert.equal((await orderOf(at, id)).refunded_amount, 300)
      const payment = (await paymentsOf(at)).find((each: { reference: string }) => each.reference === 'two')
      assert.equal(payment.refunded_amount, 300)
      assert.deepEqual(
        (await app.refundsOf(at, id)).map(({ reference, status }: { reference: string; status: string }) => [reference, status]).sort(),
        [
          ['re_1', 'failed'],
          ['re_2', 'completed'],
        ],
      )
      assert.deepEqual(
        (await mailsOf(at)).map(mail => mail.kind),
        ['refund.failed'],
      )
    }
  })

  test('a refund that was recorded with its id takes off nothing of others when it fails', async () => {
    for (const types of [
      ['refund.succeeded', 'refund.failed'],
      ['refund.failed', 'refund.succeeded'],
    ]) {
      const { at, id } = await shopWith()
      await tell(at, told({ order_id: id, reference: 'p' }))
      ok(await at.shop.post(`/api/v1/orders/${id}/refunds`, { amount: 1000, reference: 're_1' }))
      for (const type of types) await tell(at, told({ type, reference: 'p', amount: 1000, refund_id: 're_1' }))
      assert.equal((await orderOf(at, id)).refunded_amount, 0)
      const unnamed = { reference: 'p', amount: 500 }
      await tell(at, told({ ...unnamed, type: 'refund.succeeded' }))
      assert.equal((await orderOf(at, id)).refunded_amount, 500)
      await tell(at, told({ ...unnamed, type: 'refund.failed' }))
      assert.equal((await orderOf(at, id)).refunded_amount, 0)
    }
  })

  test('a refund that is recorded without a reference, and that its provider has told of, is asked about; with one it is another refund', async () => {
    for (const kind of ['generic', 'stripe'] as const) {
      const { at, id } = await shopWith()
      const record = (body: object) => at.shop.post(`/api/v1/orders/${id}/refunds`, body)
      await tell(at, told({ order_id: id, reference: 'p' }))
      ok(await record({ amount: 700 }))
      ok(await record({ amount: 700 }))
      const of = { type: 'refund.succeeded', reference: 'p', amount: 900 }
      await tell(at, told(kind === 'generic' ? { ...of, refund_id: 're_1' } : of))
      const [{ id: refund_id }] = (await app.refundsOf(at, id)).filter((each: { amount: number }) => each.amount === 900)
      const { status, body } = await record({ amount: 900 })
      assert.deepEqual([status, body.code, body.refund_id], [409, 'already_told', refund_id])
      ok(await record({ amount: 900, reference: 'cash, 3 June' }))
      assert.equal((await orderOf(at, id)).refunded_amount, 3200)
      const rest = await record({})
      assert.equal(rest.status, 201, rest.text)
      await tell(at, told({ ...of, type: 'refund.failed', refund_id: 're_1' }))
      assert.equal((await orderOf(at, id)).refunded_amount, 4000)
    }
  })

  test('a refund that has failed is not asked about', async () => {
    const { at, id } = await shopWith()
    const of = { reference: 'p', amount: 900, refund_id: 're_1' }
    await tell(
      at,
      told({ order_id: id, reference: 'p' }),
      told({ ...of, type: 'refund.succeeded' }),
      told({ ...of, type: 'refund.failed' }),
    )
    ok(await at.shop.post(`/api/v1/orders/${id}/refunds`, { amount: 900 }))
    assert.equal((await orderOf(at, id)).refunded_amount, 900)
  })

  test('a failed refund that is told of before the refund takes nothing of what was given back by hand', async () => {
    const { at, id } = await shopWith()
    await tell(at, told({ order_id: id, reference: 'hand' }))
    ok(await at.shop.post(`/api/v1/orders/${id}/refunds`, { amount: 500 }))
    const of = { reference: 'hand', amount: 500, refund_id: 're_1' }
    await tell(at, told({ ...of, type: 'refund.failed' }))
    assert.equal((await orderOf(at, id)).refunded_amount, 500)
    await tell(at, told({ ...of, type: 'refund.succeeded' }))
    assert.equal((await orderOf(at, id)).refunded_amount, 500)
  })

  test('a failed refund of zero or less is a part of no other, and one that is known by its own id fails whole', async () => {
    const { at, id } = await shopWith()
    const refund = { type: 'refund.succeeded', reference: 'p' }
    await tell(
      at,
      told({ order_id: id, reference: 'p' }),
      told({ ...refund, amount: 1000 }),
      told({ ...refund, amount: 300, refund_id: 'r' }),
    )
    const before = await app.refundsOf(at, id)
    const failed = { type: 'refund.failed', reference: 'p' }
    const rows = await tell(at, ...[0, -500, -MAX].map(amount => told({ ...failed, amount, refund_id: `of ${amount}` })))
    for (const row of rows) assert.deepEqual([row.status, row.reason], ['ignored', 'A refund of zero or less gives nothing back.'])
    assert.deepEqual(await app.refundsOf(at, id), before)
    await tell(at, told({ ...failed, amount: MAX, refund_id: 'r' }))
    assert.equal((await orderOf(at, id)).refunded_amount, 1000)
    await tell(at, told({ ...refund, amount: 3900 }))
    assert.partialDeepStrictEqual(await orderOf(at, id), { refunded_amount: 4900, payment_status: 'refunded' })
  })

  test('a refund that is named as its payment is keeps no lost dispute from being booked', async () => {
    const { at, id } = await shopWith()
    const given = { order_id: id, reference: 'p' }
    const lost = told({ ...given, type: 'dispute.lost', amount: 500 })
    await tell(at, told(given), told({ ...given, type: 'refund.succeeded', refund_id: 'p', amount: 1000 }), lost, { ...lost, id: 'again' })
    assert.equal((await orderOf(at, id)).refunded_amount, 1500)
  })

  test('a loss that was booked beside a refund of its name, before it was noted by which refunds, is not booked again', async () => {
    const { at, id } = await shopWith()
    const refund = { reference: 'p', refund_id: 'p', amount: 1000 }
    await tell(at, told({ order_id: id, reference: 'p' }), told({ ...refund, type: 'refund.succeeded' }))
    await tell(at, told({ reference: 'p', type: 'dispute.lost', amount: 500 }))
    await app.sql`
      update payments set disputes = (select json_agg(d::jsonb - 'booked') from json_array_elements(disputes::json) d)::text::json
       where tenant_id = ${at.shop.id}`
    await tell(at, told({ ...refund, type: 'refund.failed' }))
    assert.equal((await orderOf(at, id)).refunded_amount, 500)
  })

  test('an order is found by its number and by its external id', async () => {
    const { at } = await shopWith()
    const { number } = await app.order(at)
    const { id } = ok(
      await at.shop.post('/api/v1/orders', anOrder({ external_id: 'web-1', items: [{ name: 'Lamp', unit_amount: 100, quantity: 1 }] })),
    )
    await tell(at, told({ order_number: number }), told({ external_id: 'web-1', amount: 100 }))
    assert.deepEqual(
      (await paymentsOf(at)).map((each: { status: string }) => each.status),
      ['paid', 'paid'],
    )
    assert.equal((await orderOf(at, id)).payment_status, 'paid')
  })
})

suite('accepting', () => {
  const accept = ({ shop }: Provider, id: string, body: object = {}) => shop.post(`/api/v1/payments/${id}/accept`, body)
  const refused = (reply: Reply, id: string, status: number, code: string) =>
    assertProblem(reply, {
      status,
      slug: status === 409 ? 'conflict' : 'validation-failed',
      instance: `/api/v1/payments/${id}/accept`,
      code,
    })

  test('a part books it as it is, and the order is paid when the sum is reached', async () => {
    const { at, id } = await shopWith()
    await tell(at, told({ order_id: id, amount: 4000 }))
    const [part] = await paymentsOf(at)
    const accepted = ok(await accept(at, part.id))
    assert.partialDeepStrictEqual(accepted, { id: part.id, status: 'paid', error: null, order_id: id, amount: 4000 })
    assert.partialDeepStrictEqual(await orderOf(at, id), { payment_status: 'unpaid', paid_amount: 4000 })
    await tell(at, told({ order_id: id, amount: 900 }))
    assert.partialDeepStrictEqual(await orderOf(at, id), { payment_status: 'paid', paid_amount: 4900 })
    refused(await accept(at, part.id), part.id, 409, 'payment_settled')
  })

  test('more than is owed is booked as it is, with what was given back of it meanwhile', async () => {
    const { at, id } = await shopWith()
    await tell(at, told({ order_id: id, amount: 6000, reference: 'p' }), told({ type: 'refund.succeeded', reference: 'p', amount: 1100 }))
    const [payment] = await paymentsOf(at)
    assert.deepEqual([payment.status, payment.refunded_amount], ['mismatched', 1100])
    const { id: other } = await app.order(at)
    refused(await accept(at, payment.id, { order_id: other }), payment.id, 422, 'not_combinable')
    ok(await accept(at, payment.id))
    assert.partialDeepStrictEqual(await orderOf(at, id), { payment_status: 'partially_refunded', paid_amount: 6000, refunded_amount: 1100 })
  })

  test('more than can be counted is refused, and leaves what was paid', async () => {
    const { at, id } = await shopWith()
    await tell(at, told({ order_id: id, amount: MAX }), told({ order_id: id, amount: 1 }))
    const [one, most] = await paymentsOf(at)
    ok(await accept(at, most.id))
    refused(await accept(at, one.id), one.id, 409, 'sum_too_large')
    assert.equal((await orderOf(at, id)).paid_amount, MAX)
  })

  test('and telling and recording go on where what a contact has spent is more than a column holds', async () => {
    const { at } = await shopWith()
    const amount = 100 * 9999 * 9_000_000_000
    const items = Array.from({ length: 100 }, () => ({ name: 'Star', unit_amount: 9_000_000_000, quantity: 9999 }))
    const orders = [await app.order(at, { items }), await app.order(at, { items }), await app.order(at, { items })]
    const contact = orders[0].customer.contact_id
    const spent = async () => ok(await at.shop.get(`/api/v1/contacts/${contact}`)).total_spent_amount
    const keptSum = (sum: bigint) => app.sql`update contacts set total_spent_amount = ${String(sum)} where id = ${contact}`
    const EDGE = 2n ** 63n - 1n

    await keptSum(EDGE - BigInt(amount))
    await tell(at, ...orders.slice(0, 2).map(order => told({ order_id: order.id, reference: order.id, amount })))
    ok(await at.shop.post(`/api/v1/orders/${orders[2].id}/payments`, {}))
    await tell(at, told({ order_id: orders[2].id, amount: MAX - amount }))
    ok(await accept(at, (await paymentsOf(at, '?status=mismatched'))[0].id))
    const paid = await Promise.all(orders.map(order => orderOf(at, order.id)))
    assert.deepEqual([paid.map(order => order.paid_amount), await spent()], [[amount, amount, MAX], MAX])
    await keptSum(BigInt(amount))
    await tell(at, ...orders.slice(0, 2).map(order => told({ type: 'refund.succeeded', reference: order.id, amount })))
    ok(await at.shop.post(`/api/v1/orders/${orders[2].id}/refunds`, {}))
    const returned = await Promise.all(orders.map(order => orderOf(at, order.id)))
    assert.deepEqual([returned.map(order => order.payment_status), await spent()], [Array(3).fill('refunded'), 0])

    const other = ok(await at.shop.post('/api/v1/contacts', { name: 'Ada' }))
    await keptSum(EDGE)
    await app.sql`update contacts set total_spent_amount = ${String(EDGE)} where id = ${other.id}`
    assert.equal(ok(await at.shop.post(`/api/v1/contacts/${contact}/merge`, { contact_id: other.id })).total_spent_amount, MAX)
  })

  test('an unmatched one needs its order, which has to be one', async () => {
    const { at, id } = await shopWith()
    await tell(at, told())
    const [payment] = await paymentsOf(at)
    refused(await accept(at, payment.id), payment.id, 422, 'required')
    refused(await accept(at, payment.id, { order_id: nobody('ord') }), payment.id, 422, 'unknown_order')
    refused(await accept(at, payment.id, { order_id: (await shopWith()).id }), payment.id, 422, 'unknown_order')
    ok(await accept(at, payment.id, { order_id: id }))
    assert.equal((await orderOf(at, id)).payment_status, 'paid')
  })

  test('twenty at once, for two orders, book once', async () => {
    const { at, id } = await shopWith()
    const other = (await app.order(at)).id
    await tell(at, told())
    const [payment] = await paymentsOf(at)
    const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => accept(at, payment.id, { order_id: n % 2 ? id : other })))
    assert.deepEqual(replies.map(reply => reply.status).filter(status => status === 200).length, 1)
    assert.deepEqual((await Promise.all([orderOf(at, id), orderOf(at, other)])).map(order => order.paid_amount).sort(), [0, 4900])
  })

  const cases: [string, object, number, string][] = [
    ['zero', { amount: 0 }, 409, 'amount_not_positive'],
    ['less than zero', { amount: -1 }, 409, 'amount_not_positive'],
    ['another currency', { currency: 'USD' }, 409, 'currency_mismatch'],
  ]
  for (const [name, over, status, code] of cases)
    test(`${name} is refused and changes nothing`, async () => {
      const { at, id } = await shopWith()
      await tell(at, told({ order_id: id, ...over }))
      const [payment] = await paymentsOf(at)
      refused(await accept(at, payment.id), payment.id, status, code)
      assert.deepEqual([(await orderOf(at, id)).paid_amount, (await paymentsOf(at))[0]], [0, payment])
    })

  test('what was given back in full is refused', async () => {
    const { at, id } = await shopWith()
    await tell(at, told({ order_id: id, amount: 5000, reference: 'p' }), told({ type: 'refund.succeeded', reference: 'p', amount: 5000 }))
    const [payment] = await paymentsOf(at)
    refused(await accept(at, payment.id), payment.id, 409, 'payment_refunded')
  })
})

suite('a signature', () => {
  let stripe: Provider
  let generic: Provider
  before(async () => {
    stripe = await app.provider('stripe')
    generic = await app.provider('generic')
  })
  const raw = JSON.stringify(event('payment_intent.succeeded', intent()))
  const now = () => Math.floor(Date.now() / 1000)
  const sha1 = (body: string) => `t=${now()},v0=${createHmac('sha1', SECRET).update(`${now()}.${body}`).digest('hex')}`
  const wrong: [string, () => Record<string, string>][] = [
    ['missing', () => ({})],
    ['empty', () => ({ 'Stripe-Signature': '' })],
    ['malformed', () => ({ 'Stripe-Signature': 'v1=5e5e' })],
    ['shortened', () => ({ 'Stripe-Signature': signature(raw).slice(0, -1) })],
    ['of another body', () => ({ 'Stripe-Signature': signature(`${raw} `) })],
    ['by another secret', () => ({ 'Stripe-Signature': signature(raw, `whsec_${'00'.repeat(32)}`) })],
    ['ten minutes old', () => ({ 'Stripe-Signature': signature(raw, SECRET, now() - 600) })],
    ['ten minutes ahead', () => ({ 'Stripe-Signature': signature(raw, SECRET, now() + 600) })],
    ['SHA-1 alone', () => ({ 'Stripe-Signature': sha1(raw) })],
    ['under another name', () => ({ 'X-Service-Signature': signature(raw) })],
  ]
  test('that is wrong in any way has one and the same answer, and nothing is kept', async () => {
    const answers = new Set<string>()
    for (const [name, headers] of wrong) {
      const reply = await post(stripe, raw, headers())
      assertProblem(reply, { status: 401, slug: 'authentication-required', instance: pathOf(stripe), code: 'invalid_signature' })
      assert.equal(reply.headers.get('www-authenticate'), 'Signature', name)
      answers.add(JSON.stringify({ ...reply.body, trace_id: null }))
    }
    assert.equal(answers.size, 1)
    assert.deepEqual([...(await app.sql`select 1 from callbacks where source_id = ${stripe.id}`)], [])
  })

  test('of any of several secrets verifies, five minutes off either way', async () => {
    const both = await app.provider('stripe')
    const old = `whsec_${'1a'.repeat(16)}`
    await begin(app.sql, tx =>
      change(tx, { tenant: both.shop.id, actor: { type: 'cli' } }, both.id, { secret: [SECRET, old] }, app.keyring),
    )
    for (const secret of [SECRET, old])
      for (const seconds of [-290, 290])
        assert.equal((await post(both, raw, { 'Stripe-Signature': signature(raw, secret, now() + seconds) })).status, 200)
  })

  test('of the generic format is that of a webhook; a provider takes no other’s', async () => {
    const body = JSON.stringify(told())
    assert.equal((await post(generic, body, { 'X-Service-Signature': signWebhook([generic.secret], now(), body) })).status, 200)
    assert.equal((await post(stripe, body, { 'X-Service-Signature': signWebhook([generic.secret], now(), body) })).status, 401)
    assert.equal((await post(generic, body, { 'Stripe-Signature': signature(body) })).status, 401)
  })

  test('does not help where the provider is unknown or deleted', async () => {
    const gone = await app.provider('stripe')
    await begin(app.sql, tx => remove(tx, { tenant: gone.shop.id, actor: { type: 'cli' } }, gone.id))
    for (const to of [gone, { id: nobody('pay') }, { id: 'pay_x' }])
      assertProblem(await post(to, raw, { 'Stripe-Signature': signature(raw) }), {
        status: 404,
        slug: 'resource-not-found',
        instance: pathOf(to),
      })
  })
})

suite('a shape', () => {
  let generic: Provider
  before(async () => {
    generic = await app.provider('generic')
  })
  const send = (raw: string) => post(generic, raw, app.signed(generic, raw))
  for (const [name, raw, status] of [
    ['no JSON', '{"id":', 422],
    ['nothing', '', 422],
    ['null', 'null', 422],
    ['an array', '[]', 422],
    ['a number', '7', 422],
    ['5 000 brackets', '['.repeat(5000) + ']'.repeat(5000), 422],
    ['over 4 MB', JSON.stringify({ ...told(), reason: 'x'.repeat(4 * 1024 * 1024) }), 413],
  ] as const)
    test(`of ${name} is a ${status}`, async () => {
      assertProblem(await send(raw), {
        status,
        slug: status === 413 ? 'payload-too-large' : 'validation-failed',
        instance: pathOf(generic),
      })
    })

  for (const [field, over] of [
    ['id', { id: undefined }],
    ['type', { type: 'payment.imagined' }],
    ['reference', { reference: '' }],
    ['amount', { amount: '4900' }],
    ['amount', { amount: 1.5 }],
    ['currency', { currency: 'eur' }],
    ['currency', { currency: undefined }],
    ['order_number', { order_number: 0 }],
    ['occurred_at', { occurred_at: 'yesterday' }],
    ['colour', { colour: 'red' }],
  ] as const)
    test(`with a wrong ${field} is a 422 that names it: ${JSON.stringify(over)}`, async () => {
      assertProblem(await send(JSON.stringify(told(over))), { status: 422, slug: 'validation-failed', instance: pathOf(generic), field })
    })
})

test('what is told while a provider is disabled is kept, and applied when it is enabled', async () => {
  const { at, id } = await shopWith('stripe')
  const caller = { tenant: at.shop.id, actor: { type: 'cli' as const } }
  await begin(app.sql, tx => disable(tx, caller, at.id))
  const raw = JSON.stringify(event('payment_intent.succeeded', intent({ metadata: { order_id: id } })))
  ok(await post(at, raw, app.signed(at, raw)))
  assert.equal((await orderOf(at, id)).payment_status, 'unpaid')
  await begin(app.sql, tx => enable(tx, caller, at.id))
  await tell(at)
  await eventually(async () => (await orderOf(at, id)).payment_status === 'paid')
})

test('what a disabled provider kept is applied when it is deleted', async () => {
  const { at, id } = await shopWith('stripe')
  const caller = { tenant: at.shop.id, actor: { type: 'cli' as const } }
  await begin(app.sql, tx => disable(tx, caller, at.id))
  const raw = JSON.stringify(event('payment_intent.succeeded', intent({ metadata: { order_id: id } })))
  ok(await post(at, raw, app.signed(at, raw)))
  await begin(app.sql, tx => remove(tx, caller, at.id))
  await eventually(async () => (await orderOf(at, id)).payment_status === 'paid')
})

test('what was answered with 200 is applied, however near its provider’s deletion', async () => {
  const { at } = await shopWith('stripe')
  const caller = { tenant: at.shop.id, actor: { type: 'cli' as const } }
  const taken: string[] = []
  /** @returns whether the provider is there */
  const tellOnce = async (): Promise<boolean> => {
    const raw = JSON.stringify(event('payment_intent.succeeded', intent({})))
    const { status, body } = await post(at, raw, app.signed(at, raw))
    if (status === 404) return false
    assert.equal(status, 200)
    taken.push(body.id)
    return true
  }
  const tellUntilGone = async (): Promise<void> => {
    while (await tellOnce());
  }
  // The deletion may be faster than the first of those that are told beside it.
  await tellOnce()
  await Promise.all([tellUntilGone(), begin(app.sql, tx => remove(tx, caller, at.id))])
  assert.notDeepEqual(taken, [])
  await app.settled(taken)
})
