// The question that a client puts to a person (RFC 6749 §4.1.1), judged before the person is asked. What cannot be trusted to name the client or its
// address is told to the person; all else to the client.
import type { Client } from './clients.ts'
import { resourceOf, SCOPES, type Scope } from './metadata.ts'
import { allowsRedirect } from './redirect.ts'
import type { OAuthError } from './refusal.ts'

export interface Asked {
  redirectUri: string
  state: string | undefined
  challenge: string
  scopes: Scope[]
}

/** Why the person is not asked: told to the client by a redirect. */
export interface Refused {
  redirectUri: string
  state: string | undefined
  error: OAuthError
  description: string
}

/** The parameters that are given: without a value they are not (RFC 6749 §3.1). */
export const given = (query: URLSearchParams): URLSearchParams => new URLSearchParams([...query].filter(([, value]) => value !== ''))

/** Said once, or undefined. @returns undefined for a parameter that is given twice too: see `isRepeated` */
export const single = (query: URLSearchParams, name: string): string | undefined => {
  const values = query.getAll(name)
  return values.length === 1 ? values[0] : undefined
}

const PARAMETERS = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
  'response_mode',
]

/**
 * Where the answer goes.
 * @returns undefined where the address is not the client's: then the person is sent nowhere
 */
export function redirectOf(query: URLSearchParams, { metadata: { redirect_uris } }: Client): string | undefined {
  // RFC 6749 §3.1.2.3: it may be left out where there is one only.
  const asked = query.has('redirect_uri') ? single(query, 'redirect_uri') : redirect_uris.length === 1 ? redirect_uris[0] : undefined
  return asked !== undefined && allowsRedirect(redirect_uris, asked) ? asked : undefined
}

/** @param redirectUri as `redirectOf` found it */
export function judge(query: URLSearchParams, redirectUri: string, client: Client, baseUrl: string): Asked | Refused {
  const state = single(query, 'state')
  const refused = (error: OAuthError, description: string): Refused => ({ redirectUri, state, error, description })
  const repeated = PARAMETERS.find(name => query.getAll(name).length > 1)
  if (repeated) return refused('invalid_request', `${repeated} is given twice.`)
  const type = query.get('response_type')
  if (type === null) return refused('invalid_request', 'response_type is missing; it must be code.')
  if (type !== 'code') return refused('unsupported_response_type', 'response_type must be code.')
  // Sent by the query, it would not be found by a client that waits for another way.
  if ((query.get('response_mode') ?? 'query') !== 'query') return refused('invalid_request', 'response_mode must be query.')
  const challenge = query.get('code_challenge') ?? ''
  if (!/^[\w-]{43}$/.test(challenge))
    return refused('invalid_request', 'code_challenge must be the 43 characters of a SHA-256 as base64url (PKCE).')
  if (query.get('code_challenge_method') !== 'S256') return refused('invalid_request', 'code_challenge_method must be S256.')
  const resource = query.get('resource')
  if (resource !== null && !isOurs(resource, baseUrl)) return refused('invalid_target', `resource must be ${resourceOf(baseUrl)}.`)
  const scopes = scopesOf(query.get('scope'), client)
  if (scopes.length === 0) return refused('invalid_scope', `scope must name at least one of ${SCOPES.join(', ')}.`)
  return { redirectUri, state, challenge, scopes }
}

/** A trailing slash aside, and the case of the scheme and the host and a port that says nothing, as MCP asks of servers. */
export function isOurs(resource: string, baseUrl: string): boolean {
  const [, start = '', path = ''] = /^([a-z]+:\/\/[^/?#@\s\\]+)(\/.*)$/i.exec(resource) ?? []
  const origin = URL.parse(start)?.origin
  return origin !== undefined && origin + path.replace(/\/$/, '') === resourceOf(baseUrl)
}

// What a client does not name it is not given; one that names nothing gets what it registered for, or all.
function scopesOf(asked: string | null, { metadata }: Client): Scope[] {
  const named = (asked ?? metadata.scope ?? SCOPES.join(' ')).split(' ')
  return SCOPES.filter(scope => named.includes(scope))
}

/** Sends the person back with an answer: a code, or an error. `iss` says who answers (RFC 9207). */
export function answerTo(
  { redirectUri, state }: { redirectUri: string; state: string | undefined },
  answer: Record<string, string>,
  issuer: string,
): string {
  const fields = { ...answer, ...(state !== undefined && { state }), iss: issuer }
  const query = new URLSearchParams(fields).toString()
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`
}
