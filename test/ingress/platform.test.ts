// /api/platform: by a key as everything of REST, and by a browser's session, whose writes prove that a page of ours sent them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { Type } from 'typebox'
import { keyAuthenticator } from '../../src/access/keys.ts'
import { sessionDoor } from '../../src/access/session-door.ts'
import { beginSession } from '../../src/access/sessions.ts'
import { PATIENCE } from '../../src/ingress/connections/listener.ts'
import { createLongReads } from '../../src/ingress/long-reads.ts'
import { formToken } from '../../src/ingress/page/form-token.ts'
import { read, write } from '../../src/ingress/route.ts'
import { buildServer } from '../../src/ingress/server.ts'
import { begin, openDatabase } from '../../src/postgres/sql.ts'
import { testApp } from '../support/app.ts'
import { fullManifest, installApp } from '../support/apps.ts'
import { assertProblem } from '../support/given.ts'
import { aPerson } from '../support/people.ts'

const app = await testApp()
const APPS = '/api/platform/apps'
const COOKIE = '__Host-shopdesk'

async function signedIn(tenant: string, role: 'admin' | 'operator' = 'operator') {
  const user = await aPerson(app.sql, tenant, `${role}-${tenant}@apps.example`, role)
  const token = await begin(app.sql, tx => beginSession(tx, user, tenant, { address: '192.0.2.1', userAgent: 'test' }))
  const [session] = await app.sql`select id from sessions where user_id = ${user}`
  return { user, session: session?.['id'] as string, cookie: { Cookie: `a=b; ${COOKIE}=${token}` }, token }
}

test('an app is found by either id, its colon written either way, and by no other text', async () => {
  const shop = await app.tenant()
  const { id } = await installApp(app, shop, fullManifest)
  for (const name of [id, 'acme:loyalty', 'acme%3Aloyalty', 'acme%3aloyalty']) {
    const { status, body } = await shop.get(`${APPS}/${name}`)
    assert.deepEqual([status, body.id, body.full_id], [200, id, 'acme:loyalty'], name)
  }
  for (const name of ['acme:royalty', 'acme', 'acme:loyalty:points', ':', 'app_1', `${id}x`, '%3A', 'acme%00:x', `${'a'.repeat(180)}:b`])
    assert.equal((await shop.get(`${APPS}/${name}`)).status, 404, name)
  assertProblem(await shop.get(`${APPS}/%E0%A4%A`), { status: 404, slug: 'resource-not-found', instance: `${APPS}/%E0%A4%A` })
  const other = await app.tenant()
  for (const name of [id, 'acme:loyalty']) assert.equal((await other.get(`${APPS}/${name}`)).status, 404)
})

test('the list has envelope, cursor, fields, ETag, HEAD, OPTIONS and 405 as those of v1', async () => {
  const shop = await app.tenant()
  await installApp(app, shop, fullManifest)
  await installApp(app, shop, { ...fullManifest, id: 'acme:warranty', name: 'Warranty' })
  const first = await shop.get(`${APPS}?limit=1&fields=full_id`)
  assert.deepEqual(first.body.data, [{ full_id: 'acme:warranty' }])
  assert.equal(first.body.has_more, true)
  const next = await shop.get(`${APPS}?limit=1&fields=full_id&cursor=${first.body.next_cursor}`)
  assert.deepEqual([next.body.data, next.body.has_more, next.body.next_cursor], [[{ full_id: 'acme:loyalty' }], false, null])
  const etag = first.headers.get('etag') as string
  assert.equal((await shop.get(`${APPS}?limit=1&fields=full_id`, { headers: { 'If-None-Match': etag } })).status, 304)
  assert.equal((await app.request('HEAD', APPS, { key: shop.key })).status, 200)
  assert.equal((await app.request('OPTIONS', APPS)).headers.get('allow'), 'GET, HEAD, OPTIONS')
  assertProblem(await shop.post(APPS, {}), { status: 405, slug: 'method-not-allowed', instance: APPS })
  assertProblem(await shop.get(`${APPS}?limit=0`), { status: 422, slug: 'validation-failed', instance: APPS, field: 'limit' })
  assertProblem(await app.request('GET', APPS), { status: 401, slug: 'authentication-required', instance: APPS })
  assertProblem(await app.request('GET', `${APPS}/x/y/z`, { key: shop.key }), {
    status: 404,
    slug: 'resource-not-found',
    instance: `${APPS}/x/y/z`,
  })
})

test('a browser’s session reads as a key does, in a window of its person’s own; v1 takes none', async () => {
  const shop = await app.tenant({ plan: 'free' })
  const { cookie, token, user } = await signedIn(shop.id)
  const reply = await app.request('GET', APPS, { headers: cookie })
  assert.equal(reply.status, 200)
  assert.deepEqual([reply.headers.get('x-ratelimit-limit'), reply.headers.get('x-ratelimit-remaining')], ['30', '29'])
  // A new sign-in gives no new window.
  const again = await begin(app.sql, tx => beginSession(tx, user, shop.id, { address: '192.0.2.1', userAgent: 'test' }))
  const later = await app.request('GET', APPS, { headers: { Cookie: `${COOKIE}=${again}` } })
  assert.equal(later.headers.get('x-ratelimit-remaining'), '28')
  for (const headers of [
    { ...cookie, Authorization: 'Basic x' },
    { Authorization: `Bearer ${token}` },
    { Cookie: `${COOKIE}=sid_${'x'.repeat(40)}` },
  ])
    assert.ok([401, 403].includes((await app.request('GET', APPS, { headers })).status))
  assertProblem(await app.request('GET', '/api/v1/orders', { headers: cookie }), {
    status: 401,
    slug: 'authentication-required',
    instance: '/api/v1/orders',
  })
  await app.sql`delete from sessions where user_id = ${user}`
  assert.equal((await app.request('GET', APPS, { headers: cookie })).status, 401)
})

test('a session’s write needs the token of a page of ours, and a key needs none', async () => {
  const { server, address } = await sampleServer()
  const shop = await app.tenant()
  const { cookie, session } = await signedIn(shop.id, 'admin')
  const path = '/api/platform/samples/acme%3Aloyalty'
  const send = async (headers: Record<string, string>) => {
    const reply = await fetch(address + path, { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json', ...headers } })
    return { status: reply.status, body: (await reply.json()) as Record<string, unknown>, limit: reply.headers.get('x-ratelimit-limit') }
  }
  const csrf = formToken(app.keyring, session)
  for (const headers of [
    {},
    { 'X-CSRF-Token': 'x' },
    { 'X-CSRF-Token': formToken(app.keyring, 'ses_other') },
    { 'X-CSRF-Token': csrf, 'Sec-Fetch-Site': 'cross-site' },
    { 'X-CSRF-Token': csrf, Origin: 'https://evil.example' },
  ]) {
    const { status, body, limit } = await send({ ...cookie, ...(headers as Record<string, string>) })
    assert.deepEqual([status, body['code'], limit], [403, 'csrf', '120'], JSON.stringify(headers))
    assert.match(String(body['type']), /insufficient-scope$/)
  }
  assert.deepEqual((await send({ ...cookie, 'X-CSRF-Token': csrf })).body, { id: 'acme:loyalty', actor: 'user' })
  // The same token serves all requests of a page.
  assert.equal((await send({ ...cookie, 'X-CSRF-Token': csrf, Origin: 'https://shop.example' })).status, 200)
  assert.deepEqual((await send({ Authorization: `Bearer ${shop.key}` })).body, { id: 'acme:loyalty', actor: 'api_key' })
  const filtered = await fetch(`${address}${path}?filter[tier]=gold&filter[points][gte]=5&other=1`, { headers: cookie })
  assert.deepEqual(await filtered.json(), { 'filter[tier]': 'gold', 'filter[points][gte]': '5' })
  assert.equal((await fetch(`${address}${path}?filter[tier]=gold&filter[tier]=x`, { headers: cookie })).status, 422)
  assert.equal((await fetch(`${address}${path}?filter[tier]=%00`, { headers: cookie })).status, 422)
  await server.close()
})

/** A server with a read and a write of a platform route, which answer with what they are given. */
async function sampleServer() {
  const db = openDatabase(app.databaseUrl, { name: 'test platform', lanes: 1, pool: 2 })
  const names = { name: 'sample', noun: 'sample', pattern: '^[a-z]+:[a-z]+$' }
  const about = { names, path: '/api/platform/samples/{sample}', tag: 'Apps', summary: 'A sample', response: Type.Object({}) }
  const server = buildServer({
    config: app.config,
    db,
    log: pino({ level: 'silent' }),
    authenticator: keyAuthenticator(db.pointLane, 'rest'),
    sessions: sessionDoor({ sql: db.pointLane, baseUrl: app.config.baseUrl, keyring: app.keyring, used: () => {} }),
    longReads: createLongReads(db),
    routes: [
      read({
        ...about,
        operationId: 'a',
        query: Type.Object({}),
        filters: { description: 'By field.', example: { tier: 'gold' } },
        handler: async ({ filters }) => ({ body: JSON.stringify(filters) }),
      }),
      write({
        ...about,
        operationId: 'b',
        method: 'POST',
        status: 200,
        bodyOptional: true,
        body: Type.Object({}),
        handler: async ({ id, caller }) => ({ body: JSON.stringify({ id, actor: caller.actor.type }) }),
      }),
    ],
    patience: PATIENCE,
  })
  server.addHook('onClose', () => db.close())
  return { server, address: await server.listen({ port: 0, host: '127.0.0.1' }) }
}
