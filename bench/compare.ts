// Two contenders in alternation, several rounds each: a disturbance of the machine hits both, and a ratio is taken within a round.
import type { Contender, Round } from './load.ts'

/** Many short ones: a disturbance then spoils few ratios. */
const ROUNDS = 9
const ROUND_MS = 2_000
const WARM_UP_MS = 1_500

export interface Comparison {
  title: string
  /** The baseline first, then ours. */
  names: [string, string]
  baseline: Contender
  ours: Contender
  /** Fewer, where a round takes as long as its work. */
  rounds?: number
  /** The share of the baseline's rate that ours must reach; without it the figure is for information. */
  atLeast?: number
  /** Milliseconds under which the median of our rounds' p99 must be. */
  p99Under?: number
}

/** Prints each round, the medians, and whether ours is fast enough. */
export async function compare({ title, names, baseline, ours, rounds: count = ROUNDS, atLeast, p99Under }: Comparison): Promise<void> {
  console.log(`\n${title}`)
  await baseline(WARM_UP_MS)
  await ours(WARM_UP_MS)
  const rounds: [Round, Round][] = []
  for (let i = 0; i < count; i++) rounds.push(await round(baseline, ours, i % 2 === 0))
  printSide(
    names[0],
    rounds.map(([round]) => round),
  )
  printSide(
    names[1],
    rounds.map(([, round]) => round),
  )
  printRatio(
    rounds.map(([left, right]) => right.perSecond / left.perSecond),
    atLeast,
  )
  if (p99Under === undefined) return
  const p99 = median(rounds.map(([, right]) => right.p99))
  console.log(`  ${'p99'.padEnd(34)} ${p99.toFixed(1).padStart(7)} ms, required under ${p99Under} ms: ${verdict(p99 < p99Under)}`)
}

/** Each is first by turns: what one leaves behind, as hot caches and a clock that has risen, does not speak for the other alone. */
async function round(baseline: Contender, ours: Contender, isBaselineFirst: boolean): Promise<[Round, Round]> {
  if (isBaselineFirst) return [await baseline(ROUND_MS), await ours(ROUND_MS)]
  const right = await ours(ROUND_MS)
  return [await baseline(ROUND_MS), right]
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] as number
}

export const verdict = (passed: boolean): string => (passed ? 'PASS' : 'MISS')

function printSide(name: string, rounds: Round[]): void {
  const rates = rounds.map(round => round.perSecond)
  const p50 = median(rounds.map(round => round.p50)).toFixed(2)
  const p99 = median(rounds.map(round => round.p99)).toFixed(1)
  console.log(
    `  ${name.padEnd(34)} ${whole(median(rates))}/s  (${whole(Math.min(...rates))}–${whole(Math.max(...rates)).trim()}), p50 ${p50} ms, p99 ${p99} ms`,
  )
}

function printRatio(ratios: number[], atLeast: number | undefined): void {
  const ratio = median(ratios)
  const spread = `(${percent(Math.min(...ratios))}–${percent(Math.max(...ratios))})`
  const required = atLeast === undefined ? '' : `, required ${percent(atLeast)}: ${verdict(ratio >= atLeast)}`
  console.log(`  ${'ratio'.padEnd(34)} ${percent(ratio).padStart(7)}    ${spread}${required}`)
}

const whole = (value: number): string => Math.round(value).toLocaleString('en').padStart(7)
const percent = (share: number): string => `${(share * 100).toFixed(0)} %`
