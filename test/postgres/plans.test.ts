// How PostgreSQL answers the lists, on 25 000 rows of each with the statistics of a million: by indexes, and whatever is asked for, no scan
// looks at more than LIST_SCAN_MAX rows, or on the connections of all lists than LIST_GLANCE. `npm run bench plans` shows the same of a million real rows.
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { LIST_GLANCE, LIST_SCAN_MAX } from '../../src/limits/lists.ts'
import { BIG, insertBulkRows } from '../support/bulk-rows.ts'
import { connectedDatabase } from '../support/database.ts'
import { type Asked, filterings, listRoutes, pages } from '../support/lists.ts'
import { explained, type Plan } from '../support/plans.ts'

const ROWS = 25_000
const MILLION = 1_000_000

const database = await connectedDatabase()
await insertBulkRows(database.sql, ROWS)
await pretend()
const { sql, plan, close } = await explained(database.url)
after(close)

// As many rows in the same pages: a full scan looks cheaper than it is, so a plan that avoids it here avoids it there.
async function pretend(): Promise<void> {
  await database.sql`
    select pg_restore_relation_stats('schemaname', 'public', 'relname', c.relname::text, 'relpages', c.relpages,
                                     'reltuples', (c.reltuples * ${MILLION / ROWS}::real)::real)
      from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'i') and c.reltuples > 1000`
}

const said = (asked: Asked): string => JSON.stringify(asked)

function assertBounded(asked: Asked, { whole, longest, sorted }: Plan, rows = LIST_SCAN_MAX): void {
  assert.deepEqual(whole, [], `${said(asked)} reads all of a table`)
  assert.ok(longest <= rows + 1, `${said(asked)} looks at ${longest} rows in one scan`)
  assert.ok(sorted <= rows, `${said(asked)} sorts ${sorted} rows`)
}

/** Stands for what is read by a second statement. */
const LEFT = new Error('left to be read apart')
const leave = () => Promise.reject(LEFT)
const left = (error: unknown): void => assert.equal(error, LEFT)

const routes = listRoutes()

for (const route of routes)
  suite(route.path, () => {
    const ask = async (asked: Asked) => assertBounded(asked, await plan(() => route.ask(sql, asked)))
    // Few rows have the first of the values, and rows that do not match make a walk long.
    const singles = [...filterings(route, 2)].filter(each => Object.keys(each).length < 2)
    const pairs = [...filterings(route, 2)].filter(each => Object.keys(each).length === 2)

    for (const filters of singles)
      test(`${
        Object.entries(filters)
          .map(each => each.join('='))
          .join() || 'no filter'
      }: by every sort, the first page and a deep one`, async () => {
        for (const page of pages(route)) if ((page['dir'] === 'desc') === 'sort' in page) await ask({ ...filters, ...page })
      })

    test('by each filter, on the connections of all lists: few rows are looked at', async () => {
      for (const filters of singles) assertBounded(filters, await plan(() => route.ask(sql, filters, leave).catch(left)), LIST_GLANCE)
    })

    if (pairs.length > 0)
      test('filters in pairs', async () => {
        for (const filters of pairs) await ask(filters)
      })
  })

/** The filter, how many pages it takes at least, and the same filter in SQL. */
const rare: [string, Asked, number, string][] = [
  ['/api/v1/orders', { created_after: '2025-12-01T00:00:00Z', sort: 'updated_at', dir: 'asc' }, 75, `created_at > '2025-12-01'`],
  ['/api/v1/orders', { status: 'pending,RETURNED', sort: 'total_amount' }, 1, `status in ('pending', 'RETURNED')`],
  ['/api/v1/orders', { payment_status: 'failed,unpaid', source: 'api' }, 1, `payment_status in ('failed', 'unpaid') and source = 'api'`],
  [
    '/api/v1/orders',
    { source: 'crm', min_total: '20000', updated_before: '2025-10-20T00:00:00Z' },
    1,
    `source = 'crm' and total_amount >= 20000 and updated_at < '2025-10-20'`,
  ],
  ['/api/v1/products', { stock_status: 'out_of_stock', sort: 'stock' }, 2, 'stock = 0'],
  ['/api/v1/products', { q: 'no such thing' }, 2, 'false'],
  [
    '/api/v1/products',
    { category: 'Clothes/Q', status: 'archived', sort: 'name', dir: 'asc' },
    1,
    `category like 'Clothes/Q%' and status = 'archived'`,
  ],
]

for (const [path, asked, pagesAtLeast, condition] of rare)
  test(`read to its end, ${path}?${new URLSearchParams(asked)} has every row once`, async () => {
    const route = routes.find(each => each.path === path) ?? assert.fail(path)
    const found: string[] = []
    let count = 0
    for (let page: Asked | undefined = asked; page; count++) {
      const { data, next_cursor, has_more } = JSON.parse(await route.ask(sql, { limit: '100', ...page }))
      assert.equal(has_more, next_cursor !== null)
      found.push(...data.map((row: { id: string }) => row.id))
      page = next_cursor ? { ...without(asked, 'sort', 'dir'), cursor: next_cursor } : undefined
    }
    const expected = await sql.unsafe(`select id from ${path.split('/').at(-1)} where tenant_id = '${BIG.tenant}' and ${condition}`)
    assert.deepEqual(found.toSorted(), expected.map(row => row['id']).toSorted())
    assert.ok(count >= pagesAtLeast, `${count} pages`)
  })

const without = (asked: Asked, ...names: string[]): Asked =>
  Object.fromEntries(Object.entries(asked).filter(([name]) => !names.includes(name)))
