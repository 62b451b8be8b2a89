// One slice of applying an import: chunk after chunk, each in one transaction with the note that it is done, so that a worker killed at any
// moment neither loses a row nor writes one twice. While PostgreSQL writes a chunk, the next one is read and checked.
import type { Ref } from '../ids.ts'
import { IMPORTS_AT_ONCE } from '../limits/imports.ts'
import { TIME_SLICE_MS, WORKER_DEATHS_MAX } from '../limits/queue.ts'
import { isUnavailable } from '../postgres/errors.ts'
import { begin, type Sql } from '../postgres/sql.ts'
import { atMost } from '../queue/at-most.ts'
import { type Slice, type SliceContext, takeSlice } from '../queue/slice.ts'
import { type Trial, UNTRIED } from '../queue/trial.ts'
import { type Prepared, prepare } from './check-rows.ts'
import * as chunks from './chunk-store.ts'
import { IMPORTABLE } from './importable.ts'
import { complete, leases, release, take } from './lease-store.ts'
import * as store from './store.ts'
import { type LeasedImport, write } from './write-rows.ts'

/** What applying needs of the process. */
export interface ApplyContext extends SliceContext {
  sql: Sql
}

/** Builds the function that applies imports in one process. */
export const createApply = (context: ApplyContext): ((ref: Ref, trial: Trial) => Promise<void>) =>
  atMost(
    IMPORTS_AT_ONCE,
    (ref, afterSeconds) => leases.enqueue(context.sql, ref, afterSeconds),
    async (_slot, ref, trial: Trial) => void (await applySlice(context, ref, TIME_SLICE_MS, trial)),
  )

/** Ends an import that killed its workers, and names the rows they died at. */
export async function giveUp(sql: Sql, ref: Ref): Promise<void> {
  const { first, last } = await chunks.nextLines(sql, ref)
  const place = first === null ? 'its end' : first === last ? `line ${first} of the file` : `lines ${first} to ${last} of the file`
  const what = first === last ? 'it' : 'one of them'
  await store.end(sql, ref, 'failed', {
    code: 'worker_ended',
    message: `Its worker ended ${WORKER_DEATHS_MAX} times at ${place}. The rows before are done. Leave out or correct ${what}, and send the rest again.`,
  })
}

interface ImportSlice extends ApplyContext, LeasedImport {
  trial: Trial
  slice: Slice
}

/** How a slice ended: all rows applied; import cancelled or taken over; or rows left to apply. */
type End = 'done' | 'over' | 'more'

/** Applies rows for one time slice. @returns whether nothing is left to do */
export async function applySlice(
  { sql, standing, stopping }: ApplyContext,
  ref: Ref,
  sliceMs = TIME_SLICE_MS,
  trial: Trial = UNTRIED,
): Promise<boolean> {
  const row = { sql, leases, ref, trial, ms: sliceMs }
  const taken = await takeSlice({ standing, stopping }, row, token => take(sql, ref, token))
  if (!taken) return false
  const { lease, token, slice } = taken
  const at: ImportSlice = { sql, standing, stopping, trial, ref, ...taken, what: IMPORTABLE[lease.resource] }
  try {
    if (!lease.compared) await compare(at)
    const end = await applyChunks(at)
    if (end === 'done') await complete(sql, ref, token)
    if (end === 'more') await release(sql, ref, token)
    return end !== 'more'
  } catch (error) {
    await waitOrFail(at, error)
    throw error
  } finally {
    slice.letGo()
  }
}

// Runs before the first row is written, for a row that repeats an earlier one is refused with the line of that one.
const compare = ({ sql, ref, what }: ImportSlice): Promise<void> => begin(sql, tx => chunks.compare(tx, ref, what.unique.length))

// Writes one chunk at a time. Two at once made the import a third faster, and every other answer a third slower.
async function applyChunks(at: ImportSlice): Promise<End> {
  const { trial, slice } = at
  let ready = nextPrepared(at, 0)
  for (let written = 0; ; written++) {
    const current = await ready
    // A worker that died may have been preparing the chunk after the one that it wrote.
    if (!current || written === 2) await trial.progressed()
    if (!current) return 'done'
    if (!slice.goesOn()) return 'more'
    const prepareNext = () => nextPrepared(at, current.number)
    if (!trial.suspect) ready = prepareNext()
    // Until it is awaited, a rejection must not count as unhandled.
    ready.catch(() => {})
    if (!(await write(at, current))) return 'over'
    if (trial.suspect) ready = prepareNext()
  }
}

async function nextPrepared({ sql, ref, what }: ImportSlice, after: number): Promise<Prepared | undefined> {
  const chunk = await chunks.next(sql, ref, after)
  return chunk && prepare(what, chunk)
}

/** Waits for a database that is away or full. Any other error is a bug, which a later try would meet again. */
async function waitOrFail({ sql, slice, ref, token }: ImportSlice, error: unknown): Promise<void> {
  const note = (): Promise<unknown> =>
    isUnavailable(error)
      ? release(sql, ref, token, RETRY_SECONDS, unavailable(error))
      : store.end(sql, ref, 'failed', { code: 'internal_error', message: 'Something went wrong on our side; what was applied stays.' })
  // If the note cannot be written, the lease lapses and the sweep queues the import again.
  await slice.giveBack(note).catch(() => {})
}

const RETRY_SECONDS = 5

function unavailable(error: unknown): store.Failure {
  const full = String((error as { code?: unknown }).code) === '53100'
  return full
    ? { code: 'disk_full', message: 'The database has no room left; the import goes on by itself when it has.' }
    : { code: 'database_unavailable', message: 'The database could not be reached; the import goes on by itself when it can.' }
}
