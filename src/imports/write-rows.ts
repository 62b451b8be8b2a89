// Writes rows, in the transaction that also records what became of them.
import type { Ref } from '../ids.ts'
import { analyzeGrown } from '../postgres/analyze.ts'
import { isUnavailable } from '../postgres/errors.ts'
import { begin, type Sql, savepoint, type Tx } from '../postgres/sql.ts'
import { type FieldError, Problem } from '../problems.ts'
import type { Prepared, Ready } from './check-rows.ts'
import * as chunks from './chunk-store.ts'
import * as errors from './error-store.ts'
import { errorsOf, type Refused } from './file/row.ts'
import type { Importable, Outcome } from './importable.ts'
import { advance, type Counts, type Lease } from './lease-store.ts'

/** An import while this worker holds its lease. */
export interface LeasedImport {
  sql: Sql
  ref: Ref
  token: string
  lease: Lease
  what: Importable
}

/** @returns false when the import is over, or leased to another worker */
export async function write(slice: LeasedImport, { number, applied, rows }: Prepared): Promise<boolean> {
  // All rows at once. If PostgreSQL rejects the batch, it is retried in ever smaller parts, until only the bad row fails.
  let size = rows.length
  for (let from = applied; from < rows.length; ) {
    const some = rows.slice(from, from + size)
    const last = from + some.length >= rows.length
    const note = (tx: Tx) => (last ? chunks.remove(tx, slice.ref, number) : chunks.markApplied(tx, slice.ref, number, from + some.length))
    const done = await writeSome(slice, some, note)
    if (done === 'refused') {
      size = Math.max(1, Math.floor(some.length / 8))
      continue
    }
    if (done === 'over') return false
    from += some.length
  }
  if (isPowerOfTwo(number)) await analyzeGrown(slice.sql, slice.what.tables)
  return true
}

// At a power of two the import has doubled what it wrote.
const isPowerOfTwo = (number: number): boolean => (number & (number - 1)) === 0

async function writeSome(
  slice: LeasedImport,
  rows: (Ready | Refused)[],
  note: (tx: Tx) => Promise<void>,
): Promise<'done' | 'over' | 'refused'> {
  try {
    await begin(slice.sql, async tx => {
      const { counts, refused } = await applied(slice, tx, rows)
      await note(tx)
      if (refused.length > 0) await errors.record(tx, slice.ref, refused)
      if (!(await advance(tx, slice.ref, slice.token, counts))) throw new Over()
    })
    return 'done'
  } catch (error) {
    if (error instanceof Over) return 'over'
    if (isUnavailable(error)) throw error
    if (rows.length > 1) return 'refused'
    const [row] = rows as [Ready | Refused]
    if ('errors' in row) throw error
    return writeSome(slice, [{ line: row.line, errors: error instanceof Problem ? errorsOf(error) : [UNFORESEEN] }], note)
  }
}

const UNFORESEEN: FieldError = {
  field: '',
  code: 'internal_error',
  message: 'could not be written, for a reason of ours; please report it.',
}

/** Rolls back what was written: for an import that is over, and for a dry run. */
class Over extends Error {}

async function applied(slice: LeasedImport, tx: Tx, rows: (Ready | Refused)[]): Promise<{ counts: Counts; refused: Refused[] }> {
  const good = rows.filter(row => 'value' in row)
  const refused = rows.filter(row => 'errors' in row)
  const counts = { created: 0, updated: 0, unchanged: 0, failed: refused.length }
  for (const [index, result] of (await outcomesOf(slice, tx, good)).entries()) {
    if (result instanceof Problem) {
      refused.push({ line: (good[index] as Ready).line, errors: errorsOf(result) })
      counts.failed++
    } else counts[result]++
  }
  return { counts, refused }
}

async function outcomesOf({ what, lease }: LeasedImport, tx: Tx, rows: Ready[]): Promise<(Outcome | Problem)[]> {
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
