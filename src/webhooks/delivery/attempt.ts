// One request to an endpoint: what it says, how it is signed, and what the log keeps of it. The engine and recoveries send alike.
import { now } from '../../clock.ts'
import { idSuffix } from '../../ids.ts'
import { mendedText } from '../../json.ts'
import { ERROR_TEXT_CHARS, RESPONSE_LOG_BYTES } from '../../limits/outbound.ts'
import { DELIVERY_BODY_EXTRA_MS } from '../../limits/webhooks.ts'
import type { OutboundClient } from '../../outbound/client.ts'
import type { Answer, Outcome, Timings } from '../../outbound/outcome.ts'
import { signWebhook } from '../../outbound/sign.ts'
import { maskedHeaders, withoutEchoes } from '../endpoints/redact.ts'
import type { Target } from './target.ts'

/** The number of the next attempt, after `attempts`. It stops at the highest that its column holds: a wider column would mean to rewrite the log. */
export const numberAfter = (attempts: number): number => Math.min(attempts + 1, ATTEMPT_NUMBER_MAX)

const ATTEMPT_NUMBER_MAX = 32_767

export interface Message {
  event_id: string
  type: string
  /** The envelope: the exact bytes to send. */
  body: string | Buffer
  /** The tenant asked for it to try the receiver; nothing happened. */
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

/** What webhook_attempts keeps of the exchange, without the credentials in it. The log derives the request headers from it: see ../log/store.ts. */
export interface AttemptLog {
  url: string
  /** Null: there was no answer. */
  status: number | null
  /** Null for a success. */
  error: string | null
  timings: Timings
  /** The value of X-Service-Signature. */
  signature: string
  /** Names of the tenant's own headers; their values carry credentials. */
  headerNames: string[] | null
  /** JSON. Null without an answer, and for an answer without headers. */
  responseHeaders: string | null
  responseBody: string | null
  /** Why the body is not whole. Null for a whole body, and without an answer. */
  truncated: Exclude<Answer['truncated'], false> | null
}

/** A live slice, or a recovery. */
export interface Sender {
  client: OutboundClient
  timeoutMs: number
  /** The recovery's id. */
  recovery?: string
  /** Whether the request may still begin, asked when it has waited for its place. */
  mayBegin(): boolean
  /** For an endpoint that may have one sender at a time: aborted when the lease is lost, so that a request under way ends before there is another sender. */
  lost?(): AbortSignal
}

/** Never rejects: a failure is a value. @param number which attempt of its delivery this is, from 1 */
export async function attempt(sender: Sender, target: Target, message: Message, number: number): Promise<Attempted> {
  const { client, timeoutMs, recovery, mayBegin, lost } = sender
  const [startedAt, begun] = [now(), performance.now()]
  const seconds = Math.floor(startedAt / 1000)
  // Encoded once: the bytes that are signed are the bytes that are sent.
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
  // From the duration, for the clock may have been set meanwhile.
  const endedAt = startedAt + Math.round(performance.now() - begun)
  return { startedAt, endedAt, outcome, succeeded, log: logged(target, signature, outcome, succeeded) }
}

// The id names the event besides the endpoint, or two events in one second would share an id. A recovery adds its own id: it may send an event at the
// same time as a live slice, under the same number of attempt.
const nameOf = ({ endpoint }: Target, { event_id }: Message, recovery: string | undefined): string =>
  [endpoint, idSuffix(event_id), ...(recovery === undefined ? [] : [idSuffix(recovery)])].join('.')

export const EVERY_REQUEST = { 'Content-Type': 'application/json', 'User-Agent': 'Service-Webhooks/1.0' }

function logged({ shownUrl: url, headerNames, echoes }: Target, signature: string, outcome: Outcome, succeeded: boolean): AttemptLog {
  const { timings } = outcome
  if (outcome.error !== undefined) {
    const error = mendedText(`${outcome.error}: ${outcome.message}`.slice(0, ERROR_TEXT_CHARS))
    return { url, status: null, error, timings, signature, headerNames, responseHeaders: null, responseBody: null, truncated: null }
  }
  return {
    url,
    status: outcome.status,
    error: succeeded ? null : `the receiver answered ${outcome.status}`,
    timings,
    signature,
    headerNames,
    // No need for `mendedText`: Node's HTTP parser accepts neither NUL nor anything but Latin-1 in headers.
    responseHeaders: Object.keys(outcome.headers).length > 0 ? JSON.stringify(maskedHeaders(outcome.headers, echoes)) : null,
    responseBody: outcome.body === '' ? null : mendedText(withoutEchoes(outcome.body, echoes)),
    truncated: outcome.truncated || null,
  }
}
