// A call whose row is ours: a place is taken, the app is asked, and what came of it is written.
import { setTimeout as delay } from 'node:timers/promises'
import { confidedTo } from '../apps/installed.ts'
import { now } from '../clock.ts'
import { SKILL_PLACE_MS } from '../limits/skills.ts'
import { holdLease } from '../queue/held-lease.ts'
import type { Done, Failed, Skill } from './answer.ts'
import { type Asking, type Called, GivenUp, giveUp } from './asking.ts'
import { type AttemptLog, answerLog } from './attempt.ts'
import { probe, type Says } from './breaker-store.ts'
import * as store from './call-store.ts'
import { refusal } from './codes.ts'
import { type Made, make } from './make.ts'
import { echoesOf, masked, withoutCutEcho } from './masks.ts'
import { type Place, restMs } from './places.ts'
import { openInput } from './sealed.ts'
import { end, giveBack } from './writing.ts'

/** How the row is held. */
interface Holding {
  /** Its lease's token. */
  token: string
  /** When the lease was asked for, by performance.now(). */
  askedAt: number
  /** The app has not answered lately. */
  spared: boolean
}

/** A call under way. */
interface Underway extends Asking {
  begun: store.Begun
  token: string
  /** Aborts when the caller gives up, or another process has the call by now. */
  lasting: AbortSignal
}

/** What is known of the requests of a call. */
interface Progress {
  /** The app can have got one; taken for so while one is under way. */
  asked: boolean
  /** Of the answer. */
  bytes: number
  /** When writing what came of it began, by performance.now(). */
  writingSince: number | undefined
}

/** @throws {GivenUp}, or the signal's reason */
export async function perform(asking: Asking, begun: store.Begun, { token, askedAt, spared }: Holding): Promise<Called> {
  const { context, row, signal } = asking
  const { sql, standing, stopping, places } = context
  const { tenant, app, purpose } = row
  // An app may have got the request, so giving it up while no other has taken it over would cost one more.
  const lasting = AbortSignal.any([signal, standing.gone()])
  const waiting = AbortSignal.any([lasting, stopping])
  const underway = { ...asking, begun, token, lasting }
  const progress: Progress = { asked: begun.asked, bytes: 0, writingSince: undefined }
  const held = holdLease(standing, token, askedAt, () => store.renew(sql, tenant, begun.id, token))
  try {
    // An author's trial goes to an app that is spared as well.
    const until = spared && purpose !== 'test' ? await probe(sql, tenant, app, begun.id) : undefined
    if (until !== undefined) return await notNow(underway, 'app_unavailable', until)
    // A run waits without a call under way.
    const place = await places.enter({ tenant, id: app }, purpose === 'run' ? 0 : SKILL_PLACE_MS, waiting)
    if (!place && !waiting.aborted) return await notNow(underway, 'busy', new Date(now() + SKILL_PLACE_MS).toISOString())
    if (!place) return giveUp(signal)
    try {
      return await ask(underway, held.lasts, progress)
    } finally {
      await leave(place, restMs(progress.bytes, Math.random()), purpose, waiting)
    }
  } catch (error) {
    // Not renewed any more: where it cannot be given back it runs out.
    held.letGo()
    // Given up, or an answer of the database was lost: the row would be held by a process that lives and says nothing more of it.
    await giveBack(sql, tenant, begun.id, token, progress.asked, progress.writingSince).catch(() => {})
    throw error
  } finally {
    held.letGo()
  }
}

/** A run goes on when its call's place is free, so its app asks for no other meanwhile; a turn of a conversation goes on at once. */
async function leave(place: Place, ms: number, purpose: string, waiting: AbortSignal): Promise<void> {
  const resting = ms === 0 ? undefined : delay(ms, undefined, { signal: waiting, ref: false }).catch(() => {})
  const left = resting ? resting.then(() => place.leave()) : place.leave()
  if (purpose === 'run') await left
}

async function ask(underway: Underway, mayBegin: () => boolean, progress: Progress): Promise<Called> {
  const { context, row, skill, begun, token, lasting } = underway
  const { sql, client, keyring, timeoutMs, standing } = context
  const { tenant } = row
  const confided = await confidedTo(sql, keyring, underway.callable)
  if (typeof confided === 'string') return tooLate(underway, confided)
  const { credential, secrets } = confided
  const body = begun.sealed === null ? begun.input : openInput(keyring, tenant, begun.id, begun.sealed)
  const again = (attempts: AttemptLog[]): Promise<store.Again> => store.beginAgain(sql, tenant, begun.id, token, attempts)
  // A process whose session is late for a moment begins nothing meanwhile, and loses nothing by it. A client that is stopped never asks whether it may, and gets no request again.
  let isLate = false
  const mayStart = (): boolean => {
    isLate = !mayBegin()
    return !isLate
  }
  const mayNow = async (): Promise<boolean> => {
    if (!isLate) return false
    isLate = false
    await standing.ready()
    return !lasting.aborted && mayBegin()
  }
  const since = performance.now()
  progress.asked = true
  const made = await make(
    { client, timeoutMs, signal: lasting, mayBegin: mayStart, mayNow, again },
    { tenant, url: skill.endpoint, key: begun.key, body, credential },
    skill,
    begun,
  )
  const { judged, outcome, asked } = made
  progress.asked = asked
  if (outcome.error === undefined) progress.bytes = Buffer.byteLength(outcome.body)
  if (!judged) return giveUp(underway.signal)
  progress.writingSince = performance.now()
  if (judged.code !== null && judged.oursForMs !== undefined && row.purpose === 'run')
    return notNow({ ...underway, begun: { ...begun, asked } }, judged.code, new Date(now() + judged.oursForMs).toISOString())
  return record(underway, { ...made, judged }, [...secrets, ...underway.secrets], performance.now() - since)
}

/** The app is not asked now. A run's step may ask again; a turn of a conversation goes on without it, and so does an author. */
async function notNow(underway: Underway, code: Failed['code'], again_at: string): Promise<Called> {
  return { ...(await notAsked(underway, code, '')), again_at }
}

/** While the call waited, its app has become one that is not called. */
const tooLate = (underway: Underway, state: string): Promise<Called> =>
  state === 'needs_config'
    ? notAsked(underway, 'config_required', 'A setting that its app needs has no value any more.')
    : notAsked(underway, 'app_disabled', '')

async function notAsked({ context, row, skill, begun, token }: Underway, code: Failed['code'], why: string): Promise<Called> {
  const { tenant, app, purpose } = row
  const told = { ...refusal(code, skill.name, why), call_id: begun.id }
  if (purpose === 'run') await giveBack(context.sql, tenant, begun.id, token, begun.asked)
  else
    await end(context.sql, {
      ...{ tenant, id: begun.id, app, token, stage: told.stage, code, error: why || null, output: null, truncated: false },
      ...{ attempts: begun.attempts, errors: [], request: null, response: null, durationMs: 0, says: 'nothing' },
    })
  return told
}

async function record(underway: Underway, made: Made & { judged: Done | Failed }, secrets: string[], durationMs: number): Promise<Called> {
  const { context, row, skill, begun, token } = underway
  const { judged, outcome, attempts, headers } = made
  const echoes = echoesOf(secrets)
  const ended = endedOf(skill, judged, secrets)
  const isKept = await end(context.sql, {
    ...ended,
    tenant: row.tenant,
    id: begun.id,
    app: row.app,
    token,
    attempts,
    errors: judged.code === null ? [] : (masked(judged.errors, secrets) as Failed['errors']),
    request: { url: skill.endpoint, headers: shownHeaders(headers) },
    response: answerLog(outcome, echoes),
    durationMs: Math.round(durationMs),
    says: saysOf(made, row.purpose),
  })
  // Another process has the call by now: what it finds counts.
  if (!isKept) throw new GivenUp('The call was taken over by another process.')
  return calledOf(skill, begun.id, ended)
}

export function endedOf({ name }: Skill, judged: Done | Failed, secrets: string[]): store.Ended {
  if (judged.code !== null) {
    const why = masked(judged.why, secrets) as string
    return { stage: refusal(judged.code, name).stage, code: judged.code, error: why, output: null, truncated: false }
  }
  const shown = masked(judged.output, secrets)
  const output = JSON.stringify(judged.truncated && typeof shown === 'string' ? withoutCutEcho(shown, echoesOf(secrets)) : shown)
  return { stage: 'done', code: null, error: null, output, truncated: judged.truncated }
}

/** What the call came to, as its row says. */
export function calledOf({ name }: Skill, id: string, { code, error, output, truncated }: store.Ended): Called {
  if (code !== null) return { ...refusal(code, name, error ?? ''), call_id: id }
  return { output: output === null ? null : JSON.parse(output), truncated: truncated || output === null, call_id: id }
}

function saysOf({ outcome, judged }: Made & { judged: Done | Failed }, purpose: string): Says {
  if (judged.code !== null && judged.oursForMs !== undefined) return 'nothing'
  const isAnswered =
    outcome.error === undefined && outcome.status < 500 && (judged.code === null || refusal(judged.code, '').stage !== 'network')
  if (isAnswered) return 'answers'
  return purpose === 'test' ? 'nothing' : 'fails'
}

export const shownHeaders = ({ Authorization, ...headers }: Record<string, string>): Record<string, string> =>
  Authorization === undefined ? headers : { ...headers, Authorization: '••••' }
