// Importing files: the outcome of good and bad rows, and what an import reports.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { aLine, anOrder, assertProblem } from '../support/given.ts'
import { CSV, importing, NDJSON } from './importing.ts'

const app = await testApp()
await app.startWorker()
const { shop } = importing(app)
const csv = { 'Content-Type': CSV }

suite('rows of a file', { concurrency: true }, () => {
  test('NDJSON rows become products, each with its event and its audit row', async () => {
    const at = await shop()
    const rows = [
      { name: 'Shirt', price_amount: 4900, sku: 'S-1' },
      { name: 'Cap', price_amount: 900 },
    ]
    const done = await at.imported('resource=products', at.ndjson(rows))
    assert.equal(done.status, 'completed')
    assert.deepEqual(at.counts(done), { rows_total: 2, rows_read: 2, created: 2, updated: 0, unchanged: 0, failed: 0 })
    assert.ok(done.uploaded_at && done.started_at && done.finished_at)
    const { body } = await at.get('/api/v1/products?sort=name&dir=asc')
    assert.deepEqual(
      body.data.map((each: { name: string }) => each.name),
      ['Cap', 'Shirt'],
    )
    const events = await app.sql`select type from events where tenant_id = ${at.id}`
    assert.deepEqual(
      events.map(each => each['type']),
      ['product.created', 'product.created'],
    )
    const entries = await app.sql`select actor_type, action from audit_log where tenant_id = ${at.id} order by action`
    assert.deepEqual(
      entries.map(each => `${each['actor_type']} ${each['action']}`),
      ['api_key import.begin', 'api_key product.create', 'api_key product.create'],
    )
  })

  test('and the planner learns of them at once, not when autovacuum comes by', async () => {
    const at = await shop()
    const rows = Array.from({ length: 2_000 }, (_, i) => ({ name: `P ${i}`, price_amount: i, sku: `S-${i}` }))
    await at.imported('resource=products', at.ndjson(rows))
    // A table that autovacuum has locked just then is skipped: autovacuum will analyze it.
    await eventually(async () => {
      const known = await app.sql`select relname from pg_class where relname in ('products', 'product_skus') and reltuples >= 1000`
      return known.length === 2
    }, 20_000)
  })

  test('with events=false nothing is emitted', async () => {
    const at = await shop()
    const done = await at.imported('resource=products&events=false', at.ndjson([{ name: 'Shirt', price_amount: 4900 }]))
    assert.equal(done.created, 1)
    assert.equal((await app.sql`select 1 from events where tenant_id = ${at.id}`).length, 0)
  })

  test('upsert changes what has the external_id, else the sku, makes what is not there, and writes nothing that is the same', async () => {
    const at = await shop()
    const [shirt, cap, scarf] = [
      { name: 'Shirt', price_amount: 4900, external_id: 'E-1' },
      { name: 'Cap', price_amount: 900, sku: 'C-1' },
      { name: 'Scarf', price_amount: 1900, sku: 'C-2' },
    ]
    await at.imported('resource=products', at.ndjson([shirt, cap]))
    const done = await at.imported('resource=products&mode=upsert', at.ndjson([{ ...shirt, price_amount: 5900 }, cap, scarf]))
    assert.deepEqual(at.counts(done), { rows_total: 3, rows_read: 3, created: 1, updated: 1, unchanged: 1, failed: 0 })
    const { body } = await at.get('/api/v1/products?external_id=E-1')
    assert.deepEqual([body.data[0].price_amount, body.data[0].version], [5900, 2])
    const again = await at.imported('resource=products&mode=upsert', at.ndjson([{ ...shirt, price_amount: 5900 }, cap, scarf]))
    assert.equal(again.unchanged, 3)
  })

  test('contacts are made, and changed by external_id, address or number', async () => {
    const at = await shop()
    const file = 'name;email;phone;tags;attributes.size\nAda;ada@example.com;;vip, early;M\nBob;;+380441234567;;\n'
    assert.equal((await at.imported('resource=contacts', file, csv)).created, 2)
    const done = await at.imported('resource=contacts&mode=upsert', at.ndjson([{ email: 'ADA@example.com', name: 'Ada Lovelace' }]))
    assert.equal(done.updated, 1)
    const { body } = await at.get('/api/v1/contacts?email=ada@example.com')
    assert.deepEqual([body.data[0].name, body.data[0].tags, body.data[0].attributes], ['Ada Lovelace', ['vip', 'early'], { size: 'M' }])
  })

  test('orders are placed in the order of the file, short stock refuses its row alone, and what is placed stays as it is', async () => {
    const at = await shop()
    await at.post('/api/v1/products', { name: 'Shirt', price_amount: 4900, sku: 'S-1', stock: 2 })
    const rows = [1, 2, 3].map(i => anOrder({ items: [aLine({ sku: 'S-1' })], external_id: `W-${i}` }))
    const done = await at.imported('resource=orders', at.ndjson([...rows, anOrder({ items: [aLine({ sku: 'NONE' })] })]))
    assert.deepEqual(at.counts(done), { rows_total: 4, rows_read: 4, created: 2, updated: 0, unchanged: 0, failed: 2 })
    assert.deepEqual(await at.wrong(done.id), [
      [3, 'items[0]', 'insufficient_stock'],
      [4, 'items[0].sku', 'unknown_product'],
    ])
    const { body } = await at.get('/api/v1/orders')
    assert.deepEqual(body.data.map((each: { number: number; external_id: string }) => [each.number, each.external_id]).sort(), [
      [1, 'W-1'],
      [2, 'W-2'],
    ])
    const again = await at.imported('resource=orders&mode=upsert', at.ndjson(rows.slice(0, 2)))
    assert.equal(again.unchanged, 2)
  })

  test('an exported CSV, imported again, changes nothing, whatever its texts begin with', async () => {
    const at = await shop()
    const texts = ['=1+1', '\n=1', '＝1', ' ＠x', '\u00a0-1+2', '\ufeff=1', "'=1", "' =1", '\tplain', '+380441234567', ' padded ']
    const rows = texts.map((description, i) => ({ name: `P ${i}`, price_amount: i, external_id: `E-${i}`, description }))
    const images = [{ url: 'https://shop.example/v.png' }]
    const varied = { name: 'V', price_amount: 1, external_id: 'V', images, variants: [{ name: 'S', sku: 'V-S', stock: 3 }, { name: 'L' }] }
    await at.imported('resource=products', at.ndjson([...rows, varied]))
    const { text } = await at.get('/api/v1/exports/products?format=csv')
    assert.ok(
      texts.slice(0, 9).every(each => text.includes(`'${each}`)),
      text,
    )
    const done = await at.imported('resource=products&mode=upsert', text, csv)
    assert.deepEqual([done.unchanged, done.failed], [texts.length + 1, 0], JSON.stringify(await at.wrong(done.id)))
  })

  for (const format of ['ndjson', 'csv'] as const) {
    const type = { 'Content-Type': format === 'csv' ? CSV : NDJSON }

    test(`an export in ${format}, imported again, changes nothing, finds what has an id alone, and makes the same elsewhere`, async () => {
      const at = await shop()
      const images = [{ url: 'https://shop.example/v.png' }]
      const products = [
        { name: 'V', price_amount: 1, external_id: 'V', images, variants: [{ name: 'S', sku: 'V-S', stock: 3 }, { name: 'L' }] },
        { name: 'Without keys', price_amount: 2, tags: ['new'], attributes: { colour: 'white' }, metadata: { 'a.b': 'c' } },
      ]
      const contacts = [
        { name: 'Ada', email: 'ada@example.com', phone: '+15550001111', attributes: { size: 'M' } },
        { name: 'Without keys' },
      ]
      for (const [resource, rows] of Object.entries({ products, contacts })) {
        await at.imported(`resource=${resource}`, at.ndjson(rows))
        if (resource === 'contacts') await at.claim('eve@example.com')
        const count = rows.length + Number(resource === 'contacts')
        const { text } = await at.get(`/api/v1/exports/${resource}?format=${format}`)
        const again = await at.imported(`resource=${resource}&mode=upsert`, text, type)
        assert.deepEqual([again.unchanged, again.failed], [count, 0], JSON.stringify(await at.wrong(again.id)))
        const changed = await at.imported(`resource=${resource}&mode=upsert`, text.replaceAll('Without keys', 'Renamed'), type)
        assert.deepEqual([changed.updated, changed.unchanged], [1, count - 1])
        const other = await shop()
        const made = await other.imported(`resource=${resource}&mode=upsert`, text, type)
        assert.deepEqual([made.created, made.failed], [count, 0], JSON.stringify(await other.wrong(made.id)))
      }
    })

    test(`an export of orders in ${format} is refused in so many words, and places none again`, async () => {
      const at = await shop()
      await at.imported('resource=orders', at.ndjson([anOrder({ external_id: 'O-1' })]))
      const { text } = await at.get(`/api/v1/exports/orders?format=${format}`)
      const reply = await at.send('resource=orders&mode=upsert', text, type)
      if (format === 'csv')
        assertProblem(reply, { status: 422, slug: 'validation-failed', code: 'not_importable', instance: '/api/v1/imports' })
      else {
        const done = await at.over(reply.body.id)
        assert.deepEqual([done.failed, await at.wrong(done.id)], [1, [[1, '', 'not_importable']]])
      }
      assert.equal((await at.get('/api/v1/orders')).body.data.length, 1)
    })
  }

  test('an older export does not bring back a contact that was merged since: its row is refused, and names the one that was kept', async () => {
    const at = await shop()
    const [kept, merged] = [
      (await at.post('/api/v1/contacts', { name: 'Ada' })).body,
      (await at.post('/api/v1/contacts', { name: 'A. L.' })).body,
    ]
    const { text } = await at.get('/api/v1/exports/contacts?format=ndjson')
    assert.equal((await at.post(`/api/v1/contacts/${kept.id}/merge`, { contact_id: merged.id })).status, 200)
    const done = await at.over((await at.send('resource=contacts&mode=upsert', text)).body.id)
    const line =
      text
        .trim()
        .split('\n')
        .findIndex((row: string) => row.includes(merged.id)) + 1
    assert.deepEqual([done.unchanged, done.failed, await at.wrong(done.id)], [1, 1, [[line, 'id', 'unknown_contact']]])
    assert.deepEqual(
      (await at.get('/api/v1/contacts')).body.data.map((each: { id: string; name: string }) => [each.id, each.name]),
      [[kept.id, 'Ada']],
    )
  })

  test('an id of another system, of another workspace or of nothing is no id of a row', async () => {
    const [at, other] = [await shop(), await shop()]
    await other.imported('resource=products', other.ndjson([{ name: 'Theirs', price_amount: 1 }]))
    const [theirs] = (await other.get('/api/v1/products')).body.data
    const ids = [theirs.id, 17, '17', null, {}, 'prod_1', 'con_01jz0000000000000000000000']
    const done = await at.imported(
      'resource=products&mode=upsert',
      at.ndjson(ids.map((id, i) => ({ id, name: `P ${i}`, price_amount: i }))),
    )
    assert.deepEqual([done.created, done.failed], [ids.length, 0])
    assert.equal((await other.get(`/api/v1/products/${theirs.id}`)).body.name, 'Theirs')
    const [own] = (await at.get('/api/v1/products')).body.data
    const twice = await at.imported(
      'resource=products&mode=upsert',
      at.ndjson([1, 2].map(price_amount => ({ id: own.id, name: 'P', price_amount }))),
    )
    assert.deepEqual([twice.updated, await at.wrong(twice.id)], [1, [[2, 'id', 'duplicate']]])
  })

  test('orders come as CSV too, nested fields by their paths', async () => {
    const at = await shop()
    const file =
      'customer.email,items[0].name,items[0].unit_amount,items[0].quantity,shipping_address.city\nada@example.com,Card,2500,2,Kyiv\n'
    assert.equal((await at.imported('resource=orders', file, csv)).created, 1)
    const [order] = (await at.get('/api/v1/orders')).body.data
    assert.deepEqual([order.total_amount, order.shipping_address.city], [5000, 'Kyiv'])
  })

  test('a dry run checks every row, the catalogue included, and changes nothing', async () => {
    const at = await shop()
    await at.post('/api/v1/products', { name: 'Shirt', price_amount: 4900, sku: 'S-1' })
    const rows = [{ name: 'Other', price_amount: 1, sku: 'S-1' }, { name: 'Cap', price_amount: 900, sku: 'S-2' }, { name: 'No price' }]
    const done = await at.imported('resource=products&dry_run=true', at.ndjson(rows))
    assert.deepEqual([done.dry_run, done.created, done.failed], [true, 1, 2])
    assert.deepEqual(await at.wrong(done.id), [
      [1, '', 'duplicate_sku'],
      [3, 'price_amount', 'required'],
    ])
    const { body } = await at.get('/api/v1/products')
    assert.equal(body.data.length, 1)
    assert.equal((await app.sql`select 1 from events where tenant_id = ${at.id} and type = 'product.created'`).length, 1)
  })

  test('a row that repeats an earlier one is refused by its line, wherever in the file they are', async () => {
    const at = await shop()
    const many = Array.from({ length: 2_500 }, (_, i) => ({ name: `P ${i}`, price_amount: 1, sku: `S-${i}`, external_id: `E-${i}` }))
    const rows = [...many, { name: 'again', price_amount: 2, sku: 'S-7' }, { name: 'and again', price_amount: 2, external_id: 'E-2400' }]
    const done = await at.imported('resource=products&mode=upsert&events=false', at.ndjson(rows))
    assert.deepEqual([done.created, done.updated, done.failed], [2_500, 0, 2])
    const { body } = await at.get(`/api/v1/imports/${done.id}/errors`)
    assert.deepEqual(
      body.data.map((each: { line: number; field: string; code: string; message: string }) => [
        each.line,
        each.field,
        each.code,
        /on line (\d+);/.exec(each.message)?.[1],
      ]),
      [
        [2_501, 'sku', 'repeated_in_file', '8'],
        [2_502, 'external_id', 'repeated_in_file', '2401'],
      ],
    )
  })
})

suite('what an import reports', { concurrency: true }, () => {
  test('its errors are a list, page after page, and a file of either format', async () => {
    const at = await shop()
    const rows = Array.from({ length: 5 }, (_, i) => ({ name: i === 1 ? '' : 'x', price_amount: i === 3 ? 1 : -1, [`=${i}`]: 1 }))
    const done = await at.imported('resource=products', at.ndjson(rows))
    assert.deepEqual([done.failed, done.errors_kept], [5, 10])
    const path = `/api/v1/imports/${done.id}/errors`
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const { body } = await at.get(`${path}?limit=3${cursor}`)
      assert.equal(body.url, path)
      seen.push(...body.data.map((each: { line: number; field: string }) => `${each.line} ${each.field}`))
      if (!body.has_more) break
      cursor = `&cursor=${body.next_cursor}`
    }
    assert.equal(new Set(seen).size, 10)
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10)),
    )
    const lines = (await at.get(`${path}.ndjson`)).text.trimEnd().split('\n')
    assert.deepEqual(
      lines.map(line => JSON.parse(line)).map(({ line, field }) => `${line} ${field}`),
      seen,
    )
    const [header, ...cells] = (await at.get(`${path}.csv`)).text.trimEnd().split('\r\n')
    assert.equal(header, 'line,field,code,message')
    assert.equal(cells.length, 10)
    assert.ok(
      cells.some(each => each.includes(",'=0,")),
      'a formula is kept from the spreadsheet',
    )
  })

  test('its progress can be followed to its end', async () => {
    const at = await shop()
    const { body } = await at.send('resource=products', at.ndjson([{ name: 'Shirt', price_amount: 4900 }]))
    const reply = await at.get(body.links?.progress ?? `/api/v1/imports/${body.id}/progress`, { headers: { 'Last-Event-ID': '7' } })
    assert.equal(reply.headers.get('content-type'), 'text/event-stream')
    const events = reply.text.trimEnd().split('\n\n')
    const [name, data] = (events.at(-1) as string).split('\n')
    assert.equal(name, 'event: done')
    assert.equal(JSON.parse((data as string).slice('data: '.length)).status, 'completed')
    for (const event of events.slice(0, -1)) assert.match(event, /^event: progress\ndata: \{/)
  })

  test('a list of imports, by resource and status', async () => {
    const at = await shop()
    const { id } = await at.imported('resource=products', at.ndjson([{ name: 'Shirt', price_amount: 4900 }]))
    for (const [query, ids] of [
      ['', [id]],
      ['?resource=products,orders', [id]],
      ['?status=completed', [id]],
      ['?status=running', []],
      ['?resource=contacts', []],
    ] as const)
      assert.deepEqual(
        (await at.get(`/api/v1/imports${query}`)).body.data.map((each: { id: string }) => each.id),
        ids,
        query,
      )
  })

  test('counts as one write, whatever its size', async () => {
    const at = await shop()
    const reply = await at.send(
      'resource=products&events=false',
      at.ndjson(Array.from({ length: 1_500 }, () => ({ name: 'P', price_amount: 1 }))),
    )
    assert.equal(reply.headers.get('x-ratelimit-remaining'), '119')
    assert.equal((await at.over(reply.body.id)).created, 1_500)
  })
})
