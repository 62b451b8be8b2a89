// The processes of the delivery benchmarks, and the questions to a receiver.
import { type Reporting, startScript, startShopdesk } from '../../test/support/processes.ts'
import { SECRET_KEY } from '../dataset.ts'

/** Milliseconds of the machine's monotonic clock, the same in every process. */
export const clockMs = (): number => Number(process.hrtime.bigint()) / 1e6

/** The requests that a receiver has had since its last reset. */
export interface Arrivals {
  count: number
  /** On the clock above; 0 if there were none. */
  firstAt: number
  lastAt: number
  /** Each event's id and when its first byte came, where that was asked for. */
  events: [id: string, at: number][]
}

/** All are answered with the requests so far; `reset` and `name` start anew, the latter with the events' ids. */
export type Asked = 'count' | 'reset' | 'name'

export interface Receiver extends Pick<Reporting, 'pid'> {
  port: number
  ask(asked: Asked): Promise<Arrivals>
}

/** @param before what a body has before the id by which it is named; an event's unless given */
export async function startReceiver(delayMs = 0, before = '{"id":"'): Promise<Receiver> {
  const child = await startScript(new URL('./receiver.ts', import.meta.url), [String(delayMs), before])
  return { pid: child.pid, port: child.ready as number, ask: asked => child.ask<Arrivals>(asked) }
}

/** `bin/shopdesk worker`, as an operator runs it. @param places endpoints at once */
export const startWorker = (databaseUrl: string, places: number): Promise<Reporting> =>
  startShopdesk(
    'worker',
    {
      DATABASE_URL: databaseUrl,
      SECRET_KEY,
      OUTBOUND_ALLOW_PRIVATE: 'true',
      LOG_LEVEL: 'warn',
      WORKER_CONCURRENCY: String(places),
    },
    'passed on',
  )
