// Workers that are stopped, started and killed while an experiment goes on.
import type { Reporting } from '../../test/support/processes.ts'
import type { Random } from '../../test/support/random.ts'
import type { Shops } from './shops.ts'

export interface Crew {
  /** Starts those that are missing. */
  complete(size?: number): Promise<void>
  /** All of them anew: a pass of retention begins with the one that is elected. */
  renew(): Promise<void>
  dismiss(): Promise<void>
  kill(random: Random): Promise<void>
  /** The output of all of them. */
  output(): string
}

/** @param settings of each worker */
export function createCrew(environment: Shops, count: number, settings: Record<string, string>): Crew {
  const all: Reporting[] = [environment.worker]
  const running: Reporting[] = [environment.worker]
  const begin = async (): Promise<void> => {
    const worker = await environment.start('worker', settings)
    all.push(worker)
    running.push(worker)
  }
  const dismiss = async (): Promise<void> => void (await Promise.all(running.splice(0).map(worker => worker.stop())))
  const complete = async (size = count): Promise<void> => void (await Promise.all(Array.from({ length: size - running.length }, begin)))
  return {
    complete,
    dismiss,
    async renew() {
      await dismiss()
      await complete()
    },
    async kill(random) {
      const [victim] = running.splice(Math.floor(random.next() * running.length), 1) as [Reporting]
      await victim.stop('SIGKILL')
      await begin()
    },
    output: () => all.map(each => each.output()).join('\n'),
  }
}
