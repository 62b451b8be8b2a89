// The addresses of a name, as the system would find them: from the hosts file, or from the name servers. Those are asked by c-ares, on the event
// loop: the system's own resolver runs on four threads, of which a few names that are never answered take all.
import { Resolver } from 'node:dns/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { type Address, ConnectError } from './connect.ts'
import { createNameFiles, type NameFilePaths, type NameSettings } from './name-files.ts'

export interface Found {
  addresses: Address[]
  /** How long they may be remembered, as the domain's owner says. */
  ttlSeconds: number
}

/** Rejects with a ConnectError. */
export type Lookup = (hostname: string) => Promise<Found>

/** Of the whole look-up, whatever resolv.conf says: less than a request has in all, so that its log names the cause. */
const LOOKUP_MS = 6_000
/** Once the addresses of one family are known, those of the other are waited for so long. A domain whose servers drop one question is common. */
const OTHER_FAMILY_MS = 500

export function createLookup(paths: NameFilePaths): Lookup {
  const files = createNameFiles(paths)
  let asking: { settings: NameSettings; resolver: Resolver } | undefined
  const resolverOf = (settings: NameSettings): Resolver => {
    if (asking?.settings !== settings) asking = { settings, resolver: createResolver(settings) }
    return asking.resolver
  }
  return async hostname => {
    const name = hostname.replace(/\.$/, '')
    const listed = files.addresses(name) ?? (isLocalhost(name) ? LOOPBACK : undefined)
    if (listed) return { addresses: listed, ttlSeconds: 0 }
    const settings = files.settings()
    const found = await Promise.race([search(resolverOf(settings), hostname, settings), delay(LOOKUP_MS, 'ETIMEOUT', { ref: false })])
    if (typeof found === 'string') throw new ConnectError('dns', `${hostname} does not resolve (${found}).`)
    return found
  }
}

function createResolver({ servers, timeoutMs, attempts }: NameSettings): Resolver {
  const resolver = new Resolver({ timeout: timeoutMs, maxTimeout: timeoutMs, tries: attempts })
  resolver.setServers(servers)
  return resolver
}

/** RFC 6761: whatever name servers say of it. */
const isLocalhost = (name: string): boolean => name === 'localhost' || name.endsWith('.localhost')
const LOOPBACK: Address[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/** The code of an error: why there is no address. */
type Code = string

/** There is no such name, or it has no address. Any other code says that this is not known. */
const NONE: Code[] = ['ENOTFOUND', 'ENODATA']

async function search(resolver: Resolver, hostname: string, settings: NameSettings): Promise<Found | Code> {
  let none: Code = 'ENOTFOUND'
  for (const name of namesOf(hostname, settings)) {
    const found = await ask(resolver, name)
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

async function ask(resolver: Resolver, name: string): Promise<Found | Code> {
  const asked = [answered(resolver.resolve6(name, { ttl: true }), 6), answered(resolver.resolve4(name, { ttl: true }), 4)]
  const both = Promise.all(asked)
  const early = Promise.any(asked.map(withAddresses)).then(
    first => delay(OTHER_FAMILY_MS, [first], { ref: false }),
    () => both,
  )
  return joined(await Promise.race([both, early]))
}

interface Answer extends Found {
  code?: Code
}

function answered(asked: Promise<{ address: string; ttl: number }[]>, family: number): Promise<Answer> {
  return asked.then(
    records => ({
      addresses: records.map(({ address }) => ({ address, family })),
      ttlSeconds: Math.min(...records.map(({ ttl }) => ttl)),
    }),
    ({ code }) => ({ addresses: [], ttlSeconds: 0, code }),
  )
}

async function withAddresses(asked: Promise<Answer>): Promise<Answer> {
  const answer = await asked
  if (answer.addresses.length === 0) throw new Error('it has none of this family')
  return answer
}

function joined(answers: Answer[]): Found | Code {
  const some = answers.filter(({ addresses }) => addresses.length > 0)
  if (some.length > 0)
    return { addresses: some.flatMap(({ addresses }) => addresses), ttlSeconds: Math.min(...some.map(({ ttlSeconds }) => ttlSeconds)) }
  const codes = answers.map(({ code = 'ENODATA' }) => code)
  return codes.find(code => !NONE.includes(code)) ?? (codes.includes('ENODATA') ? 'ENODATA' : 'ENOTFOUND')
}
