// The figures of a period: what was counted, as one answer for agents and people alike. It is exact at the moment of the answer.
import type { Caller } from '../caller.ts'
import { now } from '../clock.ts'
import { TOP_PRODUCTS } from '../limits/analytics.ts'
import { STATUSES } from '../orders/lifecycle.ts'
import type { Queryable } from '../postgres/sql.ts'
import { introduction } from '../tenants/tenants.ts'
import { type Day, localDays } from './days.ts'
import { columnOf, type Measure } from './measures.ts'
import { DAYS, type Figures, type Period } from './schema.ts'
import * as store from './store.ts'

/**
 * Today since the workspace's local midnight; or so many of its days, today included. It looks at thousands of rows: a statement for connections that
 * others do not wait for.
 */
export async function figures(sql: Queryable, { tenant }: Pick<Caller, 'tenant'>, name: Period): Promise<Figures> {
  const { currency, time_zone } = await introduction(sql, tenant)
  const at = now()
  const days = localDays(time_zone, at, DAYS[name])
  const found = await store.counts(sql, tenant, { days, currency, most: TOP_PRODUCTS })
  const own = found.days.filter(each => each.currency === currency)
  const average = { total: sum(own, 'total'), orders: orders(own) - sum(own, 'cancelled') }
  return {
    period: {
      name,
      from: new Date((days[0] as Day).from).toISOString(),
      to: new Date(at).toISOString(),
      time_zone,
    },
    currency,
    orders: {
      count: orders(found.days),
      by_status: Object.fromEntries(STATUSES.map(status => [status, sum(found.days, columnOf(status))])) as Figures['orders']['by_status'],
    },
    revenue: {
      paid_amount: sum(own, 'paid'),
      refunded_amount: sum(own, 'given_back'),
      // Math.round rounds halves up.
      average_order_amount: average.orders > 0 ? Math.round(average.total / average.orders) : 0,
    },
    other_currencies: others(found.days, currency),
    conversations: {
      started: sum(found.days, 'started'),
      inbound: sum(found.days, 'inbound'),
      ai_replies: sum(found.days, 'ai_replies'),
      human_takeovers: sum(found.days, 'takeovers'),
      escalations: sum(found.days, 'escalations'),
    },
    top_products: found.products,
    by_day: days.map(({ date }, index) => {
      const [all, ours] = [found.days, own].map(each => each.filter(({ day }) => day === index + 1)) as [
        store.DayCounts[],
        store.DayCounts[],
      ]
      return { date, orders: orders(all), paid_amount: sum(ours, 'paid'), inbound: sum(all, 'inbound') }
    }),
  }
}

const sum = (rows: store.DayCounts[], measure: Measure): number => rows.reduce((total, row) => total + row[measure], 0)

const orders = (rows: store.DayCounts[]): number => STATUSES.reduce((total, status) => total + sum(rows, columnOf(status)), 0)

function others(rows: store.DayCounts[], own: string): Figures['other_currencies'] {
  const currencies = [...new Set(rows.map(each => each.currency))].filter(each => each !== own && each !== '')
  return currencies
    .sort()
    .map(currency => {
      const these = rows.filter(each => each.currency === currency)
      return { currency, orders: orders(these), paid_amount: sum(these, 'paid'), refunded_amount: sum(these, 'given_back') }
    })
    .filter(each => each.orders !== 0 || each.paid_amount !== 0 || each.refunded_amount !== 0)
}
