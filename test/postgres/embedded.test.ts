import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import postgres from 'postgres'
import { OperatorError } from '../../src/errors.ts'
import { openEmbedded } from '../../src/postgres/embedded/embedded.ts'
import { eventually } from '../support/eventually.ts'

const MODULE = new URL('../../src/postgres/embedded/embedded.ts', import.meta.url).href
const FAST = { fsync: 'off' }
const IN_USE = `select pid from pg_stat_activity where application_name = 'shopdesk (in use)'`

const base = mkdtempSync(join(tmpdir(), 'embedded-test-'))
// Root's server runs as another user, and that user needs access.
chmodSync(base, 0o711)
const dataDir = join(base, 'data')
const pidFile = join(dataDir, 'postgres/data/postmaster.pid')
after(() => rmSync(base, { recursive: true, force: true }))

test('the first process to open the folder starts the server, the second shares it, and the last to leave stops it', async () => {
  const first = await openEmbedded({ dataDir, settings: FAST })
  const second = await openEmbedded({ dataDir })
  assert.equal(second.url, first.url)
  const pid = serverPid()
  await first.close()
  assert.deepEqual(await query(second.url, 'select 1 as one'), [{ one: 1 }])
  await second.close()
  assert.equal(existsSync(pidFile), false)
  assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
})

test('it is a UTF-8 database whose order does not depend on the machine, in UTC', async () => {
  const embedded = await openEmbedded({ dataDir, settings: FAST })
  const [row] = await query(
    embedded.url,
    `select pg_encoding_to_char(encoding) as encoding, datlocale, current_setting('timezone') as timezone, current_user::text as role
     from pg_database where datname = current_database()`,
  )
  assert.deepEqual({ ...row }, { encoding: 'UTF8', datlocale: 'C.UTF-8', timezone: 'UTC', role: 'shopdesk' })
  await embedded.close()
})

test('the data stays from one start to the next, and a connection without the password is refused', async () => {
  const before = await openEmbedded({ dataDir, settings: FAST })
  await query(before.url, 'create table kept as select 7 as n')
  await before.close()
  const later = await openEmbedded({ dataDir, settings: FAST })
  assert.deepEqual(await query(later.url, 'select n from kept'), [{ n: 7 }])
  await assert.rejects(query(later.url.replace(/:[0-9a-f]{48}@/, ':guess@'), 'select 1'), { code: '28P01' })
  await later.close()
})

test('a server orphaned by a kill -9 is adopted, and stopped by the last to leave', async () => {
  const { child, url } = await openInChild()
  const pid = serverPid()
  child.kill('SIGKILL')
  await once(child, 'exit')
  const embedded = await openEmbedded({ dataDir })
  assert.equal(embedded.url, url)
  assert.equal(serverPid(), pid)
  // The server has yet to notice that the killed process is gone.
  await eventually(async () => (await query(url, IN_USE)).length === 1)
  await embedded.close()
  assert.equal(existsSync(pidFile), false)
})

test('processes that open an empty folder at the same time end with one database', async () => {
  const folder = join(base, 'race')
  const [a, b, here] = await Promise.all([openInChild(folder), openInChild(folder), openEmbedded({ dataDir: folder, settings: FAST })])
  assert.equal(a.url, here.url)
  assert.equal(b.url, here.url)
  assert.deepEqual(readdirSync(folder), ['postgres'])
  a.child.kill('SIGKILL')
  b.child.kill('SIGKILL')
  await eventually(async () => (await query(here.url, IN_USE)).length === 1)
  await here.close()
})

test('an initdb that was killed in the middle is done again', async () => {
  const folder = join(base, 'half')
  const dead = spawn(process.execPath, ['-e', '0'])
  await once(dead, 'exit')
  mkdirSync(join(folder, `postgres-new-${dead.pid}`, 'data'), { recursive: true })
  writeFileSync(join(folder, `postgres-new-${dead.pid}`, 'data', 'PG_VERSION'), '18\n')
  const embedded = await openEmbedded({ dataDir: folder, settings: FAST })
  assert.deepEqual(await query(embedded.url, 'select 1 as one'), [{ one: 1 }])
  await embedded.close()
  assert.deepEqual(readdirSync(folder), ['postgres'])
})

test('a postmaster.pid left by a crash, whose process id another program has now, does not stop the start', async () => {
  writeFileSync(pidFile, `${process.pid}\n${join(dataDir, 'postgres/data')}\n1700000000\n5432\n\n127.0.0.1\n\nready\n`)
  const embedded = await openEmbedded({ dataDir, settings: FAST })
  assert.notEqual(serverPid(), process.pid)
  await embedded.close()
})

test('a process that lost the connection that marks the server as in use makes it again', async () => {
  const embedded = await openEmbedded({ dataDir, settings: FAST })
  const [lost] = await query(embedded.url, IN_USE)
  await query(embedded.url, `select pg_terminate_backend(${lost?.['pid']})`)
  const again = await eventually(async () => {
    const rows = await query(embedded.url, IN_USE)
    return rows.some(row => row['pid'] !== lost?.['pid']) ? rows : undefined
  })
  assert.equal(again.length, 1)
  const other = await openEmbedded({ dataDir })
  await other.close()
  assert.equal(existsSync(pidFile), true, 'the server outlives a second user')
  await embedded.close()
  assert.equal(existsSync(pidFile), false)
})

test('a server that cannot start again while another program has its port does so once the port is free', async () => {
  const embedded = await openEmbedded({ dataDir, settings: FAST })
  const other = createServer(socket => socket.destroy())
  await takePort(other, Number(new URL(embedded.url).port))
  const refused = () => readFileSync(join(dataDir, 'postgres/log'), 'utf8').split('could not create any TCP/IP sockets').length - 1
  // So often it tries at once; then it waits.
  await eventually(async () => refused() >= 5)
  other.close()
  assert.deepEqual(await eventually(() => query(embedded.url, 'select 1 as it').catch(() => undefined)), [{ it: 1 }])
  await embedded.close()
})

test('a fault that the operator can repair is one line: another major version, a file where the folder should be', async () => {
  const version = join(dataDir, 'postgres/data/PG_VERSION')
  writeFileSync(version, '17\n')
  await assert.rejects(openEmbedded({ dataDir }), oneLine(/was made by PostgreSQL 17/))
  writeFileSync(version, '18\n')
  await assert.rejects(openEmbedded({ dataDir: version }), oneLine(/DATA_DIR is .*must be a folder/))
  await assert.rejects(openEmbedded({ dataDir, settings: { shared_buffers: 'many' } }), oneLine(/did not start: .*shared_buffers/))
})

test('the temporary database of a killed process is cleared away by the next', async () => {
  const child = await report(`const t = await openTemporary(); process.send(t.url)`)
  const folders = ['/dev/shm', tmpdir()].filter(each => existsSync(each))
  const left = () => folders.flatMap(each => readdirSync(each)).filter(name => name.startsWith(`shopdesk-${child.pid}-`))
  assert.equal(left().length, 1)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const next = await report(`const t = await openTemporary(); await t.close(); process.send('done'); process.disconnect()`)
  assert.equal(next.message, 'done')
  assert.deepEqual(left(), [])
})

async function openInChild(folder = dataDir): Promise<{ child: ChildProcess; url: string }> {
  const child = await report(`process.send((await openEmbedded({ dataDir: ${JSON.stringify(folder)}, settings: { fsync: 'off' } })).url)`)
  return { child, url: String(child.message) }
}

async function report(code: string): Promise<ChildProcess & { message: unknown }> {
  const script = `import { openEmbedded, openTemporary } from ${JSON.stringify(MODULE)}\n${code}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const [message] = await once(child, 'message')
  return Object.assign(child, { message })
}

async function query(url: string, text: string): Promise<postgres.Row[]> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    return [...(await sql.unsafe(text))]
  } finally {
    await sql.end()
  }
}

// Stops the server until the port is the other's: it is started again at once.
async function takePort(other: Server, port: number): Promise<void> {
  await eventually(async () => {
    if (existsSync(pidFile)) process.kill(serverPid(), 'SIGINT')
    other.listen(port, '127.0.0.1')
    return once(other, 'listening').catch(() => undefined)
  })
}

const serverPid = (): number => Number(readFileSync(pidFile, 'utf8').split('\n')[0])

const oneLine = (pattern: RegExp) => (error: Error) =>
  error instanceof OperatorError && pattern.test(error.message) && !error.message.includes('\n')
