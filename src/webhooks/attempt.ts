// One request to an endpoint: what it says, how it is signed, and what the log keeps of it. The engine and recoveries send alike.
import { idSuffix } from '../ids.ts'
import { DELIVERY_BODY_EXTRA_MS, ERROR_TEXT_CHARS, RESPONSE_LOG_BYTES } from '../limits.ts'
import type { Answer, Outcome, Timings } from '../outbound/outcome.ts'
import type { OutboundClient } from '../outbound/post.ts'
import { signWebhook } from '../outbound/sign.ts'
import { remembered } from '../remembered.ts'
import { decrypt, type Keyring } from '../secrets.ts'
import { headersBinding } from './headers.ts'
import { echoesOf, maskedHeaders, maskedUrl, withoutEchoes } from './redact.ts'
import { secretBinding } from './webhooks.ts'

/** What an endpoint's row says of where and how to send. Secrets and headers are encrypted. */
export interface TargetRow {
  url: string
  secret: string
  /** While a rotation lasts. */
  previous_secret: string | null
  headers: string | null
}

export interface Target {
  tenant: string
  endpoint: string
  url: string
  /** In the order of their signatures: the new one first. */
  secrets: string[]
  /** The tenant's own. */
  headers: Record<string, string>
  /** Null where there are none. */
  headerNames: string[] | null
  /** What the log has in place of the URL. */
  shownUrl: string
  /** What the log leaves out of answers. */
  echoes: string[]
}

/** Decrypts what sending needs; once for all attempts of a turn. */
export function targetOf(keyring: Keyring, { tenant, endpoint }: { tenant: string; endpoint: string }, row: TargetRow): Target {
  const secrets = [row.secret, row.previous_secret].filter(secret => secret !== null)
  const headers =
    row.headers === null ? {} : (JSON.parse(decrypt(keyring, row.headers, headersBinding(tenant, endpoint))) as Record<string, string>)
  return {
    tenant,
    endpoint,
    url: row.url,
    secrets: secrets.map(secret => known(keyring, secret, secretBinding(tenant, endpoint))),
    headers,
    headerNames: row.headers === null ? null : Object.keys(headers),
    shownUrl: maskedUrl(row.url),
    echoes: echoesOf(headers),
  }
}

// Secrets of endpoints that were sent to lately. To decrypt one costs as much as to sign and send with it, and whoever reads this memory finds
// the key of all of them here too.
const SECRETS_KNOWN_BYTES = 16 * 1024 * 1024
const secretsOf = new WeakMap<Keyring, (name: string) => string>()

function known(keyring: Keyring, sealed: string, bound: string): string {
  const secretOf =
    secretsOf.get(keyring) ??
    remembered(
      SECRETS_KNOWN_BYTES,
      name => opened(keyring, name),
      secret => secret.length,
    )
  secretsOf.set(keyring, secretOf)
  return secretOf(`${bound} ${sealed}`)
}

// What is sealed holds no blank.
function opened(keyring: Keyring, name: string): string {
  const at = name.lastIndexOf(' ')
  return decrypt(keyring, name.slice(at + 1), name.slice(0, at))
}

export interface Message {
  event_id: string
  type: string
  /** The envelope: the exact bytes to send. */
  body: string
  /** Asked for by the tenant to try the receiver; nothing happened. */
  test?: boolean
}

export interface Attempted {
  /** Milliseconds since 1970. */
  startedAt: number
  endedAt: number
  outcome: Outcome
  succeeded: boolean
  log: AttemptLog
}

/** What webhook_attempts keeps of the exchange, without the credentials in it. Its request headers are told from the rest: see log-store.ts. */
export interface AttemptLog {
  url: string
  /** Null: there was no answer. */
  status: number | null
  /** Null for a success. */
  error: string | null
  timings: Timings
  /** The value of X-Service-Signature. */
  signature: string
  /** Of the tenant's own headers; their values carry credentials. */
  headerNames: string[] | null
  /** JSON. Null without an answer, or where it had none. */
  responseHeaders: string | null
  responseBody: string | null
  /** Why the body is not whole. Null for one that is, and without an answer. */
  truncated: Exclude<Answer['truncated'], false> | null
}

/** Never rejects: what came of it is a value. @param number which attempt of its delivery this is, from 1 */
export async function attempt(
  client: OutboundClient,
  target: Target,
  message: Message,
  number: number,
  timeoutMs: number,
): Promise<Attempted> {
  const startedAt = Date.now()
  const seconds = Math.floor(startedAt / 1000)
  // Once: what is signed and sent are the same bytes.
  const body = Buffer.from(message.body)
  const signature = signWebhook(target.secrets, seconds, body)
  const outcome = await client.post({
    url: target.url,
    tenant: target.tenant,
    headers: {
      ...target.headers,
      ...EVERY_REQUEST,
      'X-Service-Event': message.type,
      // Names the message, not only the endpoint: two events in one second must not share an id (design §5).
      'X-Service-Delivery-Id': `${target.endpoint}.${idSuffix(message.event_id)}:${number}:${seconds}`,
      'X-Service-Signature': signature,
      ...(message.test && { 'X-Service-Test': 'true' }),
    },
    body,
    timeoutMs,
    bodyExtraMs: DELIVERY_BODY_EXTRA_MS,
    keepResponseBytes: RESPONSE_LOG_BYTES,
  })
  const succeeded = outcome.error === undefined && outcome.status >= 200 && outcome.status < 300
  return { startedAt, endedAt: Date.now(), outcome, succeeded, log: logged(target, signature, outcome, succeeded) }
}

export const EVERY_REQUEST = { 'Content-Type': 'application/json', 'User-Agent': 'Service-Webhooks/1.0' }

function logged({ shownUrl: url, headerNames, echoes }: Target, signature: string, outcome: Outcome, succeeded: boolean): AttemptLog {
  const { timings } = outcome
  if (outcome.error !== undefined) {
    const error = storable(`${outcome.error}: ${outcome.message}`.slice(0, ERROR_TEXT_CHARS))
    return { url, status: null, error, timings, signature, headerNames, responseHeaders: null, responseBody: null, truncated: null }
  }
  return {
    url,
    status: outcome.status,
    error: succeeded ? null : `the receiver answered ${outcome.status}`,
    timings,
    signature,
    headerNames,
    // Node's HTTP parser lets neither NUL nor what is not Latin-1 into headers.
    responseHeaders: Object.keys(outcome.headers).length > 0 ? JSON.stringify(maskedHeaders(outcome.headers, echoes)) : null,
    responseBody: outcome.body === '' ? null : storable(withoutEchoes(outcome.body, echoes)),
    truncated: outcome.truncated || null,
  }
}

// PostgreSQL refuses NUL and halves of surrogate pairs; a receiver may send the one, and cutting a text may leave the other.
const storable = (text: string): string => text.replaceAll('\0', '\u{FFFD}').toWellFormed()
