// The list of contacts: its filters, and pages that neither repeat nor skip a contact while others come in.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { testApp } from '../support/app.ts'
import { anOrder, assertProblem, encoded, nobody } from '../support/given.ts'

const app = await testApp()
const CONTACTS = '/api/v1/contacts'

suite('filters', async () => {
  const shop = await app.tenant()
  const names = new Map<string, string>()
  const people: Record<string, object> = {
    ada: { name: 'Ada Lovelace', email: 'Ada@Example.com', external_id: 'CRM-1', tags: ['vip', 'a,b'] },
    adam: { name: 'ADAM', phone: '+380441234567', tags: ['VIP'], blocked: true },
    gross: { name: 'Ångström 100%_', email: 'a_b@example.com', phone: '+442079460018', tags: ['vip'] },
    nameless: { external_id: 'ada', phone: '+390612345678' },
  }
  for (const [name, body] of Object.entries(people)) {
    const { id } = (await shop.post(CONTACTS, body)).body
    names.set(id, name)
    // A millisecond between them gives each its own time.
    const at = new Date(Date.UTC(2026, 4, 25, 9, 30, 0, names.size)).toISOString()
    await app.sql`update contacts set created_at = ${at}, updated_at = ${at} where id = ${id}`
    await app.sql`update contact_tags set created_at = ${at} where contact_id = ${id}`
  }
  const time = (n: number) => `2026-05-25T09:30:00.00${n}Z`

  const found: [string, string[]][] = [
    ['', ['ada', 'adam', 'gross', 'nameless']],
    ['q=ada', ['ada', 'adam', 'nameless']],
    ['q=ADA%20L', ['ada']],
    ['q=lovelace', []],
    ['q=ada@example.COM', ['ada']],
    ['q=%2B380441234567', ['adam']],
    ['q=%2B38%20(044)%20123-45-67', ['adam']],
    ['q=%2B44%20(0)20%207946%200018', ['gross']],
    ['q=%2B39%20(0)6%2012345678', ['nameless']],
    ['q=CRM-1', ['ada']],
    ['q=crm-1', []],
    ['q=%C3%A5ng', ['gross']],
    ['q=%25', []],
    ['q=_', []],
    ['email=ADA@example.com', ['ada']],
    ['email=aXb@example.com', []],
    ['phone=%2B380441234567', ['adam']],
    ['external_id=ada', ['nameless']],
    ['external_id=ADA', []],
    ['tag=vip', ['ada', 'gross']],
    ['tag=VIP', ['adam']],
    ['tag=a,b', ['ada']],
    ['tag=none', []],
    ['blocked=true', ['adam']],
    ['blocked=false', ['ada', 'gross', 'nameless']],
    ['tag=vip&q=ada', ['ada']],
    ['tag=vip&blocked=false&email=ada@example.com', ['ada']],
    ['tag=VIP&blocked=false', []],
    [`created_after=${time(1)}`, ['adam', 'gross', 'nameless']],
    [`created_after=${time(1)}&created_before=${time(4)}&tag=vip`, ['gross']],
    [`updated_before=${time(2)}`, ['ada']],
    [`updated_after=${time(2)}&tag=vip`, ['gross']],
  ]
  for (const [query, expected] of found)
    for (const sort of ['created_at', 'updated_at'])
      test(`?${query} by ${sort} finds ${expected.join(', ') || 'none'}`, async () => {
        const { status, body, text } = await shop.get(`${CONTACTS}?${query}&sort=${sort}&dir=asc`)
        assert.equal(status, 200, text)
        assert.deepEqual(
          body.data.map((each: { id: string }) => names.get(each.id)),
          expected,
        )
      })

  test('a plus sign that was not escaped is a space, and said to be no number', async () => {
    const reply = await shop.get(`${CONTACTS}?phone=+380441234567`)
    assertProblem(reply, { status: 422, slug: 'validation-failed', instance: CONTACTS, field: 'phone', code: 'invalid_format' })
  })

  for (const [query, code, field] of [
    ['sort=orders_count', 'invalid_choice', 'sort'],
    ['blocked=yes', 'invalid_type', 'blocked'],
    ['q=', 'too_short', 'q'],
    ['tag=', 'too_short', 'tag'],
    ['fields=orders', 'unknown_path', 'fields'],
    ['offset=0', 'not_offered', 'offset'],
    ['limit=0', 'out_of_range', 'limit'],
    ['cursor=x', 'invalid_cursor', 'cursor'],
    [
      `cursor=${encoded({ v: 1, sort: 'created_at', dir: 'desc', last: '2026-05-25T09:30:00.000Z', id: nobody('ord') })}`,
      'invalid_cursor',
      'cursor',
    ],
  ] as const)
    test(`?${query.slice(0, 30)} is ${code}`, async () => {
      const reply = await shop.get(`${CONTACTS}?${query}`)
      assertProblem(reply, { status: 422, slug: 'validation-failed', instance: CONTACTS, field, code })
    })

  test('a page of a filter goes on with its cursor, and fields leaves the rest out', async () => {
    const first = await shop.get(`${CONTACTS}?tag=vip&limit=1&fields=id,name,orders_count`)
    assert.deepEqual(Object.keys(first.body.data[0]), ['id', 'name', 'orders_count'])
    const second = await shop.get(`${CONTACTS}?tag=vip&limit=1&cursor=${first.body.next_cursor}`)
    assert.deepEqual([first.body.data[0].name, second.body.data[0].name, second.body.next_cursor], ['Ångström 100%_', 'Ada Lovelace', null])
  })
})

for (const query of ['', '&tag=t', '&sort=updated_at', '&tag=t&sort=updated_at'])
  for (const dir of ['asc', 'desc'])
    test(`pages skip and repeat no contact while contacts come in (${dir}${query})`, async () => {
      const shop = await app.tenant()
      await shop.post(CONTACTS, { name: 'A', tags: ['t'] })
      await copies(shop.id, 29)
      const before = (await shop.get(`${CONTACTS}?limit=100`)).body.data.map((each: { id: string }) => each.id)
      const seen: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { body } = await shop.get(`${CONTACTS}?limit=7&dir=${dir}${query}${cursor ? `&cursor=${cursor}` : ''}`)
        seen.push(...body.data.map((each: { id: string }) => each.id))
        cursor = body.next_cursor
        if (cursor) await shop.post(CONTACTS, { name: 'B', tags: ['t'] })
      }
      assert.equal(new Set(seen).size, seen.length, 'no contact twice')
      assert.deepEqual(
        before.filter((id: string) => !seen.includes(id)),
        [],
        'no contact left out',
      )
    })

/** Contacts like the tenant's only one, many of one time, so that the id has ties to break. */
async function copies(tenant: string, count: number): Promise<void> {
  await app.sql`
    with made as (
      insert into contacts (tenant_id, id, name, version, created_at, updated_at, doc)
      select tenant_id, left(id, -8) || lpad(n::text, 8, '0'), name, version, created_at + n % 3 * interval '1 ms',
             updated_at + n % 2 * interval '1 ms', replace(doc, id, left(id, -8) || lpad(n::text, 8, '0'))
        from contacts, generate_series(1, ${count}::int) n
       where tenant_id = ${tenant}
      returning tenant_id, id, created_at)
    insert into contact_tags (tenant_id, contact_id, tag, created_at) select tenant_id, id, 't', created_at from made`
}

test('50 to the page, newest first, unless told otherwise', async () => {
  const shop = await app.tenant()
  await shop.post(CONTACTS, { name: 'A' })
  await copies(shop.id, 55)
  const plain = await shop.get(CONTACTS)
  assert.equal(plain.body.data.length, 50)
  assert.equal(plain.text, (await shop.get(`${CONTACTS}?sort=created_at&dir=desc&limit=50`)).text)
})

test('an order’s contact is in the list, with its count', async () => {
  const shop = await app.tenant()
  const order = await shop.post('/api/v1/orders', anOrder({ customer: { email: 'o@example.com', name: 'Otto' } }))
  const { data } = (await shop.get(`${CONTACTS}?q=ott`)).body
  assert.deepEqual(
    data.map((each: Record<string, unknown>) => [each['id'], each['orders_count'], each['email']]),
    [[order.body.customer.contact_id, 1, 'o@example.com']],
  )
})
