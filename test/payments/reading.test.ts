// What providers tell, read: each type of event, and what is no such event.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { readGeneric } from '../../src/payments/reading/generic.ts'
import type { GENERIC_TYPES } from '../../src/payments/reading/generic-schema.ts'
import { readStripe, STRIPE_TYPES } from '../../src/payments/reading/stripe.ts'
import type { Ignored } from '../../src/payments/reading/update.ts'
import { drawn } from '../support/random.ts'
import { charge, dispute, event, intent, refund, session } from './stripe-events.ts'

const ORDER = 'ord_01jz0000000000000000000000'
const metadata = { order_id: ORDER }
/** The last version of Stripe's API that counts what is released as refunded. */
const OLD = '2025-02-24.acacia'

suite('Stripe', () => {
  const rows: [type: string, object: Record<string, unknown>, expected: object, previous?: object | undefined, version?: string][] = [
    [
      'checkout.session.completed',
      session({ metadata }),
      { kind: 'paid', reference: 'pi_1', amount: 4900, currency: 'EUR', order: { id: ORDER } },
    ],
    ['checkout.session.completed', session({ client_reference_id: ORDER }), { kind: 'paid', order: { id: ORDER } }],
    ['checkout.session.completed', session({ client_reference_id: 'ord_other', metadata }), { kind: 'paid', order: { id: ORDER } }],
    ['checkout.session.completed', session({ client_reference_id: 'basket 7' }), { kind: 'paid', order: {} }],
    ['checkout.session.completed', session({ payment_intent: null }), { kind: 'paid', reference: 'cs_test_a1', order: null }],
    ['checkout.session.completed', session({ payment_intent: { id: 'pi_9' } }), { kind: 'paid', reference: 'pi_9' }],
    ['checkout.session.completed', session({ payment_status: 'unpaid' }), { kind: 'ignored' }],
    ['checkout.session.completed', session({ payment_status: 'no_payment_required' }), { kind: 'ignored' }],
    [
      'checkout.session.completed',
      session({ client_reference_id: ORDER, metadata: { order_id: '' } }),
      { kind: 'paid', order: { id: ORDER } },
    ],
    ['checkout.session.completed', session({ client_reference_id: '', metadata: { order_id: '' } }), { kind: 'paid', order: null }],
    ['checkout.session.async_payment_succeeded', session({ metadata }), { kind: 'paid', reference: 'pi_1', order: { id: ORDER } }],
    ['checkout.session.async_payment_failed', session({ metadata, payment_status: 'unpaid' }), { kind: 'failed', reference: 'pi_1' }],
    ['payment_intent.succeeded', intent({ amount: 6000, metadata }), { kind: 'paid', reference: 'pi_1', charge: 'ch_1', amount: 4900 }],
    [
      'payment_intent.amount_capturable_updated',
      intent({ amount_capturable: 4900, amount_received: 0 }),
      { kind: 'authorized', amount: 4900 },
    ],
    [
      'payment_intent.payment_failed',
      intent({
        last_payment_error: { code: 'card_declined', decline_code: 'insufficient_funds', message: 'Your card has insufficient funds.' },
      }),
      { kind: 'failed', error: { code: 'insufficient_funds', message: 'Your card has insufficient funds.' } },
    ],
    ['payment_intent.payment_failed', intent(), { kind: 'failed', error: { code: 'payment_failed', message: 'The payment failed.' } }],
    [
      'charge.refunded',
      charge({ amount_refunded: 900 }),
      { kind: 'refunded', total: 900, before: null, amount: 4900, reference: 'pi_1', charge: 'ch_1' },
    ],
    ['charge.refunded', charge({ amount_refunded: 900 }), { kind: 'refunded', total: 900, before: 400 }, { amount_refunded: 400 }],
    ['charge.refunded', charge({ payment_intent: null }), { kind: 'refunded', reference: null, charge: 'ch_1' }],
    ['charge.refunded', charge({ captured: false, amount_captured: 0 }), { kind: 'ignored' }, { amount_refunded: 0 }],
    ['charge.refunded', charge({ amount_captured: 3000, amount_refunded: 1900 }), { kind: 'ignored' }, { amount_refunded: 0 }, OLD],
    ['charge.refunded', charge({ amount_captured: 3000, amount_refunded: 2200 }), { kind: 'ignored' }, { amount_refunded: 300 }, OLD],
    [
      'charge.refunded',
      charge({ amount_captured: 3000, amount_refunded: 3800 }),
      { kind: 'refunded', total: 1900, before: 0 },
      { amount_refunded: 1900 },
      OLD,
    ],
    [
      'charge.refunded',
      charge({ amount_captured: 2450, amount_refunded: 4900 }),
      { kind: 'refunded', total: 2450, before: 0 },
      { amount_refunded: 2450 },
      OLD,
    ],
    [
      'charge.refunded',
      charge({ amount_captured: 3000, amount_refunded: 2400 }),
      { kind: 'refunded', amount: 3000, total: 500, before: 0 },
      { amount_refunded: 1900 },
      OLD,
    ],
    [
      'charge.refunded',
      charge({ amount_captured: 3000, amount_refunded: 2400 }),
      { kind: 'refunded', total: 500, before: null },
      undefined,
      OLD,
    ],
    [
      'charge.refunded',
      charge({ amount_captured: 1000, amount_refunded: 300 }),
      { kind: 'refunded', total: 300, before: 0 },
      { amount_refunded: 0 },
      OLD,
    ],
    // What Stripe's API says of these two since 2025-03-31 counts refunds alone.
    [
      'charge.refunded',
      charge({ amount_captured: 3000, amount_refunded: 1900 }),
      { kind: 'refunded', amount: 3000, total: 1900, before: 0 },
      { amount_refunded: 0 },
    ],
    ['charge.refunded', charge({ amount_captured: 3000, amount_refunded: 2400 }), { kind: 'refunded', total: 2400, before: null }],
    ['charge.refunded', charge({ amount_captured: 3000, amount_refunded: 2400 }), { kind: 'refunded', total: 2400 }, undefined, ''],
    ['refund.failed', refund({ amount: 900 }), { kind: 'refund_failed', refund_id: 're_1', amount: 900, reason: 'lost_or_stolen_card' }],
    ['charge.refund.updated', refund(), { kind: 'refund_failed', refund_id: 're_1' }],
    ['charge.refund.updated', refund({ status: 'canceled' }), { kind: 'refund_failed', refund_id: 're_1' }],
    ['charge.refund.updated', refund({ status: 'succeeded' }), { kind: 'ignored' }],
    ['refund.updated', refund({ status: 'canceled' }), { kind: 'refund_failed', refund_id: 're_1' }],
    ['refund.updated', refund({ status: 'pending' }), { kind: 'ignored' }],
    [
      'charge.dispute.created',
      dispute(),
      { kind: 'dispute', id: 'dp_1', status: 'needs_response', reason: 'product_not_received', due_by: '2026-06-09T10:13:20.000Z' },
    ],
    ['charge.dispute.updated', dispute({ status: 'under_review' }), { kind: 'dispute', status: 'under_review' }],
    ['charge.dispute.closed', dispute({ status: 'lost', evidence_details: null }), { kind: 'dispute', status: 'lost', due_by: null }],
    ['customer.created', { id: 'cus_1' }, { kind: 'ignored' }],
    ['constructor', {}, { kind: 'ignored' }],
  ]
  for (const [type, object, expected, previous, version] of rows)
    test(`${type}${version === undefined ? '' : ` as of ${version}`}: ${JSON.stringify(expected).slice(0, 90)}`, () => {
      const given = event(type, object, { ...(previous && { previous }), ...(version !== undefined && { api_version: version }) })
      const read = readStripe(given)
      assert.partialDeepStrictEqual(read, expected)
      if (read.kind === 'ignored') assert.match(read.reason, /\.$/)
      else assert.deepEqual([read.event_id, read.at], [given.id, new Date(given.created * 1000).toISOString()])
    })

  test('every type that is read is tried above', () => {
    const tried = rows.map(([type]) => type)
    assert.deepEqual(
      STRIPE_TYPES.filter(type => !tried.includes(type)),
      [],
    )
  })

  for (const [code, told, minor] of [
    ['isk', 490_000, 4900],
    ['UGX', 100, 1],
    ['jpy', 4900, 4900],
    ['kwd', 4900, 4900],
    ['eur', 4900, 4900],
  ] as const)
    test(`${told} of ${code} are ${minor} minor units`, () => {
      const read = readStripe(
        event('charge.refunded', charge({ amount: told, amount_captured: told, amount_refunded: told, currency: code }), {
          previous: { amount_refunded: 0 },
        }),
      )
      assert.partialDeepStrictEqual(read, { amount: minor, total: minor, before: 0, currency: code.toUpperCase() })
    })
  test('a part of a króna is no amount', () => {
    assert.equal(readStripe(event('payment_intent.succeeded', intent({ currency: 'isk', amount_received: 150 }))).kind, 'ignored')
  })

  test('a thin event says which events are to be chosen', () => {
    const thin = { id: 'evt_1', object: 'v2.core.event', type: 'v1.payment_intent.succeeded', created: '2026-11-01T10:00:00.000Z' }
    const related_object = { id: 'pi_1', type: 'payment_intent', url: '/v1/payment_intents/pi_1' }
    assert.match((readStripe({ ...thin, related_object }) as Ignored).reason, /thin.*snapshots/)
  })

  test('whatever is signed is read or ignored with a reason, and never thrown at', () => {
    const type = fc.constantFrom(...STRIPE_TYPES, 'x')
    const junk = fc.jsonValue() as fc.Arbitrary<unknown>
    const objects = fc.record(
      {
        id: junk,
        payment_intent: junk,
        charge: junk,
        amount: junk,
        amount_total: junk,
        amount_received: junk,
        amount_refunded: junk,
        amount_captured: junk,
        captured: junk,
        currency: fc.constantFrom<unknown>('eur', 'isk', 7, null),
        metadata: junk,
        status: junk,
        payment_status: fc.constantFrom<unknown>('paid', null),
        evidence_details: junk,
        last_payment_error: junk,
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(type, fc.oneof(objects, junk), junk, fc.oneof(fc.maxSafeInteger(), junk), (of, object, previous_attributes, created) => {
        const read = readStripe({ id: 'evt_1', object: 'event', type: of, created, data: { object, previous_attributes } })
        assert.ok(read.kind === 'ignored' ? read.reason : /^\d{4}-/.test(read.at))
      }),
      drawn(300),
    )
    for (const value of [null, 7, [], {}, { object: 'event' }, { data: null }]) assert.equal(readStripe(value).kind, 'ignored')
  })
})

suite('the generic format', () => {
  const base = { id: 'e1', reference: 'p1', amount: 4900, currency: 'EUR' }
  const at = new Date('2026-05-28T20:26:40Z')
  const kinds: Record<(typeof GENERIC_TYPES)[number], object> = {
    'payment.authorized': { kind: 'authorized', amount: 4900 },
    'payment.succeeded': { kind: 'paid', amount: 4900, order: { number: 7 } },
    'payment.failed': { kind: 'failed', error: { code: 'payment_failed', message: 'no funds' } },
    'refund.succeeded': { kind: 'refund', refund_id: 'r1', reason: 'no funds' },
    'refund.failed': { kind: 'refund_failed', refund_id: 'r1' },
    'dispute.opened': { kind: 'dispute', id: 'p1', status: 'needs_response' },
    'dispute.won': { kind: 'dispute', status: 'won' },
    'dispute.lost': { kind: 'dispute', status: 'lost' },
  }
  for (const [type, expected] of Object.entries(kinds))
    test(type, () => {
      const read = readGeneric({ ...base, type, order_number: 7, refund_id: 'r1', reason: 'no funds' }, at)
      assert.partialDeepStrictEqual(read, { ...expected, event_id: 'e1', reference: 'p1', currency: 'EUR', at: at.toISOString() })
    })

  test('an order is named by its id, else its number, else its external id', () => {
    const order = (over: object) => (readGeneric({ ...base, type: 'payment.succeeded', ...over }, at) as { order: unknown }).order
    assert.deepEqual(
      [
        order({ order_id: ORDER, order_number: 7 }),
        order({ order_number: 7, external_id: 'x' }),
        order({ external_id: 'x' }),
        order({ order_id: 'x' }),
        order({}),
      ],
      [{ id: ORDER }, { number: 7 }, { external_id: 'x' }, {}, null],
    )
  })

  test('says when it happened, or it happened when it came', () => {
    const read = readGeneric({ ...base, type: 'payment.succeeded', occurred_at: '2026-01-01T12:00:00+02:00' }, at) as { at: string }
    assert.equal(read.at, '2026-01-01T10:00:00.000Z')
  })
})
