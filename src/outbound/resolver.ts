// The name servers of resolv.conf, asked for the addresses of one name. Whether they are there at all is known too: a name that is not answered
// is its owner's fault as long as others are.
import { Resolver } from 'node:dns/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { Address } from './connect.ts'
import type { NameSettings } from './name-files.ts'

export interface Found {
  addresses: Address[]
  /** How long they may be remembered, as the domain's owner says. */
  ttlSeconds: number
}

/** The code of an error: why there is no address. */
export type Code = string

/** There is no such name, or it has no address. Any other code says that this is not known. */
export const NONE: Code[] = ['ENOTFOUND', 'ENODATA']

export interface NameServers {
  settings: NameSettings
  ask(name: string): Promise<Found | Code>
  /** Whether any of them has said anything since, of performance.now(), or says something now. */
  areThere(since: number): Promise<boolean>
}

/** Once the addresses of one family are known, those of the other are waited for so long. A domain whose servers drop one question is common. */
const OTHER_FAMILY_MS = 500
/** Until a name server that is there has said something, be it that it knows nothing. It is asked twice: a busy machine may be late to hear. */
const THERE_MS = 1_000
/** No name server has answered. Refusals and errors of theirs are answers. */
const UNANSWERED: Code[] = ['ETIMEOUT', 'ECONNREFUSED', 'ECANCELLED', 'EDESTRUCTION', 'ENOMEM', 'EFILE']

interface Answer extends Found {
  code?: Code
}

export function createNameServers(settings: NameSettings): NameServers {
  const { servers, timeoutMs, attempts } = settings
  const resolver = resolverOf(servers, timeoutMs, attempts)
  let saidAt = 0
  let looking: Promise<boolean> | undefined
  let lookedAt = 0
  let there = true

  const answered = (asked: Promise<{ address: string; ttl: number }[]>, family: number): Promise<Answer> =>
    asked.then(
      records => {
        saidAt = performance.now()
        return {
          addresses: records.map(({ address }) => ({ address, family })),
          ttlSeconds: Math.min(...records.map(({ ttl }) => ttl)),
        }
      },
      ({ code }) => {
        if (!UNANSWERED.includes(code)) saidAt = performance.now()
        return { addresses: [], ttlSeconds: 0, code }
      },
    )

  async function look(): Promise<boolean> {
    // What they say of the root does not matter.
    const began = performance.now()
    const code: Code = await resolverOf(servers, THERE_MS, 2)
      .resolveNs('.')
      .then(
        () => '',
        error => error.code,
      )
    lookedAt = performance.now()
    if (!UNANSWERED.includes(code)) saidAt = lookedAt
    there = saidAt > began
    looking = undefined
    return there
  }

  return {
    settings,
    async ask(name) {
      const asked = [answered(resolver.resolve6(name, { ttl: true }), 6), answered(resolver.resolve4(name, { ttl: true }), 4)]
      const both = Promise.all(asked)
      const early = Promise.any(asked.map(withAddresses)).then(
        first => delay(OTHER_FAMILY_MS, [first], { ref: false }),
        () => both,
      )
      return joined(await Promise.race([both, early]))
    },
    async areThere(since) {
      if (saidAt > since) return true
      if (!there && saidAt < lookedAt && performance.now() - lookedAt < THERE_MS) return false
      looking ??= look()
      return looking
    },
  }
}

function resolverOf(servers: string[], timeoutMs: number, tries: number): Resolver {
  const resolver = new Resolver({ timeout: timeoutMs, maxTimeout: timeoutMs, tries })
  resolver.setServers(servers)
  return resolver
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
