// One request to an endpoint: what it says, how it is signed, and what the log keeps of it. The engine and recoveries send alike.
import { now } from '../../clock.ts'
import { idSuffix } from '../../ids.ts'
import { DELIVERY_BODY_EXTRA_MS, ERROR_TEXT_CHARS, RESPONSE_LOG_BYTES } from '../../limits.ts'
import type { Answer, Outcome, Timings } from '../../outbound/outcome.ts'
import type { OutboundClient } from '../../outbound/post.ts'
import { signWebhook } from '../../outbound/sign.ts'
import { maskedHeaders, withoutEchoes } from '../endpoints/redact.ts'
import type { Target } from './target.ts'

/** The number of the attempt after so many: from there on all have the highest that its column holds, for wider it would be a log written anew. */
export const numberAfter = (attempts: number): number => Math.min(attempts + 1, ATTEMPT_NUMBER_MAX)

const ATTEMPT_NUMBER_MAX = 32_767

export interface Message {
  event_id: string
  type: string
  /** The envelope: the exact bytes to send. */
  body: string | Buffer
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

/** What webhook_attempts keeps of the exchange, without the credentials in it. Its request headers are told from the rest: see ../log/store.ts. */
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

/** Who sends: a live slice, or a recovery. */
export interface Sender {
  client: OutboundClient
  timeoutMs: number
  /** The recovery's id. */
  recovery?: string
  /** Whether it still is the one to send, asked when a request has waited for its place. */
  mayBegin(): boolean
  /** Of an endpoint that may have one sender at a time: what ends a request under way before there is another. */
  lost?(): AbortSignal
}

/** Never rejects: what came of it is a value. @param number which attempt of its delivery this is, from 1 */
export async function attempt(sender: Sender, target: Target, message: Message, number: number): Promise<Attempted> {
  const { client, timeoutMs, recovery, mayBegin, lost } = sender
  const [startedAt, begun] = [now(), performance.now()]
  const seconds = Math.floor(startedAt / 1000)
  // Once: what is signed and sent are the same bytes.
  const body = typeof message.body === 'string' ? Buffer.from(message.body) : message.body
  const signature = signWebhook(target.secrets, seconds, body)
  const outcome = await client.post({
    url: target.url,
    tenant: target.tenant,
    headers: {
      ...target.headers,
      ...EVERY_REQUEST,
      'X-Service-Event': message.type,
      'X-Service-Delivery-Id': `${nameOf(target, message, recovery)}:${number}:${seconds}`,
      'X-Service-Signature': signature,
      ...(message.test && { 'X-Service-Test': 'true' }),
    },
    body,
    timeoutMs,
    mayBegin,
    bodyExtraMs: DELIVERY_BODY_EXTRA_MS,
    keepResponseBytes: RESPONSE_LOG_BYTES,
    ...(lost && { signal: lost() }),
  })
  const succeeded = outcome.error === undefined && outcome.status >= 200 && outcome.status < 300
  // By how long it took: what is known of the clock may have changed meanwhile.
  const endedAt = startedAt + Math.round(performance.now() - begun)
  return { startedAt, endedAt, outcome, succeeded, log: logged(target, signature, outcome, succeeded) }
}

// Names the message, not only the endpoint: two events in one second must not share an id (design §5). Nor must two who send one event at once, and
// number their attempts alike: so a recovery names itself too.
const nameOf = ({ endpoint }: Target, { event_id }: Message, recovery: string | undefined): string =>
  [endpoint, idSuffix(event_id), ...(recovery === undefined ? [] : [idSuffix(recovery)])].join('.')

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
