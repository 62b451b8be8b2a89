// One turn of applying an import: chunk after chunk, each in one transaction with the note that it is done, so that a worker killed at any
// moment neither loses a row nor writes one twice. While PostgreSQL writes a chunk, the next is read and checked.
import { setTimeout as delay } from 'node:timers/promises'
import { IMPORTS_AT_ONCE, LEASE_SECONDS, TIME_SLICE_MS, WORKER_DEATHS_MAX } from '../limits.ts'
import { isUnavailable } from '../postgres/errors.ts'
import { begin, type Sql } from '../postgres/sql.ts'
import type { Standing } from '../queue/standing.ts'
import { type Trial, UNTRIED } from '../queue/trial.ts'
import * as chunks from './chunk-store.ts'
import { IMPORTABLE } from './importable.ts'
import { type Prepared, prepare } from './prepare.ts'
import * as store from './store.ts'
import * as turns from './turn-store.ts'
import { type Leased, write } from './write.ts'

export interface Applying {
  sql: Sql
  /** By whose tokens leases are held. */
  standing: Standing
  /** The process is stopping: the chunk under way is finished, and none is begun. */
  stopping: AbortSignal
}

/** Builds what applies imports in one process. */
export function createApply(applying: Applying): (ref: store.ImportRef, trial: Trial) => Promise<void> {
  let underWay = 0
  return async (ref, trial) => {
    if (underWay >= IMPORTS_AT_ONCE) return turns.postpone(applying.sql, ref)
    underWay++
    try {
      await takeTurn(applying, ref, TIME_SLICE_MS, trial)
    } finally {
      underWay--
    }
  }
}

/** Ends an import of which its workers died, and names the rows they died at. */
export async function giveUp(sql: Sql, ref: store.ImportRef): Promise<void> {
  const { first, last } = await chunks.nextLines(sql, ref)
  const place = first === null ? 'its end' : first === last ? `line ${first} of the file` : `lines ${first} to ${last} of the file`
  const what = first === last ? 'it' : 'one of them'
  await store.end(sql, ref, 'failed', {
    code: 'worker_ended',
    message: `Its worker ended ${WORKER_DEATHS_MAX} times at ${place}. The rows before are done. Leave out or mend ${what}, and send the rest again.`,
  })
}

interface Turn extends Applying, Leased {
  trial: Trial
  until: number
}

/** What came of a turn: done, cancelled or taken over, or more to do. */
type End = 'done' | 'over' | 'more'

/** Applies what a time slice holds. @returns whether there is no more to do */
export async function takeTurn(
  { sql, standing, stopping }: Applying,
  ref: store.ImportRef,
  sliceMs = TIME_SLICE_MS,
  trial: Trial = UNTRIED,
): Promise<boolean> {
  const token = standing.token()
  const lease = await turns.take(sql, ref, token)
  if (!lease) return false
  const turn: Turn = { sql, standing, stopping, trial, ref, token, lease, what: IMPORTABLE[lease.resource], until: Date.now() + sliceMs }
  const keeping = setInterval(() => void keep(turn).catch(() => {}), (LEASE_SECONDS * 1000) / 3)
  try {
    if (!lease.compared) await compare(turn)
    const end = await applyChunks(turn)
    if (end === 'done') await turns.complete(sql, ref, token)
    if (end === 'more') await turns.release(sql, ref, token)
    return end !== 'more'
  } catch (error) {
    await waitOrFail(turn, error)
    throw error
  } finally {
    clearInterval(keeping)
  }
}

// What others have taken for theirs is not to be taken back.
const keep = async ({ sql, standing, ref, token }: Turn): Promise<void> =>
  standing.isLost(token) ? undefined : turns.renew(sql, ref, token)

// Before the first row is written, for a row that repeats an earlier one is refused by the earlier one's line.
const compare = ({ sql, ref, what }: Turn): Promise<void> => begin(sql, tx => chunks.compare(tx, ref, what.unique.length))

// One chunk at a time: two at once took the import a third further, and everybody else's answers a third longer.
async function applyChunks(turn: Turn): Promise<End> {
  const { trial } = turn
  let ready = nextPrepared(turn, 0)
  for (let written = 0; ; written++) {
    const current = await ready
    // A worker that died may have been preparing the chunk after the one that it wrote.
    if (!current || written === 2) await trial.progressed()
    if (!current) return 'done'
    if (turn.stopping.aborted || !turn.standing.holds(turn.token) || trial.mustGiveWay() || Date.now() > turn.until) return 'more'
    const prepareNext = () => nextPrepared(turn, current.number)
    if (!trial.suspect) ready = prepareNext()
    // Until it is awaited its failure must not count as unheard.
    ready.catch(() => {})
    if (!(await write(turn, current))) return 'over'
    if (trial.suspect) ready = prepareNext()
  }
}

async function nextPrepared({ sql, ref, what }: Turn, after: number): Promise<Prepared | undefined> {
  const chunk = await chunks.next(sql, ref, after)
  return chunk && prepare(what, chunk)
}

/** A database that is away or full is waited for; the rest is a bug, which a later try does not mend. */
async function waitOrFail({ sql, ref, token }: Turn, error: unknown): Promise<void> {
  const note = () =>
    isUnavailable(error)
      ? turns.release(sql, ref, token, RETRY_SECONDS, unavailable(error))
      : store.end(sql, ref, 'failed', { code: 'internal_error', message: 'Something went wrong on our side; what was applied stays.' })
  const late = new AbortController()
  // Where not even that can be said, the lease lapses and the sweep brings it back.
  await Promise.race([untilNoted(note, late.signal), delay(NOTE_MS)])
  late.abort()
}

// What cut off one connection may have cut off the next one that is tried.
async function untilNoted(note: () => Promise<unknown>, late: AbortSignal): Promise<void> {
  while (!late.aborted) {
    try {
      await note()
      return
    } catch {
      await delay(NOTE_AGAIN_MS)
    }
  }
}

const NOTE_MS = 1_000
const NOTE_AGAIN_MS = 50
const RETRY_SECONDS = 5

function unavailable(error: unknown): store.Failure {
  const full = String((error as { code?: unknown }).code) === '53100'
  return full
    ? { code: 'disk_full', message: 'The database has no room left; the import goes on by itself when it has.' }
    : { code: 'database_unavailable', message: 'The database could not be reached; the import goes on by itself when it can.' }
}
