// Records over REST: the five operations, their filters, who may, and what is refused.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { beginSession } from '../../src/access/sessions.ts'
import type { Manifest } from '../../src/apps/manifest/shape.ts'
import type { Caller } from '../../src/caller.ts'
import { formToken } from '../../src/ingress/page/form-token.ts'
import { MANIFEST_LISTS } from '../../src/limits/apps.ts'
import { RECORD_STRING_CHARS } from '../../src/limits/records.ts'
import { begin } from '../../src/postgres/sql.ts'
import * as records from '../../src/records/records.ts'
import { type Reply, type TestTenant, testApp } from '../support/app.ts'
import { aManifest, installApp } from '../support/apps.ts'
import { assertProblem, nobody } from '../support/given.ts'
import { aPerson } from '../support/people.ts'

const app = await testApp()

const FULL_ID = 'acme:loyalty:points'
const PATH = '/api/platform/resources/acme%3Aloyalty%3Apoints'
const loyalty = (over: Partial<Manifest> = {}): Manifest =>
  aManifest({
    scopes: ['read:records', 'write:records'],
    resources: [
      {
        id: 'points',
        name: 'Points',
        fields: [
          { name: 'reason', type: 'string', required: true },
          { name: 'points', type: 'number' },
          { name: 'tier', type: 'enum', enumValues: ['silver', 'gold'] },
          { name: 'until', type: 'date' },
          // Named as a parameter of every list.
          { name: 'limit', type: 'number' },
        ],
        relations: [{ target: 'builtin:contact', type: 'belongs_to' }],
      },
      { id: 'visits', name: 'Visits', fields: [{ name: 'page', type: 'string' }] },
    ],
    ...over,
  })

async function aShop(manifest = loyalty()) {
  const shop = await app.tenant()
  const installed = await installApp(app, shop, manifest)
  const make = async (over: Record<string, unknown> = {}, path = PATH) => {
    const reply = await shop.post(path, { reason: 'Welcome', ...over })
    assert.equal(reply.status, 201, reply.text)
    return reply.body
  }
  return { shop, make, installed }
}

const codesOf = ({ body }: Reply) => body.errors?.map((each: { field: string; code: string }) => `${each.field} ${each.code}`)
const reasons = ({ body }: Reply): string[] => body.data.map((each: { reason: string }) => each.reason)

test('a record is created, read, changed and deleted, each write once, with its version and its ETag', async () => {
  const { shop } = await aShop()
  const made = await shop.post(PATH, { external_id: 'o-1', reason: 'Welcome', until: '2026-05-25T01:30:00+02:00', limit: 3 })
  assert.equal(made.status, 201)
  const { id, created_at } = made.body
  assert.deepEqual(made.body, {
    object: 'record',
    id,
    resource: FULL_ID,
    external_id: 'o-1',
    version: 1,
    created_at,
    updated_at: created_at,
    links: [],
    reason: 'Welcome',
    points: null,
    tier: null,
    until: '2026-05-24T23:30:00.000Z',
    limit: 3,
  })
  const path = `${PATH}/${id}`
  assert.equal(made.headers.get('location'), path)
  for (const each of [path, `/api/platform/resources/${FULL_ID}/${id}`]) {
    const read = await shop.get(each)
    assert.deepEqual([read.text, read.headers.get('etag')], [made.text, made.headers.get('etag')])
  }
  const etag = made.headers.get('etag') as string
  assert.equal((await shop.get(path, { headers: { 'If-None-Match': etag } })).status, 304)
  const changed = await shop.patch(path, { tier: 'gold', limit: null }, { 'If-Match': etag })
  assert.deepEqual([changed.status, changed.body.version, changed.body.tier, changed.body.limit], [200, 2, 'gold', null])
  assert.equal((await shop.get(path)).text, changed.text)
  assert.equal((await shop.patch(path, { tier: 'gold' })).body.version, 2)
  for (const again of [await shop.patch(path, { tier: null }, { 'If-Match': etag }), await shop.delete(path, { 'If-Match': etag })])
    assertProblem(again, { status: 412, slug: 'precondition-failed', instance: path })
  const deleted = await shop.delete(path, { 'If-Match': changed.headers.get('etag') as string })
  assert.deepEqual(deleted.body, { object: 'record', id, deleted: true })
  for (const gone of [await shop.get(path), await shop.patch(path, {}), await shop.delete(path)])
    assertProblem(gone, { status: 404, slug: 'resource-not-found', instance: path })
  // What changed nothing is no deed.
  const audited = await app.sql`select action from audit_log where tenant_id = ${shop.id} and subject_id = ${id} order by id`
  assert.deepEqual(
    audited.map(row => row['action']),
    ['record.create', 'record.update', 'record.delete'],
  )
})

test('an external_id that is taken is a conflict that leads to the record; in another resource it is free', async () => {
  const { shop, make } = await aShop()
  const { id } = await make({ external_id: 'o-1' })
  const again = await shop.post(PATH, { reason: 'Other', external_id: 'o-1' })
  assertProblem(again, { status: 409, slug: 'conflict', instance: PATH, code: 'duplicate_external_id' })
  assert.deepEqual([again.body.record_id, again.headers.get('location')], [id, `${PATH}/${id}`])
  assert.equal((await shop.post('/api/platform/resources/acme:loyalty:visits', { external_id: 'o-1' })).status, 201)
  // Null, as records without one are read, is none: it is no other's.
  for (const reason of ['first', 'second']) assert.equal((await make({ reason, external_id: null })).external_id, null)
})

test('a create with an Idempotency-Key is done once, and says what it made', async () => {
  const { shop } = await aShop()
  const headers = { 'Idempotency-Key': 'k1' }
  const made = await shop.post(PATH, { reason: 'Welcome' }, headers)
  const again = await shop.post(PATH, { reason: 'Welcome' }, headers)
  assertProblem(again, { status: 409, slug: 'conflict', instance: PATH, code: 'duplicate_idempotency_key' })
  assert.deepEqual([again.body.original.body, again.headers.get('location')], [made.body, made.headers.get('location')])
  assert.equal((await shop.get(PATH)).body.data.length, 1)
})

test('HEAD, OPTIONS and 405 answer as elsewhere, with the rate headers', async () => {
  const { shop, make } = await aShop()
  const { id } = await make()
  for (const [path, allow] of [
    [PATH, 'GET, POST, HEAD, OPTIONS'],
    [`${PATH}/${id}`, 'GET, PATCH, DELETE, HEAD, OPTIONS'],
  ] as const) {
    const [get, head] = [await shop.get(path), await app.request('HEAD', path, { key: shop.key })]
    assert.deepEqual([head.status, head.headers.get('etag'), head.text], [200, get.headers.get('etag'), ''])
    const [options, put] = [await app.request('OPTIONS', path, { key: shop.key }), await app.request('PUT', path, { key: shop.key })]
    assert.deepEqual([options.status, put.status], [204, 405])
    for (const { headers } of [get, head, options, put]) assert.match(headers.get('x-ratelimit-limit') ?? '', /^(600|120)$/)
    for (const { headers } of [options, put]) assert.deepEqual(headers.get('allow')?.split(', ').toSorted(), allow.split(', ').toSorted())
  }
})

suite('a list', async () => {
  const { shop, make } = await aShop()
  const contact = (await shop.post('/api/v1/contacts', { name: 'Ada' })).body.id
  await make({ reason: 'a', points: 1, tier: 'gold', until: '2026-01-01', external_id: 'x' })
  await make({ reason: 'b', points: 2.5, tier: 'silver', until: '2026-01-01T12:00:00Z', limit: 7 })
  const { record } = await begin(app.sql, tx =>
    records.create(tx, { tenant: shop.id, actor: { type: 'system' } }, FULL_ID, {
      values: { reason: 'c d&é', points: -3 },
      links: [{ target: 'builtin:contact', id: contact }],
    }),
  )
  await make({ reason: '', tier: 'gold' })

  const found: [query: string, reasons: string[]][] = [
    ['', ['', 'c d&é', 'b', 'a']],
    ['dir=asc', ['a', 'b', 'c d&é', '']],
    ['filter[tier]=gold', ['', 'a']],
    ['filter%5Btier%5D=gold&filter[points]=1', ['a']],
    ['filter[points][gt]=1&sort=updated_at', ['b']],
    ['filter[points][gte]=-3&filter[points][lt]=2', ['c d&é', 'a']],
    ['filter[points]=2.5', ['b']],
    ['filter[points]=1e0', ['a']],
    ['filter[until][lte]=2026-01-01', ['a']],
    ['filter[until]=2026-01-01T13%3A00%3A00%2B01%3A00', ['b']],
    ['filter[limit]=7', ['b']],
    [`filter[reason]=${encodeURIComponent('c d&é')}`, ['c d&é']],
    ['filter[reason]=', ['']],
    ['filter[reason]=100%25', []],
    ['external_id=x', ['a']],
    [`linked_to=${contact}`, ['c d&é']],
    [`linked_to=${contact}&filter[points]=1`, []],
    [`linked_to=${nobody('prod')}`, []],
    [`created_before=${record.created_at}`, ['b', 'a']],
    ['unknown=1&limit=2', ['', 'c d&é']],
  ]
  for (const [query, expected] of found)
    test(`finds ${JSON.stringify(expected)} by ${query || 'nothing'}`, async () =>
      assert.deepEqual(reasons(await shop.get(`${PATH}?${query}`)), expected))

  test('pages by cursor, filtered or not, and repeats and skips nothing', async () => {
    for (const filter of ['', '&filter[tier]=gold', '&filter[points][gte]=-9', '&sort=updated_at&dir=asc']) {
      const all = reasons(await shop.get(`${PATH}?limit=100${filter}`))
      const seen: string[] = []
      for (let query: string | undefined = `limit=1${filter}`; query !== undefined; ) {
        const { body } = await shop.get(`${PATH}?${query}`)
        seen.push(...body.data.map((each: { reason: string }) => each.reason))
        query = body.has_more ? `limit=1${filter.replace(/&(sort|dir)=\w+/g, '')}&cursor=${body.next_cursor}` : undefined
      }
      assert.deepEqual(seen, all, filter)
    }
  })

  test('shows the fields that are asked for, and refuses one that there is not', async () => {
    const { body } = await shop.get(`${PATH}?fields=id,tier,links.id&linked_to=${contact}`)
    assert.deepEqual(body.data, [{ id: record.id, tier: null, links: [{ id: contact }] }])
    assert.deepEqual((await shop.get(`${PATH}/${record.id}?fields=points`)).body, { points: -3 })
    for (const path of [PATH, `${PATH}/${record.id}`])
      assert.deepEqual(codesOf(await shop.get(`${path}?fields=id,pages`)), ['fields unknown_path'])
  })

  const refused: [query: string, error: string][] = [
    ['filter[nothing]=1', 'filter[nothing] unknown_field'],
    ['filter[__proto__]=1', 'filter[__proto__] unknown_field'],
    ['filter[constructor]=1', 'filter[constructor] unknown_field'],
    ['filter[]=1', 'filter[] invalid_name'],
    ['filter[points=1', 'filter[points invalid_name'],
    ['filter[points]x=1', 'filter[points]x invalid_name'],
    ['filter[points][gt][lt]=1', 'filter[points][gt][lt] invalid_name'],
    ['filter[points][ne]=1', 'filter[points][ne] unknown_operator'],
    ['filter[points][__proto__]=1', 'filter[points][__proto__] unknown_operator'],
    ['filter[tier][gt]=gold', 'filter[tier][gt] unknown_operator'],
    ['filter[points]=1e400', 'filter[points] invalid_type'],
    ['filter[points]=', 'filter[points] invalid_type'],
    ['filter[points]=0x10', 'filter[points] invalid_type'],
    ['filter[points]=1&filter[points]=1', 'filter[points] repeated'],
    ['filter[reason]=%00', 'filter[reason] invalid_characters'],
    ['filter[%00]=1', 'filter invalid_characters'],
    ['filter[reason]=100%', 'filter[reason] invalid_format'],
    ['limit=5&filter%5Breason%5D=%E0%A4%A&dir=asc', 'filter[reason] invalid_format'],
    ['filter[rea%son]=1', 'filter invalid_format'],
    ['filter[tier]=GOLD', 'filter[tier] invalid_choice'],
    ['filter[until]=2026-02-30', 'filter[until] invalid_format'],
    ['filter[until][gt]=yesterday', 'filter[until][gt] invalid_format'],
    [`filter[reason]=${'x'.repeat(4001)}`, 'filter[reason] too_long'],
    ['filter=tier', 'filter invalid_format'],
    [Array.from({ length: 11 }, (_each, index) => `filter[x${index}]=1`).join('&'), 'filter too_many'],
    ['limit=0', 'limit out_of_range'],
    ['limit=1.5', 'limit invalid_type'],
    ['limit=1&limit=2', 'limit repeated'],
    ['offset=0', 'offset not_offered'],
    ['sort=points', 'sort invalid_choice'],
    ['linked_to=rec_1', 'linked_to invalid_format'],
    ['cursor=abc', 'cursor invalid_cursor'],
  ]
  test('what every record has, and a comparison that there is not, are refused with the way to ask', async () => {
    for (const [query, way] of [
      ['filter[id]=rec_1', /…\/\{id\}/],
      ['filter[external_id]=x', /by external_id=…/],
      ['filter[created_at][gte]=2026-01-01', /created_after=… and created_before=…/],
      ['filter[updated_at][lt]=2026-01-01', /updated_after=… and updated_before=…/],
      ['filter[links]=x', /linked_to=<id>/],
      ['filter[points][between]=1', /gt, gte, lt, lte, and filter\[points\] alone/],
      ['filter[tier][gt]=gold', /compares an enum/],
      ['filter[]=1', /write filter\[<field>\]/],
      ['linked_to=ada', /con_ or ord_ or prod_ and 26/],
    ] as const) {
      const { status, body } = await shop.get(`${PATH}?${query}`)
      assert.equal(status, 422)
      assert.match(body.errors[0].message, way, query)
    }
  })

  for (const [query, error] of refused)
    test(`refuses ${query.slice(0, 60)}`, async () => {
      const reply = await shop.get(`${PATH}?${query}`)
      assert.deepEqual([reply.status, codesOf(reply)], [422, [error]])
    })

  test('refuses another list’s cursor, and shows nothing of another resource by one of its own', async () => {
    await shop.post('/api/v1/contacts', { name: 'Grace' })
    const { next_cursor } = (await shop.get('/api/v1/contacts?limit=1')).body
    assert.deepEqual(codesOf(await shop.get(`${PATH}?cursor=${next_cursor}`)), ['cursor invalid_cursor'])
    const own = (await shop.get(`${PATH}?limit=1`)).body.next_cursor
    assert.deepEqual((await shop.get(`/api/platform/resources/acme:loyalty:visits?cursor=${own}`)).body.data, [])
  })
})

test('a page of the largest records ends with the one that brings it to a megabyte, however it is found', async () => {
  const names = Array.from({ length: MANIFEST_LISTS.fields }, (_each, index) => `text${index}`)
  const fields = names.map(name => ({ name, type: 'string' as const }))
  const { shop } = await aShop(loyalty({ resources: [{ id: 'points', name: 'Points', fields, exposeToAi: true }] }))
  const caller: Caller = { tenant: shop.id, actor: { type: 'assistant' } }
  // Six bytes for each character.
  const values = Object.fromEntries(names.map(name => [name, '\u0001'.repeat(RECORD_STRING_CHARS)]))
  const made = await begin(app.sql, async tx => {
    const ids: string[] = []
    for (let n = 0; n < 5; n++)
      ids.unshift(
        (await records.create(tx, { ...caller, actor: { type: 'system' } }, FULL_ID, { values: { ...values, text39: 'x' } })).record.id,
      )
    return ids
  })
  for (const filter of ['', '&filter[text39]=x', `&filter[text0]=${encodeURIComponent('y')}`, '&sort=updated_at&dir=desc']) {
    const pages: string[][] = []
    for (let query: string | undefined = filter; query !== undefined; ) {
      const { status, body, text } = await shop.get(`${PATH}?limit=100&fields=id${query}`)
      assert.equal(status, 200, text)
      pages.push(body.data.map((each: { id: string }) => each.id))
      query = body.has_more ? `${filter.replace(/&(sort|dir)=\w+/g, '')}&cursor=${body.next_cursor}` : undefined
    }
    assert.deepEqual(pages, filter.includes('=y') ? [[]] : [made.slice(0, 2), made.slice(2, 4), made.slice(4)], filter)
  }
  const { records: given, has_more } = await records.query(app.sql, caller, FULL_ID, { limit: 5 })
  assert.deepEqual([given.map(each => each.id), has_more], [made.slice(0, 2), true])
})

suite('a body', async () => {
  const { shop, make } = await aShop()
  const { id } = await make()
  const refused: [body: unknown, errors: string[]][] = [
    [{}, ['reason required']],
    [{ reason: null }, ['reason required']],
    [
      { reason: 5, points: '5', tier: 'Gold', until: '2026-02-30' },
      ['reason invalid_type', 'points invalid_type', 'tier invalid_choice', 'until invalid_format'],
    ],
    [{ reason: 'x'.repeat(4001) }, ['reason too_long']],
    [{ reason: 'x', urgent: true }, ['urgent unknown_field']],
    [{ reason: 'x', id: 'rec_1', version: 2, resource: 'x' }, ['id reserved_field', 'version reserved_field', 'resource reserved_field']],
    [{ reason: 'x', links: null }, ['links reserved_field']],
    [{ reason: 'x', points: [1] }, ['points invalid_type']],
    [{ reason: 'x', external_id: '' }, ['external_id too_short']],
    [{ reason: 'x', links: [] }, ['links reserved_field']],
    [{ reason: 'x', id: {}, version: [2] }, ['id reserved_field', 'version reserved_field']],
    [{ data: { reason: 'x' } }, ['data invalid_type']],
    [Object.fromEntries(Array.from({ length: 50 }, (_each, at) => [`f${at}`, 1])), [' too_many']],
    [[], [' invalid_type']],
    ['text', [' invalid_type']],
  ]
  for (const [body, errors] of refused)
    test(`${JSON.stringify(body).slice(0, 70)} is refused, with all that is wrong`, async () => {
      const reply = await shop.post(PATH, body)
      assert.deepEqual([reply.status, codesOf(reply)], [422, errors])
    })

  test('a list or an object is refused with the way out, by what was meant', async () => {
    for (const [body, way] of [
      [{ reason: 'x', links: [{ target: 'builtin:contact', id: 'con_1' }] }, /^is written by the service, .*leave it out\.$/],
      [{ reason: ['x'] }, /^must be one value: /],
      [{ fields: { reason: 'x' } }, /^holds a list or an object, .*at the top of the body\.$/],
      [[{ reason: 'x' }], /^must be an object with the fields of one record/],
      [Object.fromEntries(Array.from({ length: 50 }, (_each, at) => [`f${at}`, 1])), /^has 50 members; a resource has at most 40 fields/],
    ] as const)
      assert.match((await shop.post(PATH, body)).body.errors[0].message, way, JSON.stringify(body))
    const changed = await app.request('PATCH', `${PATH}/${id}`, { key: shop.key, body: { external_id: 'other' } })
    assert.deepEqual(
      [codesOf(changed), changed.body.errors[0].message],
      [['external_id reserved_field'], 'is given when a record is created, and cannot be changed; leave it out.'],
    )
  })

  test('a resource that there is not is told how one is named', async () => {
    for (const name of ['acme', 'acme:loyalty', 'acme:loyalty:Points', 'acme:loyalty:none'])
      assert.match((await shop.get(`/api/platform/resources/${name}`)).body.detail, /named <vendor>:<app>:<resource>/, name)
  })

  test('texts that are no JSON, or cannot be kept, are refused by name', async () => {
    for (const [raw, error] of [
      ['{"reason":"x","points":1e400}', 'points out_of_range'],
      ['{"reason":"a\\u0000b"}', 'reason invalid_characters'],
      ['{"reason":"\\ud800"}', 'reason invalid_characters'],
      ['{"reason":"x","__proto__":{}}', '__proto__ unknown_field'],
      ['{"reason":', ' malformed_json'],
      ['', ' malformed_json'],
    ]) {
      const reply = await app.request('POST', PATH, { key: shop.key, raw: raw as string, headers: { 'Content-Type': 'application/json' } })
      assert.deepEqual([reply.status, codesOf(reply)], [422, [error]], raw)
    }
    assert.equal((await app.request('POST', PATH, { key: shop.key, raw: 'x', headers: { 'Content-Type': 'text/plain' } })).status, 415)
    assert.equal((await shop.post(PATH, { reason: 'x'.repeat(1024 * 1024) })).status, 413)
  })

  test('of a change is judged in the same way, and an empty one changes nothing', async () => {
    const path = `${PATH}/${id}`
    assert.deepEqual(codesOf(await shop.patch(path, { reason: null, external_id: 'x', no: 1 })), [
      'reason required',
      'external_id reserved_field',
      'no unknown_field',
    ])
    assert.equal((await shop.patch(path, {})).body.version, 1)
  })
})

suite('who may', async () => {
  const { shop, make } = await aShop()
  const { id } = await make()

  async function allOf(by: Pick<TestTenant, 'get' | 'post' | 'patch' | 'delete'>, path = PATH, record = id): Promise<Reply[]> {
    const one = `${path}/${record}`
    const reads = [await by.get(path), await by.get(one)]
    return [...reads, await by.post(path, { reason: 'x' }), await by.patch(one, { reason: 'y' }), await by.delete(one)]
  }

  test('another workspace finds neither the resource nor the record, whichever of the two is its own', async () => {
    const stranger = await app.tenant()
    for (const reply of await allOf(stranger)) assert.equal(reply.status, 404)
    const owner = await aShop()
    const [list, ...others] = await allOf(owner.shop)
    assert.deepEqual(list?.body.data, [])
    assert.deepEqual(
      others.map(each => each.status),
      [404, 201, 404, 404],
    )
    assert.deepEqual(reasons(await shop.get(PATH)), ['Welcome'])
  })

  test('names that are no resource of the workspace are 404, and so is a record of another resource', async () => {
    const names = [
      'acme:loyalty',
      'acme:loyalty:',
      'acme:loyalty:nothing',
      'acme:other:points',
      'acme',
      '::',
      'a%00:b:c',
      '%E0%A4%A',
      'ACME:loyalty:points',
    ]
    for (const name of names) assert.equal((await shop.get(`/api/platform/resources/${name}`)).status, 404, name)
    for (const record of [nobody('rec'), nobody('con'), 'x', '%00']) assert.equal((await shop.get(`${PATH}/${record}`)).status, 404, record)
    const visit = `/api/platform/resources/acme:loyalty:visits/${id}`
    for (const reply of [await shop.get(visit), await shop.patch(visit, {}), await shop.delete(visit)]) assert.equal(reply.status, 404)
  })

  test('a key narrows what the app was granted, and never widens it', async () => {
    const narrow = async (scopes: ('read' | 'write')[], manifest: Manifest) => {
      const narrowed = await app.tenant({ scopes })
      await installApp(app, narrowed, manifest)
      return (await allOf(narrowed, PATH, nobody('rec'))).map(each => each.status)
    }
    const [all, reading, writing] = [loyalty(), loyalty({ scopes: ['read:records'] }), loyalty({ scopes: ['write:records'] })]
    assert.deepEqual(await narrow(['read'], all), [200, 404, 403, 403, 403])
    assert.deepEqual(await narrow(['write'], all), [403, 403, 201, 404, 404])
    assert.deepEqual(await narrow(['read', 'write'], reading), [200, 404, 403, 403, 403])
    assert.deepEqual(await narrow(['read', 'write'], writing), [403, 403, 201, 404, 404])
    assert.deepEqual(await narrow(['read'], writing), [403, 403, 403, 403, 403])
  })

  test('without a grant the refusal says which, and that no key can mend it', async () => {
    const { shop } = await aShop(loyalty({ scopes: ['read:records'] }))
    const reply = await shop.post(PATH, { reason: 'x' })
    assertProblem(reply, { status: 403, slug: 'insufficient-scope', instance: PATH, code: 'not_granted' })
    assert.equal(reply.body.required_scope, 'write:records')
  })

  test('somebody who is signed in reads and writes, with the token of a page of ours', async () => {
    const { shop } = await aShop()
    const user = await aPerson(app.sql, shop.id, 'operator@records.example', 'operator')
    const token = await begin(app.sql, tx => beginSession(tx, user, shop.id, { address: '192.0.2.1', userAgent: 'test' }))
    const [session] = await app.sql`select id from sessions where user_id = ${user}`
    const Cookie = `__Host-shopdesk=${token}`
    const refused = await app.request('POST', PATH, { body: { reason: 'x' }, headers: { Cookie } })
    assertProblem(refused, { status: 403, slug: 'insufficient-scope', instance: PATH, code: 'csrf' })
    const headers = { Cookie, 'X-CSRF-Token': formToken(app.keyring, session?.['id']) }
    const made = await app.request('POST', PATH, { body: { reason: 'By hand' }, headers })
    const path = `${PATH}/${made.body.id}`
    assert.equal((await app.request('PATCH', path, { body: { points: 1 }, headers })).status, 200)
    assert.deepEqual(reasons(await app.request('GET', PATH, { headers: { Cookie } })), ['By hand'])
    assert.equal((await app.request('DELETE', path, { headers })).status, 200)
    const audited = await app.sql`
      select action, actor_type, actor_id from audit_log where tenant_id = ${shop.id} and subject_id = ${made.body.id} order by id`
    assert.deepEqual(
      audited.map(each => Object.values(each).join(' ')),
      ['record.create', 'record.update', 'record.delete'].map(action => `${action} user ${user}`),
    )
  })

  test('without a key nothing is said of the resource', async () => {
    for (const path of [PATH, '/api/platform/resources/acme:other:points']) assert.equal((await app.request('GET', path)).status, 401)
  })

  test('of a disabled app records are read and not written', async () => {
    const { shop, make, installed } = await aShop()
    const { id: record } = await make()
    await app.sql`update apps set state = 'disabled' where tenant_id = ${shop.id} and id = ${installed.id}`
    const replies = await allOf(shop, PATH, record)
    assert.deepEqual(
      replies.map(each => [each.status, each.body.code]),
      [
        [200, undefined],
        [200, undefined],
        [409, 'app_disabled'],
        [409, 'app_disabled'],
        [409, 'app_disabled'],
      ],
    )
    await app.sql`update apps set state = 'uninstalled', uninstalled_at = now() where tenant_id = ${shop.id} and id = ${installed.id}`
    for (const reply of await allOf(shop, PATH, record)) assert.equal(reply.status, 404)
  })
})
