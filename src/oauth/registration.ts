// What a client says of itself, as it registers (RFC 7591) or in a document of its own: judged, and reduced to what holds here. Members, scopes and
// grant types that are not known here are dropped, for real clients send them.
import { CLIENT_NAME_CHARS, REDIRECT_URI_CHARS, REDIRECT_URIS_MAX } from '../limits/oauth.ts'
import { AUTH_METHODS, type AuthMethod, GRANT_TYPES, SCOPES } from './metadata.ts'
import { redirectFault } from './redirect.ts'
import { OAuthRefusal } from './refusal.ts'

/** As it is answered with, and kept. */
export interface ClientMetadata {
  redirect_uris: string[]
  token_endpoint_auth_method: AuthMethod
  grant_types: string[]
  response_types: ['code']
  scope?: string
  client_name?: string
  client_uri?: string
  logo_uri?: string
  tos_uri?: string
  policy_uri?: string
  software_id?: string
  software_version?: string
}

export interface Rules {
  /** Where none is named. */
  method: AuthMethod
  /** OAUTH_APP_SCHEMES. */
  appSchemes: readonly string[]
}

/** @throws {OAuthRefusal} invalid_redirect_uri, invalid_client_metadata */
export function readMetadata(from: Record<string, unknown>, { method, appSchemes }: Rules): ClientMetadata {
  // Null, and what is empty, is not given: some clients send all the members that they know.
  const said = Object.fromEntries(Object.entries(from).filter(([, value]) => value !== null && !isEmpty(value)))
  const { token_endpoint_auth_method: asked = method } = said
  if (!isAuthMethod(asked)) throw wrong('token_endpoint_auth_method', `is not one of ${AUTH_METHODS.join(', ')}`)
  return {
    redirect_uris: redirectsOf(said['redirect_uris'], asked === 'none', appSchemes),
    token_endpoint_auth_method: asked,
    grant_types: grantTypesOf(said['grant_types']),
    response_types: responseTypesOf(said['response_types']),
    ...scopeOf(said['scope']),
    ...textsOf(said),
  }
}

const isEmpty = (value: unknown): boolean => value === '' || (Array.isArray(value) && value.length === 0)

function redirectsOf(said: unknown, isPublic: boolean, appSchemes: readonly string[]): string[] {
  if (!Array.isArray(said) || said.length === 0 || said.length > REDIRECT_URIS_MAX)
    throw new OAuthRefusal('invalid_redirect_uri', `redirect_uris must be a list of 1 to ${REDIRECT_URIS_MAX} addresses.`)
  said.forEach((uri, index) => {
    const fault = redirectFault(uri, isPublic, appSchemes)
    if (fault) throw new OAuthRefusal('invalid_redirect_uri', `redirect_uris[${index}] ${fault}.`)
  })
  return [...new Set(said as string[])]
}

function grantTypesOf(said: unknown = GRANT_TYPES): string[] {
  const known = GRANT_TYPES.filter(type => listOf('grant_types', said).includes(type))
  if (!known.includes('authorization_code'))
    throw wrong('grant_types', 'does not name authorization_code, the one by which access begins here')
  return known
}

function responseTypesOf(said: unknown = ['code']): ['code'] {
  if (!listOf('response_types', said).includes('code')) throw wrong('response_types', 'does not name code, the one there is')
  return ['code']
}

function scopeOf(said: unknown): { scope?: string } {
  if (said === undefined) return {}
  if (typeof said !== 'string') throw wrong('scope', 'is not a string')
  const known = SCOPES.filter(scope => said.split(' ').includes(scope))
  return known.length > 0 ? { scope: known.join(' ') } : {}
}

const NAMES = ['client_name', 'software_id', 'software_version'] as const
const ADDRESSES = ['client_uri', 'logo_uri', 'tos_uri', 'policy_uri'] as const

function textsOf(said: Record<string, unknown>): Partial<ClientMetadata> {
  const given = [...NAMES, ...ADDRESSES].filter(name => said[name] !== undefined)
  for (const name of given) {
    const value = said[name]
    const isAddress = (ADDRESSES as readonly string[]).includes(name)
    const most = isAddress ? REDIRECT_URI_CHARS : CLIENT_NAME_CHARS
    if (typeof value !== 'string' || value.length > most) throw wrong(name, `is not a string of at most ${most} characters`)
    if (!value.isWellFormed() || value.includes('\0')) throw wrong(name, 'holds characters that are no text')
    if (isAddress && !/^https?:$/.test(URL.parse(value)?.protocol ?? '')) throw wrong(name, 'is not an http or https address')
  }
  return Object.fromEntries(given.map(name => [name, said[name]]))
}

function listOf(name: string, said: unknown): unknown[] {
  if (!Array.isArray(said)) throw wrong(name, 'is not a list')
  return said
}

const isAuthMethod = (value: unknown): value is AuthMethod => (AUTH_METHODS as readonly unknown[]).includes(value)

const wrong = (name: string, why: string): OAuthRefusal => new OAuthRefusal('invalid_client_metadata', `${name} ${why}.`)
