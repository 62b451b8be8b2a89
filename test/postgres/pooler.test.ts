// PgBouncer, the real one (Debian's package pgbouncer): refused with a sentence, in every mode and with every setting to ignore parameters.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import postgres from 'postgres'
import { requireMigrated } from '../../src/postgres/migrate.ts'
import { sharesSessions } from '../../src/postgres/pooler.ts'
import { testDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { startTcpServer } from '../support/receiver.ts'
import { shopdesk } from '../support/shopdesk.ts'

const skip = spawnSync('pgbouncer', ['--version']).error ? 'pgbouncer is not installed' : false
const { serviceUrl } = await testDatabase()

type Mode = 'session' | 'transaction' | 'statement'

/** The database by way of PgBouncer. */
async function pooled(mode: Mode, settings = ''): Promise<string> {
  const server = new URL(serviceUrl)
  const { port, close } = await startTcpServer(() => {})
  await close()
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'))
  const file = join(folder, 'pgbouncer.ini')
  const database = `host=${server.hostname} port=${server.port} user=${server.username} password=${server.password}`
  const all = ['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir =', 'auth_type = any', `pool_mode = ${mode}`, settings]
  writeFileSync(file, ['[databases]', `* = ${database}`, '[pgbouncer]', ...all, ''].join('\n'))
  // PgBouncer refuses to run as root.
  const isRoot = process.getuid?.() === 0
  if (isRoot) spawnSync('chown', ['-R', 'nobody', folder])
  const child = spawn('pgbouncer', [...(isRoot ? ['-u', 'nobody'] : []), file], { stdio: 'ignore' })
  after(() => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true })
  })
  const url = `postgres://any@127.0.0.1:${port}${server.pathname}`
  await eventually(async () => {
    const sql = connect(url)
    return sql`select 1`.then(
      () => true,
      () => false,
    )
  })
  return url
}

function connect(url: string) {
  const sql = postgres(url, { max: 1, onnotice: () => {}, fetch_types: false })
  after(() => sql.end())
  return sql
}

const SENTENCE =
  /^DATABASE_URL leads to a connection pooler, such as PgBouncer, which .*; give the address of PostgreSQL itself: web and worker keep pools of their own\.$/m
const PASSED_OVER =
  'lock_timeout, idle_in_transaction_session_timeout, statement_timeout, plan_cache_mode, enable_seqscan, enable_bitmapscan, idle_session_timeout, transaction_timeout, shopdesk.settings'

for (const mode of ['session', 'transaction', 'statement'] as const)
  for (const [how, settings] of [
    ['as it comes', ''],
    ['told to pass over the settings that it does not know', `ignore_startup_parameters = ${PASSED_OVER}`],
  ] as const)
    test(`PgBouncer in ${mode} mode, ${how}, is refused at once`, { skip }, async () => {
      await assert.rejects(requireMigrated(await pooled(mode, settings)), { name: 'OperatorError', message: SENTENCE })
    })

test('every process and command says so in one line', { skip }, async () => {
  const env = { DATABASE_URL: await pooled('transaction'), SECRET_KEY: randomBytes(32).toString('hex'), HOST: '127.0.0.1', PORT: '0' }
  for (const args of [['web'], ['worker'], ['migrate'], ['tenant', 'create', '--name', 'A shop']]) {
    const { ended, stderr } = shopdesk(args, env)
    assert.equal(await ended, 1, args[0])
    assert.match(stderr(), SENTENCE)
    assert.equal(stderr().trim().split('\n').length, 1, stderr())
  }
  const doctor = shopdesk(['doctor'], env)
  assert.equal(await doctor.ended, 1)
  assert.match(doctor.stdout(), /^FAIL {2}database +DATABASE_URL leads to a connection pooler/m)
})

test('a shared session is told from an own one, also where settings arrive', { skip }, async () => {
  for (const [mode, shared] of [
    ['transaction', true],
    ['session', false],
  ] as const) {
    const url = await pooled(mode)
    assert.equal(await sharesSessions(connect(url), connect(url)), shared, mode)
  }
})

test('without a pooler each connection has its own session', async () => {
  assert.equal(await sharesSessions(connect(serviceUrl), connect(serviceUrl)), false)
  await requireMigrated(serviceUrl)
})
