// Records by the verbs that REST, flows, the assistant and the dashboard share.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Manifest } from '../../src/apps/manifest/shape.ts'
import type { Caller } from '../../src/caller.ts'
import { finish } from '../../src/contacts/merge.ts'
import { begin } from '../../src/postgres/sql.ts'
import { Problem } from '../../src/problems.ts'
import { slotValues } from '../../src/records/record.ts'
import * as records from '../../src/records/records.ts'
import { assignSlots } from '../../src/records/slots.ts'
import { testApp } from '../support/app.ts'
import { aManifest, installApp, tryInstall } from '../support/apps.ts'
import { sessionWaits } from '../support/locks.ts'

const app = await testApp()

const RESOURCE = 'acme:loyalty:points'
const loyalty = (over: Partial<NonNullable<Manifest['resources']>[number]> = {}, scopes = ['read:records', 'write:records']): Manifest =>
  aManifest({
    scopes,
    resources: [
      {
        id: 'points',
        name: 'Points',
        fields: [
          { name: 'reason', type: 'string', required: true },
          { name: 'points', type: 'number' },
          { name: 'tier', type: 'enum', enumValues: ['silver', 'gold'] },
          { name: 'until', type: 'date' },
          { name: 'used', type: 'boolean' },
        ],
        relations: [{ target: 'builtin:contact', type: 'belongs_to' }],
        ...over,
      },
    ],
  })

async function aShop(manifest = loyalty()) {
  const shop = await app.tenant()
  await installApp(app, shop, manifest)
  const caller: Caller = { tenant: shop.id, actor: { type: 'system' } }
  const create = (values: Record<string, unknown>, over: Omit<records.NewValues, 'values'> = {}, by: Caller = caller) =>
    begin(app.sql, tx => records.create(tx, by, RESOURCE, { values: { reason: 'Welcome', ...values }, ...over }))
  const query = async (asked: records.Query, by: Caller = caller) => (await records.query(app.sql, by, RESOURCE, asked)).records
  return { shop, caller, assistant: { ...caller, actor: { type: 'assistant' } } satisfies Caller, create, query }
}

const reasonsOf = (found: Record<string, unknown>[]) => found.map(each => each['reason'])

const problem = (status: number, code?: string) => (error: unknown) => {
  assert.ok(error instanceof Problem, String(error))
  assert.deepEqual([error.status, error.members['code']], [status, code])
  return true
}

test('a record is created with its audit entry, and an external_id that is taken leaves the record that has it', async () => {
  const { shop, create } = await aShop()
  const { created, record } = await create({ points: 5 }, { external_id: 'order-1' })
  assert.equal(created, true)
  assert.deepEqual(
    { ...record, id: '', created_at: '', updated_at: '' },
    {
      object: 'record',
      id: '',
      resource: RESOURCE,
      external_id: 'order-1',
      version: 1,
      created_at: '',
      updated_at: '',
      links: [],
      reason: 'Welcome',
      points: 5,
      tier: null,
      until: null,
      used: null,
    },
  )
  assert.deepEqual(await create({ points: 6 }, { external_id: 'order-1' }), { created: false, record })
  const audited = await app.sql`select action, subject_id, details from audit_log where tenant_id = ${shop.id} and action like 'record.%'`
  assert.deepEqual([...audited], [{ action: 'record.create', subject_id: record.id, details: { resource: RESOURCE } }])
})

test('of twenty that are created at once with one external_id, one is', async () => {
  const { create } = await aShop()
  const made = await Promise.all(Array.from({ length: 20 }, (_each, points) => create({ points }, { external_id: 'once' })))
  assert.equal(made.filter(each => each.created).length, 1)
  assert.equal(new Set(made.map(each => each.record.id)).size, 1)
})

suite('filters', async () => {
  const { create, query } = await aShop()
  const rows = [
    { reason: 'a', points: 1, tier: 'gold', until: '2026-01-01', used: true },
    { reason: 'b', points: 2.5, tier: 'silver', until: '2026-01-01T12:00:00Z', used: false },
    { reason: 'c", "tier":"gold', points: -3, tier: 'silver', until: null, used: null },
    { reason: 'é', points: null, tier: 'gold', until: '2025-06-30', used: true },
  ]
  for (const row of rows) await create(row)
  const cases: [filter: Record<string, unknown>, found: string[]][] = [
    [{ reason: 'a' }, ['a']],
    [{ reason: 'é' }, ['é']],
    [{ tier: 'gold' }, ['é', 'a']],
    [{ used: true, tier: 'gold', points: 1 }, ['a']],
    [{ points: 2.5 }, ['b']],
    [{ points: { gte: 1 } }, ['b', 'a']],
    [{ points: { gt: 1 } }, ['b']],
    [{ points: { lt: 1 } }, ['c", "tier":"gold']],
    [{ points: { gt: -4, lte: 1 } }, ['c", "tier":"gold', 'a']],
    [{ until: '2026-01-01' }, ['a']],
    [{ until: '2026-01-01T01:00:00+01:00' }, ['a']],
    [{ until: { gt: '2025-12-31' } }, ['b', 'a']],
    [{ until: { lt: '2026-01-01' } }, ['é']],
  ]
  for (const [filter, expected] of cases)
    test(JSON.stringify(filter), async () =>
      assert.deepEqual(
        (await query({ filter })).map(each => each['reason']),
        expected,
      ),
    )

  test('a field without a slot is filtered alike', async () => {
    const many = Array.from({ length: 12 }, (_each, index) => ({
      name: `x${index}`,
      type: index < 8 ? ('string' as const) : ('number' as const),
    }))
    const fields = loyalty().resources?.[0]?.fields ?? []
    const slotless = await aShop(loyalty({ fields: [...many, ...fields] }))
    for (const row of rows) await slotless.create(row)
    for (const [filter, expected] of cases)
      assert.deepEqual(
        (await slotless.query({ filter })).map(each => each['reason']),
        expected,
        JSON.stringify(filter),
      )
  })

  const refused: [filter: Record<string, unknown>, code: string][] = [
    [{ nothing: 1 }, 'unknown_field'],
    [{ constructor: 1 }, 'unknown_field'],
    [{ points: 'many' }, 'invalid_type'],
    [{ points: { above: 1 } }, 'unknown_operator'],
    [{ tier: { gt: 'gold' } }, 'unknown_operator'],
    [{ tier: 'bronze' }, 'invalid_choice'],
    [{ until: '2026-02-30' }, 'invalid_format'],
  ]
  for (const [filter, code] of refused)
    test(`${JSON.stringify(filter)} is refused`, () => assert.rejects(query({ filter }), problem(422, code)))
})

test('a field that an upgrade adds is null in older records, and can be filtered by', async () => {
  const { shop, create, query } = await aShop()
  const { record: old } = await create({ reason: 'old' })
  const fields = loyalty().resources?.[0]?.fields ?? []
  await installApp(app, shop, loyalty({ fields: [{ name: 'urgent', type: 'boolean' }, { name: 'note', type: 'string' }, ...fields] }))
  await create({ reason: 'new', urgent: true })
  const [found, before] = await query({})
  assert.deepEqual([found?.['urgent'], before], [true, { ...old, urgent: null, note: null }])
  assert.deepEqual((await query({ filter: { urgent: true } })).length, 1)
})

suite('the assistant', async () => {
  const open = { exposeToAi: true, allowAiWrite: true }
  const contact = (number: number) => ({ target: 'builtin:contact' as const, id: `con_0${String(number).padStart(25, '0')}` })

  test('is shown the records of its conversation’s contact, and of no other', async () => {
    const { create, query, assistant, caller } = await aShop(loyalty(open))
    for (const number of [1, 1, 2]) await create({ points: number }, { links: [contact(number)] })
    await create({ points: 3 })
    assert.deepEqual((await query({ contact_id: contact(1).id }, assistant)).length, 2)
    assert.deepEqual(await query({ contact_id: contact(3).id }, assistant), [])
    assert.deepEqual(await query({}, assistant), [])
    assert.deepEqual((await query({}, caller)).length, 4)
  })

  test('is shown all of a resource that belongs to no contact, at most ten at once', async () => {
    const { create, query, assistant } = await aShop(loyalty({ ...open, relations: [] }))
    for (let points = 0; points < 12; points++) await create({ points }, { links: [contact(1)] })
    const found = await query({ limit: 100 }, assistant)
    assert.equal(found.length, 10)
    assert.deepEqual(found[0]?.links, [])
  })

  test('neither reads nor writes what the app does not open to it, one without the other', async () => {
    const [closed, readable, writable] = [
      await aShop(),
      await aShop(loyalty({ exposeToAi: true })),
      await aShop(loyalty({ allowAiWrite: true })),
    ]
    const refused = problem(403, 'closed_to_assistant')
    await assert.rejects(closed.query({}, closed.assistant), refused)
    await assert.rejects(closed.create({}, {}, closed.assistant), refused)
    await readable.query({}, readable.assistant)
    await assert.rejects(readable.create({}, {}, readable.assistant), refused)
    await assert.rejects(writable.query({}, writable.assistant), refused)
    await writable.create({}, {}, writable.assistant)
  })

  test('reaches nothing that the app was not granted', async () => {
    const { create, query, assistant, caller } = await aShop(loyalty(open, []))
    await assert.rejects(query({}, assistant), problem(403, 'not_granted'))
    await assert.rejects(create({}, {}, caller), problem(403, 'not_granted'))
  })
})

test('a change by external_id, as flows make it, raises the version; one that changes nothing does not', async () => {
  const { caller, create } = await aShop()
  await create({ points: 1 }, { external_id: 'x' })
  const change = (values: Record<string, unknown>, id = 'x') =>
    begin(app.sql, tx => records.changeByExternalId(tx, caller, RESOURCE, id, values))
  const changed = await change({ points: 2 })
  assert.deepEqual([changed.version, changed['points'], changed['reason']], [2, 2, 'Welcome'])
  assert.deepEqual(await change({ points: 2 }), changed)
  await assert.rejects(change({ reason: null }), problem(422, 'required'))
  await assert.rejects(change({ points: 2 }, 'y'), problem(404))
})

test('an upgrade that would retype a field waits for a record that is being written, and is refused', async () => {
  const { shop, caller, create } = await aShop()
  const fields = loyalty().resources?.[0]?.fields.map(each => (each.name === 'points' ? { ...each, type: 'string' as const } : each)) ?? []
  const upgrade = await begin(app.sql, async tx => {
    await records.create(tx, caller, RESOURCE, { values: { reason: 'First' } })
    const upgrading = tryInstall(app, shop, loyalty({ fields }))
    await sessionWaits(app.sql)
    return { upgrading }
  })
  const made = await upgrade.upgrading
  assert.deepEqual(made.ok ? [] : made.errors.map(each => each.code), ['schema_change'])
  assert.equal((await create({ points: 1 })).created, true)
})

test('the columns of a record are those of its text, whatever was done to it', async () => {
  const { shop, caller, create } = await aShop()
  const link = { target: 'builtin:contact' as const, id: (await shop.post('/api/v1/contacts', { name: 'Ada' })).body.id }
  const full = { points: 1e-7, tier: 'gold', until: '2026-05-25', used: false }
  await create(full, { external_id: 'a', links: [link, { target: 'builtin:order', id: 'ord_1' }] })
  await create({ points: -0, until: '1931-01-01T00:00:00Z' }, { external_id: 'b' })
  await begin(app.sql, tx => records.changeByExternalId(tx, caller, RESOURCE, 'a', { tier: 'silver', used: null, points: 5e-324 }))
  await begin(app.sql, tx => records.changeByExternalId(tx, caller, RESOURCE, 'b', { reason: '"\\\u001f', used: true }))
  const fields = assignSlots({}, loyalty())['points'] ?? []
  const rows = await app.sql`
    select to_jsonb(r) - array['tenant_id', 'doc', 'doc_version', 'fields'] as row, r.doc, r.e1::text, r.e2::text, r.e3::text
      from records r where r.tenant_id = ${shop.id} order by r.external_id`
  assert.equal(rows.length, 2)
  for (const { row, doc, e1, e2, e3 } of rows) {
    const record = JSON.parse(doc)
    const { id, resource, external_id, version } = record
    const { created_at, updated_at, ...held } = row
    const contact_id = record.links[0]?.id ?? null
    const rest = { id, resource, external_id, version, contact_id, order_id: null, product_id: null }
    // A hash is beyond what a number of JavaScript holds.
    assert.deepEqual({ ...held, e1, e2, e3 }, { ...rest, ...slotValues(record, fields) })
    assert.deepEqual([Date.parse(created_at), Date.parse(updated_at)], [Date.parse(record.created_at), Date.parse(record.updated_at)])
  }
})

test('another workspace’s app is none, and neither is half an id', async () => {
  const { caller } = await aShop()
  const { id } = await app.tenant()
  const find = (tenant: string, resource: string) => records.query(app.sql, { ...caller, tenant }, resource, {})
  await assert.rejects(find(id, RESOURCE), problem(404))
  for (const resource of ['acme:loyalty', 'acme:loyalty:', ':::', 'acme:loyalty:points:x', 'acme:loyalty:POINTS', 'acme:loyalty:toString'])
    await assert.rejects(find(caller.tenant, resource), problem(404), resource)
})

test('records of a contact that is merged follow it', async () => {
  const { shop, create, query } = await aShop()
  const [kept, other] = [await shop.post('/api/v1/contacts', { name: 'Ada' }), await shop.post('/api/v1/contacts', { name: 'Augusta' })]
  const { record } = await create({}, { links: [{ target: 'builtin:contact', id: other.body.id }] })
  await shop.post(`/api/v1/contacts/${kept.body.id}/merge`, { contact_id: other.body.id })
  assert.deepEqual(await query({ contact_id: kept.body.id }), [{ ...record, links: [{ target: 'builtin:contact', id: kept.body.id }] }])
  assert.deepEqual(await query({ contact_id: other.body.id }), [])
})

test('a record for a contact that was merged, or is being merged, is linked to the one that it is now', async () => {
  const { shop, caller, create, query } = await aShop()
  const [kept = '', middle = '', first = ''] = await Promise.all(
    ['Ada', 'Augusta', 'A. L.'].map(async name => (await shop.post('/api/v1/contacts', { name })).body.id as string),
  )
  const merge = (id: string, other: string) => shop.post(`/api/v1/contacts/${id}/merge`, { contact_id: other })
  const links = [{ target: 'builtin:contact' as const, id: first }]
  await merge(middle, first)
  const late = begin(app.sql, async tx => {
    const made = await records.create(tx, caller, RESOURCE, { values: { reason: 'under way' }, links })
    assert.equal((await merge(kept, middle)).status, 200)
    return made
  })
  assert.deepEqual((await late).record.links, [{ target: 'builtin:contact', id: middle }])
  await create({ reason: 'later' }, { links })
  assert.deepEqual(reasonsOf(await query({ contact_id: kept })), ['later'])
  await finish(app.sql, caller, kept, middle)
  const found = await query({ contact_id: kept })
  assert.deepEqual(reasonsOf(found), ['later', 'under way'])
  for (const record of found) assert.deepEqual(record.links, [{ target: 'builtin:contact', id: kept }])
})

test('an app’s records are counted, and deleted in portions, and no others', async () => {
  const { shop, create } = await aShop()
  const beside = aManifest({ ...loyalty(), id: 'acme:loyalty2' })
  await installApp(app, shop, beside)
  const caller: Caller = { tenant: shop.id, actor: { type: 'system' } }
  await begin(app.sql, tx => records.create(tx, caller, 'acme:loyalty2:points', { values: { reason: 'stays' } }))
  for (let points = 0; points < 5; points++) await create({ points })
  assert.deepEqual([await records.countOf(app.sql, shop.id, RESOURCE, 3), await records.countOf(app.sql, shop.id, RESOURCE, 9)], [3, 5])
  assert.deepEqual(
    [
      await records.removeSomeOfApp(app.sql, shop.id, 'acme:loyalty', 3),
      await records.removeSomeOfApp(app.sql, shop.id, 'acme:loyalty', 3),
      await records.removeSomeOfApp(app.sql, shop.id, 'acme:loyalty', 3),
    ],
    [3, 2, 0],
  )
  assert.equal(await records.countOf(app.sql, shop.id, 'acme:loyalty2:points', 9), 1)
})

test('a record is changed and deleted where it is as the caller saw it', async () => {
  const { shop, caller, create } = await aShop()
  const { record } = await create({ points: 1 })
  const seen: string[] = []
  const unchanged = ({ body }: { body: string | Buffer }) => void seen.push(body.toString())
  const changed = await begin(app.sql, tx => records.change(tx, caller, RESOURCE, record.id, { until: '2026-01-01' }, unchanged))
  assert.deepEqual([changed.version, changed['until'], changed['points']], [2, '2026-01-01', 1])
  await begin(app.sql, tx => records.remove(tx, caller, RESOURCE, record.id, unchanged))
  assert.deepEqual(seen, [JSON.stringify(record), JSON.stringify(changed)])
  const again = begin(app.sql, tx => records.remove(tx, caller, RESOURCE, record.id, unchanged))
  await assert.rejects(again, problem(404))
  const audited = await app.sql`select action from audit_log where tenant_id = ${shop.id} and subject_id = ${record.id} order by id`
  assert.deepEqual(
    audited.map(each => each['action']),
    ['record.create', 'record.update', 'record.delete'],
  )
})
