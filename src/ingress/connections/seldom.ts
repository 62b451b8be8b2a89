// For what may happen thousands of times a second and is worth a line now and then.

/** @returns what calls `say` at most once in `everyMs` milliseconds, with the latest of what it was given, and how often that was since the last call */
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
