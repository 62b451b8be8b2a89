// The figures as a person would work them out: every row of the tables is read, and looked at one by one.
import type { Figures, Period } from '../../src/analytics/schema.ts'
import { now } from '../../src/clock.ts'
import type { Sql } from '../../src/postgres/sql.ts'

const STATUSES = ['pending', 'confirmed', 'processing', 'SHIPPED', 'DELIVERED', 'RETURNED', 'CANCELLED', 'REFUNDED'] as const
const DAYS = { today: 1, '7d': 7, '30d': 30 }

// biome-ignore lint/suspicious/noExplicitAny: resources of every shape
type Doc = any

export async function reckoned(sql: Sql, tenant: string, name: Period, at = now()): Promise<Figures> {
  const docs = async (table: string): Promise<Doc[]> =>
    (await sql<{ doc: string }[]>`select doc from ${sql(table)} where tenant_id = ${tenant}`).map(row => JSON.parse(row.doc))
  const [row] = await sql<{ currency: string; time_zone: string }[]>`select currency, time_zone from tenants where id = ${tenant}`
  const { currency, time_zone } = row as { currency: string; time_zone: string }
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: time_zone })
  // Rows of a test share a few times, and each is asked for several of their dates.
  const dateOf = remembered((time: string | number): string => format.format(new Date(time)))
  const { dates, from } = lastDates(dateOf, at, DAYS[name])
  const counts = (time: string | null): boolean => time !== null && dates.includes(dateOf(time))

  const orders = (await docs('orders')).filter(each => counts(each.created_at))
  const paid = (await docs('payments')).filter(each => each.status === 'paid' && counts(each.paid_at))
  const refunds = (await docs('refunds')).filter(each => each.status === 'completed' && counts(each.completed_at))
  const messages = (await docs('messages')).filter(each => counts(each.created_at))
  const conversations = await docs('conversations')
  const pauses = (await sql<{ body: string }[]>`select body from events where tenant_id = ${tenant} and type = 'ai.paused'`)
    .map(event => JSON.parse(event.body).data)
    .filter(({ reason, conversation }) => reason === 'human_reply' && counts(conversation.ai_paused_at))
  const products = await docs('products')

  const own = <T extends { currency: string }>(all: T[]): T[] => all.filter(each => each.currency === currency)
  const amount = (all: { amount: number }[]): number => all.reduce((sum, each) => sum + each.amount, 0)
  const sold = orders.filter(each => each.status !== 'CANCELLED')
  const averaged = own(sold)
  const foreign = [...new Set([...orders, ...paid, ...refunds].map(each => each.currency))].filter(each => each !== currency).sort()
  return {
    period: { name, from: new Date(from).toISOString(), to: new Date(at).toISOString(), time_zone },
    currency,
    orders: {
      count: orders.length,
      by_status: Object.fromEntries(STATUSES.map(status => [status, orders.filter(each => each.status === status).length])) as Doc,
    },
    revenue: {
      paid_amount: amount(own(paid)),
      refunded_amount: amount(own(refunds)),
      average_order_amount:
        averaged.length === 0 ? 0 : Math.floor(averaged.reduce((sum, each) => sum + each.total_amount, 0) / averaged.length + 0.5),
    },
    other_currencies: foreign.map(other => ({
      currency: other,
      orders: orders.filter(each => each.currency === other).length,
      paid_amount: amount(paid.filter(each => each.currency === other)),
      refunded_amount: amount(refunds.filter(each => each.currency === other)),
    })),
    conversations: {
      started: conversations.filter(each => counts(each.created_at)).length,
      inbound: messages.filter(each => each.direction === 'inbound').length,
      ai_replies: messages.filter(each => each.author.type === 'ai' && each.status !== 'failed').length,
      human_takeovers: pauses.length,
      escalations: conversations.filter(each => counts(each.escalation?.requested_at ?? null)).length,
    },
    top_products: topOf(sold, currency, products),
    by_day: dates.map(date => ({
      date,
      orders: orders.filter(each => dateOf(each.created_at) === date).length,
      paid_amount: amount(own(paid).filter(each => dateOf(each.paid_at) === date)),
      inbound: messages.filter(each => each.direction === 'inbound' && dateOf(each.created_at) === date).length,
    })),
  }
}

const MINUTE_MS = 60_000

function remembered<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return key => known.get(key) ?? (known.set(key, make(key)).get(key) as Value)
}

// Walks back in time, first in quarter hours, then in minutes, as long as there are not too many dates.
function lastDates(dateOf: (at: number) => string, at: number, count: number): { dates: string[]; from: number } {
  const dates = new Set([dateOf(at)])
  let from = Math.floor(at / MINUTE_MS) * MINUTE_MS
  for (const step of [15 * MINUTE_MS, MINUTE_MS]) {
    for (;;) {
      const date = dateOf(from - step)
      if (!dates.has(date) && dates.size === count) break
      dates.add(date)
      from -= step
    }
  }
  return { dates: [...dates].sort(), from }
}

function topOf(orders: Doc[], currency: string, products: Doc[]): Figures['top_products'] {
  const sold = new Map<string, { quantity: number; amount: number }>()
  for (const order of orders)
    for (const { product_id, quantity, total_amount } of order.items) {
      if (product_id === null) continue
      const before = sold.get(product_id) ?? { quantity: 0, amount: 0 }
      sold.set(product_id, {
        quantity: before.quantity + quantity,
        amount: before.amount + (order.currency === currency ? total_amount : 0),
      })
    }
  return [...sold]
    .map(([product_id, of]) => {
      const { name, sku } = products.find(each => each.id === product_id)
      return { product_id, name, sku, ...of }
    })
    .sort((a, b) => b.quantity - a.quantity || b.amount - a.amount || (a.product_id < b.product_id ? -1 : 1))
    .slice(0, 5)
}
