// What an outcome means for a message: whether the platform has taken it, and whether it may be sent again. Pure: no I/O, no clock.
import { readJson } from '../../json.ts'
import type { Answer, NoAnswer, Outcome } from '../../outbound/outcome.ts'
import { retryAfterMs } from '../../outbound/retry-after.ts'
import type { FailureCode, PlatformAnswer, Refusal, Sender } from '../platforms/sender.ts'

export type Verdict =
  | { kind: 'taken'; external_id: string | null }
  /** Not taken, for a fault that is the channel's: its account's, its platform's or that of the way there. Perhaps taken, where the receiver tells repeats. */
  | { kind: 'again'; why: string; mayBeTaken?: true }
  /** Not taken: the platform asks for a rest. */
  | { kind: 'held'; forMs: number; why: string }
  /** Perhaps taken: it must not be sent again. */
  | { kind: 'unknown'; why: string }
  | { kind: 'failed'; code: FailureCode; isBlock?: true; why: string }
  /** The platform refuses the account, whatever it sends. */
  | { kind: 'credentials'; why: string }
  /** Not taken, and nothing is learnt of the platform: the process ends, or the fault is our own. */
  | { kind: 'ours'; afterMs: number; why: string }

/** How long a platform is left alone that asks for it without saying how long: as long as WhatsApp gives a conversation for one message. */
const HOLD_MS = 6_000
/** A rest uses up no attempt, so one of no time would be asked for as fast as answers come, for a day. */
const HOLD_MIN_MS = 1_000
/** A rest that is asked for is no longer than this: a message that has waited for a day is given up. */
const HOLD_MAX_MS = 60 * 60_000

/** @param now milliseconds since 1970 */
export function verdictOf(sender: Sender, outcome: Outcome, now: number): Verdict {
  if (outcome.error !== undefined) return unanswered(sender, outcome)
  const answer: PlatformAnswer = { status: outcome.status, json: jsonOf(outcome) }
  const why = sender.words(answer) ?? `The platform answered ${outcome.status}${whyShort(outcome)}.`
  const refusal = sender.refusal?.(answer)
  if (refusal) return refused(refusal, outcome, why, now)
  const external_id = outcome.status >= 200 && outcome.status < 300 ? sender.taken(answer) : undefined
  if (external_id !== undefined) return { kind: 'taken', external_id }
  const { kind } = byStatus(outcome.status)
  if (kind === 'failed') return { kind, code: 'rejected', why }
  if (kind === 'held') return refused({ kind }, outcome, why, now)
  return kind === 'unknown' ? perhaps(sender, why) : { kind, why }
}

/** What an outcome of a request means that can be repeated without harm: the upload of a file. */
export function verdictOfUpload(sender: Sender, outcome: Outcome, now: number): Verdict | { kind: 'uploaded'; id: string } {
  if (outcome.error === undefined && outcome.status >= 200 && outcome.status < 300) {
    const id = sender.uploaded?.({ status: outcome.status, json: jsonOf(outcome) })
    if (id !== undefined) return { kind: 'uploaded', id }
  }
  const verdict = verdictOf(sender, outcome, now)
  if (verdict.kind === 'taken') return { kind: 'again', why: 'The platform took the file and gave it no id.' }
  return verdict.kind === 'unknown' ? { kind: 'again', why: verdict.why } : verdict
}

/** Aborted and our own faults say nothing of the platform, unless it may have got the message. */
function unanswered(sender: Sender, { error, sent, message, againInMs }: NoAnswer): Verdict {
  if (sent === 'perhaps') return perhaps(sender, message)
  return error === 'aborted' || error === 'own-fault'
    ? { kind: 'ours', afterMs: againInMs ?? 0, why: message }
    : { kind: 'again', why: message }
}

// A receiver that tells repeats gets it again. That it does not answer is its failure.
const perhaps = ({ repeatable }: Sender, why: string): Verdict =>
  repeatable ? { kind: 'again', why, mayBeTaken: true } : { kind: 'unknown', why }

function byStatus(status: number): { kind: 'held' | 'again' | 'failed' | 'unknown' } {
  if (status === 429) return { kind: 'held' }
  if (status === 500 || status === 503) return { kind: 'again' }
  return status >= 300 && status < 500 ? { kind: 'failed' } : { kind: 'unknown' }
}

function refused(refusal: Refusal, answer: Answer, why: string, now: number): Verdict {
  if (refusal.kind !== 'held') return { ...refusal, why }
  const asked = refusal.forMs ?? retryAfterMs(answer, now) ?? HOLD_MS
  return { kind: 'held', forMs: Math.min(Math.max(asked, HOLD_MIN_MS), HOLD_MAX_MS), why }
}

function jsonOf({ body }: Answer): unknown {
  // Most answers of the generic channel: an exception for each costs more than all else here.
  if (body.length === 0) return undefined
  try {
    return readJson(body)
  } catch {
    return undefined
  }
}

const whyShort = ({ status, truncated, body }: Answer): string => {
  if (truncated === 'size') return ' and more than an answer may hold'
  if (truncated !== false) return ` and was cut off (${truncated})`
  return status >= 200 && status < 300 && body.length > 0 ? ' and named no message' : ''
}
