// How clients find out, given nothing but the agent server's address: which authorization server it has (RFC 9728), and what that one can do (RFC 8414).

export const SCOPES = ['read', 'write'] as const
export type Scope = (typeof SCOPES)[number]

export const AUTH_METHODS = ['none', 'client_secret_basic', 'client_secret_post'] as const
export type AuthMethod = (typeof AUTH_METHODS)[number]

export const GRANT_TYPES = ['authorization_code', 'refresh_token'] as const

/** What tokens are for. */
export const resourceOf = (baseUrl: string): string => `${baseUrl}/api/mcp`

/** @param baseUrl the issuer: without a trailing slash */
export const serverMetadata = (baseUrl: string): object => ({
  issuer: baseUrl,
  authorization_endpoint: `${baseUrl}/oauth/authorize`,
  token_endpoint: `${baseUrl}/api/oauth/token`,
  registration_endpoint: `${baseUrl}/api/oauth/register`,
  revocation_endpoint: `${baseUrl}/api/oauth/revoke`,
  response_types_supported: ['code'],
  // Left out, it would mean that answers come in the fragment too.
  response_modes_supported: ['query'],
  grant_types_supported: GRANT_TYPES,
  token_endpoint_auth_methods_supported: AUTH_METHODS,
  // Left out, it would mean that only clients with a secret may revoke.
  revocation_endpoint_auth_methods_supported: AUTH_METHODS,
  code_challenge_methods_supported: ['S256'],
  scopes_supported: SCOPES,
  authorization_response_iss_parameter_supported: true,
  // A service on loopback may have no way out to read such a document; clients then register.
  ...(baseUrl.startsWith('https:') && { client_id_metadata_document_supported: true }),
})

export const resourceMetadata = (baseUrl: string): object => ({
  resource: resourceOf(baseUrl),
  authorization_servers: [baseUrl],
  scopes_supported: SCOPES,
  bearer_methods_supported: ['header'],
})
