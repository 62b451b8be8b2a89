// The people who write on channels: each is one contact, by proof alone.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Channel } from '../../src/contacts/channel-ids.ts'
import { learn } from '../../src/contacts/learn.ts'
import { type Met, onChannel } from '../../src/contacts/on-channel.ts'
import type { Person } from '../../src/contacts/person.ts'
import { phoneKey, spellings } from '../../src/contacts/phone.ts'
import { reachable } from '../../src/contacts/reachable.ts'
import { newId } from '../../src/ids.ts'
import { begin } from '../../src/postgres/sql.ts'
import { type TestTenant, testApp } from '../support/app.ts'
import { eventually, eventuallyHolds } from '../support/eventually.ts'
import { anOrder, ok } from '../support/given.ts'

const app = await testApp()
await app.startWorker()
const CONTACTS = '/api/v1/contacts'

const aChannel = (platform: string): Channel => ({ id: newId('chn'), platform })
const telegram = aChannel('telegram')
const whatsapp = aChannel('whatsapp')
const web = aChannel('web')

/** Meets them as a channel does, in one transaction. */
const meet = (shop: TestTenant, channel: Channel, ...people: Person[]): Promise<Met[]> =>
  begin(app.sql, async tx => {
    const caller = { tenant: shop.id, actor: { type: 'system' as const } }
    const met = await onChannel(tx, caller, channel, people)
    await learn(tx, caller, channel, met)
    return met
  })
const meetOne = async (shop: TestTenant, channel: Channel, person: Person): Promise<Met> => (await meet(shop, channel, person))[0] as Met
const idOf = async (shop: TestTenant, channel: Channel, person: Person) => (await meetOne(shop, channel, person)).contact.id
const read = async (shop: TestTenant, id: string) => ok(await shop.get(`${CONTACTS}/${id}`))
const create = async (shop: TestTenant, body: object) => ok(await shop.post(CONTACTS, body))
const typesOf = async (shop: TestTenant): Promise<string[]> =>
  (await app.sql`select type from events where tenant_id = ${shop.id} order by seq`).map(({ type }) => type)

test('who is unknown becomes a contact, with what the platform says, an event, and their channel', async () => {
  const shop = await app.tenant()
  const { contact, made, connected } = await meetOne(shop, telegram, { ids: ['123'], name: 'Ada \u0000 L', handle: '@ada', language: 'uk' })
  assert.deepEqual([made, connected], [true, true])
  const after = await read(shop, contact.id)
  assert.deepEqual(after, contact, 'what the verb hands on is what is read')
  assert.deepEqual([after.name, after.language, after.version], ['Ada L', 'uk', 1])
  assert.deepEqual(after.channels, [
    {
      platform: 'telegram',
      channel_id: telegram.id,
      handle: '@ada',
      external_id: '123',
      connected_at: after.channels[0]?.connected_at,
      unreachable_since: null,
    },
  ])
  assert.deepEqual(await typesOf(shop), ['contact.created'])
  const again = await meetOne(shop, telegram, { ids: ['123'] })
  assert.deepEqual([again.contact.id, again.made, again.connected], [contact.id, false, false])
  assert.deepEqual(await typesOf(shop), ['contact.created'])
})

test('many at once are met in few statements, and one person given several times is one contact', async () => {
  const shop = await app.tenant()
  const people = Array.from({ length: 300 }, (_, n) => ({ ids: [`${n % 100}`], name: `Visitor ${n % 100}` }))
  const met = await meet(shop, telegram, ...people)
  assert.equal(new Set(met.map(each => each.contact.id)).size, 100)
  assert.deepEqual(
    met.map(each => each.contact.name),
    people.map(each => each.name),
  )
})

test('twenty meetings of one person at once make one contact', async () => {
  const shop = await app.tenant()
  const ids = await Promise.all(Array.from({ length: 20 }, () => idOf(shop, telegram, { ids: ['7'], proven: { phone: '+15550001111' } })))
  assert.equal(new Set(ids).size, 1)
  assert.deepEqual(await typesOf(shop), ['contact.created'])
  const elsewhere = Array.from({ length: 10 }, () => idOf(shop, aChannel('api'), { ids: ['a'], proven: { email: 'one@example.com' } }))
  assert.equal(new Set(await Promise.all(elsewhere)).size, 1, 'by proof likewise, on ten channels')
})

test('one Telegram user or WhatsApp number who writes to many channels at the same moment is one contact', async () => {
  const person: Record<string, (n: number) => string> = {
    telegram: () => '77',
    whatsapp: n => (n % 2 ? '5511987654321' : '551187654321'),
  }
  for (const [platform, idFor] of Object.entries(person)) {
    const shop = await app.tenant()
    const channels = Array.from({ length: 12 }, () => aChannel(platform))
    const ids = await Promise.all(channels.map((channel, n) => idOf(shop, channel, { ids: [idFor(n)] })))
    assert.equal(new Set(ids).size, 1, platform)
    assert.deepEqual(await typesOf(shop), ['contact.created'], platform)
    assert.equal((await read(shop, ids[0] as string)).channels.length, 12, platform)
  }
})

test('a set that names a person in both spellings of their number makes one contact', async () => {
  const shop = await app.tenant()
  const met = await meet(shop, whatsapp, { ids: ['5511987654321'] }, { ids: ['551187654321'] })
  assert.equal(met[0]?.contact.id, met[1]?.contact.id)
  assert.deepEqual(await typesOf(shop), ['contact.created'])
})

suite('proof', () => {
  for (const [what, proven] of Object.entries({
    'a number that the platform vouches for': { phone: '+15550001111' },
    'a signed e-mail address, in any case': { email: 'ADA@example.com' },
    'a signed external id': { external_id: 'crm-1' },
  }))
    test(`${what} finds the contact`, async () => {
      const shop = await app.tenant()
      const { id } = await create(shop, { name: 'Ada', email: 'ada@example.com', phone: '+15550001111', external_id: 'crm-1' })
      assert.equal(await idOf(shop, web, { ids: ['vis_1'], proven }), id)
      assert.equal((await read(shop, id)).channels.length, 1)
    })

  test('the same Telegram user or WhatsApp number on another channel of the workspace is the same person; a page’s user is not', async () => {
    const shop = await app.tenant()
    for (const [platform, same] of [
      ['telegram', true],
      ['whatsapp', true],
      ['facebook', false],
      ['api', false],
      ['web', false],
    ] as const) {
      const [one, two] = [aChannel(platform), aChannel(platform)]
      const person = { ids: ['4915112345678'] }
      assert.equal((await idOf(shop, one, person)) === (await idOf(shop, two, person)), same, platform)
    }
    const other = await app.tenant()
    const [here, there] = [await idOf(shop, telegram, { ids: ['9'] }), await idOf(other, telegram, { ids: ['9'] })]
    assert.notEqual(here, there, 'of another workspace nobody is found')
  })

  for (const [country, ...two] of [
    ['Brazil', '+5511987654321', '+551187654321'],
    ['Mexico', '+525512345678', '+5215512345678'],
    ['Argentina', '+541112345678', '+5491112345678'],
  ] as const)
    test(`both spellings of a number of ${country} are one, for channels, orders, lists and uniqueness`, async () => {
      for (const [stored, told] of [two, two.toReversed()] as [string, string][]) {
        const shop = await app.tenant()
        const { id } = await create(shop, { phone: stored })
        assert.equal(await idOf(shop, whatsapp, { ids: [told.slice(1)], proven: { phone: told } }), id)
        assert.equal(await idOf(shop, whatsapp, { ids: [stored.slice(1)] }), id, 'the id on the channel too')
        assert.equal(ok(await shop.post('/api/v1/orders', anOrder({ customer: { phone: told } }))).customer.contact_id, id)
        assert.equal((await shop.post(CONTACTS, { phone: told })).body.contact_id, id)
        assert.equal(ok(await shop.get(`${CONTACTS}?phone=${encodeURIComponent(told)}`)).data.length, 1)
        assert.equal((await read(shop, id)).phone, stored, 'a contact keeps its spelling')
        assert.deepEqual(new Set(spellings(told)), new Set(two))
      }
    })

  test('numbers of other countries, and landlines of Brazil, have one spelling', () => {
    for (const phone of ['+380441234567', '+551133334444', '+15550001111', '+5215512', '+549111234567'])
      assert.deepEqual([phoneKey(phone), spellings(phone)], [phone, [phone]])
  })

  test('WhatsApp’s number and business-scoped id are two names of one person, who is shown once', async () => {
    const shop = await app.tenant()
    const both = await idOf(shop, whatsapp, { ids: ['15550001111', 'US.123'] })
    assert.equal(await idOf(shop, whatsapp, { ids: ['US.123'] }), both)
    assert.equal(await idOf(shop, whatsapp, { ids: ['US.123', 'US.456'] }), both, 'renamed')
    assert.equal(await idOf(shop, whatsapp, { ids: ['US.456'] }), both)
    assert.deepEqual(
      (await read(shop, both)).channels.map((each: { external_id: string }) => each.external_id),
      ['15550001111'],
    )
  })

  test('who is proven to be somebody else joins them, with what they said before; not where the shop knows them as two', async () => {
    const shop = await app.tenant()
    const { id } = await create(shop, { name: 'Ada', phone: '+15550001111' })
    const stranger = await idOf(shop, telegram, { ids: ['5'], name: 'A.' })
    assert.notEqual(stranger, id)
    await meet(shop, telegram, { ids: ['5'], proven: { phone: '+15550001111' } })
    await merged(shop, stranger, id)
    assert.equal(await idOf(shop, telegram, { ids: ['5'] }), id)

    const two = await create(shop, { email: 'two@example.com', external_id: 'crm-2' })
    await meet(shop, web, { ids: ['vis_2'], proven: { external_id: 'crm-3', email: 'three@example.com' } })
    const met = await meetOne(shop, web, { ids: ['vis_2'], proven: { external_id: 'crm-2' } })
    assert.notEqual(met.contact.id, two.id)
    assert.equal(ok(await shop.get(`${CONTACTS}/${met.contact.id}`)).external_id, 'crm-3')
  })
})

suite('two channels that prove one identifier at the same moment', () => {
  const [email, phone, external_id] = ['ada@example.com', '+15550001111', 'crm-1']
  const [one, other] = [aChannel('api'), aChannel('web')]

  /** Each has looked for whom it meets before any writes what it was told. */
  const meetTogether = async (shop: TestTenant, proven: Person['proven'], ids: [string, string]): Promise<string[]> => {
    const caller = { tenant: shop.id, actor: { type: 'system' as const } }
    const looked = ids.map(() => Promise.withResolvers<void>())
    return Promise.all(
      [one, other].map((channel, n) =>
        begin(app.sql, async tx => {
          const met = await onChannel(tx, caller, channel, [{ ids: [ids[n] as string], ...(proven && { proven }) }])
          looked[n]?.resolve()
          await Promise.all(looked.map(each => each.promise))
          await learn(tx, caller, channel, met)
          return met[0]?.contact.id as string
        }),
      ),
    )
  }
  const becomeOne = (ids: string[]) =>
    eventuallyHolds(async () => {
      const rows = await app.sql`select coalesce(merged_into, id) as id from contacts where id = any(${ids})`
      assert.deepEqual([rows.length, new Set(rows.map(row => row['id'])).size], [2, 1])
    })

  for (const [what, proven] of Object.entries({ 'an address': { email }, 'a number': { phone }, 'an id of the shop': { external_id } }))
    test(`${what}, of people who are known: they become one contact`, async () => {
      const shop = await app.tenant()
      const known = [await idOf(shop, one, { ids: ['a'] }), await idOf(shop, other, { ids: ['b'] })]
      assert.deepEqual(await meetTogether(shop, proven, ['a', 'b']), known)
      await becomeOne(known)
    })

  test('an address, of one who is known and one who is not: they become one contact', async () => {
    const shop = await app.tenant()
    const known = await idOf(shop, one, { ids: ['a'] })
    const met = await meetTogether(shop, { email }, ['a', 'b'])
    assert.equal(met[0], known)
    await becomeOne(met)
  })

  test('an address that a third one only claims: they become one contact, and the third is none of them', async () => {
    const shop = await app.tenant()
    const visitor = await idOf(shop, web, { ids: ['v'], claimed: { email } })
    const met = await meetTogether(shop, { email }, ['a', 'b'])
    await becomeOne(met)
    assert.deepEqual([(await read(shop, visitor)).email, met.includes(visitor)], [null, false])
  })

  test('an address, of people whom the shop knows as two: they stay two', async () => {
    const shop = await app.tenant()
    const known = [
      await idOf(shop, one, { ids: ['a'], proven: { external_id: 'crm-1' } }),
      await idOf(shop, other, { ids: ['b'], proven: { external_id: 'crm-2' } }),
    ]
    await meetTogether(shop, { email }, ['a', 'b'])
    const jobs = await app.sql`select 1 from graphile_worker._private_jobs where payload ->> 'tenantId' = ${shop.id}`
    const contacts = await Promise.all(known.map(id => read(shop, id)))
    assert.deepEqual([jobs.length, contacts.map(each => each.email).sort()], [0, [email, null]])
  })
})

async function merged(shop: TestTenant, gone: string, into: string): Promise<void> {
  const reply = await eventually(async () => {
    const { status, body } = await shop.get(`${CONTACTS}/${gone}`)
    return status === 404 && body
  })
  assert.equal(reply.merged_into, into)
}

suite('what is told', () => {
  test('a name comes from the platform until staff writes one', async () => {
    const shop = await app.tenant()
    const id = await idOf(shop, telegram, { ids: ['1'], name: 'Ada' })
    await meet(shop, telegram, { ids: ['1'], name: 'Ada Lovelace', handle: '@al' })
    const renamed = await read(shop, id)
    assert.deepEqual([renamed.name, renamed.version, renamed.channels[0].handle], ['Ada Lovelace', 2, '@al'])
    ok(await shop.patch(`${CONTACTS}/${id}`, { name: 'Countess' }))
    await meet(shop, telegram, { ids: ['1'], name: 'Ada L.' })
    assert.equal((await read(shop, id)).name, 'Countess')
  })

  test('what nobody told yet is filled, and a repeat writes nothing', async () => {
    const shop = await app.tenant()
    const { id } = await create(shop, { phone: '+15550001111' })
    const person = { ids: ['1'], name: 'Ada', language: 'en', proven: { phone: '+15550001111', email: 'ada@example.com' } }
    await meet(shop, web, person)
    const filled = await read(shop, id)
    assert.deepEqual([filled.name, filled.language, filled.email, filled.version > 1], ['Ada', 'en', 'ada@example.com', true])
    await meet(shop, web, person)
    assert.deepEqual(await read(shop, id), filled)
  })

  test('a claim fills an empty field if nobody else has it, joins nobody, and gives way to a proof', async () => {
    const shop = await app.tenant()
    const owner = await create(shop, { email: 'ada@example.com' })
    const first = await meetOne(shop, web, { ids: ['v1'], claimed: { name: 'Eve', email: 'ADA@example.com' } })
    assert.notEqual(first.contact.id, owner.id)
    assert.deepEqual([first.contact.name, first.contact.email], ['Eve', null])
    await meet(shop, web, { ids: ['v1'], claimed: { email: 'eve@example.com' } })
    const after = await read(shop, first.contact.id)
    assert.deepEqual([after.email, after.email_claimed], ['eve@example.com', true])
    assert.equal((await read(shop, owner.id)).version, 1)
  })

  test('what a contact cannot hold is left out', async () => {
    const shop = await app.tenant()
    const { contact } = await meetOne(shop, web, {
      ids: ['v1'],
      name: `${'\n'.repeat(10_000)}x\ud800${'😀'.repeat(400)}`,
      language: 'not a language',
      proven: { phone: '0044 123', email: 'nobody' },
      claimed: { email: 'a b@c' },
    })
    assert.equal([...(contact.name ?? '')].length, 300)
    assert.deepEqual([contact.language, contact.phone, contact.email], [null, null, null])
  })

  test('somebody who blocked the shop is unreachable until they write', async () => {
    const shop = await app.tenant()
    const id = await idOf(shop, whatsapp, { ids: ['15550001111', 'US.1'] })
    const since = '2026-05-01T10:00:00.000Z'
    const caller = { tenant: shop.id, actor: { type: 'system' as const } }
    await begin(app.sql, tx => reachable(tx, caller, whatsapp, [{ id: 'US.1', since }]))
    assert.equal((await read(shop, id)).channels[0].unreachable_since, since)
    await meet(shop, whatsapp, { ids: ['US.1'] })
    assert.equal((await read(shop, id)).channels[0].unreachable_since, null)
  })
})
