// An order placed over HTTP (key, limiter, validation, stock, contact, audit row, event, delivery row, wake-up) against the same rows
// written by one statement without HTTP, at the same concurrency and with the same durability.
import postgres from 'postgres'
import { newId } from '../src/ids.ts'
import { compare } from './compare.ts'
import { clearPlaced, customerEmail, type Dataset, type Key, VARIETY } from './dataset.ts'
import { directLoad, httpLoad } from './load.ts'
import { startWeb } from './processes.ts'
import { post } from './request.ts'

export async function create(dataset: Dataset): Promise<void> {
  await clearPlaced(dataset)
  const web = await startWeb(dataset)
  const wishes = await someWishes(dataset)
  try {
    for (const concurrency of [16, 64]) {
      const statement = await oneStatement(dataset, wishes, concurrency)
      await compare({
        title: `create: an order of one line with one subscribed endpoint, ${concurrency} at once`,
        names: ['one statement, no HTTP', 'POST /api/v1/orders'],
        limit: directLoad(statement.run, concurrency),
        ours: httpLoad(web.address, wishes.map(orderRequest), concurrency),
        atLeast: 0.5,
      })
      await statement.close()
    }
  } finally {
    await web.stop()
  }
}

export interface Wish extends Key {
  product: string
  email: string
}

/** For each key of the small shops, what it orders; the large one's would all wait for one counter. */
export async function someWishes({ db, smallKeys }: Dataset): Promise<Wish[]> {
  const rows = await db.sql<{ tenant: string; ids: string[] }[]>`
    select tenant_id as tenant, array_agg(id order by id) as ids from products group by tenant_id`
  const products = new Map(rows.map(({ tenant, ids }) => [tenant, ids]))
  return smallKeys.map((key, i) => ({
    ...key,
    product: products.get(key.tenant)?.[i % VARIETY] as string,
    email: customerEmail((i * 7) % VARIETY),
  }))
}

export const orderRequest = (wish: Wish): Buffer =>
  post('/api/v1/orders', wish, { items: [{ product_id: wish.product, quantity: 1 }], customer: { email: wish.email } })

interface Statement {
  run(turn: number): Promise<unknown>
  close(): Promise<void>
}

// A connection for each of those at once, so that commits share their flush. The texts are rendered ahead; only the number, which the
// statement itself finds, is put in between.
async function oneStatement({ db, databaseUrl }: Dataset, wishes: Wish[], connections: number): Promise<Statement> {
  const [model] = await db.sql<{ doc: string }[]>`select doc from orders where status = 'pending' limit 1`
  const [head = '', tail = ''] = (model as { doc: string }).doc.split(/(?<="number":)\d+/)
  const sqls = Array.from({ length: connections }, () =>
    postgres(databaseUrl, { max: 1, connection: { application_name: 'shopdesk bench limit' } }),
  )
  return {
    run(turn) {
      const { tenant, product, email } = wishes[turn % wishes.length] as Wish
      const sql = sqls[turn % connections] as postgres.Sql
      const [order, event, at] = [newId('ord'), newId('evt'), new Date()]
      const envelope = `{"id":"${event}","type":"order.created","created_at":"${at.toISOString()}","data":{"order_id":"${order}","order":`
      return sql`
        with counted as (
          insert into order_counters as c (tenant_id, last_number) values (${tenant}, 1)
          on conflict (tenant_id) do update set last_number = c.last_number + 1
          returning last_number
        ), sold as (
          update products set reserved = reserved + 1
           where tenant_id = ${tenant} and id = ${product} and stock - reserved >= 1
          returning price_amount, currency
        ), bought as (
          update contacts set orders_count = orders_count + 1
           where tenant_id = ${tenant} and lower(email) = ${email} and email is not null
          returning id
        ), placed as (
          insert into orders (tenant_id, id, number, source, status, payment_status, fulfillment_status, currency, total_amount,
                              contact_id, customer_email, created_at, updated_at, doc)
          select ${tenant}, ${order}, counted.last_number, 'api', 'pending', 'unpaid', 'unfulfilled', sold.currency, sold.price_amount,
                 bought.id, ${email}, ${at}, ${at}, ${head} || counted.last_number || ${tail}
            from counted, sold, bought
        ), audited as (
          insert into audit_log (tenant_id, actor_type, action, subject_id, trace_id)
          values (${tenant}, 'api_key', 'order.place', ${order}, ${TRACE})
        ), emitted as (
          insert into events (tenant_id, id, type, created_at, body)
          select ${tenant}, ${event}, 'order.created', ${at}, ${envelope + head} || counted.last_number || ${`${tail}}}`}
            from counted
        )
        insert into webhook_deliveries (tenant_id, endpoint_id, event_id, due_at)
        select e.tenant_id, e.id, ${event}, clock_timestamp()
          from webhook_endpoints e
         where e.tenant_id = ${tenant} and e.status = 'enabled' and e.events @> array['order.created']`
    },
    close: async () => {
      await Promise.all(sqls.map(sql => sql.end()))
    },
  }
}

const TRACE = '0af7651916cd43dd8448eb211c80319c'
