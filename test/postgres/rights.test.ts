// The role that web and worker connect as: its rights suffice for all they do, and reach nothing but the rows of our tables. Every test of
// the service runs as this role (see support/app.ts); here it is refused what it does not need, and set up as the README says.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import postgres from 'postgres'
import { SERVICE_ROLE } from '../../src/postgres/embedded/embedded.ts'
import { migrate } from '../../src/postgres/migrate.ts'
import { testDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver } from '../support/receiver.ts'
import { shopdesk } from '../support/shopdesk.ts'

const { url, serviceUrl } = await testDatabase()

const folder = mkdtempSync(join(tmpdir(), 'rights-test-'))
after(() => rmSync(folder, { recursive: true, force: true }))

function connect(address: string): postgres.Sql {
  const sql = postgres(address, { max: 1, onnotice: () => {} })
  after(() => sql.end())
  return sql
}

const REFUSED = [
  "copy (select 'x') to program 'cat'",
  "copy migrations from program 'id'",
  "select pg_read_file('/etc/passwd')",
  "select lo_import('/etc/passwd')",
  'create table mine (n integer)',
  'create schema mine',
  'create role mine',
  'create database mine',
  'alter role shopdesk_service superuser',
  'set role shopdesk',
  'set session authorization shopdesk',
  'alter system set shared_preload_libraries = x',
  'drop table orders',
  'truncate orders',
  'alter table orders disable trigger all',
  'alter table graphile_worker._private_jobs disable row level security',
  "update migrations set checksum = 'x'",
  'update plans set read_per_minute = 1000000',
  "set session_replication_role = 'replica'",
  'select * from pg_authid',
]

test('the role runs no program, reads no file, and makes or changes no table, role or database', async () => {
  const sql = connect(serviceUrl)
  for (const statement of REFUSED) await assert.rejects(sql.unsafe(statement), { code: '42501' }, statement)
  const [role] = await sql`
    select rolname, rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
           (select count(*)::int from pg_auth_members where member = r.oid) as memberships
      from pg_roles r where rolname = current_user`
  const none = { rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolreplication: false, rolbypassrls: false, memberships: 0 }
  assert.deepEqual({ ...role }, { rolname: SERVICE_ROLE, ...none })
})

test('granting the rights again writes nothing, and a new table is added', async () => {
  const sql = connect(url)
  const rights = async () => (await sql`select relname, xmin, relacl::text from pg_class order by oid`).map(row => ({ ...row }))
  const before = await rights()
  await migrate(url, SERVICE_ROLE)
  assert.deepEqual(await rights(), before)
  await sql`create table newer (id bigserial)`
  await migrate(url, SERVICE_ROLE)
  await connect(serviceUrl)`insert into newer default values`
})

test('a role that is not there is one clear line', async () => {
  await assert.rejects(migrate(url, 'no such'), { name: 'OperatorError', message: /^There is no database role "no such"; create it first/ })
})

test('two roles as in the README suffice: orders reach receivers, files are imported and exported, and doctor finds all well', async () => {
  const { name, ownerUrl, url } = await setUpAsInTheReadme()
  const env = {
    DATABASE_URL: url,
    SECRET_KEY: randomBytes(32).toString('hex'),
    LOG_LEVEL: 'warn',
    OUTBOUND_ALLOW_PRIVATE: 'true',
    HOST: '127.0.0.1',
    PORT: '0',
  }
  const command = async (args: string[], settings = env): Promise<string> => {
    const running = shopdesk(args, settings)
    assert.equal(await running.ended, 0, running.stdout() + running.stderr())
    return running.stdout()
  }
  await assert.rejects(migrate(url), { name: 'OperatorError', message: /^DATABASE_URL cannot be used: permission denied [^\n]+$/ })
  await command(['migrate', '--service-role', `${name}_service`], { ...env, DATABASE_URL: ownerUrl })
  assert.deepEqual(await migrate(url), [], 'the role sees that there is nothing to do')
  const { id: tenant } = JSON.parse(await command(['tenant', 'create', '--name', 'A shop', '--json']))
  const { key } = JSON.parse(await command(['key', 'create', '--tenant', tenant, '--scopes', 'read,write', '--json']))
  const [web, worker] = [shopdesk(['web'], env), shopdesk(['worker'], env)]
  await Promise.all([web.says(/listening on \S+/), worker.says(/worker is running/)])
  const [, address] = /listening on (\S+)/.exec(web.stdout()) ?? []
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const post = async (path: string, body: unknown): Promise<{ id: string }> => {
    const response = await fetch(`${address}/api/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    assert.ok(response.ok, `${path}: ${response.status}`)
    return (await response.json()) as { id: string }
  }

  const receiver = await startReceiver()
  after(receiver.close)
  await post('webhooks', { url: receiver.origin, events: ['order.created'] })
  await post('orders', { items: [{ name: 'Gift card', unit_amount: 2500, quantity: 2 }], customer: { email: 'ada@example.com' } })
  await eventually(async () => receiver.received.length === 1)

  const file = join(folder, 'products.ndjson')
  writeFileSync(file, '{"name":"A shirt","price_amount":100}\n'.repeat(2_000))
  assert.equal(JSON.parse(await command(['import', 'products', file, '--tenant', tenant, '--no-events', '--json'])).created, 2_000)
  // Without the right, ANALYZE warns and goes on.
  const [products] = await connect(ownerUrl)`select reltuples from pg_class where relname = 'products'`
  assert.ok(products?.['reltuples'] > 0, 'the table was not analyzed')

  const { id } = await post('exports', { resource: 'products', format: 'csv' })
  await eventually(async () => {
    const response = await fetch(`${address}/api/v1/exports/${id}`, { headers })
    return ((await response.json()) as { state: string }).state === 'completed'
  })
  assert.doesNotMatch(await command(['doctor']), /FAIL/)
  for (const process of [web, worker]) {
    process.child.kill('SIGTERM')
    assert.equal(await process.ended, 0)
    assert.doesNotMatch(process.stdout() + process.stderr(), /denied|42501/)
  }
})

/** Runs the README's statements with this test's own names instead of `shopdesk`, and checks that the README names the command. */
async function setUpAsInTheReadme(): Promise<{ name: string; ownerUrl: string; url: string }> {
  const readme = readFileSync('README.md', 'utf8')
  const [setUp = ''] = /(?<=```sql\n)[^`]+/.exec(readme) ?? []
  assert.match(readme, /bin\/shopdesk migrate --service-role shopdesk_service$/m)
  // A name by which it is dropped when this file has ended.
  const name = `test_${process.pid}_readme`
  const admin = connect(url)
  for (const statement of setUp.trim().split('\n')) await admin.unsafe(statement.replaceAll('shopdesk', name))
  const [ownerUrl, serviceUrl] = ['owner', 'service'].map(role => {
    const [, password] = new RegExp(`shopdesk_${role} login password '([^']+)'`).exec(setUp) ?? []
    return Object.assign(new URL(name, url), { username: `${name}_${role}`, password }).href
  }) as [string, string]
  return { name, ownerUrl, url: serviceUrl }
}
