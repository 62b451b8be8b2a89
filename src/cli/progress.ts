// The progress of a long command, for people: one line on stderr, always in one form. On a terminal it is overwritten.

export interface Progress {
  done: number
  total: number
  /** The count was cut off at `total`: there may be more. */
  totalAtLeast?: boolean
  /** The counted things, in the plural. */
  what: string
  /** The average so far unless given; null where it is not known yet. */
  perSecond?: number | null
  failed?: number
}

export interface Display {
  show(now: Progress): void
  /** A line that stays. */
  say(line: string): void
}

interface Shown {
  /** A program reads the output: nothing is shown. */
  json?: boolean | undefined
  /** When the line is written where there is no terminal. */
  elsewhere: 'now and then' | 'the last'
}

interface Terminal {
  isTTY?: boolean
  columns?: number
  write(text: string): unknown
}

const LIVE_EVERY_MS = 100
const ELSEWHERE_EVERY_MS = 10_000

/** Shows the progress of `work`. However the work ends, the line is closed, so that later output has a line of its own. */
export async function withProgress<T>(
  { json = false, elsewhere }: Shown,
  work: (display: Display) => Promise<T>,
  to: Terminal = process.stderr,
  clock = (): number => performance.now(),
): Promise<T> {
  const live = to.isTTY === true
  const everyMs = live ? LIVE_EVERY_MS : elsewhere === 'now and then' ? ELSEWHERE_EVERY_MS : Number.POSITIVE_INFINITY
  const began = clock()
  let shownAt = live ? Number.NEGATIVE_INFINITY : began
  let last: Progress | undefined
  const write = (line: string): unknown =>
    to.write(live ? `${CLEARED}${line.slice(0, to.columns ? to.columns - 1 : undefined)}` : `${line}\n`)
  const lineNow = (now: Progress, over: boolean): string => lineOf(now, (clock() - began) / 1000, over)
  const display: Display = {
    show(now) {
      last = now
      if (json || clock() - shownAt < everyMs) return
      shownAt = clock()
      write(lineNow(now, false))
    },
    say(line) {
      if (!json) to.write(`${live ? CLEARED : ''}${line}\n`)
    },
  }
  try {
    const result = await work(display)
    if (last && !json && (live || elsewhere === 'the last')) write(lineNow(last, true))
    return result
  } finally {
    if (last && !json && live) to.write('\n')
  }
}

const CLEARED = '\r\x1b[2K'
/** The width of the bar: a line with counts of millions fits in 80 columns. */
const WIDTH = 12

/** `[######------] 50 %  500 of 1,000 products, 1,234/s, 1 s left, 3 failed` @param over whether the work has ended */
function lineOf({ done, total, totalAtLeast = false, what, perSecond, failed = 0 }: Progress, seconds: number, over: boolean): string {
  const share = total === 0 ? 1 : Math.min(done / total, 1)
  const full = Math.floor(share * WIDTH)
  const rate = (perSecond === undefined ? done / Math.max(seconds, 0.001) : perSecond) ?? 0
  const parts = [
    `${whole(done)} of ${totalAtLeast ? 'at least ' : ''}${whole(total)} ${what}`,
    rate > 0 && `${rate.toLocaleString('en', { maximumFractionDigits: rate < 10 ? 1 : 0 })}/s`,
    rate > 0 && done < total && !totalAtLeast && !over && `${whole(Math.ceil((total - done) / rate))} s left`,
    failed > 0 && `${whole(failed)} failed`,
  ]
  return `[${'#'.repeat(full)}${'-'.repeat(WIDTH - full)}] ${Math.floor(share * 100)} %  ${parts.filter(Boolean).join(', ')}`
}

const whole = (count: number): string => count.toLocaleString('en')
