// One message of a slice: sent, judged and recorded. A refusal is recorded, never thrown.
import { now } from '../../clock.ts'
import type { Message } from '../../conversations/schema.ts'
import { TAKEN_OVER } from '../../conversations/sent.ts'
import { CHANNEL_ANSWER_BYTES, CHANNEL_BODY_EXTRA_MS, CHANNEL_UPLOAD_MS } from '../../limits/channels.ts'
import { ERROR_TEXT_CHARS } from '../../limits/outbound.ts'
import { WORKER_DEATHS_MAX } from '../../limits/queue.ts'
import type { Outcome } from '../../outbound/outcome.ts'
import type { Place } from '../../outbound/place.ts'
import { afterSending } from '../../rate.ts'
import { nextAttempt } from '../../retry.ts'
import type { PlatformRequest } from '../platforms/sender.ts'
import type { Claimed } from './claim-store.ts'
import { EXPIRED, givenUp, isExpired, UNCONFIRMED } from './expire.ts'
import { judged } from './failing.ts'
import { fileIsThere } from './lease-store.ts'
import { outgoing } from './outgoing.ts'
import type { Attempt, Fate, Result } from './record.ts'
import { endOf, type Slice, type Target } from './slice.ts'
import { type Verdict, verdictOf, verdictOfUpload } from './verdict.ts'

/**
 * @param place at the platform's origin, which is free again once the platform has answered
 * @returns what the platform said; undefined: it was not asked
 */
export async function send(slice: Slice, claimed: Claimed, place?: Place): Promise<Verdict | undefined> {
  const written = JSON.parse(claimed.doc) as Message
  const ended = unsent(slice, claimed, written)
  if (ended) {
    place?.leave()
    return void (await record(slice, claimed, ended))
  }
  const startedAt = now()
  const { verdict: said, outcome, sentAt } = await attempt(slice, claimed, written, place).finally(() => place?.leave())
  const verdict = withoutSecrets(slice.target as Target, said)
  const endedAt = now()
  // The channel's health is known before the result is: what waits for a failing channel uses up no attempt.
  await judged(slice, claimed, verdict)
  const fate = fateOf(slice, claimed, verdict, startedAt, endedAt)
  const made = written.attempts + Number(fate.attempts > claimed.attempts)
  await record(
    slice,
    claimed,
    { ...fate, made, ...(sentAt !== undefined && { sentAt }) },
    {
      started_at: new Date(startedAt).toISOString(),
      duration_ms: Math.max(0, endedAt - startedAt),
      status: outcome && outcome.error === undefined ? outcome.status : null,
      outcome: verdict.kind,
      code: verdict.kind === 'failed' ? verdict.code : null,
      error: verdict.kind === 'taken' ? null : verdict.why,
    },
  )
  return verdict
}

/** What becomes of a message that is not sent now, because of what happened since it was queued. */
function unsent({ target }: Slice, claimed: Claimed, written: Message): Fate | undefined {
  const { left_at, uploading, deaths, taken_over, queued_at, attempts } = claimed
  // A receipt told that it has arrived while the platform's refusal was on its way. What is known of it is more than this.
  if (written.status !== 'queued' && queued_at.toISOString() === written.created_at) return { status: 'unknown', attempts }
  const isHarmless = uploading || target?.sender.repeatable
  if (left_at && (!isHarmless || deaths >= WORKER_DEATHS_MAX)) return { status: 'unknown', error: UNCONFIRMED, attempts: attempts + 1 }
  if (taken_over) return givenUp(TAKEN_OVER, claimed)
  return isExpired(queued_at) ? givenUp(EXPIRED, claimed) : undefined
}

interface Attempted {
  verdict: Verdict
  outcome: Outcome | undefined
  /** When the message itself went out: a customer who reads it at once does so before the answer is here. */
  sentAt?: number
}

async function attempt(slice: Slice, claimed: Claimed, written: Message, place: Place | undefined): Promise<Attempted> {
  const { context, target } = slice
  const { sender, account, pace } = target as Target
  slice.pacedUntil = afterSending(slice.pacedUntil, now(), pace.channel)
  if (claimed.heavy && pace.heavy) slice.heavyUntil = afterSending(slice.heavyUntil, now(), pace.heavy)
  const message = await outgoing(slice, claimed, written)
  if (!message) return { verdict: GONE, outcome: undefined }
  let { uploaded } = claimed
  if (message.file && sender.upload && uploaded === null) {
    const outcome = await post(slice, sender.upload(message.file, account), place, true)
    const verdict = verdictOfUpload(sender, outcome, now())
    if (verdict.kind !== 'uploaded') return { verdict, outcome }
    uploaded = verdict.id
    // Another lease has the message by now, and sends it.
    if (!(await fileIsThere(context.sql, slice.channel, slice.token, claimed.message_id, uploaded))) return { verdict: LOST, outcome }
  }
  const sentAt = now()
  const outcome = await post(slice, sender.message(message, account, uploaded, sentAt), place, sender.repeatable)
  const verdict = verdictOf(sender, outcome, now())
  if (verdict.kind === 'taken') slice.sentAt = now()
  return { verdict, outcome, sentAt }
}

const GONE: Verdict = { kind: 'failed', code: 'rejected', why: 'Its file is not there any more.' }
const LOST: Verdict = { kind: 'ours', afterMs: 0, why: 'Another worker sends the message.' }

/** @param isRepeatable making the request twice does no harm */
async function post(slice: Slice, request: PlatformRequest, place: Place | undefined, isRepeatable: boolean): Promise<Outcome> {
  const { context, channel, held, watch } = slice
  watch.awaiting(++slice.requests)
  try {
    return await context.client.post({
      ...request,
      tenant: channel.tenant,
      timeoutMs: context.timeoutMs,
      bodyExtraMs: CHANNEL_BODY_EXTRA_MS,
      totalMs: CHANNEL_UPLOAD_MS,
      keepResponseBytes: CHANNEL_ANSWER_BYTES,
      mayBegin: held.lasts,
      ...(place && { place }),
      ...(!isRepeatable && { repeatable: false }),
    })
  } finally {
    watch.awaiting(--slice.requests)
  }
}

/** What becomes of a message that was tried. */
function fateOf(
  { context, lease }: Slice,
  { attempts, first_attempt_at, in_doubt }: Claimed,
  verdict: Verdict,
  startedAt: number,
  endedAt: number,
): Fate {
  const made = attempts + 1
  if (verdict.kind === 'taken') return { status: 'sent', external_id: verdict.external_id, attempts: made }
  if (verdict.kind === 'unknown') return { status: 'unknown', error: { code: 'unconfirmed', message: verdict.why }, attempts: made }
  if (verdict.kind === 'failed') {
    const { code, why: message, isBlock } = verdict
    return { ...givenUp({ code, message }, { in_doubt, attempts: made }), ...(isBlock && { isBlock }) }
  }
  const mayBeTaken = verdict.kind === 'again' && verdict.mayBeTaken === true
  const waiting = { status: 'queued', inDoubt: in_doubt || mayBeTaken } as const
  if (verdict.kind === 'held') return { ...waiting, attempts, nextAt: endedAt + verdict.forMs, heldUntil: endedAt + verdict.forMs }
  if (verdict.kind === 'ours') return { ...waiting, attempts, nextAt: endedAt + verdict.afterMs }
  if (verdict.kind === 'credentials' || lease.status === 'failing') return { ...waiting, attempts, nextAt: endedAt }
  const first = attempts === 0 ? startedAt : (first_attempt_at?.getTime() ?? startedAt)
  const nextAt = nextAttempt(made, first, endedAt, context.scheduleSeconds, Math.random())
  if (nextAt !== undefined) return { ...waiting, attempts: made, nextAt }
  if (mayBeTaken) return { status: 'unknown', error: { code: 'unconfirmed', message: verdict.why }, attempts: made }
  return givenUp({ ...EXPIRED, message: verdict.why }, { in_doubt, attempts: made })
}

async function record(slice: Slice, claimed: Claimed, fate: Fate, attempt?: Attempt): Promise<void> {
  const { context, channel, token } = slice
  const { conversation_id, message_id, queued_at: queuedAt, more } = claimed
  const result: Result = { channel, token, conversation_id, message_id, queuedAt, fate, ...(attempt && { attempt }) }
  const ends = !more && fate.status !== 'queued' && slice.isLast()
  if (!ends) return context.record(result)
  // Nothing begins from here on.
  slice.over = true
  await context.record({ ...result, end: endOf(slice) })
  slice.ended = true
}

/** A platform may repeat what was sent to it, also as it stands in an address: none of that is kept, told or mailed. */
function withoutSecrets({ account }: Target, verdict: Verdict): Verdict {
  if (verdict.kind === 'taken') return verdict
  const secrets = [...Object.values(account.credentials), account.previous_secret ?? ''].filter(each => each.length > 0)
  const spelled = secrets.flatMap(each => [each, encodeURIComponent(each)])
  const why = spelled.reduce((rest, secret) => rest.replaceAll(secret, '…'), verdict.why)
  return { ...verdict, why: why.slice(0, ERROR_TEXT_CHARS) }
}
