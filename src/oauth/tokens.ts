// Tokens: a code becomes an access token and a refresh token; a refresh token becomes the next ones. Each is used once. What is used again was stolen,
// from the client or by it, and ends the grant; but clients race with themselves, so a refresh token may come again for a short time.
import { mintToken, prefixOf } from '../access/token.ts'
import { ACCESS_TOKEN_SECONDS, REFRESH_GRACE_SECONDS, TOKENS_PER_GRANT_MINUTE } from '../limits/oauth.ts'
import { batchedOn } from '../postgres/batch.ts'
import { begin, type Sql, type Tx } from '../postgres/sql.ts'
import { type Keyring, sha256 } from '../secrets.ts'
import { isMember } from '../tenants/people.ts'
import { isOurs } from './authorization.ts'
import type { Client } from './clients.ts'
import { type Fields, required } from './fields.ts'
import { end } from './grant-store.ts'
import { resourceOf } from './metadata.ts'
import { OAuthRefusal } from './refusal.ts'
import { successorOf } from './successor.ts'
import * as store from './token-store.ts'

/** As RFC 6749 §5.1 has it. */
export interface Issued {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  refresh_token?: string
  scope: string
}

export interface TokenContext {
  sql: Sql
  keyring: Keyring
  baseUrl: string
}

/** @throws {OAuthRefusal} */
export function issue(context: TokenContext, client: Client, fields: Fields): Promise<Issued> {
  const type = required(fields, 'grant_type')
  const resource = fields.get('resource')
  if (resource !== undefined && !isOurs(resource, context.baseUrl))
    throw new OAuthRefusal('invalid_target', `resource must be ${resourceOf(context.baseUrl)}.`)
  if (type === 'authorization_code') return exchange(context, client, fields)
  if (type === 'refresh_token') return refresh(context, client, fields)
  throw new OAuthRefusal('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.')
}

/** What a transaction finds: it commits also where the answer is a refusal, for a reuse ends the grant. */
type Found = Issued | OAuthRefusal

async function exchange({ sql }: TokenContext, client: Client, fields: Fields): Promise<Issued> {
  const code = required(fields, 'code')
  // OAuth 2.1 §4.1.3 left it out, for the verifier says as much; clients of 2.0 send it, and then it must be the one that the code went to.
  const redirectUri = fields.get('redirect_uri')
  const verifier = required(fields, 'code_verifier')
  if (!/^[\w.~-]{43,128}$/.test(verifier))
    throw new OAuthRefusal('invalid_request', 'code_verifier must have 43 to 128 unreserved characters.')
  if (prefixOf(code) !== 'oac') throw staleCode()
  const hash = sha256(code)
  return settled(
    await begin(sql, async tx => {
      const used = await store.useCode(tx, { hash, client: client.id, redirectUri, challenge: sha256(verifier).toString('base64url') })
      if (!used) return reused(tx, await store.usedCode(tx, hash, client.id), 'code', staleCode())
      if (!(await isMember(tx, used.tenant, used.user))) return staleCode()
      const refreshToken = client.metadata.grant_types.includes('refresh_token') ? mintToken('ort') : undefined
      return issued(tx, used, used.scopes, refreshToken)
    }),
  )
}

/** Refreshes in one statement: what arrives together shares a commit, and a set waits for no more than a few milliseconds of work. */
const ROTATIONS_MAX = 64
const rotate = batchedOn(store.rotateUnused, ROTATIONS_MAX)

async function refresh(context: TokenContext, client: Client, fields: Fields): Promise<Issued> {
  const token = required(fields, 'refresh_token')
  if (prefixOf(token) !== 'ort') throw staleToken()
  const asked = fields.get('scope')
  return (asked === undefined ? await refreshUnused(context, client, token) : undefined) ?? refreshHeld(context, client, token, asked)
}

/** As nearly always: a token that comes for the first time, for all that was granted. @returns undefined for any other */
async function refreshUnused({ sql, keyring }: TokenContext, client: Client, token: string): Promise<Issued | undefined> {
  const accessToken = mintToken('oat')
  const successor = successorOf(keyring, token)
  const hashes = { hash: hexOf(token), access: hexOf(accessToken), successor: hexOf(successor.token) }
  // A statement that failed for one of its set, or was not heard of again, is no matter: by itself the token is what it was, or was used just now.
  const scopes = await rotate(sql, { ...hashes, client: client.id, key: successor.key }).catch(() => undefined)
  return scopes && answer(accessToken, successor.token, scopes)
}

const hexOf = (token: string): string => sha256(token).toString('hex')

async function refreshHeld({ sql, keyring }: TokenContext, client: Client, token: string, asked: string | undefined): Promise<Issued> {
  return settled(
    await begin(sql, async tx => {
      const held = await store.holdRefreshToken(tx, sha256(token), client.id)
      if (!held) return staleToken()
      if (held.age !== null && held.age > REFRESH_GRACE_SECONDS) return reused(tx, held, 'refresh token', staleToken())
      if (held.wait > 0) return tooManyTokens(held.wait)
      const scopes = asked === undefined ? held.scopes : asked.split(' ').filter(Boolean)
      if (scopes.length === 0 || !scopes.every(scope => held.scopes.includes(scope)))
        return new OAuthRefusal('invalid_scope', `scope may name ${held.scopes.join(', ')}: that is what the person allowed.`)
      if (!(await isMember(tx, held.tenant, held.user))) return staleToken()
      const successor = successorOf(keyring, token, held.successorKey ?? undefined)
      await store.rotate(tx, held, successor.key)
      return issued(
        tx,
        held,
        held.scopes.filter(scope => scopes.includes(scope)),
        successor.token,
      )
    }),
  )
}

async function issued(tx: Tx, grant: store.Held, scopes: string[], refreshToken: string | undefined): Promise<Issued> {
  const accessToken = mintToken('oat')
  await store.insertTokens(tx, grant, scopes, sha256(accessToken), refreshToken === undefined ? null : sha256(refreshToken))
  return answer(accessToken, refreshToken, scopes)
}

const answer = (accessToken: string, refreshToken: string | undefined, scopes: string[]): Issued => ({
  access_token: accessToken,
  token_type: 'Bearer',
  expires_in: ACCESS_TOKEN_SECONDS,
  ...(refreshToken !== undefined && { refresh_token: refreshToken }),
  scope: scopes.join(' '),
})

async function reused(
  tx: Tx,
  grant: { tenant: string; grant: string } | undefined,
  what: string,
  refusal: OAuthRefusal,
): Promise<OAuthRefusal> {
  if (grant) await end(tx, grant.tenant, { id: grant.grant }, { actor: { type: 'system' } }, `${what} used again`)
  return refusal
}

function settled(found: Found): Issued {
  if (found instanceof OAuthRefusal) throw found
  return found
}

const staleCode = (): OAuthRefusal =>
  new OAuthRefusal(
    'invalid_grant',
    'The code is unknown, used or over a minute old, or is not for this client, redirect_uri and code_verifier. Ask the person again.',
  )

const staleToken = (): OAuthRefusal =>
  new OAuthRefusal('invalid_grant', 'The refresh token is unknown, used or expired, or access was taken back. Ask the person again.')

function tooManyTokens(wait: number): OAuthRefusal {
  const seconds = Math.ceil(wait)
  return new OAuthRefusal(
    'temporarily_unavailable',
    `This access was refreshed ${TOKENS_PER_GRANT_MINUTE} times within a minute; an access token is good for an hour. Try again in ${seconds} s.`,
    429,
    { 'Retry-After': String(seconds) },
  )
}

/** RFC 7009: an access token alone, a refresh token with all of its grant. What is no token of this client's is left alone. */
export async function revoke(sql: Sql, client: Client, token: string): Promise<void> {
  const kind = prefixOf(token)
  if (kind === 'oat') return store.deleteAccessToken(sql, sha256(token), client.id)
  if (kind !== 'ort') return
  await begin(sql, async tx => {
    const found = await store.grantOf(tx, sha256(token), client.id)
    if (found) await end(tx, found.tenant, { id: found.grant }, { actor: { type: 'user', id: found.user } }, 'by the client')
  })
}
