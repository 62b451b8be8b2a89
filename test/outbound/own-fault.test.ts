// Is the receiver down, or are we? Faults of this machine, and failures that hit too many tenants at once to be the receivers'.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, test } from 'node:test'
import { createAuthorities } from '../../src/outbound/authorities.ts'
import { createOutage, type Outage, type Reachability } from '../../src/outbound/outage.ts'
import type { Outcome } from '../../src/outbound/outcome.ts'
import { createStandstill, TICK_MS } from '../../src/outbound/standstill.ts'
import { createTroubles } from '../../src/outbound/troubles.ts'
import { answered, client, failed, rawServer, receiver } from '../support/outbound.ts'

const answer: Outcome = { status: 503, headers: {}, body: '', truncated: false, timings: { totalMs: 1, connectMs: 1 } }
const refused: Outcome = { error: 'connection-refused', message: '', sent: 'no', timings: { totalMs: 1 } }

/** An outage judge, and its clock, which the test sets. */
function judge(t: { mock: { method(of: object, name: string, to: () => number): unknown } }) {
  const clock = { now: 1_000_000 }
  t.mock.method(performance, 'now', () => clock.now)
  const told: string[] = []
  const troubles = createTroubles((_kind, _text, over) => told.push(over === undefined ? 'begins' : 'ends'))
  const outage = createOutage(troubles)
  const ends = (tenant: string, host: string, outcome: Outcome): boolean => {
    // More than a look later.
    clock.now += 250
    return outage.leave(outage.enter(tenant) as Reachability, host, outcome)
  }
  return { clock, told, troubles, outage, ends }
}

const letters = (count: number): string[] => Array.from({ length: count }, (_, i) => `t${i}`)

test('while one tenant is answered, the fifty receivers of another and of a third that are down speak for themselves alone', t => {
  const { ends, told } = judge(t)
  ends('fine', 'h', answer)
  for (const tenant of ['t0', 't1']) for (let host = 0; host < 50; host++) assert.equal(ends(tenant, `${tenant}${host}`, refused), false)
  assert.deepEqual(told, [])
})

for (const tenants of [1, 2])
  test(`where ${tenants === 1 ? 'one tenant sends' : 'two tenants send'}, failures count until five hosts are silent and none has answered since`, t => {
    const { ends, told, outage, clock } = judge(t)
    const fail = (host: number) => ends(`t${host % tenants}`, `h${host}`, refused)
    const fourTimes = [0, 1, 2, 3, 0, 1, 2, 3]
    for (const host of fourTimes) assert.equal(fail(host), false)
    assert.equal(fail(4), true)
    assert.equal(fail(0), true)
    // Another tenant's receiver that answers is sent to as ever, and shows that the four are down.
    assert.deepEqual([outage.enter('other'), outage.enter('other')].filter(Boolean).length, 2)
    clock.now += 250
    assert.equal(ends('other', 'o', answer), false)
    assert.equal(fail(0), false)
    assert.deepEqual(told, ['begins', 'ends'])
    // So does one of its own.
    ends('t0', 'h0', answer)
    for (const host of fourTimes) assert.equal(fail(host), false)
  })

test('a receiver is not blamed for the time in which this process stood still, but for a moment of it', async t => {
  const silent = await rawServer(t, () => {})
  const there = await receiver(t)
  const { send } = client(t)
  // A busy machine stands still by itself.
  let now = performance.now()
  t.mock.method(performance, 'now', () => now)
  for (const [ms, error] of [
    [1_000, 'timeout'],
    [5_000, 'own-fault'],
  ] as const) {
    const sent = send({ url: silent.origin, timeoutMs: 50 })
    now += ms
    failed(await sent, error, /./)
  }
  // What has answered meanwhile has answered.
  const sent = send({ url: there.origin })
  now += 60_000
  assert.equal(answered(await sent).status, 204)
})

test('a standstill counts as far as it met the request, and is known before and after it is noted', () => {
  let now = 0
  const { tick, since } = createStandstill(() => now)
  const pass = (ms: number) => {
    for (const until = now + ms; now < until; tick()) now += TICK_MS
  }
  pass(10_000)
  now += TICK_MS + 3_000
  assert.deepEqual([since(0), since(now - 1_000), since(now)], [3_000, 1_000, 0])
  tick()
  pass(10_000)
  assert.deepEqual([since(0), since(now - 11_000), since(now)], [3_000, 1_000, 0])
  now += TICK_MS + 900
  assert.equal(since(now - 10_000), 0, 'a moment')
})

describe('certificates', () => {
  const authorities = (t: Parameters<typeof judge>[0], fault?: string) => {
    const clock = { now: 1_000_000 }
    t.mock.method(performance, 'now', () => clock.now)
    return { clock, ...createAuthorities(() => fault) }
  }
  const ISSUER = 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'

  test('that none of three hosts in a minute can be verified is our fault; that some cannot, is theirs', t => {
    const { clock, refused: refuse, verified } = authorities(t)
    assert.equal(refuse('a', ISSUER), undefined)
    assert.equal(refuse('b', ISSUER), undefined)
    assert.equal(refuse('b', ISSUER), undefined)
    assert.equal(refuse('c', ISSUER), `no receiver's certificate can be verified (${ISSUER})`)
    verified()
    for (const host of ['a', 'b', 'c', 'd']) assert.equal(refuse(host, ISSUER), undefined)
    clock.now += 61_000
    assert.equal(refuse('a', ISSUER), undefined, 'three that were refused longer ago do not count')
  })

  test('another name, a self-signed certificate and a broken handshake are the receiver’s, however many', t => {
    const { refused: refuse } = authorities(t)
    for (const code of ['ERR_TLS_CERT_ALTNAME_INVALID', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'EPROTO'])
      for (const host of ['a', 'b', 'c', 'd']) assert.equal(refuse(host, code), undefined)
  })

  test('authorities that are missing for certain are our fault at the first host', t => {
    const { refused: refuse } = authorities(t, 'this machine trusts no certificate authority')
    assert.equal(refuse('a', ISSUER), 'this machine trusts no certificate authority')
    assert.equal(refuse('a', 'ERR_TLS_CERT_ALTNAME_INVALID'), undefined)
  })
})

test('one host that is down for all is a provider’s fault', t => {
  const { ends } = judge(t)
  for (const tenant of letters(20)) assert.equal(ends(tenant, 'hooks.example', refused), false)
})

test('while one tenant in nine is answered, the others’ failures are theirs', t => {
  const { ends, told } = judge(t)
  ends('fine', 'h', answer)
  for (const tenant of letters(8)) assert.equal(ends(tenant, tenant, refused), false)
  assert.deepEqual(told, [])
})

test('when no tenant of three or more is answered any more, failures count against none, until some are answered', t => {
  const { ends, told, troubles } = judge(t)
  for (const tenant of letters(4)) ends(tenant, tenant, answer)
  const verdicts = letters(4).map(tenant => ends(tenant, tenant, refused))
  assert.deepEqual(verdicts, [false, false, false, true])
  assert.equal(troubles.text(), 'hardly any receiver of any tenant can be reached')
  assert.equal(ends('t0', 't0', refused), true)
  ends('t1', 't1', answer)
  assert.equal(ends('t0', 't0', refused), false)
  assert.deepEqual(told, ['begins', 'ends'])
})

test('in an outage a tenant tries with one request at a time, and an answered tenant with as many as it likes', t => {
  const { ends, outage, clock } = judge(t)
  const under = (of: Outage, tenant: string) => [of.enter(tenant), of.enter(tenant)].filter(Boolean).length
  for (const tenant of letters(30)) ends(tenant, tenant, refused)
  assert.equal(under(outage, 't0'), 1)
  ends('t1', 't1', answer)
  assert.equal(under(outage, 't1'), 2)
  // It is still one: of thirty tenants twenty-nine are not answered. A minute later no tenant has tried, and nothing is known.
  clock.now += 61_000
  assert.equal(under(outage, 't2'), 2)
})

test('a delivery that failed for our own fault is tried again within 2 s at first, and after a long outage within a minute', t => {
  const { clock, troubles } = judge(t)
  t.mock.method(Math, 'random', () => 1)
  troubles.seen('machine', 'it lacks something')
  assert.equal(troubles.againInMs(), 2_000)
  clock.now += 10_000
  assert.equal(troubles.againInMs(), 10_000)
  clock.now += 600_000
  troubles.seen('machine', 'it lacks something')
  assert.equal(troubles.againInMs(), 60_000)
  clock.now += 91_000
  assert.equal(troubles.text(), undefined)
})

const POST = `
  const { createClient } = await import(${JSON.stringify(new URL('../../src/outbound/client.ts', import.meta.url).href)})
  const client = createClient({ allowPrivate: true, allowOrigins: [] })
  const post = async url => {
    const outcome = await client.post({ url, tenant: 'a', headers: {}, body: '', timeoutMs: 5000, bodyExtraMs: 1, keepResponseBytes: 1 })
    console.log(outcome.error ?? outcome.status, outcome.message ?? '')
  }`

/** What a process of its own prints, started with this command. */
function printed(words: string[], script: string): string {
  const [command = '', ...args] = [...words, process.execPath, '--input-type=module', '-e', script]
  const { stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  return stdout || stderr
}

test('no more file descriptors are no receiver’s fault', () => {
  const script = `${POST}
  const { openSync, closeSync } = await import('node:fs')
  const { createServer } = await import('node:http')
  const server = createServer((_request, response) => response.end()).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const url = 'http://127.0.0.1:' + server.address().port
  const taken = []
  try { for (;;) taken.push(openSync('/dev/null')) } catch {}
  await post(url)
  for (const fd of taken) closeSync(fd)
  await post(url)
  console.log(client.trouble())
  process.exit()`
  const output = printed(['sh', '-c', 'ulimit -n 100; exec "$@"', 'sh'], script)
  assert.match(output, /^own-fault Not delivered: this machine opens no more connections \(EMFILE\)\.\n200 \nundefined\n$/)
})

test('a file of certificate authorities that cannot be read is no receiver’s fault', () => {
  const certificate = new URL('../support/receiver-test-only', import.meta.url).pathname
  const script = `${POST}
  const { readFileSync } = await import('node:fs')
  const { createServer } = await import('node:https')
  const [cert, key] = ['cert', 'key'].map(part => readFileSync('${certificate}.' + part + '.pem'))
  const server = createServer({ cert, key }, (_request, response) => response.end()).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  await post('https://localhost:' + server.address().port)
  console.log(client.trouble())
  process.exit()`
  const fault = 'the file that NODE_EXTRA_CA_CERTS names holds no certificate that can be read'
  assert.equal(printed(['env', 'NODE_EXTRA_CA_CERTS=/nowhere.pem'], script), `own-fault Not delivered: ${fault}.\n${fault}\n`)
  assert.equal(printed(['env', `NODE_EXTRA_CA_CERTS=${certificate}.cert.pem`], script), '200 \nundefined\n')
  assert.match(printed(['env', '-u', 'NODE_EXTRA_CA_CERTS'], script), /^tls /)
})

const NO_NETWORK = ['unshare', '-r', '-n']
const mayUnshare = spawnSync('unshare', ['-r', '-n', 'true']).status === 0

test('no route to anywhere is no receiver’s fault', { skip: !mayUnshare && 'unshare is not permitted here' }, () => {
  const output = printed(NO_NETWORK, `${POST}\nawait post('https://10.9.9.9')\nawait post('https://[fc00::9]')\nprocess.exit()`)
  assert.match(output, /^(own-fault Not delivered: this machine has no route to any network \(\w+\)\.\n){2}$/)
})
