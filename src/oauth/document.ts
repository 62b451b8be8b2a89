// Clients that are known by a document at an address of their own (draft-ietf-oauth-client-id-metadata-document): the address is the client's id. It is
// read for people who are signed in alone, so that strangers cannot have this service ask around.

import { takeWindow } from '../access/windows.ts'
import { now } from '../clock.ts'
import { parseJson } from '../ingress/json.ts'
import {
  DOCUMENT_BYTES,
  DOCUMENT_FRESH_SECONDS,
  DOCUMENT_SERVES_DAYS,
  DOCUMENT_TIMEOUT_MS,
  DOCUMENTS_OF_PERSON,
  OAUTH_VALUES_MAX,
} from '../limits/oauth.ts'
import type { OutboundClient } from '../outbound/client.ts'
import type { Outcome } from '../outbound/outcome.ts'
import { begin, type Sql } from '../postgres/sql.ts'
import { keepDocument } from './client-store.ts'
import { CLIENT_ID_CHARS, type Client, findClient } from './clients.ts'
import { OAuthRefusal } from './refusal.ts'
import { type ClientMetadata, readMetadata } from './registration.ts'

export interface DocumentContext {
  sql: Sql
  outbound: () => OutboundClient
  /** OUTBOUND_ALLOW_PRIVATE: admits http on this computer, for those who write clients. */
  allowPrivate: boolean
  appSchemes: readonly string[]
}

/** Whether an id is the address of a document: https with a path, written as it is asked for. */
export function isDocument(id: string, allowPrivate: boolean): boolean {
  const url = URL.parse(id)
  if (!url || id.length > CLIENT_ID_CHARS || url.href !== id || id.includes('#') || url.username !== '' || url.password !== '') return false
  if (url.pathname === '/' || /%2e/i.test(url.pathname)) return false
  const isHere = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname)
  return url.protocol === 'https:' || (allowPrivate && url.protocol === 'http:' && isHere)
}

/** The client as it was read before, if that is still fresh. */
export async function knownDocument(sql: Sql, id: string): Promise<Client | undefined> {
  const client = await findClient(sql, id)
  return client?.freshUntil && client.freshUntil.getTime() > now() ? client : undefined
}

/**
 * The client of a document, which is read where it is not known or not fresh. Where it cannot be read, what was read in the last days serves.
 * @param person for whom, in which workspace: so many a minute
 * @throws {OAuthRefusal} that says what is wrong with the document
 */
export async function readDocument(context: DocumentContext, id: string, person: { tenant: string; user: string }): Promise<Client> {
  const known = await findClient(context.sql, id)
  if (known?.freshUntil && known.freshUntil.getTime() > now()) return known
  const { retryAfter } = await begin(context.sql, tx =>
    takeWindow(tx, { kind: 'oauth.documents', subject: person.user, ...DOCUMENTS_OF_PERSON }),
  )
  if (retryAfter !== undefined)
    throw new OAuthRefusal('temporarily_unavailable', `Too many programs were looked up; try again in ${retryAfter} s.`, 429)
  const outcome = await context.outbound().get({
    url: id,
    tenant: person.tenant,
    headers: { Accept: 'application/json', 'User-Agent': 'Shopdesk/1.0' },
    timeoutMs: DOCUMENT_TIMEOUT_MS,
    bodyExtraMs: 0,
    keepResponseBytes: DOCUMENT_BYTES,
  })
  const found = judged(outcome, id, context.appSchemes)
  if (found instanceof OAuthRefusal) {
    if (known?.servesUntil && known.servesUntil.getTime() > now()) return known
    throw found
  }
  await keepDocument(context.sql, id, found.metadata, found.freshSeconds, DOCUMENT_SERVES_DAYS)
  return (await findClient(context.sql, id)) as Client
}

function judged(
  outcome: Outcome,
  id: string,
  appSchemes: readonly string[],
): { metadata: ClientMetadata; freshSeconds: number } | OAuthRefusal {
  const refused = (why: string) => new OAuthRefusal('invalid_client', why)
  if (outcome.error !== undefined) return refused(`Its description could not be read: ${outcome.message}`)
  if (outcome.status !== 200) return refused(`Its description could not be read: the answer was ${outcome.status}.`)
  if (outcome.truncated)
    return refused(
      outcome.truncated === 'size' ? `Its description is longer than ${DOCUMENT_BYTES} bytes.` : 'Its description did not arrive whole.',
    )
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(String(outcome.headers['content-type'] ?? '')))
    return refused('Its description is not JSON.')
  try {
    const said = parseJson(outcome.body, OAUTH_VALUES_MAX)
    if (typeof said !== 'object' || said === null || Array.isArray(said)) return refused('Its description is not a JSON object.')
    const { client_id, client_secret } = said as Record<string, unknown>
    if (client_id !== id) return refused('Its description is that of another client.')
    if (client_secret !== undefined) return refused('Its description holds a secret.')
    const metadata = readMetadata(asPublic(said as Record<string, unknown>), { method: 'none', appSchemes })
    if (metadata.token_endpoint_auth_method !== 'none') return refused('Its description asks for a secret, which it cannot have.')
    return { metadata, freshSeconds: freshFor(String(outcome.headers['cache-control'] ?? '')) }
  } catch (error) {
    // A Problem of what is no JSON, or a refusal of what it says.
    return refused(`Its description is not right: ${(error as Error).message}`)
  }
}

// One document serves every server that a client meets: beside the way to authenticate that it likes best it may list all that it can do, as that of
// ChatGPT does, and picks one that the server's metadata names. Here that is none.
function asPublic(said: Record<string, unknown>): Record<string, unknown> {
  const { token_endpoint_auth_methods_supported: able } = said
  return Array.isArray(able) && able.includes('none') ? { ...said, token_endpoint_auth_method: 'none' } : said
}

function freshFor(cacheControl: string): number {
  const [, said] = /(?:^|[\s,])max-age=(\d{1,9})/i.exec(cacheControl) ?? []
  const { least, most, unsaid } = DOCUMENT_FRESH_SECONDS
  return said === undefined ? unsaid : Math.min(Math.max(Number(said), least), most)
}
