// One turn of applying an import: chunk after chunk, each in one transaction with the note that it is done, so that a worker killed at any
// moment neither loses a row nor writes one twice. While PostgreSQL writes a chunk, the next is read and checked.
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { check, unstorable } from '../ingress/validate.ts'
import { IMPORTS_AT_ONCE, LEASE_SECONDS, TIME_SLICE_MS } from '../limits.ts'
import { begin, isUnavailable, type Sql, savepoint, type Tx } from '../postgres/sql.ts'
import { type FieldError, Problem } from '../problems.ts'
import * as chunks from './chunk-store.ts'
import * as errors from './error-store.ts'
import { IMPORTABLE, type Importable, type Outcome } from './resources.ts'
import type { Refused } from './row.ts'
import * as store from './store.ts'

export interface Applying {
  sql: Sql
  /** The process is stopping: the chunk under way is finished, and none is begun. */
  stopping: AbortSignal
}

/** Builds what applies imports in one process. */
export function createApply(applying: Applying): (ref: store.ImportRef) => Promise<void> {
  let turns = 0
  return async ref => {
    if (turns >= IMPORTS_AT_ONCE) return store.postpone(applying.sql, ref)
    turns++
    try {
      await takeTurn(applying, ref)
    } finally {
      turns--
    }
  }
}

interface Turn extends Applying {
  ref: store.ImportRef
  token: string
  lease: store.Lease
  what: Importable
  until: number
}

/** What came of a turn: done, cancelled or taken over, or more to do. */
type End = 'done' | 'over' | 'more'

/** Applies what a time slice holds. @returns whether there is no more to do */
export async function takeTurn({ sql, stopping }: Applying, ref: store.ImportRef, sliceMs = TIME_SLICE_MS): Promise<boolean> {
  const token = randomUUID()
  const lease = await store.take(sql, ref, token)
  if (!lease) return false
  const turn: Turn = { sql, stopping, ref, token, lease, what: IMPORTABLE[lease.resource], until: Date.now() + sliceMs }
  const keeping = setInterval(() => void store.renew(sql, ref, token).catch(() => {}), (LEASE_SECONDS * 1000) / 3)
  try {
    if (!lease.compared) await compare(turn)
    const end = await applyChunks(turn)
    if (end === 'done') await store.complete(sql, ref, token)
    if (end === 'more') await store.release(sql, ref, token)
    return end !== 'more'
  } catch (error) {
    await waitOrFail(turn, error)
    throw error
  } finally {
    clearInterval(keeping)
  }
}

// Before the first row is written, for a row that repeats an earlier one is refused by the earlier one's line.
const compare = ({ sql, ref, what }: Turn): Promise<void> => begin(sql, tx => chunks.compare(tx, ref, what.unique.length))

async function applyChunks(turn: Turn): Promise<End> {
  const { sql, ref, what } = turn
  const writing = new Set<Promise<void>>()
  let over = false
  let ready = prepare(turn, await chunks.next(sql, ref, 0))
  try {
    for (;;) {
      const current = await ready
      if (over) return 'over'
      if (current && (turn.stopping.aborted || Date.now() > turn.until)) return 'more'
      while (writing.size >= (current ? what.writers : 1)) await Promise.race(writing)
      if (!current) return over ? 'over' : 'done'
      const written = write(turn, current).then(ours => {
        over ||= !ours
        writing.delete(written)
      })
      writing.add(written)
      // Prepared while this one is written. Whoever awaits either hears of its failure; until then it must not count as unheard.
      ready = chunks.next(sql, ref, current.number).then(chunk => prepare(turn, chunk))
      for (const each of [written, ready]) each.catch(() => {})
    }
  } finally {
    await Promise.allSettled(writing)
  }
}

interface Prepared {
  number: number
  /** Rows up to here were applied by an earlier turn. */
  applied: number
  rows: (Ready | Refused)[]
}
interface Ready {
  line: number
  value: unknown
}

async function prepare({ what }: Turn, chunk: chunks.Chunk | undefined): Promise<Prepared | undefined> {
  if (!chunk) return undefined
  const { number, applied, lines, repeats, body } = chunk
  const texts = (await decompress(body)).toString().split('\n')
  const rows = lines.map((line, index) => {
    const repeat = repeats?.[index]
    if (repeat) return { line, errors: [repeated(what, ...repeat)] }
    const value: unknown = JSON.parse(texts[index] as string)
    const errors = wrongWith(value, what)
    return errors.length > 0 ? { line, errors: errors.slice(0, ERRORS_OF_ROW) } : { line, value }
  })
  return { number, applied, rows }
}

// As REST would find it.
function wrongWith(value: unknown, { shape }: Importable): FieldError[] {
  const errors = unstorable(value)
  return errors.length > 0 ? errors : check(shape.schema, value)
}

const decompress = promisify(zstdDecompress)
/** Ten mistakes of one row are enough to mend it. */
const ERRORS_OF_ROW = 10

const repeated = ({ unique }: Importable, kind: number, first: number): FieldError => ({
  field: unique[kind] as string,
  code: 'repeated_in_file',
  message: `is the same as on line ${first}; of rows that share it only the first is taken.`,
})

/** @returns false when the import is over, or somebody else's */
async function write(turn: Turn, { number, applied, rows }: Prepared): Promise<boolean> {
  // All at once. Should the database refuse that for a reason nobody foresaw, then in ever smaller parts, so that it costs one row alone.
  let size = rows.length
  for (let from = applied; from < rows.length; ) {
    const some = rows.slice(from, from + size)
    const last = from + some.length >= rows.length
    const note = (tx: Tx) => (last ? chunks.remove(tx, turn.ref, number) : chunks.markApplied(tx, turn.ref, number, from + some.length))
    const done = await writeSome(turn, some, note)
    if (done === 'refused') {
      size = Math.max(1, Math.floor(some.length / 8))
      continue
    }
    if (done === 'over') return false
    from += some.length
  }
  return true
}

async function writeSome(turn: Turn, rows: (Ready | Refused)[], note: (tx: Tx) => Promise<void>): Promise<'done' | 'over' | 'refused'> {
  try {
    await begin(turn.sql, async tx => {
      const { counts, refused } = await applied(turn, tx, rows)
      await note(tx)
      if (refused.length > 0) await errors.record(tx, turn.ref, refused)
      if (!(await store.advance(tx, turn.ref, turn.token, counts))) throw new Over()
    })
    return 'done'
  } catch (error) {
    if (error instanceof Over) return 'over'
    if (isUnavailable(error)) throw error
    if (rows.length > 1) return 'refused'
    const [row] = rows as [Ready]
    return writeSome(turn, [{ line: row.line, errors: error instanceof Problem ? errorsOf(error) : [UNFORESEEN] }], note)
  }
}

const UNFORESEEN: FieldError = {
  field: '',
  code: 'internal_error',
  message: 'could not be written, for a reason of ours; please report it.',
}

/** Rolls back what was written: for an import that is over, and for a dry run. */
class Over extends Error {}

async function applied(turn: Turn, tx: Tx, rows: (Ready | Refused)[]): Promise<{ counts: store.Counts; refused: Refused[] }> {
  const good = rows.filter(row => 'value' in row)
  const refused = rows.filter(row => 'errors' in row)
  const counts = { created: 0, updated: 0, unchanged: 0, failed: refused.length }
  for (const [index, result] of (await outcomesOf(turn, tx, good)).entries()) {
    if (result instanceof Problem) {
      refused.push({ line: (good[index] as Ready).line, errors: errorsOf(result) })
      counts.failed++
    } else counts[result]++
  }
  return { counts, refused }
}

async function outcomesOf({ what, lease }: Turn, tx: Tx, rows: Ready[]): Promise<(Outcome | Problem)[]> {
  if (rows.length === 0) return []
  const caller = { ...lease.caller, ...(!lease.events && { silent: true }) }
  const values = rows.map(row => row.value)
  if (!lease.dry_run) return what.apply(tx, caller, lease.mode, values)
  let outcomes: (Outcome | Problem)[] = []
  const undone = savepoint(tx, async inner => {
    outcomes = await what.apply(inner, { ...caller, silent: true }, lease.mode, values)
    throw new Over()
  })
  await undone.catch(error => {
    if (!(error instanceof Over)) throw error
  })
  return outcomes
}

/** What a refusal says of a row: its field errors, or the one thing that it is. */
function errorsOf({ message, members }: Problem): FieldError[] {
  const { errors, code = 'conflict', field = '' } = members as { errors?: FieldError[]; code?: string; field?: string }
  return errors?.slice(0, ERRORS_OF_ROW) ?? [{ field, code, message }]
}

/** A database that is away or full is waited for; the rest is a bug, which a later try does not mend. */
async function waitOrFail({ sql, ref, token }: Turn, error: unknown): Promise<void> {
  const release = isUnavailable(error)
    ? store.release(sql, ref, token, RETRY_SECONDS, unavailable(error))
    : store.end(sql, ref, 'failed', { code: 'internal_error', message: 'Something went wrong on our side; what was applied stays.' })
  // Where not even that can be said, the lease lapses and the sweep brings it back.
  await Promise.race([release, delay(1_000)]).catch(() => {})
}

const RETRY_SECONDS = 5

function unavailable(error: unknown): store.Failure {
  const full = String((error as { code?: unknown }).code) === '53100'
  return full
    ? { code: 'disk_full', message: 'The database has no room left; the import goes on by itself when it has.' }
    : { code: 'database_unavailable', message: 'The database could not be reached; the import goes on by itself when it can.' }
}
