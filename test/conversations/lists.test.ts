// The list of conversations: filters, order, and pages while messages move rows up. A page has 20 rows by updated_at unless told otherwise.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { record } from '../../src/conversations/reply.ts'
import { begin } from '../../src/postgres/sql.ts'
import { type TestTenant, testApp } from '../support/app.ts'
import { anInbound, assertProblem, encoded, nobody } from '../support/given.ts'

const app = await testApp()
const CONVERSATIONS = '/api/v1/conversations'

// biome-ignore lint/suspicious/noExplicitAny: a test looks into items of every shape
type Item = any
const ids = (items: Item[]): string[] => items.map(item => item.id)

const operator = { type: 'operator', id: nobody('usr'), name: 'Olga', via: 'dashboard' } as const
const answer = (shop: TestTenant, id: string) =>
  begin(app.sql, tx => record(tx, { tenant: shop.id, actor: { type: 'system' } }, id, { author: operator, text: 'Yes.' }))

suite('filters', async () => {
  const shop = await app.tenant()
  const names = new Map<string, string>()
  const contacts: Record<string, string> = {}
  for (const [name, platform] of [
    ['ada', 'telegram'],
    ['bob', 'email'],
    ['eve', 'web'],
  ] as const) {
    const { body } = await shop.post('/api/v1/contacts', { name, email: `${name}@example.com`, phone: `+1555000${names.size}111` })
    contacts[name] = body.id
    const { conversation } = await anInbound(app, shop, { contact_id: body.id, platform })
    names.set(conversation.id, name)
    if (name === 'bob') await answer(shop, conversation.id)
    if (name === 'bob') await app.sql`update conversations set failed_count = 1 where id = ${conversation.id}`
    if (name === 'eve')
      await app.sql`
        update conversations
           set status = 'closed', assigned_to = ${operator.id},
               doc = replace(replace(doc, '"status":"open"', '"status":"closed"'), '"assigned_to":null', ${`"assigned_to":"${operator.id}"`})
         where id = ${conversation.id}`
    // They are created and updated in opposite orders, a millisecond apart.
    const at = (n: number) => new Date(Date.UTC(2026, 4, 25, 9, 30, 0, n)).toISOString()
    await app.sql`
      update conversations set created_at = ${at(names.size)}, updated_at = ${at(9 - names.size)} where id = ${conversation.id}`
  }
  const time = (n: number) => `2026-05-25T09:30:00.00${n}Z`

  const found: [string, string[]][] = [
    ['', ['ada', 'bob', 'eve']],
    ['platform=telegram', ['ada']],
    ['platform=TELEGRAM,Email', ['ada', 'bob']],
    ['platform=viber', []],
    ['status=open', ['ada', 'bob']],
    ['status=CLOSED', ['eve']],
    ['status=open,closed', ['ada', 'bob', 'eve']],
    ['ai_status=on', ['ada', 'eve']],
    ['ai_status=Paused', ['bob']],
    [`contact_id=${contacts['eve']}`, ['eve']],
    [`contact_id=${nobody('con')}`, []],
    ['assigned_to=none', ['ada', 'bob']],
    [`assigned_to=${operator.id}`, ['eve']],
    ['unread=true', ['ada', 'eve']],
    ['unread=false', ['bob']],
    ['q=AD', ['ada']],
    ['q=bob@example.com', ['bob']],
    ['q=%2B15550002111', ['eve']],
    ['q=nothing', []],
    [`created_after=${time(1)}`, ['bob', 'eve']],
    [`created_before=${time(2)}`, ['ada']],
    [`updated_after=${time(7)}`, ['ada']],
    [`updated_before=${time(7)}`, ['eve']],
    ['status=open&unread=true&platform=telegram&assigned_to=none&ai_status=on&q=ada', ['ada']],
    ['status=open&assigned_to=none', ['ada', 'bob']],
    ['failed=true', ['bob']],
    ['failed=false', ['ada', 'eve']],
  ]
  for (const [query, expected] of found)
    test(`?${query.replace(/_\w{26}/, '_…')} finds ${expected.join(', ') || 'none'}, by either time`, async () => {
      for (const [sort, dir] of [
        ['created_at', 'asc'],
        ['updated_at', 'desc'],
      ]) {
        const { status, body, text } = await shop.get(`${CONVERSATIONS}?${query}&sort=${sort}&dir=${dir}`)
        assert.equal(status, 200, text)
        assert.deepEqual(
          body.data.map((each: Item) => names.get(each.id)),
          expected,
        )
      }
    })

  for (const [query, code, field] of [
    ['platform=icq', 'invalid_choice', 'platform[0]'],
    ['platform=', 'invalid_choice', 'platform[0]'],
    ['status=pending', 'invalid_choice', 'status[0]'],
    ['ai_status=off', 'invalid_choice', 'ai_status'],
    ['ai_status=on,paused', 'invalid_choice', 'ai_status'],
    ['contact_id=x', 'invalid_format', 'contact_id'],
    ['assigned_to=you', 'invalid_format', 'assigned_to'],
    ['assigned_to=me', 'not_a_user', 'assigned_to'],
    ['channel_id=telegram', 'invalid_format', 'channel_id'],
    ['failed=maybe', 'invalid_type', 'failed'],
    ['assigned_to=me,none', 'invalid_format', 'assigned_to'],
    ['unread=1', 'invalid_type', 'unread'],
    ['sort=unread_count', 'invalid_choice', 'sort'],
    ['fields=messages', 'unknown_path', 'fields'],
    ['limit=101', 'out_of_range', 'limit'],
    ['offset=0&cursor=x', 'cursor_conflict', 'offset'],
    [
      `cursor=${encoded({ v: 1, sort: 'updated_at', dir: 'desc', last: '2026-05-25T09:30:00.000Z', id: nobody('con') })}`,
      'invalid_cursor',
      'cursor',
    ],
  ] as const)
    test(`?${query.slice(0, 30)} is ${code}`, async () => {
      const reply = await shop.get(`${CONVERSATIONS}?${query}`)
      assertProblem(reply, { status: 422, slug: 'validation-failed', instance: CONVERSATIONS, field, code })
    })

  test('the messages of one have no filters of their own, and no offset', async () => {
    const instance = `${CONVERSATIONS}/${[...names.keys()][0]}/messages`
    assertProblem(await shop.get(`${instance}?offset=0`), {
      status: 422,
      slug: 'validation-failed',
      instance,
      field: 'offset',
      code: 'not_offered',
    })
    assert.equal((await shop.get(`${instance}?created_after=2099-01-01T00:00:00Z`)).body.data.length, 0)
    assert.deepEqual((await shop.get(`${instance}?fields=text,author.type`)).body.data, [{ text: 'Hello?', author: { type: 'customer' } }])
  })
})

/** A shop with so many conversations, of a contact each. */
async function aShopWith(count: number): Promise<{ shop: TestTenant; contacts: string[] }> {
  const shop = await app.tenant()
  const contacts: string[] = []
  for (let n = 0; n < count; n++) {
    const { body } = await shop.post('/api/v1/contacts', { name: `${n}` })
    contacts.push(body.id)
    await anInbound(app, shop, { contact_id: body.id })
  }
  return { shop, contacts }
}

suite('pages', async () => {
  const { shop, contacts } = await aShopWith(25)

  test('20 to the page by updated_at, newest first, unless told otherwise', async () => {
    const plain = await shop.get(CONVERSATIONS)
    assert.equal(plain.body.data.length, 20)
    assert.equal(plain.text, (await shop.get(`${CONVERSATIONS}?sort=updated_at&dir=desc&limit=20`)).text)
    const times = plain.body.data.map((each: Item) => each.updated_at)
    assert.deepEqual([...times].sort().reverse(), times)
    assert.equal((await shop.get(`${CONVERSATIONS}?cursor=${plain.body.next_cursor}`)).body.data.length, 5)
  })

  test('offset, deprecated: the same envelope without next_cursor, and the four headers', async () => {
    const all = ids((await shop.get(`${CONVERSATIONS}?limit=100`)).body.data)
    const reply = await shop.get(`${CONVERSATIONS}?offset=3&limit=2`)
    assert.deepEqual(Object.keys(reply.body), ['object', 'url', 'data', 'has_more'])
    assert.deepEqual(ids(reply.body.data), all.slice(3, 5))
    for (const [name, value] of Object.entries({
      deprecation: 'true',
      sunset: 'Sat, 31 Jul 2026 23:59:59 GMT',
      link: '<https://shop.example/docs/api/pagination#cursor>; rel="successor-version"',
      warning: '299 - "Offset pagination is deprecated; migrate to cursor pagination before the Sunset date."',
    }))
      assert.equal(reply.headers.get(name), value)
  })

  for (const sort of ['created_at', 'updated_at'])
    for (const dir of ['asc', 'desc'])
      test(`by ${sort}, ${dir}: each conversation without a new message once, while others get messages and new ones start`, async () => {
        const before = (await shop.get(`${CONVERSATIONS}?limit=100`)).body.data as Item[]
        const touched = new Set<string>()
        const seen: string[] = []
        for (let cursor: string | null = ''; cursor !== null; ) {
          const { body } = await shop.get(`${CONVERSATIONS}?limit=6&sort=${sort}&dir=${dir}${cursor ? `&cursor=${cursor}` : ''}`)
          seen.push(...ids(body.data))
          cursor = body.next_cursor
          if (!cursor || touched.size > 6) continue
          const { body: contact } = await shop.post('/api/v1/contacts', { name: 'new' })
          await anInbound(app, shop, { contact_id: contact.id })
          const moved = await anInbound(app, shop, { contact_id: contacts[touched.size * 3] as string })
          touched.add(moved.conversation.id)
        }
        const still = seen.filter(id => !touched.has(id))
        assert.equal(new Set(still).size, still.length, 'none twice')
        if (sort === 'created_at') assert.equal(new Set(seen).size, seen.length)
        assert.deepEqual(
          ids(before).filter(id => !seen.includes(id) && !touched.has(id)),
          [],
          'none left out',
        )
      })
})

test('a conversation that did not change is a 304, and a message makes it another', async () => {
  const { shop, contacts } = await aShopWith(1)
  const path = `${CONVERSATIONS}/${(await shop.get(CONVERSATIONS)).body.data[0].id}`
  for (const each of [path, CONVERSATIONS, `${path}/messages`]) {
    const etag = String((await shop.get(each)).headers.get('etag'))
    assert.equal((await shop.get(each, { headers: { 'If-None-Match': etag } })).status, 304)
    await anInbound(app, shop, { contact_id: contacts[0] as string })
    assert.equal((await shop.get(each, { headers: { 'If-None-Match': etag } })).status, 200)
  }
})
