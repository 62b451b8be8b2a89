// A sliding log per address, in this process's memory. Counting costs no statement, so the limit holds for each process.
import { RATE_WINDOW_SECONDS } from '../limits/rate.ts'
import { subscriber } from './connections/caller-address.ts'
import type { Quota } from './quota.ts'

export interface AddressSlot {
  quota: Quota
  allowed: boolean
  /** Frees the slot: the request counts elsewhere after all. */
  giveBack(): void
}

/** Takes a slot of the address, if one is left. An IPv6 address stands for its /64. */
export type AddressLimiter = (address: string) => AddressSlot

/** Times of performance.now(), the oldest first; those before `from` are no longer in the window. */
interface Log {
  times: number[]
  from: number
}

/** @param perMinute requests of one address */
export function createAddressLimiter(perMinute: number): AddressLimiter {
  const slot = createSlidingLog(perMinute, RATE_WINDOW_SECONDS)
  return address => slot(subscriber(address))
}

/** The same for anything else that is told apart by a text. @param most within so many seconds, of one */
export function createSlidingLog(most: number, seconds: number): (key: string) => AddressSlot {
  const logs = new Map<string, Log>()
  const windowMs = seconds * 1000
  // The last in `logs`: a map whose entries are moved at each request is made anew again and again.
  let latest: Log | undefined

  return key => {
    const now = performance.now()
    const log = logs.get(key) ?? { times: [], from: 0 }
    if (log !== latest) {
      logs.delete(key)
      logs.set(key, log)
      latest = log
    }
    forget(log, now - windowMs)
    const allowed = log.times.length - log.from < most
    if (allowed) log.times.push(now)
    // The least recently seen address makes room: a flood of addresses must not fill the memory.
    if (logs.size > ADDRESSES_MAX) logs.delete(logs.keys().next().value as string)
    const resetMs = Math.max(1, (log.times[log.from] ?? now) - now + windowMs)
    return {
      allowed,
      quota: { limit: most, remaining: most - (log.times.length - log.from), resetMs },
      giveBack() {
        const at = log.times.lastIndexOf(now)
        if (allowed && at >= log.from) log.times.splice(at, 1)
      },
    }
  }
}

// What is old is cut off when it is half of the log: at a limit of thousands, moving the rest at each request would cost more than answering it.
function forget(log: Log, before: number): void {
  while (log.from < log.times.length && (log.times[log.from] as number) <= before) log.from++
  if (log.from * 2 < log.times.length) return
  log.times.splice(0, log.from)
  log.from = 0
}

const ADDRESSES_MAX = 5_000
