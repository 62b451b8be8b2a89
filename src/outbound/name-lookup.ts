// The addresses of a name, as the system would find them: from the hosts file, or from the name servers. c-ares asks the servers, on the event loop:
// the system's own resolver runs on four threads, and a few names that are never answered would occupy all of them.
import { setTimeout as delay } from 'node:timers/promises'
import { type Address, ConnectError } from './connect.ts'
import { createNameFiles, type NameFilePaths, type NameSettings } from './name-files.ts'
import { type Code, createNameServers, type Found, isSilence, type NameServers, NONE, THERE_MS } from './name-servers.ts'
import type { Troubles } from './troubles.ts'

/** Rejects with a ConnectError. */
export type Lookup = (hostname: string) => Promise<Found>

/** The limit of a whole look-up, whatever resolv.conf says: shorter than a request's limit, so that its log names the cause. */
const LOOKUP_MS = 6_000
/** How often all name servers are asked at once: a busy machine may read an answer late. */
const ROLL_CALLS = 2

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
    // While the name servers are known to be away, one question to them serves all look-ups.
    if (troubles.has('name-servers')) {
      if (!(await servers.areThere())) throw away(servers, troubles)
      troubles.ended('name-servers')
    }
    const asked = await within(LOOKUP_MS, search(hostname, servers.settings, servers.ask))
    const found = isSilence(asked) ? await askAgain(hostname, servers, troubles) : asked
    if (typeof found === 'string') throw new ConnectError('dns', `${hostname} does not resolve (${found}).`)
    return found
  }
}

/**
 * A name was not answered: were the name servers away, or only those of the name's owner? Answers to other names at other times do not tell. So the
 * name is asked once more, at the same moment as a question that the name servers answer whenever they are there.
 */
async function askAgain(hostname: string, servers: NameServers, troubles: Troubles): Promise<Found | Code> {
  for (let call = 0; call < ROLL_CALLS; call++) {
    const roll = servers.callRoll()
    const found = await within(THERE_MS, search(hostname, servers.settings, roll.ask))
    if (!isSilence(found) || (await roll.there)) return found
  }
  throw away(servers, troubles)
}

function away({ settings }: NameServers, troubles: Troubles): ConnectError {
  const text = `no name server answers (${settings.servers.join(', ')})`
  troubles.seen('name-servers', text)
  return new ConnectError('own-fault', `Not sent: ${text}.`)
}

const within = (ms: number, found: Promise<Found | Code>): Promise<Found | Code> =>
  Promise.race([found, delay(ms, 'ETIMEOUT', { ref: false })])

/** RFC 6761: localhost is this machine, whatever name servers say. */
const isLocalhost = (name: string): boolean => name === 'localhost' || name.endsWith('.localhost')
const LOOPBACK: Address[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

async function search(hostname: string, settings: NameSettings, ask: NameServers['ask']): Promise<Found | Code> {
  let none: Code = 'ENOTFOUND'
  for (const name of namesOf(hostname, settings)) {
    const found = await ask(name)
    // Stops where it is not known whether a name exists: the next name would be another host's.
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
