// The host names of requests. An answer is cached for as long as the name's owner allows; one look-up serves every request that waits for it; and
// tenants share the look-ups that may be under way, so that a tenant whose names are never answered keeps no other waiting.
import { isIP } from 'node:net'
import { createFairQueue, type Waiter } from '../fair-queue.ts'
import { type Address, ConnectError } from './connect.ts'
import type { Lookup } from './name-lookup.ts'

/** A request that needs the addresses of a name. */
export interface Seeker {
  readonly tenant: string
  /** The look-up has begun. Until then it waited for other look-ups. */
  seeking(): void
  found(addresses: Address[]): void
  notFound(error: ConnectError): void
}

export interface Names {
  /** Answers the seeker at once if the name is cached. */
  find(hostname: string, seeker: Seeker): void
  /** The seeker hears nothing more. */
  leave(hostname: string, seeker: Seeker): void
}

/** A look-up that is never answered keeps a kilobyte or two. */
const LOOKUPS = 512
const LOOKUPS_OF_TENANT = 16
/** A name's TTL may be 0, and every connection would ask again … */
const KEPT_MIN_SECONDS = 5
/** … or a day, and a receiver that moves would be called at its old address. */
const KEPT_MAX_SECONDS = 300
/** A failed look-up is cached for less than the first wait of the retry schedule. */
const FAILURE_KEPT_SECONDS = 5
const KNOWN_BYTES = 8 * 1024 * 1024
const ENTRY_BYTES = 250
const ADDRESS_BYTES = 150
/** An answer may hold thousands of addresses. The rest are not called. */
const ADDRESSES_MAX = 32

interface Entry {
  result: Address[] | ConnectError
  /** By performance.now(). */
  until: number
}

interface Search {
  seekers: Set<Seeker>
  /** In the queue: one for each tenant that needs the name. */
  waiters: Map<string, Waiter>
  begun: boolean
}

export function createNames(lookup: Lookup): Names {
  const known = createKnown()
  const searches = new Map<string, Search>()
  const queue = createFairQueue(LOOKUPS, LOOKUPS_OF_TENANT)

  function find(hostname: string, seeker: Seeker): void {
    const literal = isIP(hostname)
    if (literal) return void seeker.found([{ address: hostname, family: literal }])
    const before = known.get(hostname)
    if (before) return void tell(seeker, before)
    const search = searches.get(hostname) ?? { seekers: new Set(), waiters: new Map(), begun: false }
    searches.set(hostname, search)
    search.seekers.add(seeker)
    if (search.begun) seeker.seeking()
    else if (!search.waiters.has(seeker.tenant)) wait(hostname, search, seeker.tenant)
  }

  function wait(hostname: string, search: Search, tenant: string): void {
    const waiter: Waiter = { tenant, begin: () => void (search.begun || run(hostname, search, waiter)) }
    search.waiters.set(tenant, waiter)
    queue.enter(waiter)
  }

  async function run(hostname: string, search: Search, waiter: Waiter): Promise<void> {
    search.begun = true
    for (const other of search.waiters.values()) if (other !== waiter) queue.leave(other)
    for (const seeker of search.seekers) seeker.seeking()
    const { result, keptMs } = await outcomeOf(lookup, hostname)
    known.set(hostname, result, keptMs)
    queue.leave(waiter)
    searches.delete(hostname)
    for (const seeker of search.seekers) tell(seeker, result)
  }

  function leave(hostname: string, seeker: Seeker): void {
    const search = searches.get(hostname)
    search?.seekers.delete(seeker)
    if (!search || search.begun || search.seekers.size > 0) return
    // A waiter may just have been given a slot: it must not begin.
    search.begun = true
    for (const waiter of search.waiters.values()) queue.leave(waiter)
    searches.delete(hostname)
  }

  return { find, leave }
}

function tell(seeker: Seeker, result: Entry['result']): void {
  if (result instanceof ConnectError) seeker.notFound(result)
  else seeker.found(result)
}

async function outcomeOf(lookup: Lookup, hostname: string): Promise<{ result: Entry['result']; keptMs: number }> {
  try {
    const { addresses, ttlSeconds } = await lookup(hostname)
    const seconds = Math.min(Math.max(ttlSeconds, KEPT_MIN_SECONDS), KEPT_MAX_SECONDS)
    return { result: addresses.slice(0, ADDRESSES_MAX), keptMs: seconds * 1000 }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? error
    const result = error instanceof ConnectError ? error : new ConnectError('dns', `${hostname} does not resolve (${code}).`)
    return { result, keptMs: result.failure === 'own-fault' ? 0 : FAILURE_KEPT_SECONDS * 1000 }
  }
}

/** The cache of names: limited in bytes, and the oldest entries go first. */
function createKnown() {
  const entries = new Map<string, Entry>()
  let bytes = 0
  const sizeOf = (hostname: string, { result }: Entry): number =>
    ENTRY_BYTES + 2 * hostname.length + ADDRESS_BYTES * (result instanceof ConnectError ? 1 : result.length)

  function forget(hostname: string): void {
    const entry = entries.get(hostname)
    if (!entry) return
    entries.delete(hostname)
    bytes -= sizeOf(hostname, entry)
  }

  return {
    get(hostname: string): Entry['result'] | undefined {
      const entry = entries.get(hostname)
      return entry && entry.until > performance.now() ? entry.result : undefined
    },
    set(hostname: string, result: Entry['result'], keptMs: number): void {
      const entry = { result, until: performance.now() + keptMs }
      forget(hostname)
      entries.set(hostname, entry)
      bytes += sizeOf(hostname, entry)
      for (const [oldest] of entries) {
        if (bytes <= KNOWN_BYTES) return
        forget(oldest)
      }
    },
  }
}
