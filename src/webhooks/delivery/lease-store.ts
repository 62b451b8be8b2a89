// Statements of an endpoint's lease once it is taken: renewed, written under, released.
import type { Ref } from '../../ids.ts'
import { LEASE_SECONDS } from '../../limits/queue.ts'
import { LOCKED, type Locked } from '../../postgres/past-lock.ts'
import { type Fragment, part, type Queryable } from '../../postgres/sql.ts'
import { perMinute } from '../endpoints/rate.ts'

export interface SliceRef extends Ref {
  token: string
}

export interface AskingSlice extends SliceRef {
  /**
   * Whether `queued_at` is the mark of its own job: not if it is later than this, the time when that was queued, in milliseconds since 1970 by the database's
   * clock. Null: it has no job, for a worker was told directly.
   */
  markedBy: number | null
}

export const columns = (slices: SliceRef[]) => ({
  tenants: slices.map(each => each.tenant),
  ids: slices.map(each => each.id),
  tokens: slices.map(each => each.token),
})

/**
 * Renews the lease, whatever the endpoint's status: a request under way keeps the lease, so that no other worker sends when the endpoint is resumed.
 * @returns the status; undefined when the lease is no longer ours: it lapsed, or the endpoint was deleted
 */
export async function renew(sql: Queryable, { tenant, id }: Ref, token: string): Promise<string | undefined> {
  const [row] = await sql<{ status: string }[]>`
    update webhook_endpoints set lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
     where tenant_id = ${tenant} and id = ${id} and lease_token = ${token}
    returning status`
  return row?.status
}

/** What was used up of a rate: of so many a minute, up to `usedUntil`, so that there is more from `freeFrom` on. Both in milliseconds since 1970. */
export interface RateUse {
  perMinute: number
  usedUntil: number
  freeFrom: number
}

/**
 * Stores how much of its rate the endpoint has used up, and keeps it silent until there is more. Where it has another rate by now, how much of that was used is
 * unknown, so as much counts as can have been.
 * @param use undefined: the slice knew of no rate
 */
export async function pace(sql: Queryable, { tenant, id }: Ref, token: string, use: RateUse | undefined): Promise<void> {
  const asKnown = (known: number, otherwise: Fragment): Fragment => part`
    case when max_per_minute = ${use?.perMinute ?? null}::integer then to_timestamp(${known}::float8 / 1000) else ${otherwise} end`
  await sql`
    update webhook_endpoints
       set paced_until = ${asKnown(use?.usedUntil ?? 0, part`${afterOne} + make_interval(secs => ${savedMs / 1000})`)},
           silent_until = greatest(silent_until, ${asKnown(use?.freeFrom ?? 0, afterOne)})
     where tenant_id = ${tenant} and id = ${id} and lease_token = ${token} and max_per_minute is not null`
}

const { everyMs, savedMs } = perMinute(1)
/** When there is more of a rate that is used up altogether. */
const afterOne = part`clock_timestamp() + make_interval(secs => ${everyMs / 1000}::float8 / max_per_minute)`

/** Keeps the endpoint silent for `ms`, by the database's clock, under its lease: it could not be sent to through no fault of its receiver. */
export async function rest(sql: Queryable, { tenant, id }: Ref, token: string, ms: number): Promise<void> {
  await sql`
    update webhook_endpoints
       set silent_until = greatest(silent_until, clock_timestamp() + make_interval(secs => ${ms / 1000}))
     where tenant_id = ${tenant} and id = ${id} and lease_token = ${token}`
}

export interface EndedSlice extends SliceRef {
  /** The queue's id of its job. Null: it has none. */
  job: string | null
  /** The slice had to give way: the sweep wakes the endpoint. */
  rest: boolean
  /** The endpoint's version as the slice knows it, if there is time to go on; else null. */
  version: number | null
}

/**
 * Ends leases together with their jobs. Where work is due, the next job is queued, or the lease is kept.
 * @returns for each whether the lease is kept and the slice goes on. LOCKED: another transaction holds the endpoint's row, and nothing was done
 */
export async function releaseAll(sql: Queryable, slices: EndedSlice[]): Promise<(boolean | Locked)[]> {
  const { tenants, ids, tokens } = columns(slices)
  // The driver knows no arrays of booleans: they travel as integers.
  const rests = slices.map(each => Number(each.rest))
  const rows = await sql<{ place: number; is_locked: boolean }[]>`
    select r.place, r.is_locked
      from webhook_release(${tenants}::text[], ${ids}::text[], ${tokens}::uuid[], ${rests}::integer[]::boolean[],
                           ${slices.map(each => each.job)}::bigint[], ${slices.map(each => each.version)}::integer[]) as r`
  const left = new Map(rows.map(row => [row.place, row.is_locked ? LOCKED : true] as const))
  return slices.map((_, index) => left.get(index + 1) ?? false)
}
