// How clients find the authorization server and register with it: the metadata, what they may say, and the addresses that may be registered.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OAuthMetadataSchema, OAuthProtectedResourceMetadataSchema } from '@modelcontextprotocol/sdk/shared/auth.js'
import { register as registerClient } from '../../src/oauth/clients.ts'
import { allowsRedirect, destinationOf } from '../../src/oauth/redirect.ts'
import { readMetadata } from '../../src/oauth/registration.ts'
import { BASE, oauthApp, REDIRECT } from './granted.ts'

const { app, ask, register } = await oauthApp({ OAUTH_APP_SCHEMES: 'myeditor' })

test('the metadata says what there is, to any page', async () => {
  const { status, headers, body } = await ask('/.well-known/oauth-authorization-server')
  assert.equal(status, 200)
  assert.equal(headers.get('access-control-allow-origin'), '*')
  OAuthMetadataSchema.parse(body)
  assert.deepEqual(body, {
    issuer: BASE,
    authorization_endpoint: `${BASE}/oauth/authorize`,
    token_endpoint: `${BASE}/api/oauth/token`,
    registration_endpoint: `${BASE}/api/oauth/register`,
    revocation_endpoint: `${BASE}/api/oauth/revoke`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    revocation_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    code_challenge_methods_supported: ['S256'],
    scopes_supported: ['read', 'write'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  })
  for (const path of ['', '/api/mcp']) {
    const { body, headers } = await ask(`/.well-known/oauth-protected-resource${path}`)
    OAuthProtectedResourceMetadataSchema.parse(body)
    assert.deepEqual(body, {
      resource: `${BASE}/api/mcp`,
      authorization_servers: [BASE],
      scopes_supported: ['read', 'write'],
      bearer_methods_supported: ['header'],
    })
    assert.equal(headers.get('access-control-allow-origin'), '*')
  }
})

test('other metadata is not there, which pages can read, and on which clients go on to the root', async () => {
  for (const path of ['openid-configuration', 'oauth-authorization-server/api/mcp', 'openid-configuration/api/mcp', '%zz']) {
    const { status, headers } = await ask(`/.well-known/${path}`)
    assert.deepEqual([status, headers.get('access-control-allow-origin')], [404, '*'], path)
    assert.equal(headers.get('content-type'), 'application/problem+json')
    const before = await ask(`/.well-known/${path}`, { method: 'OPTIONS' })
    assert.deepEqual([before.status, before.headers.get('access-control-allow-origin')], [204, '*'], path)
    assert.match(before.headers.get('access-control-allow-headers') ?? '', /mcp-protocol-version/)
  }
})

test('a path below /api/oauth at which there is nothing is refused in the form of OAuth', async () => {
  for (const path of ['', '/', '/nothing', '/token/', '/token/x', '/%zz', '/constructor'])
    for (const method of ['GET', 'POST', 'PROPFIND']) {
      const { status, headers, body } = await ask(`/api/oauth${path}`, { method })
      assert.deepEqual([status, body.error, headers.get('access-control-allow-origin')], [404, 'invalid_request', '*'], `${method} ${path}`)
    }
})

test('browsers may ask first, and other methods are refused', async () => {
  const paths = [
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-protected-resource/api/mcp',
    '/api/oauth/register',
    '/api/oauth/token',
    '/api/oauth/revoke',
  ]
  for (const path of paths) {
    const { status, headers } = await ask(path, { method: 'OPTIONS' })
    const allow = path.startsWith('/api') ? 'POST, OPTIONS' : 'GET, HEAD, OPTIONS'
    assert.deepEqual([status, headers.get('allow'), headers.get('access-control-allow-origin')], [204, allow, '*'], path)
    assert.match(headers.get('access-control-allow-headers') ?? '', /authorization, content-type/)
    assert.deepEqual([headers.get('cache-control'), headers.get('x-trace-id')?.length], ['no-store', 32], path)
    for (const method of ['DELETE', 'PROPFIND']) {
      const refused = await ask(path, { method })
      assert.deepEqual([refused.status, refused.body.error], [405, 'invalid_request'], `${method} ${path}`)
      assert.equal(refused.headers.get('allow'), allow)
    }
  }
})

test('what is not known is dropped, and what is not said has its default', async () => {
  const { body } = await register({
    redirect_uris: [REDIRECT, REDIRECT],
    scope: 'read openid',
    contacts: ['a@b.example'],
    jwks: {},
    software_statement: 'x',
    client_uri: '',
    client_name: null,
    grant_types: null,
    token_endpoint_auth_method: null,
  })
  const { client_id, client_id_issued_at, client_secret, ...rest } = body
  assert.match(client_secret, /^ocs_[0-9A-Za-z]{40}$/)
  assert.ok(Math.abs(client_id_issued_at - Date.now() / 1000) < 60)
  assert.deepEqual(rest, {
    client_secret_expires_at: 0,
    redirect_uris: [REDIRECT],
    token_endpoint_auth_method: 'client_secret_basic',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    scope: 'read',
  })
  const empty = {
    redirect_uris: [REDIRECT],
    grant_types: [],
    response_types: [],
    token_endpoint_auth_method: '',
    scope: '',
    client_name: '',
  }
  const { client_id: _, client_id_issued_at: __, client_secret: ___, ...defaults } = (await register(empty)).body
  assert.deepEqual({ ...defaults, scope: 'read' }, rest)
  const [row] = await app.sql`select metadata::text || encode(secret_hash, 'hex') as kept from oauth_clients where id = ${client_id}`
  assert.ok(!row?.['kept'].includes(client_secret), 'the secret is stored')
})

const PUBLIC = { token_endpoint_auth_method: 'none' }
const GOOD: string[] = [
  'https://a.example/cb?x=1',
  'http://127.0.0.1/cb',
  'http://127.8.9.1:1/',
  'http://[::1]:8080/cb',
  'http://localhost',
  'cursor://x/y',
  'zed://x',
  'myeditor:/cb',
  'com.example.app:/cb',
]
const BAD: unknown[] = [
  'http://a.example/cb',
  'http://localhost.evil.example/cb',
  'http://127.0.0.1.evil.example/cb',
  'http://127.0.0.1@evil.example/cb',
  'https://user@a.example/cb',
  'https://user:pw@a.example/cb',
  'https://@a.example/cb',
  'https://a.example/cb#fragment',
  'https://a.example/cb#',
  'https://*.a.example/cb',
  'https://a.example/*',
  '/callback',
  '//a.example/cb',
  'https:a.example',
  'https:///a.example',
  'https:\\\\a.example',
  'https://a.example/c b',
  'https://a.example/\ncb',
  'https://ä.example/cb',
  ' https://a.example/cb',
  'HTTPS://a.example/cb',
  'javascript:alert(1)',
  'javascript://a.example/%0aalert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'otherapp://cb',
  'urn:ietf:wg:oauth:2.0:oob',
  'https://',
  '',
  null,
  7,
  {},
  `https://a.example/${'a'.repeat(2_000)}`,
]

for (const uri of GOOD)
  test(`may be registered: ${uri}`, async () => {
    assert.equal((await register({ ...PUBLIC, redirect_uris: [uri] })).status, 201)
  })
for (const uri of BAD)
  test(`may not be registered: ${JSON.stringify(uri).slice(0, 60)}`, async () => {
    const { status, body } = await register({ ...PUBLIC, redirect_uris: [REDIRECT, uri] })
    assert.deepEqual([status, body.error], [400, 'invalid_redirect_uri'])
    assert.match(body.error_description, /^redirect_uris\[1\] /)
  })

test('an app’s scheme is for clients without a secret', async () => {
  const { body } = await register({ redirect_uris: ['cursor://x/y'], token_endpoint_auth_method: 'client_secret_post' })
  assert.equal(body.error, 'invalid_redirect_uri')
})

const WRONG: [string, object | string, string][] = [
  ['no redirect URIs', PUBLIC, 'invalid_redirect_uri'],
  ['an empty list', { ...PUBLIC, redirect_uris: [] }, 'invalid_redirect_uri'],
  ['no list', { ...PUBLIC, redirect_uris: REDIRECT }, 'invalid_redirect_uri'],
  ['too many', { ...PUBLIC, redirect_uris: Array.from({ length: 21 }, (_, n) => `https://a.example/${n}`) }, 'invalid_redirect_uri'],
  ['a method that is not there', { redirect_uris: [REDIRECT], token_endpoint_auth_method: 'private_key_jwt' }, 'invalid_client_metadata'],
  [
    'grants of other kinds alone',
    { redirect_uris: [REDIRECT], grant_types: ['client_credentials', 'password'] },
    'invalid_client_metadata',
  ],
  ['grants that are no list', { redirect_uris: [REDIRECT], grant_types: 'authorization_code' }, 'invalid_client_metadata'],
  ['another response type', { redirect_uris: [REDIRECT], response_types: ['token'] }, 'invalid_client_metadata'],
  ['a long name', { redirect_uris: [REDIRECT], client_name: 'a'.repeat(201) }, 'invalid_client_metadata'],
  ['a name that is no text', { redirect_uris: [REDIRECT], client_name: 7 }, 'invalid_client_metadata'],
  ['a logo that is code', { redirect_uris: [REDIRECT], logo_uri: 'javascript:alert(1)' }, 'invalid_client_metadata'],
  ['a scope that is a list', { redirect_uris: [REDIRECT], scope: ['read'] }, 'invalid_client_metadata'],
  ['half a body', '{"redirect_uris":["https', 'invalid_client_metadata'],
  ['a list', '[]', 'invalid_client_metadata'],
  ['nothing', '', 'invalid_client_metadata'],
  ['a NUL', { redirect_uris: [REDIRECT], client_name: 'a\0b' }, 'invalid_client_metadata'],
  ['half a character', '{"redirect_uris":["https://a.example/"],"client_name":"\\ud800"}', 'invalid_client_metadata'],
  ['a prototype', '{"__proto__":{"redirect_uris":["https://a.example/"]}}', 'invalid_client_metadata'],
]
for (const [what, said, error] of WRONG)
  test(`is refused: ${what}`, async () => {
    const body = typeof said === 'string' ? said : JSON.stringify(said)
    const answer = await ask('/api/oauth/register', { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    assert.ok(answer.status === 400, `${answer.status} ${JSON.stringify(answer.body)}`)
    assert.equal(answer.body.error, error)
    assert.ok(answer.body.error_description.length > 10)
  })

test('a body of another kind or too long is refused before it is read', async () => {
  assert.equal((await ask('/api/oauth/register', { method: 'POST', body: 'a=b' })).status, 415)
  const long = JSON.stringify({ redirect_uris: [REDIRECT], client_name: 'a'.repeat(70_000) })
  const refused = await ask('/api/oauth/register', { method: 'POST', body: long, headers: { 'content-type': 'application/json' } })
  assert.deepEqual([refused.status, refused.body.error], [413, 'invalid_client_metadata'])
})

const COMPARED: [string, string, boolean][] = [
  ['https://a.example/cb', 'https://a.example/cb', true],
  ['https://a.example/cb', 'https://a.example/cb/', false],
  ['https://a.example/cb', 'https://a.example/cb?x', false],
  ['https://a.example/cb', 'https://A.example/cb', false],
  ['https://a.example/cb', 'https://a.example:443/cb', false],
  ['https://a.example/cb', 'https://a.example/%63b', false],
  ['https://a.example/cb', 'https://a.example.evil/cb', false],
  ['https://a.example/cb', 'https://evil@a.example/cb', false],
  ['https://a.example/cb', 'https://a.example/cb#x', false],
  ['https://a.example/cb', 'https://a.example/x/../cb', false],
  ['http://127.0.0.1/cb', 'http://127.0.0.1:51234/cb', true],
  ['http://127.0.0.1:1/cb', 'http://127.0.0.1:2/cb', true],
  ['http://localhost:1/cb', 'http://localhost/cb', true],
  ['http://[::1]:1/cb', 'http://[::1]:65535/cb', true],
  ['http://127.0.0.1:1/cb', 'http://127.0.0.1:99999/cb', false],
  ['http://127.0.0.1:1/cb', 'http://127.0.0.1:2/other', false],
  ['http://127.0.0.1:1/cb', 'http://localhost:1/cb', false],
  ['http://127.0.0.1:1/cb', 'http://127.0.0.1:2@evil.example/cb', false],
  ['http://127.0.0.1:1/cb', 'https://127.0.0.1:1/cb', false],
  ['cursor://x/cb', 'cursor://x:1/cb', false],
]
for (const [registered, asked, allowed] of COMPARED)
  test(`registered ${registered}, ${asked} is ${allowed ? 'the same' : 'another'}`, () =>
    assert.equal(allowsRedirect([registered], asked), allowed))

test('where a person is sent is known of an address, whatever its client says of itself', () => {
  assert.deepEqual(destinationOf('https://claude.ai/api/mcp'), { host: 'claude.ai', isHere: false })
  assert.deepEqual(destinationOf('http://127.0.0.1:99/cb'), { host: '127.0.0.1:99', isHere: true })
  assert.deepEqual(destinationOf('cursor://a.b/cb'), { host: 'cursor (an app)', isHere: true })
})

test('an address may register so many in an hour, over all processes', async () => {
  const few = await oauthApp({ OAUTH_REGISTRATIONS_PER_HOUR: '3' })
  const answers = await Promise.all(Array.from({ length: 5 }, () => few.register({ ...PUBLIC, redirect_uris: [REDIRECT] })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 201, 429, 429])
  const refused = answers.find(({ status }) => status === 429)
  assert.equal(refused?.body.error, 'temporarily_unavailable')
  assert.match(refused?.headers.get('retry-after') ?? '', /^\d{2,4}$/)
})

test('so does a network of IPv6, which is one subscriber, whatever addresses it takes', async () => {
  const metadata = readMetadata({ redirect_uris: [REDIRECT] }, { method: 'none', appSchemes: [] })
  const from = (address: string) =>
    registerClient(app.sql, metadata, address, 2).then(
      () => 201,
      error => error.status,
    )
  assert.deepEqual([await from('2001:db8::1'), await from('2001:db8::2'), await from('2001:db8:0:0:ffff::3')], [201, 201, 429])
  assert.equal(await from('2001:db8:0:1::1'), 201)
})
