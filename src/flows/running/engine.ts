// One slice of an app: its lease, and up to RUNS_AT_ONCE of its runs side by side, as long as something is due.
import { installedApp } from '../../apps/installed.ts'
import type { Ref } from '../../ids.ts'
import { RUNS_AT_ONCE, RUNS_SLICE_MAX_MS } from '../../limits/flows.ts'
import { TIME_SLICE_MS } from '../../limits/queue.ts'
import { batched } from '../../postgres/batch.ts'
import { type SliceContext, takeSlice } from '../../queue/slice.ts'
import type { Slot, Slots } from '../../queue/slots.ts'
import { UNTRIED } from '../../queue/trial.ts'
import { leases } from './lease.ts'
import { queue, release, take } from './lease-store.ts'
import { goOn, type RunContext } from './run.ts'
import * as store from './store.ts'

export interface RunningContext extends RunContext, SliceContext {
  slots: Slots
}

export interface Running {
  /** Runs a job. */
  run(app: Ref): Promise<void>
  /** The app may have runs that are due: it is served at once, without a job, if there is room, or else given to the queue. */
  told(app: Ref): void
  /** Waits for what was given to the queue. */
  ended(): Promise<void>
}

export function createRunning(context: RunningContext): Running {
  const { sql, slots, stopping, log } = context
  /** Apps that are served, and what has their slice look again. */
  const serving = new Map<string, () => void>()
  const queued = batched<Ref, void>(async apps => {
    await queue(sql, apps)
    return apps.map(() => undefined)
  })
  let lastQueued = Promise.resolve()
  const giveToQueue = (app: Ref): void => {
    lastQueued = queued(app).catch(err => log.error({ err, app: app.id }, 'an app’s runs could not be queued; the sweep will do it'))
  }

  async function serve(app: Ref, slot: Slot): Promise<void> {
    const lookAgain = serving.get(app.id)
    if (lookAgain) return lookAgain()
    let again = false
    serving.set(app.id, () => {
      again = true
    })
    try {
      again = (await runSlice(context, app, slot, look => serving.set(app.id, look))) || again
    } finally {
      serving.delete(app.id)
    }
    if (again) told(app)
  }

  function told(app: Ref): void {
    const look = serving.get(app.id)
    if (look) look()
    else if (stopping.aborted || !slots.tryRun(app, slot => serve(app, slot))) giveToQueue(app)
  }

  return { run: app => slots.run(app, slot => serve(app, slot)), told, ended: () => lastQueued }
}

/**
 * @param onLooking gets what has the slice look again
 * @returns whether something is due that it leaves behind
 */
async function runSlice(context: RunningContext, app: Ref, slot: Slot, onLooking: (look: () => void) => void): Promise<boolean> {
  const { sql, standing, stopping } = context
  await standing.ready()
  if (stopping.aborted) return false
  const askedAt = performance.now()
  const row = { sql, leases, ref: app, trial: UNTRIED, ms: RUNS_SLICE_MAX_MS }
  const giveBack = (token: string): Promise<boolean> => release(sql, app, token)
  const taken = await takeSlice(context, row, token => take(sql, app, token), giveBack)
  if (!taken) return false
  const { token, slice } = taken
  // Whatever aborts it ends the slice too: else runs would be claimed and given up, again and again. A stop lets calls under way end within its grace, for
  // giving one up costs its app another request.
  const signal = standing.gone()
  const mayBegin = (): boolean => slice.goesOn() && !slot.yielded && !(slot.isWanted() && performance.now() - askedAt > TIME_SLICE_MS)
  try {
    await runDue(context, app, { token, slot, signal, mayBegin }, onLooking)
  } finally {
    slice.letGo()
  }
  return slice.giveBack(() => giveBack(token))
}

interface Sliced {
  token: string
  slot: Slot
  /** Gives up what is under way. */
  signal: AbortSignal
  /** A run, or another step of one, may begin. */
  mayBegin: () => boolean
}

async function runDue(
  context: RunningContext,
  app: Ref,
  { token, slot, signal, mayBegin }: Sliced,
  onLooking: (look: () => void) => void,
): Promise<void> {
  const { sql } = context
  const underWay = new Map<string, Promise<void>>()
  let [isDue, calls, told] = [true, 0, Promise.withResolvers<void>()]
  let failed: { error: unknown } | undefined
  onLooking(() => {
    isDue = true
    told.resolve()
  })
  const holding = {
    goesOn: mayBegin,
    signal,
    calls(change: 1 | -1) {
      calls += change
      slot.awaiting(calls)
    },
  }
  const fail = (error: unknown): void => {
    failed ??= { error }
  }
  async function beginMore(): Promise<void> {
    told = Promise.withResolvers()
    const room = RUNS_AT_ONCE - underWay.size
    isDue = false
    const claimed = await store.claim(sql, app, token, room, [...underWay.keys()])
    isDue ||= claimed.length === room
    // Read after its runs, as it is for all of them.
    const installed = claimed.length > 0 ? await installedApp(sql, app.tenant, app.id) : undefined
    for (const run of claimed)
      underWay.set(
        run.id,
        goOn(context, installed, run, holding)
          .catch(fail)
          .finally(() => underWay.delete(run.id)),
      )
  }
  while (!failed) {
    while (!failed && isDue && mayBegin() && underWay.size < RUNS_AT_ONCE) await beginMore().catch(fail)
    if (underWay.size === 0) break
    // What is due already waits until one of these ends.
    await Promise.race(isDue ? underWay.values() : [...underWay.values(), told.promise])
  }
  await Promise.all(underWay.values())
  if (failed) context.log.warn({ err: failed.error, app: app.id }, 'runs of an app go on once the database answers again')
}
