// Limits how often an event is reported that may occur thousands of times a second.

/** @returns calls `say` at most once in `everyMs` milliseconds, with the latest value, and the number of values since the last call */
export function seldom<T>(everyMs: number, say: (latest: T, times: number) => void): (latest: T) => void {
  let times = 0
  let next = 0
  return latest => {
    times++
    const now = performance.now()
    if (now < next) return
    next = now + everyMs
    say(latest, times)
    times = 0
  }
}
