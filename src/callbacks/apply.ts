// A set of callbacks is applied at once; if that fails, one by one, so that the one at fault is found and the others are applied.
import type { Logger } from 'pino'
import { now } from '../clock.ts'
import type { Ref } from '../ids.ts'
import { readAgain } from '../ingress/platform-json.ts'
import { CALLBACK_LATER_SECONDS, CALLBACK_RETRY_SECONDS } from '../limits/callbacks.ts'
import { ERROR_TEXT_CHARS } from '../limits/outbound.ts'
import { isUnavailable } from '../postgres/errors.ts'
import { savepoint, type Tx } from '../postgres/sql.ts'
import { Problem } from '../problems.ts'
import type { Kind, Outcome, Waiting } from './kind.ts'
import type { Line } from './line.ts'
import type { Claimed, Note } from './store.ts'

export interface Applying {
  kind: Kind
  ref: Ref
  /** What the kind wants to know of the source. */
  known: unknown
  line: Line
  log: Logger
}

/** Applies what was claimed, but for what has to wait: all in one go. @returns what is to be noted of each */
export async function applyTogether(tx: Tx, at: Applying, claimed: Claimed[]): Promise<Note[]> {
  const entries = claimed.map(each => entryOf(at.kind, each))
  const held = entries.map(entry => at.line.heldUntil(entry.waiting.id, entry.threads))
  const outcomes = await applySet(
    tx,
    at,
    entries.filter((_, index) => !held[index]),
  )
  let next = 0
  return entries.map((entry, index) => {
    const until = held[index]
    return until ? passedOver(entry, until) : noteOf(at, entry, outcomes[next++] as Outcome)
  })
}

/** The same one by one, so that a failure undoes one alone. */
export async function applyOneByOne(tx: Tx, at: Applying, claimed: Claimed[]): Promise<Note[]> {
  const notes: Note[] = []
  for (const each of claimed) {
    const entry = entryOf(at.kind, each)
    const until = at.line.heldUntil(entry.waiting.id, entry.threads)
    notes.push(until ? passedOver(entry, until) : await alone(tx, at, entry))
  }
  return notes
}

interface Entry {
  waiting: Waiting
  threads: string[]
  attempts: number
}

function entryOf(kind: Kind, { id, body, attempts, received_at }: Claimed): Entry {
  const value = readAgain(body)
  return { waiting: { id, value, receivedAt: received_at }, threads: kind.threads(value), attempts }
}

async function applySet(tx: Tx, { kind, ref, known }: Applying, entries: Entry[]): Promise<Outcome[]> {
  if (entries.length === 0) return []
  const caller = { tenant: ref.tenant, actor: { type: 'system' as const } }
  const outcomes = await kind.apply(
    tx,
    caller,
    ref,
    entries.map(({ waiting }) => waiting),
    known,
  )
  if (outcomes.length !== entries.length) throw new Error(`${kind.name}: ${outcomes.length} outcomes of ${entries.length} callbacks`)
  return outcomes
}

async function alone(tx: Tx, at: Applying, entry: Entry): Promise<Note> {
  try {
    const [outcome] = await savepoint(tx, inner => applySet(inner, at, [entry]))
    return noteOf(at, entry, outcome as Outcome)
  } catch (error) {
    if (isLost(error)) throw error
    at.log.error({ err: error, source: at.ref.id, callback: entry.waiting.id }, 'a callback could not be applied')
    return failed(at, entry, error)
  }
}

/** Whether the transaction itself is over, with its connection: the callbacks are not at fault. A lock or a time limit may be the fault of one. */
export const isLost = (error: unknown): boolean => isUnavailable(error) && !ONES_OWN.test(String((error as { code?: unknown }).code))
const ONES_OWN = /^(40001|40P01|55P03|57014)$/

const passedOver = ({ waiting: { id }, attempts }: Entry, until: Date): Note => ({
  id,
  status: 'waiting',
  reason: null,
  attempts,
  threads: null,
  dueAt: until,
})

function noteOf({ line }: Applying, { waiting: { id }, attempts }: Entry, outcome: Outcome): Note {
  line.letGo(id)
  const note = { id, attempts: attempts + 1, threads: null, dueAt: null }
  if (outcome.status === 'applied') return { ...note, status: 'applied', reason: null }
  if (outcome.status !== 'later') return { ...note, ...outcome }
  const { until, reason } = outcome
  if (until.getTime() <= now()) return { ...note, status: 'ignored', reason }
  const dueAt = Math.min(until.getTime(), now() + 1_000 * at(CALLBACK_LATER_SECONDS, attempts))
  return { ...note, status: 'waiting', reason, dueAt: new Date(dueAt) }
}

const at = (seconds: readonly number[], attempts: number): number => seconds[Math.min(attempts, seconds.length - 1)] as number

function failed({ line }: Applying, { waiting: { id }, threads, attempts }: Entry, error: unknown): Note {
  const reason = (error instanceof Problem ? error.message : `internal error: ${(error as Error).message}`).slice(0, ERROR_TEXT_CHARS)
  const seconds = CALLBACK_RETRY_SECONDS[attempts]
  if (seconds === undefined) {
    line.letGo(id)
    return { id, status: 'failed', reason, attempts: attempts + 1, threads: null, dueAt: null }
  }
  const dueAt = new Date(now() + 1_000 * seconds)
  line.hold({ id, threads, due_at: dueAt })
  return { id, status: 'waiting', reason, attempts: attempts + 1, threads, dueAt }
}
