// Contacts in sets, as imports write them: the outcome of each input, and a set costs a few statements whatever its size.
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import postgres from 'postgres'
import type { Caller } from '../../src/caller.ts'
import * as contacts from '../../src/contacts/contacts.ts'
import type { NewContact } from '../../src/contacts/schema.ts'
import { begin, type Sql } from '../../src/postgres/sql.ts'
import { Problem } from '../../src/problems.ts'
import { type TestTenant, testApp } from '../support/app.ts'
import { sessionWaits } from '../support/locks.ts'

const app = await testApp()
const caller = (shop: TestTenant): Caller => ({ tenant: shop.id, actor: { type: 'cli' } })

const createAll = (shop: TestTenant, inputs: NewContact[]) => begin(app.sql, tx => contacts.createAll(tx, caller(shop), inputs))
const upsertAll = (shop: TestTenant, inputs: NewContact[]) => begin(app.sql, tx => contacts.upsertAll(tx, caller(shop), inputs))

/** The outcomes in short: the outcome, or the code of the refusal and the index of the conflicting result. */
function told(results: (contacts.Written | Problem)[], before: (contacts.Written | Problem)[] = []): string[] {
  const ids = [...before, ...results].map(each => (each instanceof Problem ? '' : each.id))
  return results.map(each =>
    each instanceof Problem ? `${each.members['code']} of ${ids.indexOf(String(each.members['contact_id']))}` : each.outcome,
  )
}
const docOf = async (shop: TestTenant, result: contacts.Written | Problem | undefined) => {
  assert.ok(result && !(result instanceof Problem))
  const { text, body } = await shop.get(`/api/v1/contacts/${result.id}`)
  assert.equal(result.json, text, 'the result equals a read')
  return body
}
const count = async (shop: TestTenant): Promise<number> =>
  (await app.sql`select count(*)::int as count from contacts where tenant_id = ${shop.id}`)[0]?.['count']
const events = async (shop: TestTenant): Promise<string[]> =>
  (await app.sql`select type from events where tenant_id = ${shop.id} order by seq`).map(row => row['type'])

suite('createAll', () => {
  test('makes each, in order, with its tags, its audit row and its event', async () => {
    const shop = await app.tenant()
    const results = await createAll(shop, [
      { name: 'Z', tags: ['a', 'b'] },
      { email: 'a@example.com' },
      { phone: '+15550001111', tags: ['b'] },
    ])
    assert.deepEqual(told(results), ['created', 'created', 'created'])
    assert.deepEqual(
      [(await docOf(shop, results[0])).tags, (await docOf(shop, results[1])).email, (await docOf(shop, results[2])).tags],
      [['a', 'b'], 'a@example.com', ['b']],
    )
    assert.equal((await shop.get('/api/v1/contacts?tag=b')).body.data.length, 2)
    assert.deepEqual(await events(shop), ['contact.created', 'contact.created', 'contact.created'])
    const audited = await app.sql`select subject_id from audit_log where tenant_id = ${shop.id} and action = 'contact.create'`
    assert.equal(audited.length, 3)
  })

  test('refuses what is taken, by an earlier contact or in the set, and names the holder; the rest goes on and a refused input leaves no trace', async () => {
    const shop = await app.tenant()
    const first = await createAll(shop, [{ email: 'A@example.com' }])
    const results = await createAll(shop, [
      { email: 'a@EXAMPLE.com', phone: '+15550001111', tags: ['lost'] },
      { phone: '+15550001111', name: 'takes what the refused one could not' },
      { phone: '+15550001111' },
      { external_id: 'x' },
      { external_id: 'x', email: 'b@example.com' },
      { email: 'b@example.com' },
      { name: 'free' },
    ])
    assert.deepEqual(told(results, first), [
      'duplicate_email of 0',
      'created',
      'duplicate_phone of 2',
      'created',
      'duplicate_external_id of 4',
      'created',
      'created',
    ])
    assert.equal(await count(shop), 5)
    assert.equal((await events(shop)).length, 5)
    assert.deepEqual((await shop.get('/api/v1/contacts?tag=lost')).body.data, [])
  })

  test('makes the first of two inputs with the same phone number, whatever their addresses', async () => {
    const shop = await app.tenant()
    const results = await createAll(shop, [
      { phone: '+15550001111', email: 'z@example.com' },
      { phone: '+15550001111', email: 'a@example.com' },
    ])
    assert.deepEqual(told(results), ['created', 'duplicate_phone of 0'])
  })

  test('of no inputs writes nothing', async () => {
    const shop = await app.tenant()
    assert.deepEqual([await createAll(shop, []), await upsertAll(shop, [])], [[], []])
  })

  test('of the same contacts by several requests at once makes each once', async () => {
    const shop = await app.tenant()
    const inputs = Array.from({ length: 200 }, (_, n) => ({ email: `n${n}@example.com`, phone: `+1555${1_000_000 + n}` }))
    const sets = [inputs, inputs.toReversed(), inputs.slice(50), inputs.toSorted(() => 0.5 - Math.random())]
    const results = (await Promise.all(sets.map(set => createAll(shop, set)))).flat()
    assert.equal(await count(shop), 200)
    assert.equal(results.filter(each => !(each instanceof Problem)).length, 200)
    for (const each of results) if (each instanceof Problem) assert.equal(each.members['code'], 'duplicate_email')
  })
})

suite('upsertAll', () => {
  test('goes by external_id, else e-mail, else phone; makes a contact that is missing, and does not write what changes nothing', async () => {
    const shop = await app.tenant()
    const before = await createAll(shop, [
      { external_id: 'x', email: 'x@example.com', name: 'X' },
      { email: 'e@example.com', name: 'E', tags: ['old'] },
      { phone: '+15550001111', name: 'P' },
      { external_id: 'same', email: 's@example.com' },
    ])
    const docs = await Promise.all(before.map(each => docOf(shop, each)))
    const results = await upsertAll(shop, [
      { external_id: 'x', email: 'new@example.com' },
      { email: 'E@example.com', external_id: 'e', tags: ['old', 'new'] },
      { phone: '+15550001111', name: null },
      { external_id: 'same', email: 's@example.com' },
      { external_id: 'fresh', name: 'F' },
    ])
    assert.deepEqual(told(results), ['updated', 'updated', 'updated', 'unchanged', 'created'])
    const now = await Promise.all(results.map(each => docOf(shop, each)))
    assert.deepEqual(
      now.slice(0, 4).map(each => each.id),
      docs.map(each => each.id),
    )
    assert.deepEqual(
      now.map(each => [each.external_id, each.email, each.name, each.tags, each.version]),
      [
        ['x', 'new@example.com', 'X', [], 2],
        ['e', 'E@example.com', 'E', ['old', 'new'], 2],
        [null, null, null, [], 2],
        ['same', 's@example.com', null, [], 1],
        ['fresh', null, 'F', [], 1],
      ],
    )
    assert.deepEqual(now[3], docs[3], 'not even its time is written')
    assert.deepEqual((await events(shop)).slice(4), ['contact.tagged', 'contact.created'])
    assert.equal((await shop.get('/api/v1/contacts?tag=new')).body.data[0].id, docs[1].id)
  })

  test('refuses an identifier that is another’s, and leaves both as they were', async () => {
    const shop = await app.tenant()
    const before = await createAll(shop, [
      { external_id: 'x', email: 'x@example.com' },
      { external_id: 'y', email: 'y@example.com' },
    ])
    const docs = await Promise.all(before.map(each => docOf(shop, each)))
    const results = await upsertAll(shop, [
      { external_id: 'x', email: 'y@example.com' },
      // The address belongs to another external id: two people in the caller's system must not become one contact.
      { external_id: 'z', email: 'x@example.com' },
    ])
    assert.deepEqual(told(results, before), ['duplicate_email of 1', 'duplicate_email of 0'])
    assert.deepEqual(await Promise.all(before.map(each => docOf(shop, each))), docs)
    assert.equal(await count(shop), 2)
  })

  test('lets each input see what those before it did', async () => {
    const shop = await app.tenant()
    const results = await upsertAll(shop, [
      { external_id: 'a', name: 'first' },
      { external_id: 'a', email: 'a@example.com' },
      { email: 'A@example.com', name: 'third' },
      { email: 'a@example.com', name: 'third' },
    ])
    assert.deepEqual(told(results), ['created', 'updated', 'updated', 'updated'])
    assert.equal(new Set(results.map(each => (each instanceof Problem ? each : each.id))).size, 1)
    const { external_id, name, email } = await docOf(shop, results.at(-1))
    assert.deepEqual([external_id, name, email], ['a', 'third', 'a@example.com'])
    assert.equal(await count(shop), 1)
  })

  test('refuses an identifier that another request takes at this very moment, and names its holder; the rest goes on', async () => {
    const shop = await app.tenant()
    const before = await createAll(shop, [{ external_id: 'x' }, { external_id: 'y' }])
    let results: ReturnType<typeof upsertAll> | undefined
    const [first] = await begin(app.sql, async tx => {
      const made = await contacts.createAll(tx, caller(shop), [{ email: 'e@example.com' }])
      results = upsertAll(shop, [
        { external_id: 'x', email: 'E@example.com' },
        { external_id: 'y', name: 'Y' },
      ])
      await sessionWaits(app.sql)
      return made
    })
    assert.deepEqual(told((await results) ?? [], [first as contacts.Written]), ['duplicate_email of 0', 'updated'])
    assert.deepEqual([(await docOf(shop, (await results)?.[1])).name, await count(shop), before.length], ['Y', 3, 2])
  })

  test('by several requests at once makes each contact once, and refuses none', async () => {
    const shop = await app.tenant()
    const inputs = Array.from({ length: 100 }, (_, n) => ({ external_id: `x${n}`, email: `n${n}@example.com` }))
    const results = (await Promise.all([1, 2, 3, 4].map(() => upsertAll(shop, inputs)))).flat()
    assert.equal(await count(shop), 100)
    assert.deepEqual(
      results.filter(each => each instanceof Problem),
      [],
    )
    assert.equal(results.filter(each => !(each instanceof Problem) && each.outcome === 'created').length, 100)
  })
})

test('500 contacts cost a few statements: to make, to refuse, to change, to leave alone', async () => {
  const shop = await app.tenant()
  let statements = 0
  const counting = postgres(app.databaseUrl, { max: 1, debug: () => statements++ }) as unknown as Sql
  after(() => counting.end())
  const set = (over: NewContact) => Array.from({ length: 500 }, (_, n) => ({ external_id: `x${n}`, ...over }))
  const cost = async (verb: typeof contacts.createAll, over: NewContact): Promise<number> => {
    statements = 0
    await begin(counting, tx => verb(tx, caller(shop), set(over)))
    return statements
  }
  // The driver's own statements on a new connection are not counted, nor are begin and commit.
  await counting`select 1`
  const tagged = { name: 'B', tags: ['new'] }
  const costs = [
    await cost(contacts.createAll, { tags: ['old'] }),
    await cost(contacts.createAll, {}),
    await cost(contacts.upsertAll, tagged),
    await cost(contacts.upsertAll, tagged),
  ].map(each => each - 2)
  assert.deepEqual(costs, [3, 3, 5, 3])
  assert.equal((await events(shop)).length, 1000)
})
