// oauth4webapi as strict as it comes (https alone, every answer judged by its RFC), for clients of each kind of secret; and clients that are an
// address: the SDKs, and the same library, by a document on a server of their own.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import * as oauth from 'oauth4webapi'
import { testCertificate, testKey } from '../support/receiver.ts'
import { KINDS } from './kinds.ts'
import { aCallback, aPersonAtABrowser } from './person.ts'
import { aProvider } from './provider.ts'
import { aShop } from './shop.ts'

const person = await aPersonAtABrowser()
const shop = await aShop({}, 'https')
const { url } = shop

/** What a program finds out, given the agent server's address alone. */
async function discovered(): Promise<oauth.AuthorizationServer> {
  const refused = await fetch(url, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })
  const [, at = ''] = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? []
  assert.equal(refused.status, 401)
  const described = await oauth.resourceDiscoveryRequest(url)
  assert.equal(described.url, at)
  const { authorization_servers: [issuer = ''] = [] } = await oauth.processResourceDiscoveryResponse(url, described)
  return oauth.processDiscoveryResponse(new URL(issuer), await oauth.discoveryRequest(new URL(issuer), { algorithm: 'oauth2' }))
}

/** Has the person asked, exchanges, calls, refreshes, narrows and revokes. */
async function used(
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  by: oauth.ClientAuth,
  callback: Awaited<ReturnType<typeof aCallback>>,
) {
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const asked = new URL(server.authorization_endpoint ?? '')
  asked.search = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: callback.address,
    scope: 'read write',
    state,
    resource: url.href,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString()
  await person.allows(asked)
  const answer = oauth.validateAuthResponse(server, client, callback.brought(), state)
  const more = { additionalParameters: { resource: url.href } }
  const exchanged = await oauth.authorizationCodeGrantRequest(server, client, by, answer, callback.address, verifier, more)
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, exchanged)
  assert.deepEqual([tokens.token_type, tokens.expires_in, tokens.scope], ['bearer', 3600, 'read write'])
  assert.equal(await statusWith(tokens.access_token), 200)

  const narrower = { additionalParameters: { scope: 'read', resource: url.href } }
  const refreshed = await oauth.refreshTokenGrantRequest(server, client, by, tokens.refresh_token ?? '', narrower)
  const next = await oauth.processRefreshTokenResponse(server, client, refreshed)
  assert.deepEqual([next.scope, await statusWith(next.access_token)], ['read', 200])

  await oauth.processRevocationResponse(await oauth.revocationRequest(server, client, by, next.refresh_token ?? ''))
  assert.deepEqual([await statusWith(tokens.access_token), await statusWith(next.access_token)], [401, 401])
  const again = await oauth.refreshTokenGrantRequest(server, client, by, next.refresh_token ?? '')
  await assert.rejects(oauth.processRefreshTokenResponse(server, client, again), { error: 'invalid_grant' })
}

async function statusWith(token: string): Promise<number> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const headers = new Headers({ 'content-type': 'application/json' })
  try {
    return (await oauth.protectedResourceRequest(token, 'POST', url, headers, body)).status
  } catch (error) {
    // The challenge is read strictly too.
    assert.ok(error instanceof oauth.WWWAuthenticateChallengeError)
    assert.equal(error.cause[0]?.parameters.error, 'invalid_token')
    return error.status
  }
}

const SECRETS: [string, (secret: string) => oauth.ClientAuth][] = [
  ['none', oauth.None],
  ['client_secret_basic', oauth.ClientSecretBasic],
  ['client_secret_post', oauth.ClientSecretPost],
]
for (const [method, authentication] of SECRETS)
  test(`oauth4webapi registers with ${method}, and finds every answer as it must be`, async () => {
    const server = await discovered()
    const callback = await aCallback()
    const asked = { client_name: 'Strict', redirect_uris: [callback.address], token_endpoint_auth_method: method }
    const client = await oauth.processDynamicClientRegistrationResponse(await oauth.dynamicClientRegistrationRequest(server, asked))
    await used(server, client, authentication(String(client['client_secret'] ?? '')), callback)
  })

const documents = new Map<string, object>()
const served = createServer({ cert: testCertificate, key: testKey }, (request, response) => {
  const found = documents.get(request.url ?? '')
  response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(found ?? {}))
})
await once(served.listen(0, '127.0.0.1'), 'listening')
after(() => {
  served.close()
  served.closeAllConnections()
})

/** The address of a document that describes a client. */
function described(path: string, redirectUri: string): string {
  const client_id = `https://127.0.0.1:${(served.address() as AddressInfo).port}${path}`
  documents.set(path, { client_id, client_name: 'By its address', redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' })
  return client_id
}

test('oauth4webapi connects by the address of a document, without registering', async () => {
  const callback = await aCallback()
  const client_id = described('/strict.json', callback.address)
  await used(await discovered(), { client_id, token_endpoint_auth_method: 'none' }, oauth.None(), callback)
})

for (const kind of KINDS.filter(({ name }) => name.startsWith('SDK')))
  test(`${kind.name} connects by the address of a document, without registering`, async () => {
    const callback = await aCallback()
    const clientMetadataUrl = described(`/${encodeURIComponent(kind.name)}.json`, callback.address)
    const { kept, provider } = aProvider(callback.address, { provider: { clientMetadataUrl } })
    await assert.rejects(kind.connect(url, { provider }), /unauthorized/i)
    assert.equal(kept.client?.client_id, clientMetadataUrl)
    await person.allows(kept.asked.at(-1) as URL)
    await kind.finish(url, provider, callback.brought())
    const connection = await kind.connect(url, { provider })
    assert.equal((await connection.call('get_ai_config', {})).isError ?? false, false)
    await connection.close()
  })
