// The service with people in it who have allowed clients something: the seam at which the consent page stands.
import { randomBytes } from 'node:crypto'
import { approve } from '../../src/oauth/grants.ts'
import type { Scope } from '../../src/oauth/metadata.ts'
import { begin } from '../../src/postgres/sql.ts'
import { sha256 } from '../../src/secrets.ts'
import { createUser } from '../../src/tenants/people.ts'
import { type TestApp, testApp } from '../support/app.ts'

export const BASE = 'https://shop.example'
export const REDIRECT = 'https://client.example/callback'

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  body: any
}

export interface Registered {
  client_id: string
  client_secret?: string
}

export async function oauthApp(env: Record<string, string> = {}) {
  const app = await testApp({ BASE_URL: BASE, OAUTH_REGISTRATIONS_PER_HOUR: '100000', ...env })
  const shop = await app.tenant()
  const { id: tenant } = shop
  const person = (await createUser(app.sql, { tenant, email: 'ada@shop.example', password: 'a long enough password', role: 'admin' })).id

  const ask = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(app.url + path, init)
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : undefined }
  }
  const register = (said: object): Promise<Answer> =>
    ask('/api/oauth/register', { method: 'POST', body: JSON.stringify(said), headers: { 'content-type': 'application/json' } })
  const post = (path: string, fields: Record<string, string> | [string, string][], headers: Record<string, string> = {}): Promise<Answer> =>
    ask(path, { method: 'POST', body: new URLSearchParams(fields), headers })

  /** A client that has registered. @param method how it authenticates */
  async function client(method = 'none', said: object = {}): Promise<Registered> {
    return (await register({ redirect_uris: [REDIRECT], token_endpoint_auth_method: method, ...said })).body
  }

  /** The person says yes. @returns the fields by which the client asks for tokens */
  async function code({ client_id }: Registered, { scopes = ['read', 'write'] as Scope[], redirectUri = REDIRECT } = {}) {
    const verifier = randomBytes(32).toString('base64url')
    const challenge = sha256(verifier).toString('base64url')
    const caller = { tenant, actor: { type: 'user' as const, id: person } }
    const { id, code } = await begin(app.sql, tx => approve(tx, caller, { client: client_id, redirectUri, challenge, scopes }))
    return { grant: id, fields: { grant_type: 'authorization_code', client_id, code, redirect_uri: redirectUri, code_verifier: verifier } }
  }

  const token = (fields: Record<string, string> | [string, string][], headers?: Record<string, string>) =>
    post('/api/oauth/token', fields, headers)
  const refresh = ({ client_id }: Registered, refreshToken: string, more: Record<string, string> = {}) =>
    token({ grant_type: 'refresh_token', client_id, refresh_token: refreshToken, ...more })

  /** A client with tokens. */
  async function connected(scopes?: Scope[]) {
    const made = await client()
    const { grant, fields } = await code(made, scopes && { scopes })
    return { client: made, grant, tokens: (await token(fields)).body as { access_token: string; refresh_token: string } }
  }

  return { app: app as TestApp, shop, tenant, person, ask, register, post, client, code, token, refresh, connected }
}

export const endedAt = async (app: TestApp, grant: string): Promise<Date | null> =>
  (await app.sql`select revoked_at from oauth_grants where id = ${grant}`)[0]?.['revoked_at']
