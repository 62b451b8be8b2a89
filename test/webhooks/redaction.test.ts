// Stored and shown deliveries hold no credential: not of the URL, nor of the receiver's answer, nor of the headers that were sent.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { check } from '../../src/ingress/validate.ts'
import { createUser } from '../../src/tenants/people.ts'
import { maskedHeaders, maskedUrl } from '../../src/webhooks/endpoints/redact.ts'
import { DeliveryDetail } from '../../src/webhooks/log/schema.ts'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { anOrder, ok } from '../support/given.ts'
import { startReceiver } from '../support/receiver.ts'

const app = await testApp({ WEBHOOK_SCHEDULE: '0,0.05,0.1,0.2,0.3' })
await app.startWorker()

/** No value that is stored in the clear, or shown, may contain one of these. */
const SECRETS = ['QUERYTOKEN', 'OWNTOKEN', 'COOKIE', 'BEARER', 'ELSEWHERE']

test('the log, events, mails and audit rows of a webhook hold no credential of its URL, its headers or its receiver', async () => {
  const receiver = await startReceiver((response, { path, headers }) => {
    assert.equal(path, '/hooks?token=QUERYTOKEN&shop=7')
    response.writeHead(503, [
      ...['Set-Cookie', 'sid=COOKIE1', 'Set-Cookie', 'csrf=COOKIE2', 'X-Auth-Token', 'BEARER', 'WWW-Authenticate', 'Bearer realm="in"'],
      ...['Location', 'https://sign-in.example/in?state=ELSEWHERE#ELSEWHERE', 'X-Seen', `${headers.authorization}`, 'X-Answer', 'yes'],
    ])
    response.end(`Bearer token ${headers.authorization?.slice(7)} is not known; ${headers.authorization}; shop 7`)
  })
  after(() => receiver.close())
  const shop = await app.tenant()
  await createUser(app.sql, { tenant: shop.id, email: 'ada@shop.example', password: 'correct horse', role: 'admin' })
  const headers = { Authorization: 'Bearer OWNTOKEN', 'X-Shop': '7' }
  const url = `${receiver.origin}/hooks?token=QUERYTOKEN&shop=7`
  const made = ok(await shop.post('/api/v1/webhooks', { url, events: ['order.created'], headers }))
  assert.equal(made.url, url, 'the webhook itself has its URL as it was given')
  const path = `/api/v1/webhooks/${made.id}`
  await shop.post('/api/v1/orders', anOrder())
  await eventually(async () => ok(await shop.get(path)).status === 'disabled')

  const [{ event_id }] = ok(await shop.get(`${path}/deliveries`)).data
  const detail = await shop.get(`${path}/deliveries/${event_id}`)
  assert.deepEqual(check(DeliveryDetail, detail.body), [])
  const [{ request, response }] = detail.body.log
  assert.equal(request.url, `${receiver.origin}/hooks?token=••••&shop=••••`)
  const { date, connection, 'keep-alive': _, 'transfer-encoding': __, ...answered } = response.headers
  assert.deepEqual(answered, {
    'set-cookie': '••••',
    'x-auth-token': '••••',
    'www-authenticate': 'Bearer realm="in"',
    location: 'https://sign-in.example/in?state=••••#••••',
    'x-seen': '••••',
    'x-answer': 'yes',
  })
  assert.equal(response.body, 'Bearer token •••• is not known; ••••; shop 7')
  const kept = await app.sql`
    select (select json_agg(a) from webhook_attempts a) as attempts, (select json_agg(m) from mails m) as mails,
           (select json_agg(l) from audit_log l) as audited, (select json_agg(e.body) from events e) as events`
  // Transactions of other databases hold events back.
  const events = await eventually(async () => {
    const { text } = await shop.get('/api/v1/events')
    return text.includes('webhook.disabled') && text
  })
  const texts = { detail: detail.text, events, kept: JSON.stringify(kept) }
  assert.match(texts.events, /"url":"[^"]+hooks\?token=••••&shop=••••"/)
  assert.match(texts.kept, /A webhook was disabled: [^?]+hooks"/)
  for (const [where, text] of Object.entries(texts))
    for (const secret of SECRETS) assert.ok(!text.includes(secret), `${secret} is in ${where}`)
})

test('lines of the log from before redaction are redacted when they are shown', async () => {
  const shop = await app.tenant()
  const { id } = ok(await shop.post('/api/v1/webhooks', { url: 'http://127.0.0.1:9/', events: ['order.created'] }))
  const path = `/api/v1/webhooks/${id}`
  const [event] = await app.sql`select id from events limit 1`
  const error = 'private-address: foo.corp leads to 10.1.2.3, which is not a public address (private).'
  await app.sql`
    insert into events (tenant_id, id, type, created_at, body) select ${shop.id}, id, type, created_at, body from events where id = ${event?.['id']}`
  await app.sql`
    insert into webhook_attempts (tenant_id, endpoint_id, event_id, attempt, started_at, duration_ms, url, status, error, final, response_headers)
    values (${shop.id}, ${id}, ${event?.['id']}, 1, now(), 1, 'https://shop.example/?key=QUERYTOKEN', 204, null, true,
            '{"set-cookie":["sid=COOKIE"],"x-answer":"yes"}'),
           (${shop.id}, ${id}, ${event?.['id']}, 2, now(), 1, null, null, ${error}, false, null)`
  await app.sql`update webhook_endpoints set last_error = ${error}, last_failure_at = now() where id = ${id}`
  const detail = await shop.get(`${path}/deliveries/${event?.['id']}`)
  assert.deepEqual(check(DeliveryDetail, detail.body), [])
  const [second, first] = detail.body.log
  assert.equal(first.request.url, 'https://shop.example/?key=••••')
  assert.deepEqual(first.response.headers, { 'set-cookie': '••••', 'x-answer': 'yes' })
  const told = 'private-address: foo.corp does not lead to a public address.'
  assert.equal(second.error, told)
  assert.equal(ok(await shop.get(`${path}/deliveries`)).data[0].last_attempt.error, told)
  assert.equal(ok(await shop.get(`${path}/health`)).last_error.error, told)
})

test('a URL is shown with its parameters’ names and without their values', () => {
  for (const [url, shown] of [
    ['https://shop.example/in', 'https://shop.example/in'],
    ['https://shop.example/in?', 'https://shop.example/in?'],
    ['https://shop.example/in?a=1&b=&c&=d&a=2=3', 'https://shop.example/in?a=••••&b=&••••&=••••&a=••••'],
    ['https://user:password@shop.example/@in', 'https://••••@shop.example/@in'],
    ['/in?next=https://a.example/?b=c', '/in?next=••••'],
    ['0; url=https://shop.example/?a=1', '0; url=https://shop.example/?a=••••'],
    ['#access_token=1', '#••••'],
  ] as const) {
    assert.equal(maskedUrl(url), shown)
    assert.equal(maskedUrl(shown), shown, 'masked already')
  }
})

test('headers of an answer that carry credentials are masked, and others are not', () => {
  const masked = [
    ...['set-cookie', 'set-cookie2', 'cookie', 'authorization', 'proxy-authorization', 'authentication-info', 'proxy-authentication-info'],
    ...[
      'x-auth',
      'x-auth-token',
      'x-csrf-token',
      'x-xsrf-token',
      'x-amz-security-token',
      'x-api-key',
      'x-apikey',
      'x-access-key',
      'x-secret',
    ],
    ...['x-session-id', 'phpsessionid', 'x-password', 'x-jwt-assertion', 'x-hub-signature-256'],
  ]
  const plain = [
    'www-authenticate',
    'proxy-authenticate',
    'content-type',
    'etag',
    'x-request-id',
    'retry-after',
    'x-author',
    'surrogate-key',
  ]
  const headers = maskedHeaders(Object.fromEntries([...masked, ...plain].map(name => [name, 'value'])))
  assert.deepEqual(
    Object.keys(headers).filter(name => headers[name] === '••••'),
    masked,
  )
})
