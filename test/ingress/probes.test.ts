// /healthz says that the process lives, /readyz whether it could serve.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { begin } from '../../src/postgres/sql.ts'
import { startWeb } from '../../src/web.ts'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { flakyProxy } from '../support/flaky-proxy.ts'

const app = await testApp()
const proxy = await flakyProxy(app.databaseUrl)
const web = await startWeb({ ...app, databaseUrl: proxy.url })
after(() => web.close())

interface Probed {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a JSON document
  body: any
}

async function probe(path: string, method = 'GET'): Promise<Probed> {
  const response = await fetch(web.address + path, { method })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: text && JSON.parse(text) }
}

function assertNotReady(reply: Probed, detail: RegExp): void {
  assert.deepEqual([reply.status, reply.headers.get('content-type')], [503, 'application/problem+json'])
  assert.deepEqual([reply.body.status, reply.body.instance], [503, '/readyz'])
  assert.match(reply.body.type, /\/errors\/service-unavailable$/)
  assert.equal(reply.headers.get('x-ratelimit-limit'), null)
  assert.match(reply.body.detail, detail)
  assert.equal(reply.headers.get('retry-after'), '1')
}

test('what can only be read says so to other methods', async () => {
  for (const path of ['/healthz', '/', '/docs', '/docs/api/orders', '/assets/page-aaaaaaaaaaaa.css', '/chat.js'])
    for (const method of ['POST', 'PROPFIND']) {
      const { status, headers } = await fetch(app.url + path, { method })
      assert.deepEqual([status, headers.get('allow')], [405, 'GET, HEAD, OPTIONS'], `${method} ${path}`)
    }
})

test('both answer 200, to HEAD too, without rate headers, and no cache keeps the answer', async () => {
  for (const path of ['/healthz', '/readyz'])
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, text } = await probe(path, method)
      assert.deepEqual([status, text], [200, method === 'GET' ? '{"status":"ok"}' : ''])
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.equal(headers.get('x-ratelimit-limit'), null)
    }
})

test('a process is not ready while its database has another schema, and lives all the same', async () => {
  const [newest] =
    await app.sql`delete from migrations where number = (select max(number) from migrations) returning number, name, checksum`
  assertNotReady(await probe('/readyz'), /^The database has schema \d+, and this program needs \d+; run: bin\/shopdesk migrate$/)
  assert.equal((await probe('/healthz')).status, 200)
  await app.sql`insert into migrations ${app.sql(newest as Record<string, string>)}`
  assert.equal((await probe('/readyz')).status, 200)
  await app.sql`insert into migrations (number, name, checksum) values (9999, '9999_future.sql', 'x')`
  assertNotReady(await probe('/readyz'), /newer than this program's/)
  await app.sql`delete from migrations where number = 9999`
  await app.sql`alter table migrations rename to elsewhere`
  assertNotReady(await probe('/readyz'), /has no schema/)
  await app.sql`alter table elsewhere rename to migrations`
  assert.equal((await probe('/readyz')).status, 200)
})

test('probes share one statement, and are answered though it hangs', async () => {
  const waiting = async () => {
    const rows = await app.sql`
      select 1 from pg_stat_activity
       where datname = current_database() and application_name = 'shopdesk web' and wait_event_type = 'Lock'
         and query like '%migrations%' and pid <> pg_backend_pid()`
    return rows.length
  }
  await begin(app.sql, async tx => {
    await tx`lock table migrations in access exclusive mode`
    for (let round = 0; round < 2; round++) {
      const replies = await Promise.all(Array.from({ length: 20 }, () => probe('/readyz')))
      for (const reply of replies) assertNotReady(reply, /^The database does not answer\.$/)
      assert.equal(await waiting(), 1)
    }
    assert.equal((await probe('/healthz')).status, 200)
  })
  await eventually(async () => (await probe('/readyz')).status === 200)
})

test('a process is not ready while its database is away, and lives all the same', async () => {
  proxy.block()
  assertNotReady(await probe('/readyz'), /^The database does not answer\.$/)
  assert.equal((await probe('/healthz')).status, 200)
  proxy.mend()
  await eventually(async () => (await probe('/readyz')).status === 200)
})
