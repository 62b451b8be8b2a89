// An order's life at Stripe, told of in any order, in any sets, with repeats: the end state and the set of events depend on what was told alone.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { place } from '../../src/orders/place.ts'
import { applyAll, endWaits } from '../../src/payments/ledger/apply.ts'
import { readStripe } from '../../src/payments/reading/stripe.ts'
import type { PaymentUpdate } from '../../src/payments/reading/update.ts'
import { begin } from '../../src/postgres/sql.ts'
import { drawn } from '../support/random.ts'
import { type Provider, paymentApp } from './given.ts'
import { charge, dispute, event, intent, refund, type StripeEvent, session } from './stripe-events.ts'

const app = await paymentApp({ worker: false })
let at: Provider
before(async () => {
  at = await app.provider('stripe')
})

interface Life {
  authorized: boolean
  failedFirst: boolean
  /** Of up to three partial refunds. */
  refunds: number[]
  /** How each of up to three disputes, told of by turns, ends, and over how much. */
  disputes: { status: 'won' | 'lost' | 'under_review'; amount: number; due_by: number }[]
  /** The order was cancelled before anything was told. */
  cancelled: boolean
}

const life: fc.Arbitrary<Life> = fc.record({
  authorized: fc.boolean(),
  failedFirst: fc.boolean(),
  refunds: fc.array(fc.integer({ min: 1, max: 1200 }), { maxLength: 3 }),
  disputes: fc.array(
    fc.record({
      status: fc.constantFrom('won', 'lost', 'under_review'),
      amount: fc.integer({ min: 1, max: 430 }),
      due_by: fc.integer({ min: 1_781_000_000, max: 1_781_000_002 }),
    }),
    { maxLength: 3 },
  ),
  cancelled: fc.boolean(),
})

let lives = 0

/** The events of a life, in the order in which they happened. */
function told({ authorized, failedFirst, refunds, disputes }: Life, order_id: string): StripeEvent[] {
  const [pi, ch] = ['pi', 'ch'].map(each => `${each}_life${lives}`) as [string, string]
  const metadata = { order_id }
  const ofIntent = { id: pi, latest_charge: ch, metadata }
  const events: StripeEvent[] = []
  if (failedFirst) events.push(event('payment_intent.payment_failed', intent({ ...ofIntent, amount_received: 0 })))
  if (authorized) events.push(event('payment_intent.amount_capturable_updated', intent({ ...ofIntent, amount_capturable: 4900 })))
  events.push(event('payment_intent.succeeded', intent(ofIntent)))
  events.push(event('checkout.session.completed', session({ id: `cs_${lives}`, payment_intent: pi, metadata })))
  let sum = 0
  for (const amount of refunds) {
    const previous = { amount_refunded: sum }
    sum += amount
    events.push(event('charge.refunded', charge({ id: ch, payment_intent: pi, amount_refunded: sum, metadata }), { previous }))
  }
  const disputed = (type: string, over: (one: Life['disputes'][number]) => object) =>
    disputes.map((one, index) => {
      const evidence_details = { due_by: one.due_by, has_evidence: false, past_due: false, submission_count: 0 }
      const given = { id: `dp${index}_life${lives}`, charge: ch, payment_intent: pi, amount: one.amount, evidence_details }
      return event(type, dispute({ ...given, ...over(one) }))
    })
  events.push(
    ...disputed('charge.dispute.created', () => ({})),
    ...disputed('charge.dispute.updated', () => ({ status: 'warning_under_review' })),
    ...disputed('charge.dispute.updated', () => ({ status: 'under_review' })),
    ...disputed('charge.dispute.closed', ({ status }) => ({ status })).filter((_, index) => disputes[index]?.status !== 'under_review'),
  )
  return events
}

const caller = () => ({ tenant: at.shop.id, actor: { type: 'system' as const, id: at.id } })

async function newOrder(cancelled: boolean): Promise<string> {
  const input = { items: [{ name: 'Lamp', unit_amount: 4900, quantity: 1 }], customer: { email: 'ada@example.com' } }
  const { order } = await begin(app.sql, tx => place(tx, caller(), input))
  if (cancelled) {
    const orders = await import('../../src/orders/orders.ts')
    await begin(app.sql, tx => orders.change(tx, caller(), order.id, { status: 'CANCELLED' }, () => {}))
  }
  return order.id
}

const tellAll = (sets: StripeEvent[][]) =>
  sets.reduce(
    (before, set) =>
      before.then(() =>
        begin(app.sql, async tx => {
          await applyAll(
            tx,
            caller(),
            { tenant: at.shop.id, id: at.id, provider: 'stripe' },
            set.map(each => readStripe(each) as PaymentUpdate),
          )
        }),
      ),
    Promise.resolve(),
  )

type Doc = Record<string, unknown>
const docs = (rows: readonly { doc?: string; body?: string }[]): Doc[] =>
  rows.map(row => JSON.parse((row.doc ?? row.body) as string) as Doc)
const disputeOf = ({ dispute }: Doc): unknown[] | undefined =>
  dispute ? [String((dispute as Doc)['id']).replace(/_.*/, ''), (dispute as Doc)['status']] : undefined
const sorted = (all: unknown[]): string[] => all.map(each => JSON.stringify(each)).sort()

/** What is the same however it was told: without our ids, without times (of two events about one payment the first tells when), and without how often
    it was written. Which refund was the last is told by `full`. */
async function endOf(order: string) {
  const [tenant, { sql }] = [at.shop.id, app]
  const [[found], payments, refunds, events] = await Promise.all([
    sql`select doc from orders where tenant_id = ${tenant} and id = ${order}`,
    sql`select doc from payments where tenant_id = ${tenant} and order_id = ${order}`,
    sql`select doc from refunds where tenant_id = ${tenant} and order_id = ${order}`,
    sql`select body from events where tenant_id = ${tenant} and body::json -> 'data' ->> 'order_id' = ${order}`,
  ])
  const pick = (doc: Doc, ...names: string[]) => Object.fromEntries(names.map(name => [name, doc[name]]))
  const { payment, ...state } = pick(
    docs([found as { doc: string }])[0] as Doc,
    'status',
    'payment_status',
    'paid_amount',
    'refunded_amount',
    'payment',
  )
  const completed = docs(refunds)
  return {
    order: state,
    reference: String((payment as Doc | null)?.['reference']).replace(/\d+$/, ''),
    payments: sorted(docs(payments).map(each => pick(each, 'status', 'amount', 'currency', 'refunded_amount', 'error'))),
    dispute: docs(payments).map(disputeOf),
    refunds: sorted(completed.map(each => pick(each, 'amount', 'reason', 'status'))),
    full: completed.filter(each => each['full'] && each['status'] === 'completed').length,
    events: sorted(
      docs(events).map(each => {
        const data = each['data'] as Doc
        const refund = data['refund'] as Doc | undefined
        const disputed = each['type'] === 'payment.disputed' && disputeOf(data['payment'] as Doc)?.[0]
        return [each['type'], data['from'], data['to'], refund && pick(refund, 'amount', 'reason'), disputed]
      }),
    ),
  }
}

/** Some permutation of the events, some of them twice, cut into sets. */
const telling = fc.record({
  order: fc.array(fc.nat(), { minLength: 40, maxLength: 40 }),
  repeats: fc.array(fc.nat(), { maxLength: 4 }),
  cuts: fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
})

function arranged(
  events: StripeEvent[],
  { order, repeats, cuts }: { order: number[]; repeats: number[]; cuts: boolean[] },
): StripeEvent[][] {
  const all = [...events, ...repeats.map(n => events[n % events.length] as StripeEvent)]
  const mixed = all.map((each, index) => ({ each, key: order[index] ?? index })).sort((a, b) => a.key - b.key)
  const sets: StripeEvent[][] = [[]]
  for (const [index, { each }] of mixed.entries()) {
    sets.at(-1)?.push(each)
    if (cuts[index]) sets.push([])
  }
  return sets.filter(set => set.length > 0)
}

test('in any order, in any sets and with repeats, the end and the events are those of the order in which it happened', async () => {
  await fc.assert(
    fc.asyncProperty(life, telling, async (given, how) => {
      lives++
      const straight = await newOrder(given.cancelled)
      const events = told(given, straight)
      await tellAll(events.map(each => [each]))
      lives++
      const mixed = await newOrder(given.cancelled)
      const again = told(given, mixed).map((each, index) => ({ ...each, created: (events[index] as StripeEvent).created }))
      await tellAll(arranged(again, how))
      assert.deepEqual(await endOf(mixed), await endOf(straight))
      assert.equal((await endOf(mixed)).order['payment_status'] === 'unpaid', false)
    }),
    drawn(20),
  )
})

test('a refund that failed is not counted, whenever that is told of; of a cancelled order it is to be given back still', async () => {
  for (const [index, order] of permutations([1, 2, 3, 4]).entries()) {
    lives++
    const cancelled = index % 2 === 0
    const id = await newOrder(cancelled)
    const [pi, ch] = [`pi_life${lives}`, `ch_life${lives}`]
    const of = (sum: number, amount_refunded: number) =>
      event('charge.refunded', charge({ id: ch, payment_intent: pi, amount_refunded: sum }), { previous: { amount_refunded } })
    const failure = event('refund.failed', refund({ id: `re_${lives}`, charge: ch, payment_intent: pi, amount: 1000 }))
    const all = [
      event('payment_intent.succeeded', intent({ id: pi, latest_charge: ch, metadata: { order_id: id } })),
      of(1000, 0),
      of(2500, 1000),
      failure,
      of(1900, 1500),
    ]
    await tellAll([0, ...order].map(index => [all[index] as StripeEvent]))
    const [row] = await app.sql`select doc from orders where id = ${id}`
    const { refunded_amount, payment_status } = JSON.parse(row?.['doc']) as Doc
    assert.deepEqual([refunded_amount, payment_status], [1900, 'partially_refunded'], `told in the order ${order}`)
    const pending = await app.sql`select amount::integer from refunds where order_id = ${id} and status = 'pending'`
    assert.deepEqual([...pending], cancelled ? [{ amount: 3000 }] : [], `told in the order ${order}`)
  }
})

test('refunds that are more than was paid beside one that failed are booked, whenever that is told of', async () => {
  for (const order of permutations([1, 2, 3, 4])) {
    lives++
    const id = await newOrder(false)
    const [pi, ch] = [`pi_life${lives}`, `ch_life${lives}`]
    const of = (sum: number, amount_refunded: number) =>
      event('charge.refunded', charge({ id: ch, payment_intent: pi, amount_refunded: sum }), { previous: { amount_refunded } })
    const all = [
      event('payment_intent.succeeded', intent({ id: pi, latest_charge: ch, metadata: { order_id: id } })),
      of(3000, 0),
      event('refund.failed', refund({ id: `re_${lives}`, charge: ch, payment_intent: pi, amount: 3000 })),
      of(2500, 0),
      of(4000, 2500),
    ]
    await tellAll([0, ...order].map(index => [all[index] as StripeEvent]))
    assert.equal((await endOf(id)).order['refunded_amount'], 4000, `told in the order ${order}`)
  }
})

test('refunds that all fail are all taken back, though each failure is told of before its own refund', async () => {
  for (const order of permutations([0, 1, 2])) {
    lives++
    const id = await newOrder(false)
    const [pi, ch] = [`pi_life${lives}`, `ch_life${lives}`]
    const amounts = [1753, 1211, 1481]
    let sum = 0
    const given = amounts.map(amount => {
      const previous = { amount_refunded: sum }
      sum += amount
      return event('charge.refunded', charge({ id: ch, payment_intent: pi, amount_refunded: sum }), { previous })
    })
    const failures = amounts.map((amount, n) =>
      event('refund.failed', refund({ id: `re_${lives}_${n}`, charge: ch, payment_intent: pi, amount })),
    )
    const pay = event('payment_intent.succeeded', intent({ id: pi, latest_charge: ch, metadata: { order_id: id } }))
    const first = given[0] as StripeEvent
    const told = [pay, first, ...order.flatMap(n => [failures[n] as StripeEvent, given[n] as StripeEvent])]
    await tellAll(told.map(each => [each]))
    const { order: state, refunds } = await endOf(id)
    assert.equal(state['refunded_amount'], 0, `told in the order ${order}`)
    const rows = refunds.map(each => JSON.parse(each) as Doc)
    assert.deepEqual(
      rows.map(({ amount, status }) => `${amount} ${status}`).sort(),
      ['1211 failed', '1481 failed', '1753 failed'],
      `told in the order ${order}`,
    )
  }
})

test('a refund that fails leaves its share to a dispute that was lost, and one that is told of after a loss takes its own', async () => {
  for (const order of permutations([1, 2, 3])) {
    lives++
    const id = await newOrder(false)
    const [pi, ch] = [`pi_life${lives}`, `ch_life${lives}`]
    const told = { charge: ch, payment_intent: pi }
    const all = [
      event('payment_intent.succeeded', intent({ id: pi, latest_charge: ch, metadata: { order_id: id } })),
      event('charge.refunded', charge({ id: ch, payment_intent: pi, amount_refunded: 1000 }), { previous: { amount_refunded: 0 } }),
      event('refund.failed', refund({ ...told, id: `re_${lives}`, amount: 1000 })),
      event('charge.dispute.closed', dispute({ ...told, id: `dp_${lives}`, status: 'lost' })),
    ]
    await tellAll([0, ...order].map(index => [all[index] as StripeEvent]))
    const { order: state, refunds } = await endOf(id)
    assert.equal(state['refunded_amount'], 4900, `told in the order ${order}`)
    const rows = refunds.map(each => JSON.parse(each) as Doc)
    const lost = rows.filter(each => each['reason'] === 'dispute' && each['status'] === 'completed')
    assert.equal(
      lost.reduce((sum, each) => sum + (each['amount'] as number), 0),
      4900,
      `told in the order ${order}`,
    )
  }
})

test('failures that come in one set are parts of what is left of a refund, and of no more', async () => {
  lives++
  const id = await newOrder(false)
  const [pi, ch] = [`pi_life${lives}`, `ch_life${lives}`]
  const failed = (re: string, amount: number) => event('refund.failed', refund({ id: re, charge: ch, payment_intent: pi, amount }))
  await tellAll([
    [
      event('payment_intent.succeeded', intent({ id: pi, latest_charge: ch, metadata: { order_id: id } })),
      event('charge.refunded', charge({ id: ch, payment_intent: pi, amount_refunded: 900 })),
    ],
    [failed('re_a', 500), failed('re_b', 100), failed('re_c', 400)],
  ])
  const rows = await app.sql`select amount::integer, reference, status from refunds where order_id = ${id} order by amount`
  assert.deepEqual(
    rows.map(({ amount, reference, status }) => [amount, reference, status]),
    [
      [100, 're_b', 'failed'],
      [300, null, 'completed'],
      [500, 're_a', 'failed'],
    ],
  )
  const [row] = await app.sql`select doc from orders where id = ${id}`
  assert.equal((JSON.parse(row?.['doc']) as Doc)['refunded_amount'], 300)
})

test('what was booked as a sum, for the refund before it was awaited in vain, is not booked once more by that', async () => {
  lives++
  const id = await newOrder(false)
  const [pi, ch] = [`pi_life${lives}`, `ch_life${lives}`]
  const of = (sum: number, amount_refunded: number) =>
    event('charge.refunded', charge({ id: ch, payment_intent: pi, amount_refunded: sum }), { previous: { amount_refunded } })
  const refundedOf = async () => {
    const [row] = await app.sql`select doc from orders where id = ${id}`
    return (JSON.parse(row?.['doc']) as Doc)['refunded_amount']
  }
  const [first, second] = [of(500, 0), of(900, 500)]
  await tellAll([[event('payment_intent.succeeded', intent({ id: pi, latest_charge: ch, metadata: { order_id: id } })), second]])
  assert.equal(await refundedOf(), 0)
  await app.sql`update payment_updates_waiting set until = now() - interval '1 second' where tenant_id = ${at.shop.id}`
  await endWaits(app.sql)
  assert.equal(await refundedOf(), 900)
  await tellAll([[first]])
  assert.equal(await refundedOf(), 900)
  await tellAll([[of(1000, 900)]])
  assert.equal(await refundedOf(), 1000)
})

test('a sum that counts holds what failed after it and not what failed before, whichever is told of first, also of a payment that paid nothing', async () => {
  for (const amount of [4900, 5000]) {
    lives++
    const id = await newOrder(false)
    const [pi, ch] = [`pi_life${lives}`, `ch_life${lives}`]
    const start = 1_780_000_000
    const paid = event(
      'payment_intent.succeeded',
      intent({ id: pi, latest_charge: ch, amount_received: amount, metadata: { order_id: id } }),
    )
    const sum = (second: number, amount_refunded: number, after: number) => ({
      ...event('charge.refunded', charge({ id: ch, payment_intent: pi, amount_refunded: after }), { previous: { amount_refunded } }),
      created: start + second,
    })
    const failure = (second: number, of: string, amount: number) => ({
      ...event('refund.failed', refund({ id: `${of}_${lives}`, charge: ch, payment_intent: pi, amount, status: 'failed' })),
      created: start + second,
    })
    const returnedOf = async () => {
      const [row] = await app.sql`select doc from payments where tenant_id = ${at.shop.id} and reference = ${pi}`
      return (JSON.parse(row?.['doc']) as Doc)['refunded_amount']
    }
    const [first, lost, behind] = [sum(1, 0, 470), sum(2, 470, 480), sum(3, 480, 500)]
    await tellAll([[paid, first], [failure(4, 're_first', 470)], [behind]])
    assert.equal(await returnedOf(), 0)
    await app.passMinute(at)
    assert.equal(await returnedOf(), 30, 'the first one failed after the sum')
    await tellAll([[lost]])
    assert.equal(await returnedOf(), 30, 'it is in the sum')
    await tellAll([[sum(8, 580, 600)]])
    assert.equal(await returnedOf(), 30)
    await app.passMinute(at)
    assert.equal(await returnedOf(), 600)
    await tellAll([[failure(6, 're_between', 50)], [sum(7, 530, 580)]])
    assert.equal(await returnedOf(), 600, 'it failed before the sum')
  }
})

test('of a payment that paid nothing, what is noted is what was told and no more than it was, also behind a refund that was too much at first', async () => {
  lives++
  const id = await newOrder(false)
  const [pi, ch] = [`pi_life${lives}`, `ch_life${lives}`]
  const sum = (amount_refunded: number, after: number) =>
    event('charge.refunded', charge({ id: ch, payment_intent: pi, amount_refunded: after }), { previous: { amount_refunded } })
  const returnedOf = async () => {
    const [row] = await app.sql`select doc from payments where tenant_id = ${at.shop.id} and reference = ${pi}`
    return (JSON.parse(row?.['doc']) as Doc)['refunded_amount']
  }
  const paid = event('payment_intent.succeeded', intent({ id: pi, latest_charge: ch, amount_received: 5000, metadata: { order_id: id } }))
  await tellAll([[paid, sum(200, 5000), sum(200, 4500)]])
  await app.passMinute(at)
  assert.equal(await returnedOf(), 5000)
  await tellAll([[event('refund.failed', refund({ id: `re_${lives}`, charge: ch, payment_intent: pi, amount: 4800, status: 'failed' }))]])
  assert.equal(await returnedOf(), 4500)
})

test('of two sums the later one says what is known, though the earlier is told of after it', async () => {
  lives++
  const id = await newOrder(false)
  const [pi, ch] = [`pi_life${lives}`, `ch_life${lives}`]
  const sum = (amount: number) => event('charge.refunded', charge({ id: ch, payment_intent: pi, amount_refunded: amount }))
  const step = event('charge.refunded', charge({ id: ch, payment_intent: pi, amount_refunded: 700 }), {
    previous: { amount_refunded: 500 },
  })
  const [late, early] = [sum(900), sum(950)]
  early.created = step.created - 1
  late.created = step.created + 1
  await tellAll([
    [event('payment_intent.succeeded', intent({ id: pi, latest_charge: ch, metadata: { order_id: id } }))],
    [late],
    [early],
    [step],
  ])
  const [row] = await app.sql`select doc from orders where id = ${id}`
  assert.equal((JSON.parse(row?.['doc']) as Doc)['refunded_amount'], 950, 'the step was a part of the later sum')
})

test('two events that are of one refund are one refund, together or one after the other, and one that is like it is another', async () => {
  for (const together of [true, false]) {
    lives++
    const id = await newOrder(false)
    const [pi, ch] = [`pi_life${lives}`, `ch_life${lives}`]
    const of = (sum: number, previous: number, created?: number) => {
      const told = { id: ch, payment_intent: pi, amount_refunded: sum }
      return event('charge.refunded', charge(told), { previous: { amount_refunded: previous }, ...(created && { created }) })
    }
    const first = of(1000, 0)
    const second = of(2000, 1000)
    const all = [
      event('payment_intent.succeeded', intent({ id: pi, latest_charge: ch, metadata: { order_id: id } })),
      first,
      of(1000, 0, first.created),
      second,
      of(2000, 1000, second.created),
    ]
    await tellAll(together ? [all] : all.map(each => [each]))
    assert.equal((await endOf(id)).order['refunded_amount'], 2000)
    await tellAll([[event('refund.failed', refund({ id: `re_${lives}`, charge: ch, payment_intent: pi, amount: 1000 }))], [of(2000, 1000)]])
    assert.equal((await endOf(id)).order['refunded_amount'], 2000, 'one failed, and was made once more')
  }
})

test('refunds and a lost dispute that are more than was paid together close the order, whichever is told of first', async () => {
  for (const { refunds, lost, end } of [
    { refunds: [2500, 500], lost: 3500, end: 4900 },
    { refunds: [2500, 500], lost: 4900, end: 4900 },
    { refunds: [2500, 500], lost: 1000, end: 4000 },
  ])
    for (const order of permutations([1, 2, 3])) {
      lives++
      const id = await newOrder(false)
      const [pi, ch] = [`pi_life${lives}`, `ch_life${lives}`]
      let sum = 0
      const all = [
        event('payment_intent.succeeded', intent({ id: pi, latest_charge: ch, metadata: { order_id: id } })),
        event('charge.dispute.closed', dispute({ id: `dp_${lives}`, charge: ch, payment_intent: pi, amount: lost, status: 'lost' })),
        ...refunds.map(amount => {
          const previous = { amount_refunded: sum }
          sum += amount
          return event('charge.refunded', charge({ id: ch, payment_intent: pi, amount_refunded: sum }), { previous })
        }),
      ]
      await tellAll([0, ...order].map(index => [all[index] as StripeEvent]))
      const { order: state, payments, refunds: booked } = await endOf(id)
      const told = `${refunds} and ${lost}, told in the order ${order}`
      const wasAll = end === 4900
      assert.partialDeepStrictEqual(
        state,
        { refunded_amount: end, payment_status: wasAll ? 'refunded' : 'partially_refunded', status: wasAll ? 'REFUNDED' : 'pending' },
        told,
      )
      assert.deepEqual(
        payments.map(each => (JSON.parse(each) as Doc)['refunded_amount']),
        [end],
        told,
      )
      assert.equal(
        booked.reduce((total, each) => total + ((JSON.parse(each) as Doc)['amount'] as number), 0),
        end,
        told,
      )
      // A refund of which nothing is booked counts in the sum all the same, so the next one is not awaited.
      const waits = await app.sql`select 1 from payment_updates_waiting where tenant_id = ${at.shop.id} and reference = ${pi}`
      if (`${order}` === '1,2,3') assert.deepEqual([...waits], [], told)
    }
})

test('refunds that are too much by themselves are not booked, though a dispute was lost', async () => {
  lives++
  const id = await newOrder(false)
  const [pi, ch] = [`pi_life${lives}`, `ch_life${lives}`]
  await tellAll([
    [event('payment_intent.succeeded', intent({ id: pi, latest_charge: ch, metadata: { order_id: id } }))],
    [event('charge.dispute.closed', dispute({ id: `dp_${lives}`, charge: ch, payment_intent: pi, amount: 1000, status: 'lost' }))],
    [event('charge.refunded', charge({ id: ch, payment_intent: pi, amount_refunded: 5000 }), { previous: { amount_refunded: 0 } })],
  ])
  assert.equal((await endOf(id)).order['refunded_amount'], 1000)
})

test('a refund that has waited for too long finds settled what waited for another that has', async () => {
  lives++
  const id = await newOrder(false)
  const [pi, ch] = [`pi_life${lives}`, `ch_life${lives}`]
  const sum = (amount_refunded: number, before: number) =>
    event('charge.refunded', charge({ id: ch, payment_intent: pi, amount_refunded }), { previous: { amount_refunded: before } })
  // The first, of 10.00, is never told of; it failed before the last.
  const second = sum(3000, 1000)
  const failure = event('refund.failed', refund({ id: `re_${lives}`, charge: ch, payment_intent: pi, amount: 1000 }))
  const last = sum(4900, 2000)
  const paid = event('payment_intent.succeeded', intent({ id: pi, latest_charge: ch, metadata: { order_id: id } }))
  await tellAll([[paid], [last], [failure], [second]])
  assert.equal((await endOf(id)).order['refunded_amount'], 0)
  await app.passMinute(at)
  assert.equal((await endOf(id)).order['refunded_amount'], 4900)
})

test('a provider whose row a transaction holds for long holds up what waits at no other', async () => {
  const other = await app.provider('stripe')
  // Refunds of charges that are never told of.
  for (const { shop, id } of [at, other]) {
    const source = { tenant: shop.id, id, provider: 'stripe' as const }
    const refunded = readStripe(event('charge.refunded', charge({ id: `ch_${id}`, payment_intent: `pi_${id}`, amount_refunded: 500 })))
    await begin(app.sql, tx => applyAll(tx, { tenant: shop.id, actor: { type: 'system', id } }, source, [refunded as PaymentUpdate]))
    await app.sql`update payment_updates_waiting set until = now() - interval '1 second' where provider_id = ${id}`
  }
  const overdue = async ({ id }: Provider) =>
    (await app.sql`select from payment_updates_waiting where provider_id = ${id} and until <= now()`).length
  await begin(app.sql, async tx => {
    await tx`select from payment_providers where id = ${at.id} for update`
    await assert.rejects(endWaits(app.sql), /lock timeout/)
  })
  assert.deepEqual([await overdue(at), await overdue(other)], [1, 0])
  await endWaits(app.sql)
  assert.equal(await overdue(at), 0)
})

test('what waits for one payment is looked at a few times, and not by each behind each', async () => {
  lives++
  const order_id = await newOrder(false)
  let made = 0
  const told = (over: object): PaymentUpdate => {
    const [name, at] = [`many${lives}_${++made}`, new Date(1_780_000_000_000 + 1000 * made).toISOString()]
    const given = {
      event_id: name,
      at,
      reference: `many${lives}`,
      charge: null,
      order: null,
      currency: 'EUR',
      refund_id: name,
      reason: null,
    }
    return { ...given, ...over } as PaymentUpdate
  }
  let statements = 0
  const take = (...updates: PaymentUpdate[]) =>
    begin(app.sql, async tx => {
      const apply: ProxyHandler<typeof tx>['apply'] = (target, self, args) => {
        statements++
        return Reflect.apply(target, self, args)
      }
      const counting = new Proxy(tx, { apply })
      await applyAll(counting, caller(), { tenant: at.shop.id, id: at.id, provider: 'generic' }, updates)
    })
  await take(told({ kind: 'paid', amount: 4900, order: { id: order_id } }), told({ kind: 'refund', amount: 4900, refund_id: 'first' }))
  await take(...Array.from({ length: 200 }, (_, index) => told({ kind: 'refund', amount: index % 2 ? 4900 : 1 })))
  statements = 0
  await take(told({ kind: 'refund_failed', amount: 4900, refund_id: 'first' }))
  assert.equal((await endOf(order_id)).order['refunded_amount'], 100)
  assert.ok(statements < 1000, `${statements} statements for 200 that wait`)
})

function permutations(of: number[]): number[][] {
  if (of.length < 2) return [of]
  return of.flatMap(first => permutations(of.filter(each => each !== first)).map(rest => [first, ...rest]))
}
