// DATABASE_URL may name a Unix socket, as libpq lets it be named: both drivers then connect through it.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { openEmbedded } from '../../src/postgres/embedded/embedded.ts'
import { openDatabase, openWalks } from '../../src/postgres/sql.ts'
import { serverOf } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { shopdesk } from '../support/shopdesk.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'socket '))
// Root's server runs as another user, and that user needs access.
chmodSync(dataDir, 0o711)
const folder = join(dataDir, 'sockets')
mkdirSync(folder)
chmodSync(folder, 0o1777)
const embedded = await openEmbedded({ dataDir, settings: { fsync: 'off', unix_socket_directories: folder } })
after(async () => {
  await embedded.close()
  rmSync(dataDir, { recursive: true, force: true })
})
const { username, password, port } = new URL(embedded.url)

test('both drivers connect through the socket whose folder is given as the host', async () => {
  const url = `postgres://${username}:${password}@${encodeURIComponent(folder)}:${port}/shopdesk`
  assert.deepEqual(serverOf(url), { path: `${folder}/.s.PGSQL.${port}` })
  const [db, walks, client] = [
    openDatabase(url, { name: 'socket test', lanes: 1 }),
    openWalks(url, { name: 'socket test' }),
    new pg.Client(url),
  ]
  const by = 'select inet_server_port() as port'
  await client.connect()
  for (const rows of [await db.sql.unsafe(by), await db.listLanes.unsafe(by), await walks.sql.unsafe(by), (await client.query(by)).rows])
    assert.deepEqual([...rows], [{ port: null }])
  await Promise.all([db.close(), walks.close(), client.end()])
})

test('migrations, commands and a worker connect through the socket that a parameter names, and do not print the password', async () => {
  const settings = {
    DATABASE_URL: `postgresql://${username}:${password}@/shopdesk?host=${encodeURIComponent(folder)}&port=${port}`,
    SECRET_KEY: randomBytes(32).toString('hex'),
  }
  for (const args of [['migrate'], ['tenant', 'create', '--name', 'A shop']]) {
    const running = shopdesk(args, settings)
    assert.equal(await running.ended, 0, running.stderr())
  }
  const worker = shopdesk(['worker'], settings)
  const looking = new pg.Client(embedded.url)
  await looking.connect()
  const ways = async () => {
    const { rows } = await looking.query(`
      select application_name as name, client_addr is null as by_socket from pg_stat_activity
       where datname = 'shopdesk' and application_name like 'shopdesk %'`)
    return new Map(rows.map(row => [row.name, row.by_socket]))
  }
  // Pools and single connections, with both drivers.
  const names = ['shopdesk queue', 'shopdesk schedule', 'shopdesk beat']
  await eventually(async () => {
    const found = await ways()
    return names.every(name => found.has(name))
  })
  assert.deepEqual(new Set((await ways()).values()), new Set([true]))
  await looking.end()
  worker.child.kill('SIGTERM')
  assert.equal(await worker.ended, 0, worker.stderr())
  assert.ok(!`${worker.stdout()}${worker.stderr()}`.includes(password))
})
