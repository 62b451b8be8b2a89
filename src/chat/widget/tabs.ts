// Tabs of one site share the talk: one of them, which holds a lock, sends and listens; it tells the others what it hears.

export interface Tabs<Said> {
  /** Tells the other tabs. */
  tell(said: Said): void
  /** Resolves when this tab holds the lock, until `release`. */
  lead(): Promise<void>
  /** Leads without waiting for the lock. */
  insist(): void
  release(): void
}

export function openTabs<Said>(name: string, hear: (said: Said) => void): Tabs<Said> {
  const channel = globalThis.BroadcastChannel ? new BroadcastChannel(name) : undefined
  channel?.addEventListener('message', ({ data }) => hear(data))
  let giveUp: AbortController | undefined
  let [release, begin] = [(): void => {}, (): void => {}]
  return {
    tell: said => channel?.postMessage(said),
    lead: () =>
      new Promise((resolve, reject) => {
        giveUp = new AbortController()
        begin = resolve
        const held = new Promise<void>(done => {
          release = done
        })
        const hold = (): Promise<void> => {
          resolve()
          return held
        }
        alone(name, hold, { signal: giveUp.signal }).catch(reject)
      }),
    insist() {
      begin()
      giveUp?.abort()
    },
    release() {
      giveUp?.abort()
      release()
    },
  }
}

/**
 * Runs it while no other tab does. Pages without https have no locks, and browsers that keep nothing of a site refuse them: there each tab is alone.
 * @throws when it is given up before it has run
 */
export async function alone<T>(name: string, run: () => Promise<T>, options: { signal?: AbortSignal } = {}): Promise<T> {
  let running: Promise<T> | undefined
  const begin = (): Promise<T> => {
    running = run()
    return running
  }
  try {
    return await navigator.locks.request(name, options, begin)
  } catch (error) {
    if (options.signal?.aborted) throw error
    return running ?? begin()
  }
}
