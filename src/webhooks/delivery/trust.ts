// How far an endpoint is trusted to answer soon. Pure: no I/O, no clock.
import type { Lease } from './take-store.ts'

export type TrackRecord = Pick<Lease, 'failures' | 'last_success_at'>

/** `failing`: it failed last. `unknown`: it has no recent success. */
export type Trust = 'failing' | 'trusted' | 'unknown'

/** A success is recent for this long. */
const RECENT_MS = 60 * 60_000

export function trustOf({ failures, last_success_at }: TrackRecord, now: number): Trust {
  if (failures > 0) return 'failing'
  return last_success_at !== null && last_success_at.getTime() > now - RECENT_MS ? 'trusted' : 'unknown'
}
