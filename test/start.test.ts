// `bin/shopdesk start` as an operator sees it: the real processes, the real database, signals from outside.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import postgres from 'postgres'
import { freePort } from '../src/loopback.ts'
import { openEmbedded, SERVICE_ROLE } from '../src/postgres/embedded/embedded.ts'
import { testDatabase } from './support/database.ts'
import { eventually } from './support/eventually.ts'
import { killAll, type Running, runShopdesk } from './support/processes.ts'
import { aWebBrowser } from './support/web-browser.ts'

const KEY = '00'.repeat(32)

const base = mkdtempSync(join(tmpdir(), 'start-test-'))
// Root's database server runs as another user, and that user needs access.
chmodSync(base, 0o711)
const dataDir = join(base, 'data')
const pidFile = join(dataDir, 'postgres/data/postmaster.pid')
/** Settings that do not depend on this process's own. */
const NEUTRAL = {
  DATABASE_URL: '',
  SECRET_KEY: '',
  HOST: '',
  BASE_URL: '',
  DOCS_URL: '',
  PORT: '0',
  DATA_DIR: dataDir,
  LOG_LEVEL: 'warn',
}
after(() => {
  // A failed test may leave a process running. Its children end with it.
  killAll()
  rmSync(base, { recursive: true, force: true })
})

test('start answers, SIGTERM leaves no process and a clean database, and the second start keeps the data', async () => {
  const first = await ready()
  assert.doesNotMatch(first.output(), /WARNING/)
  assert.equal((await fetch(`${first.address}/api/v1/openapi.json`)).status, 200)
  assert.equal((await fetch(`${first.address}/api/v1/orders`)).status, 401)
  const processes = [...childrenOf(first.pid), serverPid()]
  await earnsPoints(first)
  await uninstallsTheExample()
  assert.deepEqual(await first.stop(), 0)
  assertGone(processes)
  // As an older program left it.
  const demo = join(dataDir, 'demo.json')
  const { password, agentKey, app, ...older } = JSON.parse(readFileSync(demo, 'utf8'))
  assert.equal(typeof app.port, 'number')
  assert.ok(first.output().includes(password) && first.output().includes(agentKey))
  writeFileSync(demo, JSON.stringify(older))
  const second = await ready()
  const key = /sk_\w{40}/.exec(second.output())?.[0]
  await signsIn(second)
  for (const path of ['orders', 'contacts', 'conversations']) {
    const list = await fetch(`${second.address}/api/v1/${path}`, { headers: { authorization: `Bearer ${key}` } })
    assert.equal(((await list.json()) as { data: unknown[] }).data.length, 3, `the ${path} of the demo workspace`)
  }
  const agent = await fetch(`${/Agent server +(\S+)/.exec(second.output())?.[1]}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${/mcp_\w{40}/.exec(second.output())?.[0]}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_orders' } }),
  })
  assert.equal(((await agent.json()) as { result: { structuredContent: { count: number } } }).result.structuredContent.count, 3)
  assert.equal((await pointsIn(second)).length, 1, 'what was earned before')
  // Ctrl-C under npm sends the terminal's signal, and npm repeats it.
  second.child.kill('SIGINT')
  await eventually(() =>
    fetch(`${second.address}/healthz`).then(
      () => false,
      () => true,
    ),
  )
  assert.deepEqual(await second.stop('SIGINT'), 0)
  assert.equal(existsSync(pidFile), false)
})

/** By the lines that the start has printed: an order is paid, and its points arrive in the terminal and in the records. */
async function earnsPoints(start: Started): Promise<void> {
  const [, url = ''] = await eventually(async () => /curl -s -X POST (\S+\/payments)/.exec(start.output()) ?? undefined)
  assert.equal((await asDemo(start, url, { method: 'POST' })).status, 201)
  await eventually(async () => /★ loyalty: 49 points for ada@example\.com, 49 in all/.test(start.output()))
  const { amount, reason, balance } = await eventually(async () => (await pointsIn(start))[0])
  assert.deepEqual([amount, reason, balance], [49, 'order', 49])
  assert.match(start.output(), /⇐ order\.paid: order #1/)
}

interface Points {
  amount: number
  reason: string
  balance: number
}

async function pointsIn(start: Started): Promise<Points[]> {
  const [, url = ''] = await eventually(async () => /curl -s (\S+\/acme:loyalty:points)/.exec(start.output()) ?? undefined)
  return ((await (await asDemo(start, url)).json()) as { data: Points[] }).data
}

const asDemo = ({ output }: Started, url: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url, { ...init, headers: { authorization: `Bearer ${/sk_\w{40}/.exec(output())?.[0]}` } })

async function uninstallsTheExample(): Promise<void> {
  const { tenant } = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'))
  const command = runShopdesk(['app', 'uninstall', 'acme:loyalty', '--tenant', tenant], NEUTRAL)
  assert.equal(await command.ended, 0, command.output())
}

/** With the e-mail and the password that the start has printed. */
async function signsIn({ address, output }: { address: string; output: () => string }): Promise<void> {
  await eventually(async () => /Agent server/.test(output()))
  const [, email = '', password = ''] = /Sign in +(\S+) +(\S+)/.exec(output()) ?? []
  assert.match(output(), /Agent key +mcp_\w{40}/)
  const { status, to } = await aWebBrowser(address).send('/sign-in', { email, password })
  assert.deepEqual([status, to], [303, '/dashboard'])
}

test('web and worker connect as a role without rights over the server; a database of an earlier version is given it', async () => {
  await asSuperuser(sql => sql.unsafe(`drop owned by ${SERVICE_ROLE}; drop role ${SERVICE_ROLE}`))
  const start = await ready()
  const sessions = await asSuperuser(
    sql => sql`
    select distinct usename from pg_stat_activity where application_name ~ '^shopdesk (web|worker|queue|schedule|beat)'`,
  )
  assert.deepEqual([...sessions], [{ usename: SERVICE_ROLE }])
  const doctor = runShopdesk(['doctor'], NEUTRAL)
  assert.equal(await doctor.ended, 0, doctor.stderr())
  assert.match(doctor.stdout(), /^ok +database +PostgreSQL \S+ \(embedded under /m)
  assert.equal(await start.stop(), 0)
})

test('while another command uses the database, start says that PostgreSQL goes on, and it stops with that command', async () => {
  const start = await ready()
  const [tenant] = /ten_\w+/.exec(start.output()) as unknown as [string]
  // Pasted into another terminal, it has to find the database that this one was told of.
  await eventually(async () => start.output().includes(`  DATA_DIR=${dataDir} bin/shopdesk conversation follow --tenant ${tenant}\n`))
  const follow = runShopdesk(['conversation', 'follow', '--tenant', tenant], NEUTRAL)
  await eventually(async () => /Ctrl-C ends this/.test(follow.output()))
  const server = serverPid()
  assert.equal(await start.stop(), 0)
  assert.match(start.output(), /PostgreSQL goes on, for another command uses it, and stops with that/)
  assert.equal(isAlive(server), true)
  assert.equal(await follow.stop(), 0)
  await eventually(async () => !existsSync(pidFile))
})

test('a child that dies is started again; a start that is killed takes its children with it, and the next adopts its database', async () => {
  const first = await ready({ PORT: String(await freePort()) })
  const [, web, worker] = childrenOf(first.pid) as [number, number, number]
  process.kill(web, 'SIGKILL')
  await eventually(async () => /web ended \(SIGKILL\)/.test(first.output()))
  await eventually(async () => (await fetch(`${first.address}/readyz`).catch(() => undefined))?.status === 200)
  const again = childrenOf(first.pid)
  const server = serverPid()
  first.child.kill('SIGKILL')
  await eventually(async () => again.every(pid => pid === server || !isAlive(pid)))
  assert.equal(isAlive(worker), false)
  assert.equal(isAlive(server), true)
  const second = await ready()
  assert.equal(serverPid(), server)
  await uninstallsTheExample()
  assert.equal(await second.stop(), 0)
  assert.equal(existsSync(pidFile), false)
})

test('a demo workspace that the network can reach is started with a warning, and so is an address without https; an app that was uninstalled stays so', async () => {
  const { output, stop } = await ready({ HOST: '0.0.0.0', BASE_URL: 'http://shop.example' })
  await eventually(async () => /WARNING: HOST is 0\.0\.0\.0, so the network reaches the demo workspace/.test(output()))
  await eventually(async () =>
    /BASE_URL is http:\/\/shop\.example: passwords, sessions and tokens cross the network in the clear/.test(output()),
  )
  assert.doesNotMatch(output(), /loyalty/)
  assert.equal(await stop(), 0)
})

test('a signal during the start stops what has been started', async () => {
  const start = run({})
  await eventually(async () => existsSync(pidFile))
  const pid = serverPid()
  assert.equal(await start.stop(), 0)
  assert.equal(existsSync(pidFile), false)
  assertGone([pid])
})

test('a port in use is one clear line and exit code 1, and the database is stopped', async t => {
  const taken = createServer().listen(0, '127.0.0.1')
  t.after(() => taken.close())
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  await assertRefused({ PORT: String(port) }, new RegExp(`${port} is in use`))
  assert.equal(existsSync(pidFile), false)
})

test('a missing or wrong setting is one clear line and exit code 1', async () => {
  await assertRefused({ PORT: 'abc' }, /^PORT is "abc"; it must be/)
  await assertRefused({ SECRET_KEY: 'short' }, /^SECRET_KEY is not a key/)
  await assertRefused({ DATABASE_URL: 'postgres://a:b@127.0.0.1:1/x' }, /^SECRET_KEY is not set/)
})

test('an unreachable database, and one of a newer schema, are one clear line and exit code 1', async () => {
  await assertRefused({ DATABASE_URL: 'postgres://a:b@127.0.0.1:1/x', SECRET_KEY: KEY }, /^DATABASE_URL cannot be used: .*ECONNREFUSED/)
  const database = await testDatabase()
  const sql = postgres(database.url, { max: 1 })
  await sql`insert into migrations (number, name, checksum) values (9999, '9999_future.sql', 'x')`
  await sql.end()
  await assertRefused({ DATABASE_URL: database.url, SECRET_KEY: KEY }, /newer than this program/)
})

async function asSuperuser<T>(ask: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const embedded = await openEmbedded({ dataDir })
  const sql = postgres(embedded.url, { max: 1, onnotice: () => {} })
  try {
    return await ask(sql)
  } finally {
    await sql.end()
    await embedded.close()
  }
}

async function assertRefused(settings: Record<string, string>, line: RegExp): Promise<void> {
  const start = run(settings)
  assert.equal(await start.ended, 1)
  const errors = start.stderr()
  assert.match(errors, line)
  assert.equal(errors.trimEnd().split('\n').length, 1, errors)
}

const run = (settings: Record<string, string>): Running => runShopdesk(['start'], { ...NEUTRAL, ...settings })

type Started = Running & { address: string }

async function ready(settings: Record<string, string> = {}): Promise<Started> {
  const start = run(settings)
  const address = await eventually(async () => {
    if (start.hasEnded()) throw new Error(`start ended with ${await start.ended}:\n${start.output()}`)
    return /listening on (http:\/\/\S+)\n[\s\S]*curl/.exec(start.output())?.[1]
  })
  return { ...start, address }
}

/** The processes that `pid` started, oldest first, without PostgreSQL. Empty where there is no /proc. */
function childrenOf(pid: number | undefined): number[] {
  const list = `/proc/${pid}/task/${pid}/children`
  if (!existsSync(list)) return []
  return readFileSync(list, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number)
    .filter(each => each !== serverPid())
}

const serverPid = (): number => Number(readFileSync(pidFile, 'utf8').split('\n')[0])

function assertGone(pids: number[]): void {
  assert.deepEqual(pids.filter(isAlive), [])
  assert.equal(existsSync(pidFile), false)
}

// A zombie, which waits for a parent that may never look, has no working directory any more.
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !existsSync('/proc') || existsSync(`/proc/${pid}/cwd`)
  } catch {
    return false
  }
}
