// The clients that people connect, by what they send: each registers or is known by its document, is allowed, and gets tokens that work, over each of
// its redirect URIs and on another port of this computer than the one that it named.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { OAuthClientInformationFullSchema, OAuthTokensSchema } from '@modelcontextprotocol/sdk/shared/auth.js'
import { sha256 } from '../../src/secrets.ts'
import { agentWith } from '../support/agent.ts'
import { aPersonWithPassword, PASSWORD } from '../support/password.ts'
import { aWebBrowser } from '../support/web-browser.ts'
import { type AsSent, DOCUMENTS, REGISTRATIONS } from './as-sent.ts'
import { BASE, oauthApp, type Registered } from './granted.ts'

const { app, tenant, register, token, refresh } = await oauthApp()
const email = 'ann@shop.example'
await aPersonWithPassword(app.sql, tenant, email)
const browser = aWebBrowser(app.url)
assert.equal((await browser.send('/sign-in', { email, password: PASSWORD })).status, 303)

const documents = new Map<string, object>()
const server = createServer((request, response) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(documents.get(request.url ?? ''))),
)
await once(server.listen(0, '127.0.0.1'), 'listening')
after(() => server.close().closeAllConnections())
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

/** As the client is reached when it asks: an app of this computer listens where there is room. */
const anotherPort = (uri: string): string => uri.replace(/^(http:\/\/[^/:]+)(:\d+)?\//, '$1:51234/')

/** The person allows it; the client asks for tokens, calls a tool, and asks for the next tokens. */
async function connects({ client_id, client_secret }: Registered, redirectUri: string): Promise<void> {
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: redirectUri,
    scope: 'read write',
    state: 's',
    code_challenge: sha256(verifier).toString('base64url'),
    code_challenge_method: 'S256',
    resource: `${BASE}/api/mcp`,
  })
  const { status, to = '' } = await browser.send(`/oauth/authorize?${query}`, { decision: 'allow', scope: 'write' })
  assert.deepEqual([status, to.startsWith(`${redirectUri}?`)], [303, true], to)
  const code = new URL(to).searchParams.get('code') ?? ''
  const secret = client_secret === undefined ? {} : { client_secret }
  const fields = { grant_type: 'authorization_code', client_id, code, redirect_uri: redirectUri, code_verifier: verifier, ...secret }
  const { body } = await token({ ...fields, resource: `${BASE}/api/mcp` })
  OAuthTokensSchema.parse(body)
  assert.equal(body.scope, 'read write')
  assert.equal((await agentWith(app.url, body.access_token).call('get_ai_config')).isError, false)
  assert.equal((await refresh({ client_id }, body.refresh_token, secret)).status, 200)
}

for (const { name, body: sent } of REGISTRATIONS)
  test(`${name} registers with what it sends, and connects over each of its addresses`, async () => {
    const { status, headers, body } = await register(sent)
    assert.equal(status, 201, JSON.stringify(body))
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('access-control-allow-origin'), '*')
    OAuthClientInformationFullSchema.parse(body)
    assert.match(body.client_id, /^cli_/)
    assert.deepEqual(body.redirect_uris, sent.redirect_uris)
    assert.deepEqual(body.grant_types, ['authorization_code', 'refresh_token'])
    assert.equal(body.token_endpoint_auth_method, sent['token_endpoint_auth_method'])
    const isPublic = body.token_endpoint_auth_method === 'none'
    assert.deepEqual([body.client_secret === undefined, body.client_secret_expires_at], isPublic ? [true, undefined] : [false, 0])
    assert.ok(!Object.values(body).includes(null))
    for (const uri of sent.redirect_uris) await connects(body, anotherPort(uri))
  })

const described = ({ body }: AsSent): string => {
  const path = `/client-${documents.size}.json`
  documents.set(path, { ...body, client_id: origin + path })
  return origin + path
}

for (const sent of DOCUMENTS)
  test(`${sent.name} connects by the document at ${sent.seen}, over each of its addresses`, async () => {
    const client_id = described(sent)
    for (const uri of sent.body.redirect_uris) await connects({ client_id }, anotherPort(uri))
  })

test('a document that knows nothing but signed assertions is not taken', async () => {
  const [claude] = DOCUMENTS as [AsSent]
  for (const token_endpoint_auth_methods_supported of [['private_key_jwt'], 'none', [null], undefined]) {
    const over = { token_endpoint_auth_method: 'private_key_jwt', token_endpoint_auth_methods_supported }
    const client_id = described({ ...claude, body: { ...claude.body, ...over } })
    const query = new URLSearchParams({ client_id, response_type: 'code' })
    const { status, text } = await browser.get(`/oauth/authorize?${query}`)
    assert.equal(status, 400)
    assert.match(text, /<h1>This program is not known<\/h1><p>Its description/)
  }
})
