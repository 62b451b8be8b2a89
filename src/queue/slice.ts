// One slice of leased work: the time for which the holder goes on before it gives the lease back, so that other work runs.
import type { Ref } from '../ids.ts'
import { TIME_SLICE_MS } from '../limits/queue.ts'
import type { Queryable } from '../postgres/sql.ts'
import { giveBackAfter, giveBackSurely, giveBackTaken, orGiveBack } from './give-back.ts'
import { holdLease } from './held-lease.ts'
import type { Leased } from './leased.ts'
import type { Standing } from './standing.ts'
import type { Trial } from './trial.ts'

export interface SliceContext {
  /** Gives the tokens that hold the leases. */
  standing: Standing
  /** The process is stopping: requests and statements under way are finished, and none begins. */
  stopping: AbortSignal
}

export interface Slice {
  /** The lease lasts: a request or a statement may begin, and ends before the lease does. */
  lasts(): boolean
  /** More may begin: the lease lasts, the time is not over, the process is not stopping, and no suspect waits. */
  goesOn(): boolean
  /** Stops renewing the lease. */
  letGo(): void
  /**
   * Gives the lease back, also where the database comes back only in a while. It is not renewed any more: where it cannot be given back it runs out.
   * @throws what giveBackSurely throws
   */
  giveBack<T>(giveBack: () => Promise<T>): Promise<T>
  /** Gives the lease back after an error of the database, without renewing it any more; after any other error the lease is left to run out. @returns whether it is given back */
  giveBackAfter(error: unknown, giveBack: () => Promise<unknown>): Promise<boolean>
}

/** A row whose lease is to be taken. */
export interface SliceRow {
  sql: Queryable
  leases: Leased
  ref: Ref
  trial: Trial
  /** How long the slice is. */
  ms?: number
  /** Called when a renewal finds that the work is over, or that the lease is lost. */
  onOver?: () => void
}

/** A row whose lease was just taken. */
export interface LeasedRow extends SliceRow {
  token: string
  /** When the lease was requested, by performance.now(). */
  askedAt: number
}

export interface TakenSlice<Lease> {
  /** What taking the lease brought. */
  lease: Lease
  token: string
  slice: Slice
}

/**
 * Takes the lease of a row and begins its slice.
 * @param take resolves with false or undefined where another worker holds the lease, or the work is over
 * @param giveBack gives back what may have been taken where the answer was lost
 * @throws the error of taking it
 */
export async function takeSlice<Lease>(
  context: SliceContext,
  row: SliceRow,
  take: (token: string) => Promise<Lease | false | undefined>,
  giveBack: (token: string) => Promise<unknown> = token => row.leases.release(row.sql, row.ref, token),
): Promise<TakenSlice<Lease> | undefined> {
  const [token, askedAt] = [context.standing.token(), performance.now()]
  const pass = () => row.leases.pass(row.sql, row.ref)
  const lease = await orGiveBack(
    () => take(token),
    error => giveBackSurely(context.stopping, () => giveBackTaken(error, pass, () => giveBack(token))),
  )
  if (lease === false || lease === undefined) return undefined
  return { lease, token, slice: beginSlice(context, { ...row, token, askedAt }) }
}

/** Renews the lease from now on, until it is let go or given back. */
export function beginSlice({ standing, stopping }: SliceContext, row: LeasedRow): Slice {
  const { sql, leases, ref, token, askedAt, trial, ms = TIME_SLICE_MS, onOver } = row
  const held = holdLease(standing, token, askedAt, async () => {
    const state = await leases.renew(sql, ref, token)
    if (state !== 'open') onOver?.()
    return state !== undefined
  })
  const until = performance.now() + ms
  return {
    lasts: held.lasts,
    goesOn: () => held.lasts() && !stopping.aborted && !trial.mustGiveWay() && performance.now() < until,
    letGo: held.letGo,
    giveBack(giveBack) {
      held.letGo()
      return giveBackSurely(stopping, giveBack)
    },
    giveBackAfter(error, giveBack) {
      held.letGo()
      return giveBackAfter(error, stopping, giveBack)
    },
  }
}
