// Tabs of one site share the talk: one of them, which holds a lock, sends and listens; it tells the others what it hears.

export interface Tabs<Said> {
  /** Tells the other tabs. */
  tell(said: Said): void
  /** Resolves when this tab holds the lock, until `release`. */
  lead(): Promise<void>
  release(): void
}

/** Without locks, which pages without https lack, each tab leads. */
export function openTabs<Said>(name: string, hear: (said: Said) => void): Tabs<Said> {
  const channel = globalThis.BroadcastChannel ? new BroadcastChannel(name) : undefined
  channel?.addEventListener('message', ({ data }) => hear(data))
  let giveUp: AbortController | undefined
  let release = (): void => {}
  return {
    tell: said => channel?.postMessage(said),
    lead: () =>
      new Promise((resolve, reject) => {
        if (!navigator.locks) return resolve()
        giveUp = new AbortController()
        const held = new Promise<void>(done => {
          release = done
        })
        navigator.locks
          .request(name, { signal: giveUp.signal }, () => {
            resolve()
            return held
          })
          .catch(reject)
      }),
    release() {
      giveUp?.abort()
      release()
    },
  }
}

/** Runs it while no other tab does. */
export const alone = <T>(name: string, run: () => Promise<T>): Promise<T> =>
  navigator.locks ? (navigator.locks.request(name, run) as Promise<T>) : run()
