// One request to an app's service: what it says, how it is signed, and what the log keeps of it.
import type { Credential } from '../apps/schema.ts'
import { now } from '../clock.ts'
import { mendedText } from '../json.ts'
import { ERROR_TEXT_CHARS, RESPONSE_LOG_BYTES } from '../limits/outbound.ts'
import { SKILL_ANSWER_BYTES } from '../limits/skills.ts'
import type { OutboundClient } from '../outbound/client.ts'
import type { Outcome } from '../outbound/outcome.ts'
import { signSkill } from '../outbound/sign.ts'
import { type Headers, maskedHeaders, withoutEchoes } from '../webhooks/endpoints/redact.ts'
import { withoutCutEcho } from './masks.ts'

/** What is asked of the app, the same for both attempts. */
export interface Question {
  tenant: string
  url: string
  key: string
  /** The canonical text of the arguments: the bytes that are sent, and signed. */
  body: string
  credential: Credential
}

export interface AttemptLog {
  number: number
  /** Null: there was no whole head of an answer. */
  status: number | null
  error: string | null
  started_at: string
  duration_ms: number
}

/** The last answer, as far as the log keeps it. */
export interface AnswerLog {
  status: number
  headers: Headers
  body: string
  /** As they came. */
  bytes: number
  truncated: boolean
}

export interface Attempted {
  outcome: Outcome
  log: AttemptLog
  headers: Record<string, string>
}

export interface Way {
  client: OutboundClient
  timeoutMs: number
  signal: AbortSignal
  mayBegin: () => boolean
}

/** Never rejects: a failure is a value. @param number 1 or 2 */
export async function attempt(way: Way, question: Question, number: number): Promise<Attempted> {
  const startedAt = now()
  const headers = headersOf(question, startedAt)
  const { url, tenant, body } = question
  const outcome = await way.client.post({
    url,
    tenant,
    body,
    headers,
    timeoutMs: way.timeoutMs,
    // The time is for the whole answer, to its last byte.
    bodyExtraMs: 0,
    keepResponseBytes: SKILL_ANSWER_BYTES,
    mayBegin: way.mayBegin,
    signal: way.signal,
    // The only repeat is ours, and is counted.
    repeatable: false,
  })
  return { outcome, headers, log: logOf(outcome, number, startedAt) }
}

/** @param at milliseconds since 1970 */
export function headersOf({ key, body, credential }: Pick<Question, 'key' | 'body' | 'credential'>, at: number): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    Accept: 'application/json',
    'User-Agent': 'Service-Apps/1.0',
    'Idempotency-Key': key,
    ...(credential.mode === 'bearer' && { Authorization: `Bearer ${credential.secret}` }),
    ...(credential.mode === 'hmac' && signSkill(credential.secret, at, body)),
  }
}

function logOf(outcome: Outcome, number: number, startedAt: number): AttemptLog {
  const said =
    outcome.error === undefined ? { status: outcome.status, error: outcome.truncated || null } : { status: null, error: errorOf(outcome) }
  return { number, ...said, started_at: new Date(startedAt).toISOString(), duration_ms: Math.round(outcome.timings.totalMs) }
}

const errorOf = ({ error, message }: { error: string; message: string }): string => `${error}: ${message}`.slice(0, ERROR_TEXT_CHARS)

/** @param secrets that an app may repeat: none of them is kept */
export function answerLog(outcome: Outcome, secrets: readonly string[]): AnswerLog | null {
  if (outcome.error !== undefined) return null
  const { status, headers, body, truncated } = outcome
  const masked = withoutEchoes(body, secrets)
  const shown = truncated === false ? masked : withoutCutEcho(masked, secrets)
  const kept = Buffer.byteLength(shown) > RESPONSE_LOG_BYTES ? cut(shown) : shown
  return {
    status,
    headers: maskedHeaders(headers, secrets),
    body: mendedText(kept),
    bytes: Buffer.byteLength(body),
    truncated: truncated !== false || kept !== shown,
  }
}

const cut = (text: string): string =>
  Buffer.from(text)
    .toString('utf8', 0, RESPONSE_LOG_BYTES)
    .replace(/\u{FFFD}+$/u, '')
