// Is the receiver down, or are we? Faults of this machine, and failures that hit too many tenants at once to be the receivers'.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { createOutage, type Outage, type Reachability } from '../../src/outbound/outage.ts'
import type { Outcome } from '../../src/outbound/outcome.ts'
import { createTroubles } from '../../src/outbound/troubles.ts'

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

test('a tenant whose fifty receivers are down speaks for itself alone, and so do two', t => {
  const { ends } = judge(t)
  for (let host = 0; host < 50; host++) assert.equal(ends('t0', `h${host}`, refused), false)
  for (let host = 0; host < 50; host++) assert.equal(ends('t1', `g${host}`, refused), false)
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

const NO_NETWORK = ['unshare', '-r', '-n']
const mayUnshare = spawnSync('unshare', ['-r', '-n', 'true']).status === 0

test('no route to anywhere is no receiver’s fault', { skip: !mayUnshare && 'unshare is not permitted here' }, () => {
  const output = printed(NO_NETWORK, `${POST}\nawait post('https://10.9.9.9')\nawait post('https://[fc00::9]')\nprocess.exit()`)
  assert.match(output, /^(own-fault Not delivered: this machine has no route to any network \(\w+\)\.\n){2}$/)
})
