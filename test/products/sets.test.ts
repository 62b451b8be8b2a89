// Products in sets: one way to write them, whether alone, in bulk or imported. A refusal is a value and leaves no trace.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Caller } from '../../src/caller.ts'
import { begin } from '../../src/postgres/sql.ts'
import { Problem } from '../../src/problems.ts'
import { archive, change, create, createAll, upsertAll } from '../../src/products/products.ts'
import type { NewProduct } from '../../src/products/schema.ts'
import { type Write, type Written, writeAll } from '../../src/products/write.ts'
import { type TestTenant, testApp } from '../support/app.ts'
import { anOrder, nobody } from '../support/given.ts'
import { sessionWaits } from '../support/locks.ts'

const app = await testApp()

interface Shop {
  tenant: TestTenant
  caller: Caller
  write: (...writes: Write[]) => Promise<(Written | Problem)[]>
  make: (...inputs: Partial<NewProduct>[]) => Promise<(Written | Problem)[]>
  upsert: (...inputs: Partial<NewProduct>[]) => Promise<(Written | Problem)[]>
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into products of every shape
  read: (id: string) => Promise<any>
}

async function aShop(): Promise<Shop> {
  const tenant = await app.tenant()
  const caller: Caller = { tenant: tenant.id, actor: { type: 'cli' } }
  const named = (inputs: Partial<NewProduct>[]) => inputs.map((each, index) => ({ name: `Shirt ${index}`, price_amount: 100, ...each }))
  return {
    tenant,
    caller,
    write: (...writes) => begin(app.sql, tx => writeAll(tx, caller, writes)),
    make: (...inputs) => begin(app.sql, tx => createAll(tx, caller, named(inputs))),
    upsert: (...inputs) => begin(app.sql, tx => upsertAll(tx, caller, named(inputs))),
    read: async id => (await tenant.get(`/api/v1/products/${id}`)).body,
  }
}

const idOf = (result: Written | Problem | undefined): string => {
  assert.ok(result && !(result instanceof Problem), String(result))
  return result.id
}
/** The result of each: the outcome, or the code of the refusal. */
const told = (results: (Written | Problem)[]) =>
  results.map(each => (each instanceof Problem ? (each.members['code'] ?? each.type) : each.outcome))
const TABLES = ['products', 'product_variants', 'product_skus', 'audit_log', 'events']
const rowsOf = async ({ tenant }: Shop) =>
  Object.fromEntries(
    await Promise.all(
      TABLES.map(async table => {
        const rows = await app.sql`select to_jsonb(t)::text as row from ${app.sql(table)} t where tenant_id = ${tenant.id} order by 1`
        return [table, rows.map(row => row['row'])] as const
      }),
    ),
  )
const countsOf = async (shop: Shop) => TABLES.map(async table => (await rowsOf(shop))[table]?.length)
const eventsOf = async ({ tenant }: Shop) => {
  const rows = await app.sql`select body from events where tenant_id = ${tenant.id} order by seq`
  return rows.map(row => JSON.parse(row['body']))
}

const full = (n: number): Partial<NewProduct> => ({
  sku: `S-${n}`,
  external_id: `E-${n}`,
  category: 'Clothes/“Shirts”, \\ and 👕',
  description: 'Line one\nline "two"\t\u2028',
  stock: n,
  status: n % 2 ? 'draft' : 'active',
  images: [{ url: 'https://a.example/1.jpg' }],
  attributes: { 10: 'ten', 2: 'two', b: '{"a":1}', a: "'" },
  tags: ['a', 'b,c', '{}'],
  metadata: { k: 'NULL' },
  variants: [{ name: 'M', sku: `S-${n}-M`, stock: 3, options: { size: 'M' } }, { name: 'L' }],
})

/** Too long for one statement, and in another order than that of their keys. */
const LARGE = Array.from({ length: 50 }, (_, n) => ({
  ...full(n),
  name: 'x',
  external_id: `E-${(n * 7) % 50}`,
  description: 'long'.repeat(4_000),
}))

suite('a set that takes several statements', () => {
  test('is kept as a set that takes one statement: in its order, with its audit rows and its events', async () => {
    const shop = await aShop()
    const made = await shop.make(...LARGE)
    assert.deepEqual(new Set(told(made)), new Set(['created']))
    for (const each of made as Written[]) assert.equal((await shop.tenant.get(`/api/v1/products/${each.id}`)).text, each.json)
    assert.deepEqual(await Promise.all(await countsOf(shop)), [50, 100, 100, 50, 50])
    const ids = (made as Written[]).map(({ id }) => id)
    assert.deepEqual(
      (await eventsOf(shop)).map(each => each.data.product_id),
      ids,
    )
    const changed = await shop.upsert(...LARGE.map(each => ({ ...each, description: 'other'.repeat(3_000) })))
    assert.deepEqual((changed as Written[]).map(idOf), ids)
    assert.deepEqual(new Set(told(changed)), new Set(['updated']))
    const given = { sku: null, variants: [] }
    const [first, last] = [ids[0], ids[49]] as [string, string]
    const padding = LARGE.slice(1, 49).map((each, n) => ({ change: { description: each.description as string }, id: ids[n + 1] as string }))
    const swapped = await shop.write({ change: given, id: first }, ...padding, { change: { sku: 'S-0' }, id: last })
    assert.equal(told(swapped).at(-1), 'duplicate_sku', 'a key that one gives up is free for the next set')
    assert.deepEqual(told(await shop.write({ change: { sku: 'S-0' }, id: last })), ['updated'])
  })

  test('leaves no trace where it cannot be written, and is refused keys that another request takes at the same time', async () => {
    const shop = await aShop()
    await assert.rejects(shop.make(...LARGE, { name: 'x', price_amount: 1, stock: -1 }), /stock/)
    assert.deepEqual(await Promise.all(await countsOf(shop)), [0, 0, 0, 0, 0])
    const results = await Promise.all(Array.from({ length: 4 }, (_, n) => shop.upsert(...(n % 2 ? LARGE : LARGE.toReversed()))))
    assert.equal(told(results.flat()).filter(each => each === 'created').length, 50)
    assert.equal(told(results.flat()).filter(each => each === 'unchanged').length, 150)
  })
})

suite('a set that is created', () => {
  test('is kept as each would be alone, read back to the byte, with its audit rows and its events', async () => {
    const shop = await aShop()
    const made = await shop.make(...Array.from({ length: 30 }, (_, n) => full(n)), {})
    assert.deepEqual(new Set(told(made)), new Set(['created']))
    for (const each of made as Written[]) {
      const { text } = await shop.tenant.get(`/api/v1/products/${each.id}`)
      assert.equal(text, each.json)
    }
    assert.deepEqual(await Promise.all(await countsOf(shop)), [31, 60, 60, 31, 31])
    const events = await eventsOf(shop)
    assert.deepEqual(
      events.map(each => [each.type, each.data.product_id, JSON.stringify(each.data.product)]),
      (made as Written[]).map(each => ['product.created', each.id, each.json]),
    )
    const columns = await app.sql`
      select count(*) from products
       where tenant_id = ${shop.tenant.id}
         and (id, name, status, currency, price_amount::text, version::text, coalesce(sku, ''), coalesce(external_id, ''), coalesce(category, ''))
           = (doc::jsonb->>'id', doc::jsonb->>'name', doc::jsonb->>'status', doc::jsonb->>'currency', doc::jsonb->>'price_amount', doc::jsonb->>'version',
              coalesce(doc::jsonb->>'sku', ''), coalesce(doc::jsonb->>'external_id', ''), coalesce(doc::jsonb->>'category', ''))`
    assert.equal(columns[0]?.['count'], 31)
  })

  test('may be empty', async () => {
    assert.deepEqual(await (await aShop()).make(), [])
  })

  test('with a key twice: the second is refused, names the first and leaves no trace', async () => {
    const shop = await aShop()
    const results = await shop.make(
      { sku: 'A' },
      { sku: 'A' },
      { external_id: 'X' },
      { external_id: 'X' },
      { variants: [{ name: 'M', sku: 'A' }] },
      {},
    )
    assert.deepEqual(told(results), ['created', 'duplicate_sku', 'created', 'duplicate_external_id', 'duplicate_sku', 'created'])
    const refusal = results[1] as Problem
    assert.deepEqual([refusal.status, refusal.members['product_id']], [409, idOf(results[0])])
    assert.deepEqual(await Promise.all(await countsOf(shop)), [3, 0, 1, 3, 3])
  })

  test('with keys that are taken or invalid: the others are made', async () => {
    const shop = await aShop()
    const [first] = await shop.make({ sku: 'A', external_id: 'X', variants: [{ name: 'M', sku: 'A-M' }] })
    const results = await shop.make(
      { sku: 'A-M' },
      { external_id: 'X' },
      {
        variants: [
          { name: 'a', sku: 'B' },
          { name: 'b', sku: 'B' },
        ],
      },
      { sku: 'B' },
    )
    assert.deepEqual(told(results), ['duplicate_sku', 'duplicate_external_id', 'duplicate', 'created'])
    for (const each of results.slice(0, 2)) assert.equal((each as Problem).members['product_id'], idOf(first))
  })

  test('twenty times at once, in every order, makes each sku once and fails no request', async () => {
    const shop = await aShop()
    const keys = Array.from({ length: 15 }, (_, n) => ({ sku: `S-${n}`, external_id: `E-${n}` }))
    const rotated = (by: number) => [...keys.slice(by % 15), ...keys.slice(0, by % 15)]
    const sets = Array.from({ length: 20 }, (_, n) => (n % 2 ? rotated(n) : rotated(n).reverse()))
    const results = (await Promise.all(sets.map(set => shop.make(...set)))).flat()
    assert.equal(results.filter(each => !(each instanceof Problem)).length, 15)
    assert.deepEqual(new Set(told(results)), new Set(['created', 'duplicate_sku']))
    assert.deepEqual(await Promise.all(await countsOf(shop)), [15, 0, 15, 15, 15])
  })
})

suite('a set that is changed', () => {
  test('is judged one by one: 404, 412, 409 and 422 are values, the others are made', async () => {
    const shop = await aShop()
    const [a, b, c, d] = (await shop.make({ sku: 'A', stock: 5 }, { sku: 'B' }, { sku: 'C' }, {})).map(idOf) as [
      string,
      string,
      string,
      string,
    ]
    const stale = () => {
      throw new Problem('precondition-failed', 'stale')
    }
    const results = await shop.write(
      { change: { price_amount: 7 }, id: a },
      { change: { name: 'x' }, id: nobody('prod') },
      { change: { name: 'x' }, id: b, unchanged: stale },
      { change: { sku: 'A' }, id: c },
      { change: { variants: [{ id: nobody('var'), name: 'x' }] }, id: d },
      { change: { name: 'again' }, id: a },
      { create: { name: 'New', price_amount: 1, sku: 'D' } },
    )
    assert.deepEqual(told(results), [
      'updated',
      'resource-not-found',
      'precondition-failed',
      'duplicate_sku',
      'unknown_variant',
      'duplicate',
      'created',
    ])
    assert.equal((await shop.read(a)).price_amount, 7)
    for (const id of [b, c, d]) assert.equal((await shop.read(id)).version, 1)
  })

  test('gives no key to another of the same set, and is free for the next', async () => {
    const shop = await aShop()
    const [a, b] = (await shop.make({ sku: 'A', external_id: 'X' }, {})).map(idOf) as [string, string]
    const swap: Write[] = [
      { change: { sku: null, external_id: null }, id: a },
      { change: { sku: 'A', external_id: 'X' }, id: b },
    ]
    assert.deepEqual(told(await shop.write(...swap)), ['updated', 'duplicate_sku'])
    assert.deepEqual(told(await shop.write(swap[1] as Write)), ['updated'])
    assert.equal((await shop.tenant.get('/api/v1/products?sku=A')).body.data[0].id, b)
  })

  test('emits what differs, once for each product', async () => {
    const shop = await aShop()
    const [a] = (await shop.make({ sku: 'A', stock: 5, tags: ['x'], variants: [{ name: 'M' }] })).map(idOf) as [string]
    const { variants } = await shop.read(a)
    await shop.write({ change: { sku: 'A', tags: ['x'], stock: 6, price_amount: 9, variants: [{ ...variants[0], name: 'L' }] }, id: a })
    await begin(app.sql, tx => archive(tx, shop.caller, a, () => {}))
    await begin(app.sql, tx => change(tx, shop.caller, a, { status: 'archived' }, () => {}))
    const [, ...updates] = await eventsOf(shop)
    assert.deepEqual(
      updates.map(each => [each.type, each.data.changed, each.data.product.version]),
      [
        ['product.updated', ['price_amount', 'stock', 'variants'], 2],
        ['product.updated', ['status'], 3],
        ['product.updated', [], 4],
      ],
    )
    assert.deepEqual(updates[2].data.product, await shop.read(a))
  })

  test('a move of stock by an order emits nothing of products', async () => {
    const shop = await aShop()
    await shop.make({ sku: 'A', stock: 5 })
    const placed = await shop.tenant.post('/api/v1/orders', anOrder({ items: [{ sku: 'A', quantity: 2 }] }))
    await shop.tenant.patch(`/api/v1/orders/${placed.body.id}`, { status: 'SHIPPED' })
    assert.equal((await eventsOf(shop)).filter(each => each.type.startsWith('product.')).length, 1)
  })

  test('twenty times at once, in every order, is made twenty times', async () => {
    const shop = await aShop()
    const ids = (await shop.make(...Array.from({ length: 10 }, (_, n) => ({ sku: `S-${n}` })))).map(idOf)
    const sets = Array.from({ length: 20 }, (_, n) => (n % 2 ? ids : ids.toReversed()))
    const results = await Promise.all(sets.map((set, n) => shop.write(...set.map(id => ({ change: { metadata: { n: String(n) } }, id })))))
    assert.deepEqual(new Set(told(results.flat())), new Set(['updated']))
    for (const id of ids) assert.equal((await shop.read(id)).version, 21)
  })

  test('sees the stock of variants as the transaction it waited for left it', async () => {
    const shop = await aShop()
    const [a] = (await shop.make({ variants: [{ name: 'M', sku: 'M', stock: 5 }] })).map(idOf) as [string]
    const { variants } = await shop.read(a)
    let waiting: Promise<unknown> | undefined
    await begin(app.sql, async tx => {
      await tx`select from products where tenant_id = ${shop.tenant.id} and id = ${a} for no key update`
      waiting = shop.tenant.patch(`/api/v1/products/${a}`, { variants: [{ id: variants[0].id, name: 'Medium' }] })
      await sessionWaits(app.sql)
      await tx`update product_variants set stock = 2 where tenant_id = ${shop.tenant.id} and product_id = ${a}`
    })
    await waiting
    assert.deepEqual((await shop.read(a)).variants, [{ ...variants[0], name: 'Medium', stock: 2 }])
  })
})

suite('an upsert', () => {
  test('means the product with its external_id, else with its sku, else a new one', async () => {
    const shop = await aShop()
    const [a, b] = (await shop.make({ external_id: 'X', sku: 'A' }, { sku: 'B' })).map(idOf) as [string, string]
    const results = await shop.upsert(
      { external_id: 'X', name: 'by external_id' },
      { sku: 'B', name: 'by sku' },
      { external_id: 'Y', sku: 'C', name: 'new' },
      { name: 'nameless' },
    )
    assert.deepEqual(told(results), ['updated', 'updated', 'created', 'created'])
    assert.deepEqual(results.slice(0, 2).map(idOf), [a, b])
    assert.deepEqual((await shop.read(a)).sku, 'A', 'a field that is not given stays')
  })

  test('by sku gives its external_id to a product without one', async () => {
    const shop = await aShop()
    const [a] = (await shop.make({ sku: 'A' })).map(idOf)
    const [result] = await shop.upsert({ sku: 'A', external_id: 'X' })
    assert.deepEqual([idOf(result), (await shop.read(idOf(result))).external_id], [a, 'X'])
  })

  const conflicts: [string, Partial<NewProduct>][] = [
    ['the sku of another product than its external_id', { external_id: 'X', sku: 'B' }],
    ['the sku of a product with another external_id', { external_id: 'NEW', sku: 'A' }],
    ['the sku of a variant', { sku: 'A-M' }],
    ['a variant with the sku of another product', { external_id: 'X', variants: [{ name: 'M', sku: 'B' }] }],
  ]
  for (const [what, input] of conflicts)
    test(`of ${what} is a conflict that leaves no trace`, async () => {
      const shop = await aShop()
      await shop.make({ external_id: 'X', sku: 'A', variants: [{ name: 'M', sku: 'A-M' }] }, { sku: 'B' })
      const before = await rowsOf(shop)
      assert.deepEqual(told(await shop.upsert(input)), ['duplicate_sku'])
      assert.deepEqual(await rowsOf(shop), before)
    })

  test('of products that are there already writes nothing', async () => {
    const shop = await aShop()
    const inputs = Array.from({ length: 5 }, (_, n) => full(n))
    await shop.make(...inputs)
    const before = await rowsOf(shop)
    const again = await shop.upsert(...inputs)
    assert.deepEqual(told(again), Array(5).fill('unchanged'))
    for (const each of again as Written[]) assert.equal((await shop.tenant.get(`/api/v1/products/${each.id}`)).text, each.json)
    assert.deepEqual(await rowsOf(shop), before)
  })

  test('keeps the ids and the reservations of the variants it means', async () => {
    const shop = await aShop()
    const [a] = (await shop.make({ sku: 'A', variants: [{ name: 'M', sku: 'A-M', stock: 5 }, { name: 'L' }] })).map(idOf) as [string]
    const { variants } = await shop.read(a)
    await shop.tenant.post('/api/v1/orders', anOrder({ items: [{ sku: 'A-M', quantity: 2 }] }))
    const variant = { name: 'Medium', sku: 'A-M', stock: 9 }
    assert.deepEqual(told(await shop.upsert({ sku: 'A', variants: [{ name: 'L' }, variant, { name: 'XL' }] })), ['updated'])
    const now = await shop.read(a)
    assert.deepEqual(now.variants.map((each: { id: string }) => each.id).slice(0, 2), [variants[1].id, variants[0].id])
    assert.equal(now.variants[1].stock, 9)
    assert.deepEqual(told(await shop.upsert({ sku: 'A', variants: [{ name: 'L' }] })), ['stock_reserved'])
  })

  test('of one product twice in a set: the second is refused', async () => {
    const shop = await aShop()
    await shop.make({ external_id: 'X', sku: 'A' })
    assert.deepEqual(told(await shop.upsert({ external_id: 'X', name: 'one' }, { sku: 'A', name: 'two' }, { sku: 'N' }, { sku: 'N' })), [
      'updated',
      'duplicate_sku',
      'created',
      'duplicate_sku',
    ])
  })

  test('of the same rows ten times at once makes each once', async () => {
    const shop = await aShop()
    const inputs = Array.from({ length: 10 }, (_, n) => full(n))
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, n) => shop.upsert(...(n % 2 ? inputs : inputs.toReversed()).map(each => ({ name: 'x', ...each })))),
    )
    assert.equal(told(results.flat()).filter(each => each === 'created').length, 10)
    assert.equal(told(results.flat()).filter(each => each === 'unchanged').length, 90)
  })
})

test('a violation of anything else is a surprise, and leaves no trace', async () => {
  const shop = await aShop()
  await assert.rejects(
    begin(app.sql, tx => create(tx, shop.caller, { name: 'x', price_amount: 1, stock: -1 })),
    /stock/,
  )
  assert.deepEqual(await Promise.all(await countsOf(shop)), [0, 0, 0, 0, 0])
})
