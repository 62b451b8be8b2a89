// Work that kills its worker must not kill worker after worker: a rule for every task.
//
// Each run is noted when it begins. If a dead process has left a note behind, its worker died of this work, or of other work under way at the same time:
// one death does not tell which. Work that was under way at two deaths in a row is suspect, and runs without any other work in its process: if a worker
// dies a third time, the suspect killed it. Getting past the place where the worker died resets the count.
import type { Job, JobHelpers } from 'graphile-worker'
import type { Logger } from 'pino'
import { SUSPECT_DEATHS, WORKER_DEATHS_MAX } from '../limits/queue.ts'
import type { Queryable } from '../postgres/sql.ts'
import * as store from './begun-work-store.ts'
import type { Company, Stay } from './company.ts'
import type { Standing } from './standing.ts'

/** What a task can learn of its trial, and what it must report. */
export interface Trial {
  /** Workers died during this work: it must prepare nothing ahead, so that the place of the next death is known. */
  suspect: boolean
  /** Whether a suspect waits for the other work of this process: the slice must end, as at the end of its time. */
  mustGiveWay(): boolean
  /** Reports that the work got past the place where an earlier worker may have died. Costs nothing unless one did. */
  progressed(): Promise<void>
}

/** For work outside a worker. */
export const UNTRIED: Trial = { suspect: false, mustGiveWay: () => false, progressed: async () => {} }

type Payload<Name extends keyof GraphileWorker.Tasks> = GraphileWorker.Tasks[Name]
export type Tried<Name extends keyof GraphileWorker.Tasks> = (
  payload: Payload<Name>,
  helpers: JobHelpers & { trial: Trial },
) => Promise<void>
/** Ends the work as failed, and names the place. A task without it has its job set aside for an operator to decide. */
export type GiveUp<Name extends keyof GraphileWorker.Tasks> = (payload: Payload<Name>) => Promise<void>

/** The work has killed as many workers as it may. */
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

/** The task with a trial around each run. */
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
        log.error({ work, deaths }, 'work ended its worker again and again at one place, and is given up')
        if (!giveUp) return await store.setAside(sql, work, job)
        await giveUp(payload as never, helpers as never)
        return await store.remove(sql, work)
      }
      if (isSuspect(deaths) && !alone) return await store.postpone(sql, work, job, true)
      if (!isSuspect(deaths)) stay.acquit()
      await run(payload as never, { ...helpers, trial: trialOf(context, work, token, deaths, stay) } as never)
    } finally {
      stay.leave()
      // If this fails, the note stays, but it is not counted: its process lives.
      await store.end(sql, work, token).catch(() => {})
    }
  }
}

// A suspect's job carries a flag, for it must be known before the work begins.
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
