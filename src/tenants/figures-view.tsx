// How a shop does, for its people: today beside the last seven days, and those day by day.
import type { VNode } from 'preact'
import type { Figures } from '../analytics/schema.ts'
import { money } from '../ingress/page/money.ts'
import { Table } from '../ingress/page/table.tsx'

interface FiguresViewProps {
  today: Figures
  week: Figures
}

const MEASURES: { title: string; of: (figures: Figures) => string }[] = [
  { title: 'Orders', of: ({ orders }) => String(orders.count) },
  { title: 'Paid', of: ({ revenue, currency }) => money(revenue.paid_amount, currency) },
  { title: 'Given back', of: ({ revenue, currency }) => money(revenue.refunded_amount, currency) },
  { title: 'Average order', of: ({ revenue, currency }) => money(revenue.average_order_amount, currency) },
  { title: 'New conversations', of: ({ conversations }) => String(conversations.started) },
  { title: 'Messages of customers', of: ({ conversations }) => String(conversations.inbound) },
]

/** The two periods beside each other. */
export const FiguresView = ({ today, week }: FiguresViewProps): VNode => (
  <>
    <div class="figures">
      <Period title="Today" figures={today} />
      <Period title="The last 7 days" figures={week} />
    </div>
    <Others {...week} />
  </>
)

/** The week day by day, and what sold best in it. */
export const WeekView = ({ week }: { week: Figures }): VNode => (
  <>
    <h2>Day by day</h2>
    <Table
      caption={`The last 7 days, by the clock of ${week.period.time_zone}`}
      columns={[
        { title: 'Day', of: day => day.date },
        { title: 'Orders', of: day => day.orders },
        { title: 'Paid', of: day => money(day.paid_amount, week.currency) },
        { title: 'Messages', of: day => day.inbound },
      ]}
      rows={isQuiet(week) ? [] : week.by_day.toReversed()}
      empty={<p>Nothing has happened yet: orders are placed by the API or by the assistant, and customers write over channels.</p>}
      narrow
    />
    {week.top_products.length > 0 && (
      <>
        <h2>What sold best</h2>
        <Table
          caption="By pieces, in the last 7 days"
          columns={[
            { title: 'Product', of: product => product.name },
            { title: 'SKU', of: product => product.sku ?? '–' },
            { title: 'Pieces', of: product => product.quantity },
            { title: 'Amount', of: product => money(product.amount, week.currency) },
          ]}
          rows={week.top_products}
          empty={<p>Nothing yet.</p>}
          narrow
        />
      </>
    )}
  </>
)

const isQuiet = ({ orders, revenue, conversations }: Figures): boolean =>
  orders.count === 0 && revenue.paid_amount === 0 && revenue.refunded_amount === 0 && conversations.inbound === 0

const Period = ({ title, figures }: { title: string; figures: Figures }): VNode => (
  <section aria-label={title}>
    <h2>{title}</h2>
    <dl>
      {MEASURES.map(measure => (
        <div key={measure.title}>
          <dt>{measure.title}</dt>
          <dd>{measure.of(figures)}</dd>
        </div>
      ))}
    </dl>
  </section>
)

// Amounts of several currencies are never added up.
const Others = ({ other_currencies }: Figures): VNode | null =>
  other_currencies.length === 0 ? null : (
    <p class="hint">
      In other currencies within the last 7 days:{' '}
      {other_currencies.map(({ currency, orders, paid_amount }) => `${orders} orders, ${money(paid_amount, currency)} paid`).join('; ')}.
    </p>
  )
