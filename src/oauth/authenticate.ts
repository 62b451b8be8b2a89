// Which client asks for a token (RFC 6749 §2.3): by its id alone, or with its secret, in the header or in the body.
import type { Queryable } from '../postgres/sql.ts'
import { type Client, findClient, hasSecret } from './clients.ts'
import type { Fields } from './fields.ts'
import { OAuthRefusal } from './refusal.ts'

/** @throws {OAuthRefusal} invalid_client, on which clients register anew; invalid_request */
export async function authenticate(sql: Queryable, authorization: string | undefined, fields: Fields): Promise<Client> {
  const isBasic = authorization !== undefined && /^Basic( |$)/i.test(authorization)
  const basic = isBasic ? basicOf(authorization) : undefined
  if (isBasic && !basic) throw invalidClient('The Authorization header is not Basic with the client_id and its secret in Base64.', true)
  const inBody = fields.get('client_secret')
  if (basic && inBody !== undefined) throw new OAuthRefusal('invalid_request', 'The secret is in the header and in the body; send it once.')
  if (basic && fields.get('client_id') !== undefined && fields.get('client_id') !== basic.id)
    throw new OAuthRefusal('invalid_request', 'client_id is not the client of the Authorization header.')
  const id = basic?.id ?? fields.get('client_id')
  if (id === undefined) throw invalidClient('client_id is missing.', isBasic)
  const client = await findClient(sql, id)
  if (!client) throw invalidClient('This client is not registered here; register it.', isBasic)
  const secret = basic?.secret ?? inBody ?? ''
  if (client.secretHash === null ? secret !== '' : !hasSecret(client, secret))
    throw invalidClient(
      client.secretHash === null ? 'This client has no secret; send none.' : 'The client secret is wrong or missing.',
      isBasic,
    )
  return client
}

// Id and secret are form-encoded before they are joined.
function basicOf(authorization: string): { id: string; secret: string } | undefined {
  const [, packed] = /^Basic +([A-Za-z0-9+/_-]+={0,2}) *$/i.exec(authorization) ?? []
  if (packed === undefined) return undefined
  const [, id = '', secret = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(packed, 'base64').toString('utf8')) ?? []
  return { id: decoded(id), secret: decoded(secret) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

const invalidClient = (why: string, byBasic: boolean): OAuthRefusal =>
  new OAuthRefusal('invalid_client', why, 401, byBasic ? { 'WWW-Authenticate': 'Basic realm="shopdesk"' } : {})
