// The rules of an endpoint's health on a movable clock, over ways to fail and rates of events: delays, requests spent, and whether it is
// disabled for it. No process and no database: the rules alone.
import { type Report, type Scenario, simulate } from '../support/simulate-endpoint.ts'
import type { Finding } from './verdict.ts'

const RATES = [0.1, 1, 10, 20]
const SECONDS = 900
const BREAK_AT = 60

type Fault = Pick<Scenario, 'failureRate' | 'poisoned' | 'down'>
const FAULTS: Record<string, Fault> = {
  'no failures': {},
  '1 % of requests fail': { failureRate: 0.01 },
  '5 % of requests fail': { failureRate: 0.05 },
  '30 % of requests fail': { failureRate: 0.3 },
  '1 % of events are always refused': { poisoned: 0.01 },
  'away for 3 s': { down: { from: BREAK_AT, seconds: 3 } },
  'away for 5 minutes': { down: { from: BREAK_AT, seconds: 300 } },
  'away for ever': { down: { from: BREAK_AT, seconds: Number.POSITIVE_INFINITY } },
}

export function runHealth({ seed }: { seed: number }): { facts: Record<string, string | number>; findings: Finding[] } {
  const reports = Object.fromEntries(
    Object.entries(FAULTS).map(([name, fault]) => [name, RATES.map(rate => simulate({ name, rate, seconds: SECONDS, ...fault }, seed))]),
  )
  const of = (name: keyof typeof FAULTS): Report[] => reports[name] ?? []
  const atTen = of('1 % of events are always refused')[RATES.indexOf(10)]
  const forgiven = ['1 % of requests fail', '5 % of requests fail', 'away for 3 s', 'away for 5 minutes'].flatMap(of)
  const gone = of('away for ever')
  return {
    facts: {
      seed,
      events: `${RATES.join(', ')} a second, for ${SECONDS / 60} minutes; the usual schedule and cap`,
      ...Object.fromEntries(
        Object.entries(reports).map(([name, each]) => [name, each.map((report, i) => `${RATES[i]}/s: ${describe(report)}`).join('; ')]),
      ),
    },
    findings: [
      {
        promise: 'a stream of 10/s with 1 % poisoned events keeps p50 under 0.5 s',
        figure: `${atTen?.p50.toFixed(2)} s`,
        holds: (atTen?.p50 ?? 1) < 0.5,
      },
      {
        promise: 'up to 5 % of failures, and up to five minutes away, disable nobody and lose nothing',
        figure: `${forgiven.filter(each => each.disabledAt === undefined && each.delivered === each.events).length} of ${forgiven.length}`,
        holds: forgiven.every(each => each.disabledAt === undefined && each.delivered === each.events),
      },
      {
        promise: 'who is gone for ever is disabled after a handful of requests',
        figure: `${Math.max(...gone.map(each => each.failed))} at most`,
        holds: gone.every(each => each.disabledAt !== undefined && each.failed <= 13),
      },
    ],
  }
}

const describe = ({ p50, p99, requests, delivered, disabledAt }: Report): string =>
  `p50 ${p50.toFixed(2)} s, p99 ${p99.toFixed(1)} s, ${(requests / delivered).toFixed(2)} requests each${
    disabledAt === undefined ? '' : `, disabled after ${(disabledAt / 60).toFixed(0)} min`
  }`
