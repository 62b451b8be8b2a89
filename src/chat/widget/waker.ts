// Waits that end early when there is a reason to try at once: the network is back, or the visitor looks at the page again.

export interface Waker {
  /** Resolves after so long, or when woken. Without a time: when woken. */
  sleep(ms?: number): Promise<void>
  wake(): void
}

export function openWaker(): Waker {
  const sleepers = new Set<() => void>()
  const wake = (): void => {
    for (const each of sleepers) each()
  }
  addEventListener('online', wake)
  document.addEventListener('visibilitychange', () => document.hidden || wake())
  return {
    wake,
    sleep: ms =>
      new Promise(resolve => {
        const timer = ms === undefined ? undefined : setTimeout(end, ms)
        function end(): void {
          clearTimeout(timer)
          sleepers.delete(end)
          resolve()
        }
        sleepers.add(end)
      }),
  }
}
