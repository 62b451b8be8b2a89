// A page of 50 orders, the full path (key, exact limiter, query, ETag), against bare Fastify sending the same text; then a deep page
// against the first one: a keyset must not slow down as it goes.
import { compare } from './compare.ts'
import type { Dataset } from './dataset.ts'
import { httpLoad } from './load.ts'
import { get } from './request.ts'
import { startBare, startWeb } from './servers.ts'

const CONNECTIONS = 64
const PAGE = 50
const DEEP = 10_000

export async function list(dataset: Dataset): Promise<void> {
  const [bare, web] = await Promise.all([startBare(dataset), startWeb(dataset)])
  try {
    await compare({
      title: `list: ${PAGE} of 1 M orders, first page, ${CONNECTIONS} connections, ${await pageSize(web.address, dataset)} KB a page`,
      names: ['bare Fastify', 'GET /api/v1/orders'],
      baseline: httpLoad(
        bare.address,
        dataset.keys.map(({ tenant }) => get(`/${tenant}/orders`)),
        CONNECTIONS,
      ),
      ours: httpLoad(
        web.address,
        dataset.keys.map(key => get('/api/v1/orders', key)),
        CONNECTIONS,
      ),
      atLeast: 0.6,
    })
    const cursor = await deepCursor(dataset)
    await compare({
      title: `list: page ${DEEP.toLocaleString('en')} of one shop, ${CONNECTIONS} connections (at most 1.2 × the time of page 1)`,
      names: ['page 1', `page ${DEEP.toLocaleString('en')}`],
      baseline: httpLoad(
        web.address,
        dataset.largeKeys.map(key => get('/api/v1/orders', key)),
        CONNECTIONS,
      ),
      ours: httpLoad(
        web.address,
        dataset.largeKeys.map(key => get(`/api/v1/orders?cursor=${cursor}`, key)),
        CONNECTIONS,
      ),
      atLeast: 1 / 1.2,
    })
  } finally {
    await Promise.all([bare.stop(), web.stop()])
  }
}

async function pageSize(address: string, { keys }: Dataset): Promise<number> {
  const answer = await fetch(`${address}/api/v1/orders`, { headers: { Authorization: `Bearer ${keys[0]?.key}` } })
  return Math.round((await answer.arrayBuffer()).byteLength / 1000)
}

// The cursor to which walking 9 999 pages would have led.
async function deepCursor({ db, largeKeys }: Dataset): Promise<string> {
  const [row] = await db.sql<[{ id: string; created_at: Date }]>`
    select id, created_at from orders
     where tenant_id = ${largeKeys[0]?.tenant ?? ''}
     order by created_at desc, id desc
     offset ${(DEEP - 1) * PAGE - 1} limit 1`
  const cursor = { v: 1, sort: 'created_at', dir: 'desc', last: row.created_at.toISOString(), id: row.id }
  return Buffer.from(JSON.stringify(cursor)).toString('base64url')
}
