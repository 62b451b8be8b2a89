// The names that requests lead to. What was found is remembered for as long as its owner allows; a look-up is shared by all who wait for it; and
// tenants share the look-ups that may be under way, so that one whose names are never answered keeps no other waiting.
import { isIP } from 'node:net'
import { type Address, ConnectError } from './connect.ts'
import { createFairQueue, type Visitor } from './fair-queue.ts'
import type { Lookup } from './lookup.ts'

/** A request that needs the addresses of a name. */
export interface Seeker {
  readonly tenant: string
  /** The look-up has begun: until then it waited for those of others. */
  seeking(): void
  found(addresses: Address[]): void
  notFound(error: ConnectError): void
}

export interface Names {
  /** Tells the seeker at once where the name is known. */
  find(hostname: string, seeker: Seeker): void
  /** It is told nothing more. */
  leave(hostname: string, seeker: Seeker): void
}

/** A thousand names that are never answered cost what they keep, a kilobyte or two each. */
const LOOKUPS = 512
const LOOKUPS_OF_TENANT = 16
/** A name may say that it must not be remembered at all: then each connection would ask anew … */
const KEPT_MIN_SECONDS = 5
/** … or for a day: then a receiver that moves would be called where it was. */
const KEPT_MAX_SECONDS = 300
/** That a name is not known, or its servers do not answer: shorter than the schedule's first wait. */
const FAILURE_KEPT_SECONDS = 5
const KNOWN_BYTES = 8 * 1024 * 1024
const ENTRY_BYTES = 250
const ADDRESS_BYTES = 150
/** Of one name: an answer may hold thousands. Those left out are not called. */
const ADDRESSES_MAX = 32

interface Entry {
  result: Address[] | ConnectError
  /** Of performance.now(). */
  until: number
}

interface Search {
  seekers: Set<Seeker>
  /** In the queue: one for each tenant that waits. */
  places: Map<string, Visitor>
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
    const search = searches.get(hostname) ?? { seekers: new Set(), places: new Map(), begun: false }
    searches.set(hostname, search)
    search.seekers.add(seeker)
    if (search.begun) seeker.seeking()
    else if (!search.places.has(seeker.tenant)) wait(hostname, search, seeker.tenant)
  }

  function wait(hostname: string, search: Search, tenant: string): void {
    const place: Visitor = { tenant, begin: () => void (search.begun || run(hostname, search, place)) }
    search.places.set(tenant, place)
    queue.enter(place)
  }

  async function run(hostname: string, search: Search, place: Visitor): Promise<void> {
    search.begun = true
    for (const other of search.places.values()) if (other !== place) queue.leave(other)
    for (const seeker of search.seekers) seeker.seeking()
    const { result, keptMs } = await outcomeOf(lookup, hostname)
    known.set(hostname, result, keptMs)
    queue.leave(place)
    searches.delete(hostname)
    for (const seeker of search.seekers) tell(seeker, result)
  }

  function leave(hostname: string, seeker: Seeker): void {
    const search = searches.get(hostname)
    search?.seekers.delete(seeker)
    if (!search || search.begun || search.seekers.size > 0) return
    // A place may have been given to it just now: it shall not begin.
    search.begun = true
    for (const place of search.places.values()) queue.leave(place)
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

/** What is known of names for a while, the oldest of it forgotten where it would take too much memory. */
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
