// An order placed over HTTP (key, limiter, validation, stock, contact, audit row, event, delivery row, wake-up) against the same rows
// written by one statement without HTTP, at the same concurrency and with the same durability.
import postgres from '../src/postgres/driver.ts'
import { compare } from './compare.ts'
import { clearPlaced, customerEmail, type Dataset, type Key, VARIETY } from './dataset.ts'
import { directLoad, httpLoad } from './load.ts'
import { placeAtOnce } from './lone/plain-order.ts'
import { post } from './request.ts'
import { startWeb } from './servers.ts'

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
        baseline: directLoad(statement.run, concurrency),
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

// A connection for each of those at once, so that commits share their flush.
async function oneStatement({ db, databaseUrl }: Dataset, wishes: Wish[], connections: number): Promise<Statement> {
  const [model] = await db.sql<{ doc: string }[]>`select doc from orders where status = 'pending' limit 1`
  const doc = (model as { doc: string }).doc
  const sqls = Array.from({ length: connections }, () =>
    postgres(databaseUrl, { max: 1, connection: { application_name: 'shopdesk bench baseline' } }),
  )
  return {
    run: turn => placeAtOnce(sqls[turn % connections] as postgres.Sql, wishes[turn % wishes.length] as Wish, doc),
    close: async () => {
      await Promise.all(sqls.map(sql => sql.end()))
    },
  }
}
