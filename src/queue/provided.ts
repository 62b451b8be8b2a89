// What a process hands to its tasks. Graphile Worker loads the files of tasks/ as they are, without arguments: what they need of the process is put
// here when the worker starts, and found here when a job runs.

export interface Provided<T> {
  provide(value: T): void
  /** @throws in a process that provided nothing, which runs no jobs of this kind */
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
