// Look-ups against a real name server on loopback: what is found, what is remembered, which look-ups wait, and whose fault a failure is.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { createClient, type OutboundClient } from '../../src/outbound/client.ts'
import type { Address } from '../../src/outbound/connect.ts'
import { createNames, type Seeker } from '../../src/outbound/name-cache.ts'
import { createLookup } from '../../src/outbound/name-lookup.ts'
import { createTroubles } from '../../src/outbound/troubles.ts'
import { type NameServer, type Said, startNameServer } from '../support/name-server.ts'
import { startReceiver } from '../support/receiver.ts'

const LOOPBACK = { addresses: ['127.0.0.1'] }

async function nameServer(t: TestContext, say: (name: string, type: string) => Said, options?: string): Promise<NameServer> {
  const started = await startNameServer(say, options)
  t.after(() => started.close())
  return started
}

const saying =
  (names: Record<string, Said>) =>
  (name: string): Said =>
    name in names ? names[name] : 3

function clientOf(t: TestContext, { files }: Pick<NameServer, 'files'>): OutboundClient {
  const made = createClient({ allowPrivate: true, allowOrigins: [] }, files)
  t.after(() => made.close())
  return made
}

const send = (client: OutboundClient, url: string, tenant = 'a tenant') =>
  client.post({ url, tenant, headers: {}, body: '{}', timeoutMs: 10_000, bodyExtraMs: 1_000, keepResponseBytes: 1024 })

const addressesOf = async ({ files }: NameServer, name: string): Promise<string[]> =>
  (await createLookup(files, createTroubles())(name)).addresses.map(({ address }) => address)

test('both families are asked at once; IPv6 goes first, and either alone is enough', async t => {
  const server = await nameServer(t, (name, type) => {
    if (name === 'both.example') return { addresses: ['192.0.2.1', '192.0.2.2', '2001:db8::1'] }
    if (name === 'six.example') return type === 'A' ? 2 : { addresses: ['2001:db8::1'] }
    if (name === 'four.example') return type === 'AAAA' ? undefined : { addresses: ['192.0.2.1'] }
    return 3
  })
  assert.deepEqual(await addressesOf(server, 'both.example'), ['2001:db8::1', '192.0.2.1', '192.0.2.2'])
  assert.deepEqual(server.asked.toSorted(), ['both.example A', 'both.example AAAA'])
  assert.deepEqual(await addressesOf(server, 'six.example'), ['2001:db8::1'])
  assert.deepEqual(await addressesOf(server, 'four.example'), ['192.0.2.1'])
})

test('a name that is not there, has no address, or whose servers fail or do not answer says which', async t => {
  const server = await nameServer(
    t,
    saying({ 'empty.example': { addresses: [] }, 'broken.example': 2, 'mute.example': undefined }),
    'options timeout:1 attempts:1',
  )
  const client = clientOf(t, server)
  for (const [name, code] of [
    ['none.example', 'ENOTFOUND'],
    ['empty.example', 'ENODATA'],
    ['broken.example', 'ESERVFAIL'],
    ['mute.example', 'ETIMEOUT'],
  ]) {
    const outcome = await send(client, `https://${name}`)
    assert.deepEqual([outcome.error, outcome.error && outcome.message], ['dns', `${name} does not resolve (${code}).`])
  }
})

test('the hosts file comes first, localhost needs no server, and a changed file is read again', async t => {
  const server = await nameServer(t, saying({ 'shop.example': { addresses: ['192.0.2.1'] } }))
  writeFileSync(server.files.hosts, '# ours\n192.0.2.7 intern.example Alias.Example # both\n::1 intern.example\nnonsense here\n')
  const lookup = createLookup(server.files, createTroubles())
  const find = async (name: string) => (await lookup(name)).addresses.map(({ address }) => address)
  assert.deepEqual(await find('intern.example'), ['192.0.2.7', '::1'])
  assert.deepEqual(await find('alias.example.'), ['192.0.2.7'])
  assert.deepEqual(await find('shop.localhost'), ['127.0.0.1', '::1'])
  assert.equal(server.asked.length, 0)
  writeFileSync(server.files.hosts, '192.0.2.8 shop.example\n')
  assert.deepEqual(await find('shop.example'), ['192.0.2.8'])
  writeFileSync(server.files.hosts, '')
  assert.deepEqual(await find('shop.example'), ['192.0.2.1'])
})

test('search domains are tried as ndots says, until one has the name', async t => {
  const server = await nameServer(
    t,
    saying({ 'shop.corp.example': { addresses: ['192.0.2.1'] }, 'a.b': { addresses: ['192.0.2.2'] } }),
    'search lan.example corp.example.\noptions ndots:2',
  )
  const names = () => server.asked.splice(0).flatMap(each => (each.endsWith(' A') ? [each.slice(0, -2)] : []))
  assert.deepEqual(await addressesOf(server, 'shop'), ['192.0.2.1'])
  assert.deepEqual(names(), ['shop.lan.example', 'shop.corp.example'])
  assert.deepEqual(await addressesOf(server, 'a.b'), ['192.0.2.2'])
  assert.deepEqual(names(), ['a.b.lan.example', 'a.b.corp.example', 'a.b'])
  await assert.rejects(addressesOf(server, 'x.y.z'), /ENOTFOUND/)
  assert.deepEqual(names(), ['x.y.z', 'x.y.z.lan.example', 'x.y.z.corp.example'])
  await assert.rejects(addressesOf(server, 'shop.'), /ENOTFOUND/)
  assert.deepEqual(names(), ['shop'])
})

test('another name server is asked when the first does not answer, and a changed resolv.conf is followed', async t => {
  const [first, second] = [await nameServer(t, () => undefined), await nameServer(t, () => ({ addresses: ['192.0.2.1'] }))]
  const others = `nameserver ${second.address}\noptions timeout:1\n`
  writeFileSync(first.files.resolvConf, `nameserver ${first.address}\n${others}`)
  const lookup = createLookup(first.files, createTroubles())
  assert.equal((await lookup('shop.example')).addresses.length, 1)
  assert.ok(first.asked.length > 0)
  writeFileSync(first.files.resolvConf, others)
  const before = first.asked.length
  assert.equal((await lookup('other.example')).addresses.length, 1)
  assert.equal(first.asked.length, before)
})

test('an address is remembered for its TTL, but for no less than 5 s and no more than 5 minutes', async t => {
  let now = 0
  t.mock.method(performance, 'now', () => now)
  const asked: string[] = []
  const ttls: Record<string, number> = { 'never.example': 0, 'minute.example': 60, 'day.example': 86_400 }
  const names = createNames(async name => {
    asked.push(name)
    return { addresses: [], ttlSeconds: ttls[name] ?? 0 }
  })
  const find = (name: string) =>
    new Promise<void>(resolve =>
      names.find(name, { tenant: 'a', seeking: () => {}, found: () => resolve(), notFound: () => resolve() } satisfies Seeker),
    )
  const knownAt = async (name: string, seconds: number) => {
    now = seconds * 1000
    asked.length = 0
    await find(name)
    return asked.length === 0
  }
  for (const name of Object.keys(ttls)) await find(name)
  assert.deepEqual([await knownAt('never.example', 4.9), await knownAt('never.example', 5.1)], [true, false])
  assert.deepEqual([await knownAt('minute.example', 59), await knownAt('minute.example', 61)], [true, false])
  assert.deepEqual([await knownAt('day.example', 299), await knownAt('day.example', 301)], [true, false])
})

test('what is remembered has bounds: the oldest names go first, of an answer 32 addresses are kept, and a name that is not there is asked for again after 5 s', async t => {
  let now = 0
  t.mock.method(performance, 'now', () => now)
  const asked: string[] = []
  const addresses = Array.from({ length: 1_000 }, (_, i) => ({ address: `192.0.2.${i % 256}`, family: 4 }))
  const names = createNames(async name => {
    asked.push(name)
    if (name === 'none.example') throw Object.assign(new Error('not there'), { code: 'ENOTFOUND' })
    return { addresses, ttlSeconds: 300 }
  })
  const find = (name: string) =>
    new Promise<Address[] | string>(resolve =>
      names.find(name, { tenant: 'a', seeking: () => {}, found: resolve, notFound: ({ message }) => resolve(message) } satisfies Seeker),
    )
  const isKnown = async (name: string) => {
    asked.length = 0
    await find(name)
    return asked.length === 0
  }
  assert.equal((await find('first.example')).length, 32)
  const reason = await find('none.example')
  assert.equal(reason, 'none.example does not resolve (ENOTFOUND).')
  now = 4_900
  assert.deepEqual([await isKnown('none.example'), await find('none.example')], [true, reason])
  now = 5_100
  assert.equal(await isKnown('none.example'), false)
  // 10 MB, where 8 are kept.
  for (let n = 0; n < 2_000; n++) await find(`shop-${n}.example`)
  assert.deepEqual(
    [await isKnown('shop-1999.example'), await isKnown('shop-1000.example'), await isKnown('first.example')],
    [true, true, false],
  )
})

test('sixty names of one tenant that are never answered keep no other tenant’s name waiting, and wait at no cost themselves', async t => {
  const there = await startReceiver()
  t.after(there.close)
  const server = await nameServer(t, name => (name.endsWith('hang.example') ? undefined : LOOPBACK), 'options timeout:1 attempts:1')
  const client = clientOf(t, server)
  const began = performance.now()
  const hanging = Array.from({ length: 60 }, (_, i) => send(client, `https://x${i}.hang.example`, 'a'))
  let ended = 0
  for (const each of hanging) void each.then(() => ended++)
  const namesAsked = () => new Set(server.asked.map(each => each.split(' ')[0])).size
  while (namesAsked() < 16) await new Promise(setImmediate)
  const outcome = await send(client, `https://shop.example:${there.port}`, 'b')
  // The receiver speaks no TLS, so this error means that it was reached.
  assert.equal(outcome.error, 'tls')
  const asked = namesAsked()
  // On a busy machine some have ended by then, each of which lets another one begin.
  await new Promise(setImmediate)
  assert.ok(asked <= 17 + ended, `no more than sixteen of the sixty are looked up at once: ${asked} were, and ${ended} had ended`)
  const outcomes = await Promise.all(hanging)
  const took = performance.now() - began
  for (const { error, timings } of outcomes) {
    assert.equal(error, 'dns')
    assert.ok(timings.totalMs < took / 2, `it was charged ${timings.totalMs} of the ${took} ms that four look-ups one after another took`)
  }
})

test('a request that gives up at the very moment when its look-up may begin gives back one slot, and begins nothing', async () => {
  const turns = new Map<string, (found: { addresses: []; ttlSeconds: number }) => void>()
  const names = createNames(name => new Promise(resolve => turns.set(name, resolve)))
  const seekerOf = (tenant: string): Seeker => ({ tenant, seeking: () => {}, found: () => {}, notFound: () => {} })
  const waiting = seekerOf('a')
  names.find('x0.example', { ...seekerOf('a'), found: () => names.leave('left.example', waiting) })
  for (let n = 1; n < 16; n++) names.find(`x${n}.example`, seekerOf('a'))
  names.find('left.example', waiting)
  turns.get('x0.example')?.({ addresses: [], ttlSeconds: 0 })
  await new Promise(setImmediate)
  for (let n = 0; n < 40; n++) names.find(`y${n}.example`, seekerOf('a'))
  await new Promise(setImmediate)
  assert.ok(!turns.has('left.example'))
  assert.equal([...turns.keys()].filter(name => name.startsWith('y')).length, 1)
})

test('many tenants share one look-up of a name, which begins at the first of their turns', async t => {
  const server = await nameServer(
    t,
    name => (name.endsWith('hang.example') ? undefined : name === 'shared.example' ? 3 : LOOPBACK),
    // They hang until the client is closed.
    'options timeout:3 attempts:5',
  )
  const client = createClient({ allowPrivate: true, allowOrigins: [] }, server.files)
  const hanging = Array.from({ length: 16 }, (_, i) => send(client, `https://x${i}.hang.example`, 'a'))
  const waiting = send(client, 'https://shared.example', 'a')
  const prompt = send(client, 'https://shared.example', 'b')
  let hung = 0
  for (const each of hanging) void each.then(() => hung++)
  for (const { error } of await Promise.all([waiting, prompt])) assert.equal(error, 'dns')
  assert.equal(hung, 0)
  assert.equal(server.asked.filter(each => each === 'shared.example A').length, 1)
  await client.close()
  await Promise.all(hanging)
})

test('a name asked for while no name server answered is found when they are back before its look-up ends', async t => {
  // Long enough for a busy machine to look up the other name meanwhile.
  const server = await nameServer(t, saying({ 'shop.example': LOOPBACK, 'other.example': LOOPBACK }), 'options timeout:3 attempts:1')
  const lookup = createLookup(server.files, createTroubles())
  await server.away('silent')
  const found = lookup('shop.example')
  while (server.asked.length < 2) await new Promise(setImmediate)
  await server.back()
  // Answers that others get by then say nothing about the moment when this name was asked for.
  assert.equal((await lookup('other.example')).addresses.length, 1)
  assert.deepEqual((await found).addresses, [{ address: '127.0.0.1', family: 4 }])
})

test('name servers that go away while a name is asked for are not its owner’s fault, though they answered others meanwhile; nor is it remembered', async t => {
  const there = await startReceiver()
  t.after(there.close)
  let slow = true
  const server = await nameServer(t, name => (slow && name === 'shop.example' ? undefined : LOOPBACK), 'options timeout:3 attempts:1')
  const client = clientOf(t, server)
  const sent = send(client, `https://shop.example:${there.port}`)
  while (server.asked.length < 2) await new Promise(setImmediate)
  await send(client, `https://other.example:${there.port}`)
  await server.away('silent')
  const outcome = await sent
  assert.deepEqual(
    [outcome.error, outcome.error && outcome.message],
    ['own-fault', `Not delivered: no name server answers (${server.address}).`],
  )
  slow = false
  await server.back()
  // The receiver speaks no TLS, so this error means that it was reached.
  assert.equal((await send(client, `https://shop.example:${there.port}`)).error, 'tls')
  assert.equal(client.trouble(), undefined)
})

test('the silence of all three name servers is known within a request’s time', async t => {
  const servers = [await nameServer(t, () => undefined), await nameServer(t, () => undefined), await nameServer(t, () => undefined)]
  const [{ files }] = servers as [NameServer]
  writeFileSync(files.resolvConf, servers.map(({ address }) => `nameserver ${address}\n`).join(''))
  assert.equal((await send(clientOf(t, { files }), 'https://shop.example')).error, 'own-fault')
})

test('a name that is not answered is its owner’s fault where one of the name servers answers others', async t => {
  const servers = [await nameServer(t, () => undefined), await nameServer(t, saying({ 'mute.example': undefined }))]
  const [{ files }] = servers as [NameServer]
  writeFileSync(files.resolvConf, `${servers.map(({ address }) => `nameserver ${address}\n`).join('')}options timeout:1 attempts:1\n`)
  const client = clientOf(t, { files })
  const outcome = await send(client, 'https://mute.example')
  assert.deepEqual([outcome.error, outcome.error && outcome.message], ['dns', 'mute.example does not resolve (ETIMEOUT).'])
  assert.equal(client.trouble(), undefined)
})
