// The trials of a web process: few at once, for each may wait a minute for a service that never answers.
import { SKILL_TRIAL_AGAIN_SECONDS, SKILL_TRIALS_AT_ONCE, SKILL_TRIALS_OF_TENANT } from '../limits/skills.ts'
import { Problem } from '../problems.ts'
import { UNWATCHED } from '../queue/standing.ts'
import { type SkillContext, UNSTOPPED } from './asking.ts'
import { createPlaces } from './places.ts'
import type { Trial, Tried } from './schema.ts'

export interface Trials {
  /** As `trySkill`. @throws {Problem} 429 or 503 besides, where too many are under way */
  test(tenant: string, trial: Trial, signal: AbortSignal): Promise<Tried>
}

/** @param open gives what calls are made with, when the first is */
export function createTrials(open: () => Promise<Pick<SkillContext, 'sql' | 'client' | 'keyring' | 'timeoutMs'>>): Trials {
  const underWay = new Map<string, number>()
  // Some places are left for a tenant that has none yet, as in a worker. Trials are counted here, so twice as many places hold them all.
  const places = createPlaces(2 * SKILL_TRIALS_AT_ONCE)
  let all = 0

  function take(tenant: string): () => void {
    const mine = underWay.get(tenant) ?? 0
    if (mine >= SKILL_TRIALS_OF_TENANT) throw tooMany('rate-limit-exceeded', `${mine} tests of skills of this workspace are under way`)
    if (all >= SKILL_TRIALS_AT_ONCE) throw tooMany('service-unavailable', `${all} tests of skills are under way`)
    underWay.set(tenant, mine + 1)
    all++
    return () => {
      all--
      const left = (underWay.get(tenant) as number) - 1
      if (left === 0) underWay.delete(tenant)
      else underWay.set(tenant, left)
    }
  }

  return {
    async test(tenant, trial, signal) {
      const leave = take(tenant)
      try {
        // Imported when it is first asked for: the compilers of apps' schemas take some megabytes.
        const { trySkill } = await import('./trial.ts')
        return await trySkill({ ...(await open()), standing: UNWATCHED, stopping: UNSTOPPED, places }, tenant, trial, signal)
      } finally {
        leave()
      }
    },
  }
}

function tooMany(type: 'rate-limit-exceeded' | 'service-unavailable', what: string): Problem {
  const seconds = SKILL_TRIAL_AGAIN_SECONDS
  const members = type === 'rate-limit-exceeded' ? { retry_after_sec: seconds } : {}
  return new Problem(type, `${what}, as many as may be; try again when one has ended.`, members, { 'Retry-After': `${seconds}` })
}
