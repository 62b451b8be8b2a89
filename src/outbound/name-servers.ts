// Asks the name servers of resolv.conf for the addresses of one name. It can also tell whether these servers are there at all: while they are, a
// name without an answer is its owner's fault.
import { Resolver } from 'node:dns/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { Address } from './connect.ts'
import type { NameSettings } from './name-files.ts'

export interface Found {
  addresses: Address[]
  /** How long the domain's owner allows them to be cached. */
  ttlSeconds: number
}

/** An error code: why there is no address. */
export type Code = string

/** The name does not exist, or has no address. Any other code leaves that open. */
export const NONE: Code[] = ['ENOTFOUND', 'ENODATA']

export interface NameServers {
  settings: NameSettings
  /** Asks one server after the other, and again, as resolv.conf says. */
  ask(name: string): Promise<Found | Code>
  /** Whether any server answers now. While none does, one question a second serves all callers. */
  areThere(): Promise<boolean>
  callRoll(): Roll
}

/** Asks all servers at the same moment, each once: whether it is there, and for a name. */
export interface Roll {
  ask(name: string): Promise<Found | Code>
  there: Promise<boolean>
}

/** How long to wait for the addresses of the other family once one is known. Servers that drop one of the two questions are common. */
const OTHER_FAMILY_MS = 500
/** How long a name server that is there may take to answer, if only with an error. */
export const THERE_MS = 1_000
/** No name server has answered. A refusal or an error from a server is an answer. */
const UNANSWERED: Code[] = ['ETIMEOUT', 'ECONNREFUSED', 'ECANCELLED', 'EDESTRUCTION', 'ENOMEM', 'EFILE']

export const isSilence = (found: Found | Code): boolean => typeof found === 'string' && UNANSWERED.includes(found)

interface Answer extends Found {
  code?: Code
}

export function createNameServers(settings: NameSettings): NameServers {
  const { servers, timeoutMs, attempts } = settings
  const resolver = resolverOf(servers, timeoutMs, attempts)
  let looking: Promise<boolean> | undefined
  let lookedAt = 0
  let there = true

  function callRoll(): Roll {
    // New resolvers, for c-ares gives less and less time to servers that it has found quick; and one for each server, or the second server would be
    // asked only when the first has used up its time.
    const each = servers.map(server => resolverOf([server], THERE_MS, 1))
    return { there: anyIsThere(each), ask: name => firstToKnow(each.map(one => addressesBy(one, name))) }
  }

  async function look(): Promise<boolean> {
    lookedAt = performance.now()
    there = await callRoll().there
    looking = undefined
    return there
  }

  return {
    settings,
    ask: name => addressesBy(resolver, name),
    async areThere() {
      if (!looking && !there && performance.now() - lookedAt < THERE_MS) return false
      looking ??= look()
      return looking
    },
    callRoll,
  }
}

function resolverOf(servers: string[], timeoutMs: number, tries: number): Resolver {
  const resolver = new Resolver({ timeout: timeoutMs, maxTimeout: timeoutMs, tries })
  resolver.setServers(servers)
  return resolver
}

// Any answer about the root will do.
function anyIsThere(resolvers: Resolver[]): Promise<boolean> {
  const said = resolvers.map(resolver =>
    resolver.resolveNs('.').catch(error => {
      if (isSilence(error.code)) throw error
    }),
  )
  const any = Promise.any(said).then(
    () => true,
    () => false,
  )
  return Promise.race([any, delay(THERE_MS, false, { ref: false })])
}

async function addressesBy(resolver: Resolver, name: string): Promise<Found | Code> {
  const asked = [answered(resolver.resolve6(name, { ttl: true }), 6), answered(resolver.resolve4(name, { ttl: true }), 4)]
  const both = Promise.all(asked)
  const early = Promise.any(asked.map(withAddresses)).then(
    first => delay(OTHER_FAMILY_MS, [first], { ref: false }),
    () => both,
  )
  return joined(await Promise.race([both, early]))
}

const answered = (asked: Promise<{ address: string; ttl: number }[]>, family: number): Promise<Answer> =>
  asked.then(
    records => ({
      addresses: records.map(({ address }) => ({ address, family })),
      ttlSeconds: Math.min(...records.map(({ ttl }) => ttl)),
    }),
    ({ code }) => ({ addresses: [], ttlSeconds: 0, code }),
  )

async function withAddresses(asked: Promise<Answer>): Promise<Answer> {
  const answer = await asked
  if (answer.addresses.length === 0) throw new Error('no address of this family')
  return answer
}

function joined(answers: Answer[]): Found | Code {
  const some = answers.filter(({ addresses }) => addresses.length > 0)
  if (some.length > 0)
    return { addresses: some.flatMap(({ addresses }) => addresses), ttlSeconds: Math.min(...some.map(({ ttlSeconds }) => ttlSeconds)) }
  const codes = answers.map(({ code = 'ENODATA' }) => code)
  return codes.find(code => !NONE.includes(code)) ?? (codes.includes('ENODATA') ? 'ENODATA' : 'ENOTFOUND')
}

/** The first server that knows decides; an error of one is no answer while another may know. */
async function firstToKnow(asked: Promise<Found | Code>[]): Promise<Found | Code> {
  const known = asked.map(async each => {
    const found = await each
    if (typeof found === 'string' && !NONE.includes(found)) throw new Error(found)
    return found
  })
  return Promise.any(known).catch(async () => {
    const codes = await Promise.all(asked)
    return codes.find(code => !isSilence(code)) ?? 'ETIMEOUT'
  })
}
