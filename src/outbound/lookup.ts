// The addresses of a name, as the system would find them: from the hosts file, or from the name servers. Those are asked by c-ares, on the event
// loop: the system's own resolver runs on four threads, of which a few names that are never answered take all.
import { setTimeout as delay } from 'node:timers/promises'
import { type Address, ConnectError } from './connect.ts'
import { createNameFiles, type NameFilePaths, type NameSettings } from './name-files.ts'
import { type Code, createNameServers, type Found, type NameServers, NONE } from './resolver.ts'
import type { Troubles } from './troubles.ts'

/** Rejects with a ConnectError. */
export type Lookup = (hostname: string) => Promise<Found>

/** Of the whole look-up, whatever resolv.conf says: less than a request has in all, so that its log names the cause. */
const LOOKUP_MS = 6_000

export function createLookup(paths: NameFilePaths, troubles: Troubles): Lookup {
  const files = createNameFiles(paths)
  let current: NameServers | undefined
  const nameServers = (settings: NameSettings): NameServers => {
    if (current?.settings !== settings) current = createNameServers(settings)
    return current
  }
  return async hostname => {
    const name = hostname.replace(/\.$/, '')
    const listed = files.addresses(name) ?? (isLocalhost(name) ? LOOPBACK : undefined)
    if (listed) return { addresses: listed, ttlSeconds: 0 }
    const servers = nameServers(files.settings())
    const began = performance.now()
    // While they are known to be away, one question to them stands for all.
    if (troubles.has('name-servers')) await mustBeThere(servers, began, troubles)
    const found = await Promise.race([search(servers, hostname), delay(LOOKUP_MS, 'ETIMEOUT', { ref: false })])
    if (typeof found !== 'string') return found
    await mustBeThere(servers, began, troubles)
    throw new ConnectError('dns', `${hostname} does not resolve (${found}).`)
  }
}

async function mustBeThere(servers: NameServers, since: number, troubles: Troubles): Promise<void> {
  if (await servers.areThere(since)) return troubles.ended('name-servers')
  const text = `no name server answers (${servers.settings.servers.join(', ')})`
  troubles.seen('name-servers', text)
  throw new ConnectError('own-fault', `Not sent: ${text}.`)
}

/** RFC 6761: whatever name servers say of it. */
const isLocalhost = (name: string): boolean => name === 'localhost' || name.endsWith('.localhost')
const LOOPBACK: Address[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

async function search(servers: NameServers, hostname: string): Promise<Found | Code> {
  let none: Code = 'ENOTFOUND'
  for (const name of namesOf(hostname, servers.settings)) {
    const found = await servers.ask(name)
    // Where it is not known whether a name exists, the next would be another host's.
    if (typeof found !== 'string' || !NONE.includes(found)) return found
    if (found === 'ENODATA') none = found
  }
  return none
}

function namesOf(hostname: string, { search, ndots }: NameSettings): string[] {
  if (hostname.endsWith('.')) return [hostname]
  const within = search.map(domain => `${hostname}.${domain}`)
  return hostname.split('.').length > ndots ? [hostname, ...within] : [...within, hostname]
}
