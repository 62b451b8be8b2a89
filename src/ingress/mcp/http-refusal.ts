// What HTTP refuses: a JSON-RPC error without an id; for a credential, what clients of OAuth look for.
import type { FastifyRequest } from 'fastify'
import { errorAnswer, REFUSED } from './messages.ts'

export class Refusal extends Error {
  readonly status: number
  readonly body: string
  readonly headers: Record<string, string>

  constructor(status: number, body: string, headers: Record<string, string> = {}) {
    super(body)
    this.status = status
    this.body = body
    this.headers = headers
  }
}

export const refusal = (status: number, message: string, code: number = REFUSED, headers: Record<string, string> = {}): Refusal =>
  new Refusal(status, errorAnswer(null, code, message), headers)

/** RFC 6750, and RFC 9728 by which a client finds where to get a token. */
export function unauthorized(baseUrl: string, { headers: { authorization }, url }: FastifyRequest): Refusal {
  const inAddress = /[?&](access_token|token|key|api_key)=/i.test(url)
  const wasSent = authorization !== undefined || inAddress
  const said = authorization === undefined ? (inAddress ? IN_ADDRESS : MISSING) : faultOf(authorization)
  const challenge = [
    `resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/api/mcp"`,
    'scope="read write"',
    ...(wasSent ? ['error="invalid_token"'] : []),
  ]
  const body = { error: wasSent ? 'invalid_token' : 'unauthorized', error_description: said }
  return new Refusal(401, JSON.stringify(body), { 'WWW-Authenticate': `Bearer ${challenge.join(', ')}` })
}

// People paste a key as it is, or the one that they have.
function faultOf(authorization: string): string {
  if (!/^Bearer +[^ ]/i.test(authorization)) return MISSING
  return /^Bearer +sk_/i.test(authorization) ? OF_REST : WRONG
}

const MISSING = 'Send an agent key (mcp_…) or an access token as: Authorization: Bearer <token>'
const WRONG = 'This is no agent key or access token, or it was revoked or has expired.'
const OF_REST = 'This is a REST key, which opens the API alone. An admin makes agent keys (mcp_…) in the dashboard, under Integrations.'
const IN_ADDRESS = 'A token in the address is not taken. Send it as: Authorization: Bearer <token>'
