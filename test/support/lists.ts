// Every list that the service offers and every way it can be asked: each filter alone and in pairs, by each sort, both ways, the first page and
// a deep one. Read off the routes, so a new list or filter is asked as soon as it is there, and fails until it has values here.

import { loadConfig } from '../../src/config.ts'
import { encodeCursor } from '../../src/ingress/cursor.ts'
import { readFilters, readQuery } from '../../src/ingress/query.ts'
import type { Answer, ReadContext, ReadRoute, Route } from '../../src/ingress/route.ts'
import type { Queryable } from '../../src/postgres/sql.ts'
import { restRoutes } from '../../src/rest.ts'
import { type Keyring, parseKeyring } from '../../src/secrets.ts'
import { BIG } from './bulk-rows.ts'

export interface ListRoute {
  path: string
  /** Of the ids of its items. */
  idPrefix: string
  /** Sorts, the default first; none where there is but one order. */
  sorts: string[]
  filters: string[]
  /**
   * @param apart where many rows are looked at: on the same connection unless given
   * @returns the envelope, as JSON text
   */
  ask(sql: Queryable, query: Record<string, string>, apart?: ReadContext['apart']): Promise<string>
}

/** The resource whose inner list is asked for. */
const OF = {
  webhooks: BIG.webhook,
  conversations: BIG.conversation,
  imports: BIG.import,
  orders: BIG.order,
  resources: BIG.resource,
  apps: BIG.app,
}
const COMMON = ['cursor', 'limit', 'fields', 'sort', 'dir', 'offset', 'after']

export function listRoutes(): ListRoute[] {
  const config = loadConfig({ BASE_URL: 'https://shop.example', DATABASE_URL: 'postgres://unused' })
  const setting = {
    keyring: parseKeyring('5e'.repeat(32)) as Keyring,
    outbound: { allowPrivate: false, allowOrigins: [] },
    quotas: config.quotas,
  }
  return restRoutes(config, setting, {
    sql: undefined as never,
    downloads: undefined as never,
    progress: undefined as never,
    live: undefined as never,
    attachments: undefined as never,
    links: undefined as never,
    sandbox: undefined as never,
    trials: undefined as never,
  })
    .routes.filter(isList)
    .map(route => {
      const properties = route.query.properties as Record<string, { enum?: string[] }>
      return {
        path: route.path,
        idPrefix: prefixOf(route),
        sorts: properties['sort']?.enum ?? [],
        filters: [...Object.keys(properties).filter(name => !COMMON.includes(name)), ...(route.filters ? FIELD_FILTERS : [])],
        async ask(sql, query, apart = work => work(sql)) {
          const answer = await route.handler({
            sql,
            apart,
            caller: { tenant: BIG.tenant, actor: { type: 'cli' } },
            id: OF[route.path.split('/')[3] as keyof typeof OF] ?? '',
            filters: readFilters(query, ''),
            innerId: '',
            query: readQuery(route.query, query),
            project: undefined,
            url: route.path,
          })
          return 'pieces' in answer ? Buffer.concat(answer.pieces).toString() : String((answer as Answer).body)
        },
      }
    })
}

const isList = (route: Route): route is ReadRoute =>
  route.method === 'GET' && 'has_more' in ((route.response as { properties?: object }).properties ?? {})

// Items without an id of their own are those of events.
function prefixOf({ response }: ReadRoute): string {
  const { data } = (response as { properties: Record<string, { items?: { properties?: { id?: { pattern?: string } } } }> }).properties
  return /^\^([a-z]+)_/.exec(data?.items?.properties?.id?.pattern ?? '')?.[1] ?? 'evt'
}

/** For each filter: a value of few rows, one of many, and particular ones; under a list's own path where its values are its own. */
const VALUES: Record<string, string[]> = {
  created_after: ['2026-04-30T12:00:00Z', '2025-12-01T00:00:00Z'],
  created_before: ['2025-09-12T00:00:00Z', '2026-03-01T00:00:00Z'],
  updated_after: ['2026-05-29T00:00:00Z', '2025-12-01T00:00:00Z'],
  updated_before: ['2025-09-13T00:00:00Z', '2026-03-01T00:00:00Z'],
  external_id: ['X-1000'],
  '/api/v1/orders q': ['1000', 'c17@shop.example', 'often@shop.example', 'nobody'],
  '/api/v1/orders status': ['RETURNED', 'DELIVERED', 'pending', 'pending,confirmed', 'SHIPPED,DELIVERED,CANCELLED'],
  payment_status: ['failed', 'paid', 'unpaid,refunded', 'authorized'],
  fulfillment_status: ['returned', 'delivered', 'shipped,unfulfilled'],
  source: ['ai_agent', 'api', 'crm', 'crm,dashboard'],
  customer_email: ['c17@shop.example', 'often@shop.example'],
  contact_id: [`con_0${'17'.padStart(25, '0')}`, BIG.contact],
  number: ['1000'],
  min_total: ['1000000', '1000'],
  max_total: ['500', '15000'],
  '/api/v1/products q': ['Product 77 ', 'linen', 'no such thing'],
  name: ['Product 77 ', 'linen', 'no such thing'],
  category: ['Clothes/Q/29', 'Clothes', 'Imported', 'Nothing'],
  '/api/v1/products status': ['draft', 'active', 'archived', 'draft,archived'],
  sku: ['SKU-1000'],
  stock_status: ['out_of_stock', 'in_stock', 'untracked'],
  stock_below: ['1', '500'],
  min_price: ['1000000', '1000'],
  max_price: ['500', '15000'],
  state: ['pending', 'failed', 'succeeded', 'dropped', 'failed,dropped', 'pending,failed'],
  type: ['product.updated', 'order.created'],
  types: ['product.updated', 'order.created', 'order.refunded'],
  '/api/v1/contacts q': ['c1000@shop.example', 'Aa 1', 'A', 'nobody'],
  email: ['c1000@shop.example'],
  phone: ['+38100001000'],
  tag: ['rare', 'often', 'none'],
  blocked: ['true', 'false'],
  '/api/v1/conversations q': ['c1000@shop.example', 'Aa 1', 'A', 'nobody'],
  '/api/v1/conversations status': ['open', 'closed', 'open,closed'],
  '/api/v1/conversations contact_id': [`con_0${'1000'.padStart(25, '0')}`],
  platform: ['web', 'telegram', 'viber', 'viber,web', 'email'],
  ai_status: ['paused', 'on'],
  assigned_to: [`usr_0${'1'.padStart(25, '0')}`, `usr_0${'2'.padStart(25, '0')}`, 'none'],
  channel_id: [BIG.channel],
  failed: ['true', 'false'],
  unread: ['true', 'false'],
  '/api/v1/payments status': ['mismatched', 'paid', 'mismatched,unmatched', 'authorized'],
  '/api/v1/payments provider': ['generic', 'stripe', 'generic,manual'],
  '/api/v1/orders/{id}/payments status': ['mismatched', 'paid', 'mismatched,unmatched'],
  '/api/v1/orders/{id}/payments provider': ['generic', 'stripe'],
  order_id: [BIG.order, `ord_0${'1000'.padStart(25, '0')}`],
  skill_id: ['rare', 'award', 'none'],
  purpose: ['test', 'conversation', 'test,run'],
  stage: ['http', 'done', 'network,input'],
  code: ['timeout', 'http_status', 'dns,tls'],
  '/api/v1/imports status': ['failed', 'completed'],
  '/api/platform/apps/{app}/runs status': ['failed', 'succeeded', 'cancelled', 'failed,waiting'],
  flow_id: ['rare', 'award', 'none'],
  resource: ['orders', 'products'],
  event_id: [`evt_0${'1000'.padStart(25, '0')}`],
  linked_to: [`con_0${'17'.padStart(25, '0')}`, BIG.contact, `prod_0${'7'.padStart(25, '0')}`],
  'filter[tier]': ['gold', 'silver', 'bronze'],
  'filter[points][gte]': ['999', '5'],
  'filter[points]': ['17'],
  'filter[until][lt]': ['2025-09-12', '2026-03-01T00:00:00Z'],
  'filter[note]': ['17', 'none'],
  'filter[count][gt]': ['998', '5'],
}

/** Those of the records, some by a column and some without one. */
const FIELD_FILTERS = ['filter[tier]', 'filter[points][gte]', 'filter[points]', 'filter[until][lt]', 'filter[note]', 'filter[count][gt]']

const values = (path: string, filter: string): string[] => VALUES[`${path} ${filter}`] ?? VALUES[filter] ?? missing(path, filter)

function missing(path: string, filter: string): never {
  throw new Error(`${path} has a new filter, ${filter}: give it values of few and of many rows here`)
}

/** A position in the middle of each sort. */
const MIDDLE: Record<string, string | number> = {
  created_at: '2026-01-05T04:26:40.000Z',
  updated_at: '2026-01-20T00:00:00.000Z',
  total_amount: 10_500,
  price_amount: 10_500,
  stock: 500,
  name: 'Product 50000 of linen',
}

export type Asked = Record<string, string>

/** The filters alone and in pairs, each with each of its values, or the first `count` of them. */
export function* filterings({ path, filters }: ListRoute, count = Infinity): Generator<Asked> {
  yield {}
  const all = filters.flatMap(name =>
    values(path, name)
      .slice(0, count)
      .map(value => ({ name, value })),
  )
  for (const [index, one] of all.entries()) {
    yield { [one.name]: one.value }
    for (const other of all.slice(index + 1)) if (other.name !== one.name) yield { [one.name]: one.value, [other.name]: other.value }
  }
}

/** Both directions of each sort: from the first page, and from the middle by a cursor. */
export function* pages({ idPrefix, sorts }: ListRoute): Generator<Asked> {
  if (sorts.length === 0) yield {}
  for (const sort of sorts)
    for (const dir of ['desc', 'asc'] as const) {
      yield { sort, dir }
      const id = `${idPrefix}_0${'500000'.padStart(25, '0')}`
      yield { cursor: encodeCursor({ sort, dir }, { last: MIDDLE[sort] ?? id, id }) }
    }
}
