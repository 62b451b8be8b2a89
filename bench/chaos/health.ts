// The rules of an endpoint's health on a movable clock, over ways to fail, rates of events and seeds: delays, requests spent, and whether it
// is disabled for it. No process and no database: the rules alone. A promise holds with every seed, or says how likely it is.
import { FAILURES_TO_DISABLE } from '../../src/limits/webhooks.ts'
import { type Report, type Scenario, simulate } from '../../test/support/simulate-endpoint.ts'
import { type Finding, mean, quantile } from './verdict.ts'

export interface HealthPlan {
  /** The first of them. */
  seed: number
  seeds: number
  /** For how long events come, in simulated seconds. */
  seconds: number
}

const RATES = [0.1, 1, 10, 20]
/** When the receiver goes away, in seconds. */
const AWAY_AT = 60
/** Eight of a burst count once, and each of the four after it is alone. */
const REQUESTS_OF_THE_DEAD = 13

type Fault = Pick<Scenario, 'failureRate' | 'poisoned' | 'down'>
const away = (seconds: number, hangs = false): Fault => ({ down: { from: AWAY_AT, seconds, hangs } })
const FAULTS = {
  'no failures': {},
  '1 % of requests fail': { failureRate: 0.01 },
  '5 % of requests fail': { failureRate: 0.05 },
  '30 % of requests fail': { failureRate: 0.3 },
  '1 % of events are always refused': { poisoned: 0.01 },
  'away for 3 s': away(3),
  'away for 5 minutes': away(300),
  'hangs for 5 minutes': away(300, true),
  'away for 10 minutes': away(600),
  'hangs for 10 minutes': away(600, true),
  'away for ever': away(Number.POSITIVE_INFINITY),
} satisfies Record<string, Fault>
type Way = keyof typeof FAULTS

export function runHealth(plan: HealthPlan): { facts: Record<string, string | number>; findings: Finding[] } {
  const seeds = Array.from({ length: plan.seeds }, (_, i) => plan.seed + i)
  const runs = Object.fromEntries(
    Object.entries(FAULTS).map(([way, fault]) => [
      way,
      RATES.map(rate => seeds.map(seed => simulate({ name: way, rate, seconds: plan.seconds, ...fault }, seed))),
    ]),
  ) as Record<Way, Report[][]>
  return {
    facts: {
      events: `${RATES.join(', ')} a second, for ${plan.seconds / 60} minutes each; the usual schedule and cap`,
      seeds: `${seeds[0]} to ${seeds.at(-1)}; p50 is their median, p99 their worst`,
      ...Object.fromEntries(
        Object.entries(runs).map(([way, rates]) => [way, rates.map((reports, i) => `${RATES[i]}/s: ${describe(reports)}`).join('; ')]),
      ),
    },
    findings: [...ofChance(runs, plan), ...ofOutages(runs), byChance(plan.seed)],
  }
}

type Runs = Record<Way, Report[][]>

/** Holds in every one of the runs, or how many it does not hold in. */
function all(promise: string, reports: Report[], holds: (report: Report) => boolean): Finding {
  const kept = reports.filter(holds).length
  return { promise, figure: `${kept} of ${reports.length} runs`, holds: kept === reports.length }
}

const isEnabled = ({ disabledAt }: Report): boolean => disabledAt === undefined
const hasAll = ({ events, delivered }: Report): boolean => delivered === events

function ofChance(runs: Runs, { seconds }: HealthPlan): Finding[] {
  return [
    all('a receiver that never fails gets everything at once, with one request each', runs['no failures'].flat(), each => {
      return hasAll(each) && each.requests === each.events && each.p99 < 0.2
    }),
    all('1 % of failures disable no webhook, lose nothing, and leave p50 under 0.5 s', runs['1 % of requests fail'].flat(), each => {
      return isEnabled(each) && hasAll(each) && each.p50 < 0.5
    }),
    all(
      'a receiver that fails 5 % and is not disabled for it gets everything, with p50 under 0.5 s',
      runs['5 % of requests fail'].flat(),
      each => {
        return !isEnabled(each) || (hasAll(each) && each.p50 < 0.5)
      },
    ),
    all(
      'with 1 % of poisoned events p50 stays under 0.5 s, and no webhook is disabled while events come',
      runs['1 % of events are always refused'].flat(),
      ({ p50, disabledAt }) => p50 < 0.5 && (disabledAt ?? Number.POSITIVE_INFINITY) >= seconds,
    ),
  ]
}

function ofOutages(runs: Runs): Finding[] {
  const short = [runs['away for 3 s'], runs['away for 5 minutes'], runs['hangs for 5 minutes']].flat(2)
  const long = [runs['away for 10 minutes'], runs['hangs for 10 minutes'], runs['away for ever']].flat(2)
  return [
    all('up to five minutes away disable no webhook, lose nothing and cost a handful of requests', short, each => {
      return isEnabled(each) && hasAll(each) && each.failed <= REQUESTS_OF_THE_DEAD
    }),
    all('longer than that: disabled five to six minutes after it went, for a handful of requests; the rest is kept', long, each => {
      const after = (each.disabledAt ?? 0) - AWAY_AT
      return after >= 300 && after < 360 && each.failed <= REQUESTS_OF_THE_DEAD && each.kept === each.events - each.delivered
    }),
  ]
}

const TRIED = 100
const SHARE = 0.3
/** How many requests there are until five in a row fail, where a share of them fails by chance: (1 − pⁿ) / (pⁿ (1 − p)). */
const requestsUntil = (p: number): number => (1 - p ** FAILURES_TO_DISABLE) / (p ** FAILURES_TO_DISABLE * (1 - p))

// The schedule of retries makes five failures in a row no likelier. It makes them a little rarer, for a burst counts once.
function byChance(seed: number): Finding {
  const reports = Array.from({ length: TRIED }, (_, i) =>
    simulate({ name: 'by chance', rate: 1, seconds: 20_000, failureRate: SHARE }, seed + i),
  )
  const ratio = mean(reports.map(({ requests }) => requests)) / requestsUntil(SHARE)
  const [often, seldom] = [0.05, 0.01].map(p => (requestsUntil(p) / 1e6).toFixed(1)) as [string, string]
  return {
    promise: `a receiver that fails by chance is disabled by five failures in a row and no sooner: one in ${requestsUntil(SHARE).toFixed(0)} requests at 30 %, in ${often} million at 5 %, in ${seldom} million at 1 %`,
    figure: `after ${ratio.toFixed(2)} × that at 30 %, the mean of ${TRIED} runs`,
    holds: ratio > 0.7 && ratio < 3,
  }
}

function describe(reports: Report[]): string {
  const disabled = reports.flatMap(({ disabledAt }) => disabledAt ?? [])
  const some = reports.filter(({ delivered }) => delivered > 0)
  const p50 = quantile(column(some, 'p50'), 0.5)
  const p99 = Math.max(...column(some, 'p99'))
  const requests = sum(column(reports, 'requests')) / sum(column(reports, 'delivered'))
  const when = disabled.length === 0 ? '' : `, after ${(quantile(disabled, 0.5) / 60).toFixed(0)} min`
  return `p50 ${p50.toFixed(2)} s, p99 ${p99.toFixed(1)} s, ${requests.toFixed(2)} requests each, disabled in ${disabled.length}${when}`
}

const column = (reports: Report[], name: 'p50' | 'p99' | 'requests' | 'delivered'): number[] => reports.map(each => each[name])
const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0)
