// One order by its id, the full path, against bare Fastify with the same query.
import { compare } from './compare.ts'
import type { Dataset } from './dataset.ts'
import { httpLoad } from './load.ts'
import { get } from './request.ts'
import { startBare, startWeb } from './servers.ts'

const CONNECTIONS = 64

export async function read(dataset: Dataset): Promise<void> {
  const [bare, web] = await Promise.all([startBare(dataset), startWeb(dataset)])
  const orders = await someOrders(dataset)
  try {
    await compare({
      title: `read: one order of 1 M by its id, ${CONNECTIONS} connections`,
      names: ['bare Fastify', 'GET /api/v1/orders/{id}'],
      baseline: httpLoad(
        bare.address,
        orders.map(({ tenant, id }) => get(`/${tenant}/orders/${id}`)),
        CONNECTIONS,
      ),
      ours: httpLoad(
        web.address,
        orders.map(({ key, tenant, id }) => get(`/api/v1/orders/${id}`, { key, tenant })),
        CONNECTIONS,
      ),
      atLeast: 0.6,
    })
  } finally {
    await Promise.all([bare.stop(), web.stop()])
  }
}

/** One for each key, from anywhere among its shop's orders. */
export function someOrders({ db }: Dataset): Promise<{ key: string; tenant: string; id: string }[]> {
  return db.sql`
    select k.key, k.tenant, o.id
      from bench.keys k
      join order_counters c on c.tenant_id = k.tenant
      join orders o on o.tenant_id = k.tenant and o.number = 1 + k.position % least(c.last_number, 2000)
     order by k.position`
}
