// A condition variable for one waiter: a loop that looks at its state, waits until something in it has changed, and looks again.

export interface Signal {
  /** Resolves at the next change. The state is looked at and the wait begun without an await between, so no change is missed. */
  changed(): Promise<void>
  notify(): void
}

export function createSignal(): Signal {
  let wake = (): void => {}
  return {
    changed: () =>
      new Promise(resolve => {
        wake = resolve
      }),
    notify: () => wake(),
  }
}

let soon: Signal[] = []

/** Notifies when all answers that have come are read: the next requests then go out together, and wake a receiver's process once. */
export function notifySoon(signal: Signal): void {
  if (soon.push(signal) > 1) return
  setImmediate(() => {
    const signals = soon
    soon = []
    for (const each of signals) each.notify()
  })
}
