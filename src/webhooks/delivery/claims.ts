// What a slice claims next: how many deliveries at once, and from where in the endpoint's queue.
import { CLAIM_MAX } from '../../limits/webhooks.ts'
import { type Claimed, FIRST_ASK } from './claim-store.ts'
import { isFailing } from './health.ts'
import { isOrdered, type Slice } from './slice.ts'

export interface Claims {
  /** The count of the next claim. A fast endpoint is given more at a time; what waits for a slow one would only take memory. */
  size: number
  /** When the last claim began, of performance.now(). */
  beganAt: number
  /** The last delivery claimed: the next claim goes on behind it. Undefined: from the beginning, for what was committed late may belong there. */
  cursor: Claimed | undefined
}

export interface Claim {
  count: number
  after: Claimed | undefined
}

/** An endpoint that has sent its last claim in less than this is given more. */
const FAST_MS = 100

export const createClaims = (now: number): Claims => ({ size: FIRST_ASK, beganAt: now, cursor: undefined })

/** @param held how many deliveries are claimed and not recorded: a claim from the beginning reads them again */
export function nextClaim(claims: Claims, { health, lease }: Slice, held: number, now: number): Claim {
  if (now - claims.beganAt < FAST_MS) claims.size = Math.min(claims.size * 2, CLAIM_MAX)
  claims.beganAt = now
  // A failing endpoint is asked for one at a time, as it is sent to. Its next attempt, like the next one in order, may lie before the cursor.
  const after = isFailing(health) || isOrdered(lease) ? undefined : claims.cursor
  return { count: (isFailing(health) ? 1 : claims.size) + (after ? 0 : held), after }
}

/** What nextToSend is to choose from: after a failure what was never tried, if there is any. */
export async function claim({ context, endpoint, health, lease }: Slice, { count, after }: Claim): Promise<Claimed[]> {
  const untried = isFailing(health) && !isOrdered(lease) ? await context.claim({ ...endpoint, count, untried: true }) : []
  return untried.length > 0 ? untried : context.claim({ ...endpoint, count, untried: false, after })
}
