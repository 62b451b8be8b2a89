// An address that a visitor of web chat typed identifies nobody. Each way by which somebody else proves the same address makes or keeps a contact of its own, the
// claim goes, and the talk stays the visitor's.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Caller } from '../../src/caller.ts'
import type { Channel } from '../../src/contacts/channel-ids.ts'
import { createAll, upsertAll } from '../../src/contacts/contacts.ts'
import { learn } from '../../src/contacts/learn.ts'
import { onChannel } from '../../src/contacts/on-channel.ts'
import type { Person } from '../../src/contacts/person.ts'
import { newId } from '../../src/ids.ts'
import { migrate } from '../../src/postgres/migrate.ts'
import { begin, type Tx } from '../../src/postgres/sql.ts'
import { type TestTenant, testApp } from '../support/app.ts'
import { anOrder, assertProblem, nobody, ok } from '../support/given.ts'
import { databaseBefore } from '../support/migrating.ts'

const app = await testApp()
const CONTACTS = '/api/v1/contacts'
const EMAIL = 'ada@example.com'

const aChannel = (platform: string): Channel => ({ id: newId('chn'), platform })
const web = aChannel('web')
const callerOf = (shop: { id: string }): Caller => ({ tenant: shop.id, actor: { type: 'system' } })
const meetIn = async (tx: Tx, shop: TestTenant, channel: Channel, people: Person[]) => {
  const met = await onChannel(tx, callerOf(shop), channel, people)
  await learn(tx, callerOf(shop), channel, met)
  return met.map(each => each.contact.id)
}
const meet = async (shop: TestTenant, channel: Channel, ...people: Person[]): Promise<string[]> =>
  begin(app.sql, tx => meetIn(tx, shop, channel, people))
const claim = async (shop: TestTenant, email = EMAIL, visitor = 'v1') =>
  (await meet(shop, web, { ids: [visitor], handle: email, claimed: { email } }))[0] as string
const read = async (shop: TestTenant, id: string) => ok(await shop.get(`${CONTACTS}/${id}`))
const having = async (shop: TestTenant, email = EMAIL): Promise<string[]> =>
  ok(await shop.get(`${CONTACTS}?email=${encodeURIComponent(email)}`)).data.map((each: { id: string }) => each.id)
const createdBy = async (shop: TestTenant, body: object) => ok(await shop.post(CONTACTS, body)).id
const customerOf = async (shop: TestTenant, customer: object) =>
  ok(await shop.post('/api/v1/orders', anOrder({ customer }))).customer.contact_id

/** Each proves the address for somebody else. @returns the contact that has it then */
const proofs: Record<string, (shop: TestTenant) => Promise<string>> = {
  'POST /contacts': shop => createdBy(shop, { email: 'ADA@example.com' }),
  'POST /contacts beside another identifier': shop => createdBy(shop, { email: EMAIL, external_id: 'crm-1', phone: '+15550001111' }),
  'PATCH of another contact': async shop => {
    const id = await createdBy(shop, { name: 'Ada' })
    ok(await shop.patch(`${CONTACTS}/${id}`, { email: EMAIL }))
    return id
  },
  'an order': shop => customerOf(shop, { email: 'Ada@Example.com' }),
  'two orders at once': async shop => {
    const [one, other] = await Promise.all([customerOf(shop, { email: EMAIL }), customerOf(shop, { email: EMAIL })])
    assert.equal(one, other)
    return one
  },
  'orders in bulk': async shop => {
    const items = [anOrder({ customer: { email: EMAIL } }), anOrder({ customer: { email: EMAIL } })]
    const { results } = ok(await shop.post('/api/v1/orders/bulk', { items }))
    assert.equal(results[0].data.customer.contact_id, results[1].data.customer.contact_id)
    return results[0].data.customer.contact_id
  },
  'an import of contacts that creates': async shop => {
    const [made] = await begin(app.sql, tx => createAll(tx, callerOf(shop), [{ email: EMAIL }]))
    return (made as { id: string }).id
  },
  'an import of contacts that upserts': async shop => {
    const [made] = await begin(app.sql, tx => upsertAll(tx, callerOf(shop), [{ email: EMAIL, name: 'Ada' }]))
    assert.equal((made as { outcome: string }).outcome, 'created')
    return (made as { id: string }).id
  },
  'an upsert that finds another contact by its external id': async shop => {
    const id = await createdBy(shop, { external_id: 'crm-1' })
    await begin(app.sql, tx => upsertAll(tx, callerOf(shop), [{ external_id: 'crm-1', email: EMAIL }]))
    return id
  },
  'a signed identity': async shop => (await meet(shop, web, { ids: ['v2'], proven: { email: EMAIL } }))[0] as string,
  'a signed identity of someone known': async shop => {
    const id = await createdBy(shop, { external_id: 'crm-1' })
    await meet(shop, web, { ids: ['v2'], proven: { external_id: 'crm-1', email: EMAIL } })
    return id
  },
  'from.email of the generic channel': async shop =>
    (await meet(shop, aChannel('api'), { ids: ['a'], proven: { email: EMAIL } }))[0] as string,
  'two of one set that prove it': async shop => {
    const [one, other] = await meet(
      shop,
      aChannel('api'),
      { ids: ['a'], proven: { email: EMAIL } },
      { ids: ['b'], proven: { email: EMAIL.toUpperCase() } },
    )
    assert.equal(one, other)
    return one as string
  },
}

suite('an address that a visitor typed gives way to', () => {
  for (const [name, prove] of Object.entries(proofs))
    test(name, async () => {
      const shop = await app.tenant()
      const visitor = await claim(shop)
      const before = await read(shop, visitor)
      assert.deepEqual([before.email, before.email_claimed], [EMAIL, true])
      const proven = await prove(shop)
      assert.notEqual(proven, visitor)
      assert.deepEqual(await having(shop), [proven])
      assert.equal((await read(shop, proven)).email_claimed, false)
      const after = await read(shop, visitor)
      assert.deepEqual([after.email, after.email_claimed, after.version, after.orders_count], [null, false, before.version + 1, 0])
      assert.equal(after.channels[0].handle, EMAIL, 'staff still sees what was typed')
      // Typed once more, it is another's.
      assert.equal(await claim(shop), visitor)
      assert.equal((await read(shop, visitor)).email, null)
    })
})

suite('a claim', () => {
  test('is confirmed by staff who write it, and by a proof of the same visitor; then it is like any other', async () => {
    const shop = await app.tenant()
    const [one, other] = [await claim(shop), await claim(shop, 'eve@example.com', 'v2')]
    const confirmed = ok(await shop.patch(`${CONTACTS}/${one}`, { email: EMAIL }))
    assert.deepEqual([confirmed.email, confirmed.email_claimed, confirmed.version], [EMAIL, false, 2])
    assert.equal(await customerOf(shop, { email: EMAIL }), one)
    assertProblem(await shop.post(CONTACTS, { email: EMAIL }), {
      status: 409,
      slug: 'conflict',
      code: 'duplicate_email',
      instance: CONTACTS,
    })
    await meet(shop, web, { ids: ['v2'], proven: { email: 'eve@example.com' } })
    assert.equal((await read(shop, other)).email_claimed, false)
    assert.equal(await customerOf(shop, { email: 'eve@example.com' }), other)
  })

  test('of two who type the same the first keeps it, and what one typed last counts', async () => {
    const shop = await app.tenant()
    const first = await claim(shop)
    const second = await claim(shop, EMAIL, 'v2')
    assert.deepEqual([(await read(shop, second)).email, await having(shop)], [null, [first]])
    await claim(shop, 'typo@example.com', 'v2')
    await claim(shop, 'right@example.com', 'v2')
    const { email, email_claimed } = await read(shop, second)
    assert.deepEqual([email, email_claimed], ['right@example.com', true])
  })

  test('does not hold up a proof that contradicts it: the two contacts become one, with what is proven', async () => {
    const shop = await app.tenant()
    const known = await createdBy(shop, { external_id: 'crm-1', email: EMAIL })
    const visitor = await claim(shop, 'other@example.com')
    await meet(shop, web, { ids: ['v1'], proven: { external_id: 'crm-1' } })
    const [job] = await app.sql`select payload from graphile_worker._private_jobs where payload ->> 'keptId' = ${known}`
    assert.deepEqual(job && [job['payload'].keptId, job['payload'].mergedId], [known, visitor])
  })

  test('counts for less than a proof when two contacts are merged, and stays a claim where there is none', async () => {
    const shop = await app.tenant()
    const mergeInto = async (kept: string, contact_id: string) => ok(await shop.post(`${CONTACTS}/${kept}/merge`, { contact_id }))
    const [visitor, known] = [await claim(shop), await createdBy(shop, { email: 'proven@example.com' })]
    const kept = await mergeInto(visitor, known)
    assert.deepEqual([kept.email, kept.email_claimed], ['proven@example.com', false])
    const [named, other] = [await createdBy(shop, { name: 'Eve' }), await claim(shop, 'eve@example.com', 'v2')]
    const claimed = await mergeInto(named, other)
    assert.deepEqual([claimed.email, claimed.email_claimed], ['eve@example.com', true])
    assert.notEqual(await customerOf(shop, { email: 'eve@example.com' }), named)
  })

  test('is not taken off for a contact that is refused all the same', async () => {
    const shop = await app.tenant()
    const visitor = await claim(shop)
    await createdBy(shop, { external_id: 'crm-1' })
    const [refused] = await begin(app.sql, tx => createAll(tx, callerOf(shop), [{ email: EMAIL, external_id: 'crm-1' }]))
    assert.equal((refused as { members?: { code?: string } }).members?.code, 'duplicate_external_id')
    assert.deepEqual(await having(shop), [visitor])
  })

  test('typed at the very moment of a proof never joins the two, and one contact has the address', async () => {
    const shop = await app.tenant()
    for (let n = 0; n < 8; n++) {
      const email = `race${n}@example.com`
      const changed = await createdBy(shop, { name: `Changed ${n}` })
      const [visitor, ...proven] = await Promise.all([
        claim(shop, email, `race${n}`),
        customerOf(shop, { email }),
        meet(shop, aChannel('api'), { ids: ['a'], proven: { email } }).then(([id]) => id as string),
        ...(n % 2 === 0 ? [shop.patch(`${CONTACTS}/${changed}`, { email })] : []),
      ])
      assert.ok(!proven.includes(visitor))
      const [owner, more] = await having(shop, email)
      assert.ok(owner !== undefined && owner !== visitor && more === undefined)
    }
  })
})

test('what visitors typed before claims were marked is taken for claims, but for what staff wrote', async () => {
  const { url, sql } = await databaseBefore('0058_claimed_addresses.sql')
  const shop = nobody('ten')
  await sql`insert into tenants (id, name, plan, currency) values (${shop}, 'Shop', 'enterprise', 'EUR')`
  const contact = async (id: string, email: string, handle: string | null, platform = 'web') => {
    const doc = JSON.stringify({ object: 'contact', id, email })
    await sql`insert into contacts (tenant_id, id, email, created_at, updated_at, doc) values (${shop}, ${id}, ${email}, now(), now(), ${doc})`
    await sql`insert into contact_channels (tenant_id, channel_id, external_id, contact_id, platform, handle, connected_at)
              values (${shop}, 'chn', ${id}, ${id}, ${platform}, ${handle}, now())`
  }
  await contact('typed', 'a@example.com', 'A@example.com')
  await contact('signed', 'b@example.com', null)
  await contact('elsewhere', 'c@example.com', 'c@example.com', 'api')
  await contact('written', 'd@example.com', 'd@example.com')
  await contact('learnt', 'e@example.com', 'e@example.com')
  const audit = (subject: string, actor: string, fields: string[]) =>
    sql`insert into audit_log (tenant_id, actor_type, action, subject_id, details) values (${shop}, ${actor}, 'contact.update', ${subject}, ${sql.json({ fields })})`
  await audit('written', 'user', ['name', 'email'])
  await audit('learnt', 'system', ['email'])
  await audit('learnt', 'api_key', ['name'])
  await migrate(url)
  const claimed = await sql`select id from contacts where email_claimed order by id`
  assert.deepEqual(
    claimed.map(each => each['id']),
    ['learnt', 'typed'],
  )
})
