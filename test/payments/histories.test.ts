// Any history of a payment, told in any order, in sets, at once, with repeats and in transactions that are lost: the books are those of a simple model.
import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import fc from 'fast-check'
import { recount } from '../../src/analytics/recount.ts'
import type { JsonObject } from '../../src/ingress/platform-json.ts'
import * as orders from '../../src/orders/orders.ts'
import { place } from '../../src/orders/place.ts'
import { paymentKind } from '../../src/payments/callbacks.ts'
import { begin } from '../../src/postgres/sql.ts'
import { drawn, seeded } from '../support/random.ts'
import { type End, type History, live, type Step } from './account.ts'
import { type Provider, paymentApp } from './given.ts'

const app = await paymentApp({ worker: false })
const kind = paymentKind(app.keyring)
let providers: Record<History['format'], Provider>
before(async () => {
  const stripe = await app.provider('stripe')
  providers = { stripe, generic: await app.provider('generic', stripe.shop) }
})

const part = fc.oneof({ weight: 1, arbitrary: fc.constant(1) }, { weight: 3, arbitrary: fc.double({ min: 0.01, max: 1, noNaN: true }) })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ do: fc.constant('decline' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('capture' as const) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('refund' as const), part }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('fail' as const), which: fc.nat(9), canceled: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('dispute' as const),
      part,
      end: fc.constantFrom('won', 'lost', 'under_review', 'warning_closed'),
    }),
  },
)

const history: fc.Arbitrary<History> = fc.record({
  format: fc.constantFrom('stripe', 'stripe', 'stripe', 'generic'),
  version: fc.constantFrom('2024-06-20', '2026-10-29.clover'),
  currency: fc.constantFrom('EUR', 'JPY', 'KWD', 'ISK', 'MGA'),
  total: fc.integer({ min: 2, max: 90_000 }).map(n => n * 100),
  captures: fc.constantFrom(1, 1, 2, 3),
  spare: fc.oneof(
    fc.constant(0),
    fc.integer({ min: 1, max: 5_000 }).map(n => n * 100),
  ),
  off: fc.constantFrom(0, 0, 0, 0, 0, 100, -100),
  cancelled: fc.boolean(),
  pauses: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 5 }),
  steps: fc.array(step, { minLength: 2, maxLength: 14 }),
})

/** How it is told: by a permutation with repeats, cut into sets, of which some go at once and some are lost at first. All by one seed. */
const telling = fc.record({
  seed: fc.nat(),
  /** Of a hundred events, of ends of sets, and of sets. */
  repeated: fc.nat(30),
  cut: fc.nat(100),
  together: fc.nat(40),
  lost: fc.nat(25),
  /** Behind how many sets a minute passes. */
  minute: fc.nat(9),
})
type Telling = typeof telling extends fc.Arbitrary<infer T> ? T : never

let lives = 0
const caller = ({ shop, id }: Provider) => ({ tenant: shop.id, actor: { type: 'system' as const, id } })

async function newOrder(at: Provider, life: number, { total, currency, cancelled }: History): Promise<{ id: string; contact: string }> {
  const input = { items: [{ name: 'Lamp', unit_amount: total, quantity: 1 }], currency, customer: { email: `ada-${life}@example.com` } }
  const { order } = await begin(app.sql, tx => place(tx, caller(at), input))
  if (cancelled) await begin(app.sql, tx => orders.change(tx, caller(at), order.id, { status: 'CANCELLED' }, () => {}))
  return { id: order.id, contact: order.customer.contact_id as string }
}

async function tell(at: Provider, told: object[], { minute, ...how }: Telling, isMinute: boolean): Promise<void> {
  const random = seeded(how.seed)
  const happens = (percent: number) => random.next() * 100 < percent
  const sets: object[][] = [[]]
  for (const each of random.shuffled(told.flatMap(each => (happens(how.repeated) ? [each, each] : [each])))) {
    sets.at(-1)?.push(each)
    if (happens(how.cut)) sets.push([])
  }
  for (let n = 0; n < sets.length; ) {
    if (happens(how.lost)) await apply(at, sets[n] as object[], true)
    const count = happens(how.together) ? 2 : 1
    await Promise.all(sets.slice(n, n + count).map(set => apply(at, set, false)))
    if (isMinute && n <= minute && minute < n + count) await app.passMinute(at)
    n += count
  }
  // What waits in vain at last is taken as it is.
  if (isMinute) await app.passMinute(at)
}

async function apply(at: Provider, set: object[], isLost: boolean): Promise<void> {
  const callbacks = set.map(value => ({ id: '', value: value as JsonObject, receivedAt: new Date(0) }))
  const applied = begin(app.sql, async tx => {
    await kind.apply(tx, caller(at), { tenant: at.shop.id, id: at.id }, callbacks, undefined)
    if (isLost) throw new Error('lost')
  })
  await (isLost ? assert.rejects(applied, /^Error: lost$/) : applied)
}

type Doc = Record<string, unknown>
async function booksOf(at: Provider, order: string, contact: string) {
  const tenant = at.shop.id
  const docs = async (rows: Promise<readonly Doc[]>) => (await rows).map(row => JSON.parse(row['doc'] as string) as Doc)
  const [[found], payments, refunds, events, [spent], waiting] = await Promise.all([
    docs(app.sql`select doc from orders where tenant_id = ${tenant} and id = ${order}`),
    docs(app.sql`select doc from payments where tenant_id = ${tenant} and order_id = ${order}`),
    docs(app.sql`select doc from refunds where tenant_id = ${tenant} and order_id = ${order}`),
    app.sql`select type from events where tenant_id = ${tenant} and body::json -> 'data' ->> 'order_id' = ${order}`,
    app.sql`select total_spent_amount::float8 as amount, doc::json ->> 'currency' as currency from contacts where tenant_id = ${tenant} and id = ${contact}`,
    app.sql`select event_id, body from payment_updates_waiting where tenant_id = ${tenant}`,
  ])
  const amounts = (status: string) =>
    refunds
      // A loss that left all of its room to refunds has a row that failed.
      .filter(each => each['status'] === status && (status !== 'failed' || each['reason'] !== 'dispute'))
      .map(each => each['amount'] as number)
      .sort((a, b) => a - b)
  const count = (type: string) => events.filter(each => each['type'] === type).length
  const { paid_amount, refunded_amount } = found as Doc
  return {
    paid: paid_amount,
    refunded: refunded_amount,
    // It counts orders in the contact's currency.
    spent: spent?.['currency'] === (found as Doc)['currency'] ? spent?.['amount'] : (paid_amount as number) - (refunded_amount as number),
    payments: payments.map(({ status, refunded_amount }) => [status, refunded_amount]),
    pending: amounts('pending'),
    completed: amounts('completed'),
    failed: amounts('failed'),
    events: { paid: count('order.paid'), mismatched: count('payment.mismatched'), disputed: count('payment.disputed') },
    waiting: waiting.length,
  }
}

function expected({ total, cancelled }: History, { status, refunds, lost, disputes }: End) {
  const isPaid = status === 'paid'
  const sum = (amounts: number[]) => amounts.reduce((a, b) => a + b, 0)
  const sorted = (amounts: number[]) => amounts.filter(amount => amount > 0).sort((a, b) => a - b)
  const standing = refunds.filter(each => !each.failed).map(each => each.amount)
  const failed = refunds.filter(each => each.failed).map(each => each.amount)
  const gone = isPaid ? Math.min(total, sum(standing) + sum(lost)) : 0
  const paid = isPaid ? total : 0
  return {
    paid,
    refunded: gone,
    spent: paid - gone,
    payments: [[status, isPaid ? gone : sum(standing)]],
    pending: sorted(isPaid && cancelled ? [total - gone] : []),
    completed: isPaid ? sorted([...standing, ...lost]) : [],
    failed: isPaid ? sorted(failed) : [],
    events: { paid: Number(isPaid), mismatched: Number(!isPaid), disputed: disputes },
    waiting: 0,
  }
}

suite('the books are those of a simple model', () => {
  test('of any history, however it is told within a minute', () =>
    fc.assert(
      fc.asyncProperty(history, telling, async (given, how) => {
        const { books, model, hasLoss } = await both(given, how, false)
        // What refunds leave of a loss may be booked by several rows.
        const shown = (of: typeof model) => (hasLoss ? { ...of, completed: null, failed: null } : of)
        assert.deepEqual(shown(books), shown(model))
      }),
      drawn(20),
    ))

  test('of any history of which something comes more than a minute late, in their sums', () =>
    fc.assert(
      fc.asyncProperty(history, telling, async (given, how) => {
        const { books, model } = await both(given, how, true)
        const shown = (of: typeof model) => ({ ...of, completed: null, failed: null, waiting: null })
        assert.deepEqual(shown(books), shown(model))
      }),
      drawn(20),
    ))
})

test('and the figures of all these histories are those that are counted anew', async () => {
  assert.equal(await recount(app.sql, providers.stripe.shop.id), 0)
})

async function both(given: History, how: Telling, isMinute: boolean) {
  const life = ++lives
  const at = providers[given.format]
  const { id, contact } = await newOrder(at, life, given)
  await app.sql`delete from payment_updates_waiting where tenant_id = ${at.shop.id}`
  const { told, end } = live(given, { order: id, payment: `life${life}` })
  await tell(at, told, how, isMinute)
  const model = expected(given, end)
  return {
    books: (await booksOf(at, id, contact)) as typeof model,
    model,
    hasLoss: end.lost.length > 0,
  }
}
