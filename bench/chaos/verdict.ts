// The promises of a run, each with its figure, printed as a table. A broken one fails the run.

export interface Finding {
  promise: string
  figure: string
  holds: boolean
}

/** What an experiment tells. */
export interface Outcome {
  facts: Record<string, string | number>
  findings: Finding[]
}

/** @returns whether every promise holds */
export function report(title: string, facts: Record<string, string | number>, findings: Finding[]): boolean {
  const rows = [
    ...Object.entries(facts).map(([name, value]) => [name, String(value), '']),
    ...findings.map(({ promise, figure, holds }) => [promise, figure, holds ? 'holds' : 'VIOLATED']),
  ]
  console.log(`\n${title}\n\n| | | |\n|---|---|---|\n${rows.map(row => `| ${row.join(' | ')} |`).join('\n')}\n`)
  return findings.every(({ holds }) => holds)
}

/**
 * Has a run that ends before its report say so, with how it ended: a signal, or a promise that nothing settles any more, ends a process without a word.
 * @returns to be called once it has reported
 */
export function tellOfEnd(title: string): () => void {
  const tell = (how: string): void => progress(`${title} ended without a report: ${how}`)
  const onExit = (code: number): void => tell(code === UNSETTLED ? 'it waited for what nothing does any more' : `exit code ${code}`)
  const bySignal = (signal: NodeJS.Signals): void => {
    tell(signal)
    process.removeListener('exit', onExit).exit(1)
  }
  process.once('exit', onExit)
  for (const signal of SIGNALS) process.once(signal, bySignal)
  return () => {
    process.removeListener('exit', onExit)
    for (const signal of SIGNALS) process.removeListener(signal, bySignal)
  }
}

/** Node's exit code where the top level awaits, and no event can come. */
const UNSETTLED = 13
const SIGNALS: NodeJS.Signals[] = ['SIGHUP', 'SIGINT', 'SIGTERM']

/** The progress of a long run, on standard error: beside the report, not in it. */
export const progress = (line: string): void => console.error(`${new Date().toISOString().slice(11, 19)} ${line}`)

/** A promise without exception. */
export const none = (promise: string, exceptions: unknown[]): Finding => ({
  promise,
  figure: exceptions.length === 0 ? '0 exceptions' : `${exceptions.length}, such as ${JSON.stringify(exceptions[0])}`,
  holds: exceptions.length === 0,
})

export const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1)

/** @param share 0..1 @returns the value below which that share of them lies; 0 of none */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
