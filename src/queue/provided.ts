// Hands values of the process to its tasks. The files of tasks/ are loaded without arguments, so what they need of the process is provided here when the
// worker starts, and read here when a job runs.

export interface Provided<T> {
  provide(value: T): void
  /** @throws in a process that provided nothing: it runs no jobs of this kind */
  get(): T
}

/** @param name of what is provided, for the error */
export function provided<T>(name: string): Provided<T> {
  let current: T | undefined
  return {
    provide(value) {
      current = value
    },
    get() {
      if (current === undefined) throw new Error(`this process has no ${name}: startWorker provides it`)
      return current
    },
  }
}
