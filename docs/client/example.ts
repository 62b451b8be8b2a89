// A tour of the client, in the order of docs/api/client.md and events.md, which show these functions. A test runs it.
import { everyItem, type Import, type ItemOf, type Order, ProblemError, type Shopdesk, taken } from './index.js'

export async function placeOrder(shop: Shopdesk): Promise<Order> {
  const shirt = { name: 'Linen shirt', sku: 'SHIRT-M', price_amount: 4900, stock: 25 }
  const product = await taken(shop.POST('/api/v1/products', { body: shirt }))
  return taken(
    shop.POST('/api/v1/orders', {
      params: { header: { 'Idempotency-Key': 'checkout-10482' } },
      body: { items: [{ product_id: product.id, quantity: 2 }], customer: { email: 'ada@example.com' } },
    }),
  )
}

export async function deliver(shop: Shopdesk, id: string): Promise<string> {
  const { error } = await shop.PATCH('/api/v1/orders/{id}', { params: { path: { id } }, body: { status: 'DELIVERED' } })
  if (!error) return 'delivered'
  // Each problem has its own members: the compiler knows them by status and code.
  if (error.status === 409 && error.code === 'invalid_transition') return `first: ${error.valid_targets.join(' or ')}`
  throw new ProblemError(error)
}

export async function openOrders(shop: Shopdesk): Promise<Map<string, ItemOf<'/api/v1/orders'>>> {
  const open = new Map<string, ItemOf<'/api/v1/orders'>>()
  for await (const order of everyItem(shop, '/api/v1/orders', { query: { status: ['pending', 'confirmed'], limit: 10 } }))
    open.set(order.id, order)
  return open
}

/** What is kept of an order, and the tag to ask with whether it is still so. */
export interface Kept {
  order: Order
  etag: string
}

export async function refresh(shop: Shopdesk, id: string, kept?: Kept): Promise<Kept> {
  const call = shop.GET('/api/v1/orders/{id}', {
    params: { path: { id } },
    headers: { 'If-None-Match': kept?.etag ?? null },
  })
  const { response } = await call
  if (kept && response.status === 304) return kept
  return { order: await taken(call), etag: response.headers.get('etag') ?? '' }
}

export async function reprice(shop: Shopdesk, prices: { id: string; price_amount: number }[]): Promise<string[]> {
  const { results } = await taken(shop.POST('/api/v1/products/bulk', { body: { items: prices } }))
  return results.map(result =>
    'data' in result ? `${result.data.name}: ${result.data.price_amount}` : `${result.error.status}: ${result.error.detail}`,
  )
}

export async function importProducts(shop: Shopdesk, products: object[]): Promise<Import> {
  const body = products.map(product => `${JSON.stringify(product)}\n`).join('')
  const begun = await taken(
    shop.POST('/api/v1/imports', {
      params: { query: { resource: 'products', mode: 'upsert' } },
      headers: { 'Content-Type': 'application/x-ndjson' },
      body,
    }),
  )
  for (;;) {
    const now = await taken(shop.GET('/api/v1/imports/{id}', { params: { path: { id: begun.id } } }))
    if (now.finished_at !== null) return now
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

/** Where you are in the events. Keep it with your data, best in the same transaction. */
export interface Place {
  load(): Promise<string | null>
  save(cursor: string | null): Promise<void>
}

/** Hands on what has happened since the last call, oldest first. Call it every minute, or when you are back from an outage. */
export async function followEvents(
  shop: Shopdesk,
  place: Place,
  handle: (event: ItemOf<'/api/v1/events'>) => Promise<void>,
): Promise<void> {
  for (let more = true; more; ) {
    const after = await place.load()
    const page = await taken(shop.GET('/api/v1/events', { params: { query: { limit: 100, ...(after !== null && { after }) } } }))
    for (const event of page.data) await handle(event)
    await place.save(page.resume_cursor)
    more = page.has_more
  }
}
