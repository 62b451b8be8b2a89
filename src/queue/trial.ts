// Work that ends its worker must not end worker after worker: the rule for every task, whatever it does.
//
// Work that is begun is noted. Where the note is left behind by a process that lives no more, a worker died of it, or beside it: which work it was
// cannot be told from one death, for all that was under way is gone. So what was under way at two deaths in a row is suspect, and runs without
// any other work in its process: when a worker dies a third time, it was that. Getting past the place where the worker died begins the count anew.
import type { Job, JobHelpers } from 'graphile-worker'
import type { Logger } from 'pino'
import { SUSPECT_DEATHS, WORKER_DEATHS_MAX } from '../limits.ts'
import type { Queryable } from '../postgres/sql.ts'
import * as store from './begun-store.ts'
import type { Company, Stay } from './company.ts'
import type { Standing } from './standing.ts'

/** What a task may know of its trial, and must say. */
export interface Trial {
  /** Workers died of it: it does nothing ahead of its turn, so that it can be told where the next one dies. */
  suspect: boolean
  /** A suspect waits for the work of this process to pause: the turn shall end, as at the end of its time. */
  mustGiveWay(): boolean
  /** It got past the place where a worker that ran it before may have died. Free of cost unless one did. */
  progressed(): Promise<void>
}

/** Of what runs outside a worker. */
export const UNTRIED: Trial = { suspect: false, mustGiveWay: () => false, progressed: async () => {} }

type Payload<Name extends keyof GraphileWorker.Tasks> = GraphileWorker.Tasks[Name]
export type Tried<Name extends keyof GraphileWorker.Tasks> = (
  payload: Payload<Name>,
  helpers: JobHelpers & { trial: Trial },
) => Promise<void>
/** Ends the work as failed, naming the place. Without it the job is set aside, and an operator decides. */
export type GiveUp<Name extends keyof GraphileWorker.Tasks> = (payload: Payload<Name>) => Promise<void>

/** Ended so many workers, and no more may die of it. */
export const isGivenUp = (deaths: number): boolean => deaths >= WORKER_DEATHS_MAX
export const isSuspect = (deaths: number): boolean => deaths >= SUSPECT_DEATHS

export const hasDied = store.hasDied

/** What a trial needs of the process. */
export interface TrialContext {
  sql: Queryable
  standing: Standing
  company: Company
  log: Logger
}

type Run = (payload: never, helpers: never) => unknown

/** The task, each run of which is noted and tried. */
export function onTrial(
  context: TrialContext,
  task: string,
  run: Run,
  giveUp?: Run,
): (payload: unknown, helpers: JobHelpers) => Promise<void> {
  const { sql, standing, company, log } = context
  return async (payload, helpers) => {
    await standing.ready()
    const work = { task, payload: JSON.stringify(payload) }
    const { job } = helpers
    const alone = isMarked(job)
    const stay = alone ? company.joinAlone() : company.join()
    if (!stay) return store.postpone(sql, work, job, alone)
    const token = standing.token()
    try {
      const deaths = await store.begin(sql, work, token, alone)
      if (isGivenUp(deaths)) {
        log.error({ work, deaths }, 'work ended its worker time and again, at one place, and is given up')
        if (!giveUp) return await store.setAside(sql, work, job)
        await giveUp(payload as never, helpers as never)
        return await store.remove(sql, work)
      }
      if (isSuspect(deaths) && !alone) return await store.postpone(sql, work, job, true)
      if (!isSuspect(deaths)) stay.acquit()
      await run(payload as never, { ...helpers, trial: trialOf(context, work, token, deaths, stay) } as never)
    } finally {
      stay.leave()
      // Where not even that can be said, the process lives, and what it leaves behind is not counted.
      await store.end(sql, work, token).catch(() => {})
    }
  }
}

// A suspect comes back by a job that says so: it has to be known before it begins anything.
const isMarked = ({ flags }: Pick<Job, 'flags'>): boolean => flags?.[store.SUSPECT] === true

function trialOf({ sql, company }: TrialContext, work: store.Work, token: string, deaths: number, stay: Stay): Trial {
  let count = deaths
  return {
    suspect: isSuspect(deaths),
    mustGiveWay: () => !isSuspect(deaths) && company.awaited(),
    async progressed() {
      if (count === 0) return
      await store.forgive(sql, work, token)
      count = 0
      stay.acquit()
    },
  }
}
