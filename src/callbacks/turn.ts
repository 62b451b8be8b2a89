// A source's turn: its callbacks are applied in order and in sets, by one worker. Each set is one transaction with the notes of what became of it, so a
// worker killed at any moment leaves none applied twice and none behind.
import type { Logger } from 'pino'
import { isId, type Ref } from '../ids.ts'
import { APPLIED_AT_ONCE, APPLIED_TOGETHER, APPLIED_TOGETHER_BYTES } from '../limits/callbacks.ts'
import { WORKER_DEATHS_MAX } from '../limits/queue.ts'
import { ahead, beginBriefly, commitBehind, type Sql } from '../postgres/sql.ts'
import { orGiveBack } from '../queue/give-back.ts'
import { inTurn } from '../queue/in-turn.ts'
import { type Slice, type SliceContext, takeSlice } from '../queue/slice.ts'
import type { Trial } from '../queue/trial.ts'
import { type Applying, applyOneByOne, applyTogether, isLost } from './apply.ts'
import type { Kind } from './kind.ts'
import { leases, release, take, wake } from './lease-store.ts'
import { createLine } from './line.ts'
import * as store from './store.ts'

/** What turns need of the process. */
export interface TurnContext extends SliceContext {
  sql: Sql
  kinds: Kind[]
  log: Logger
}

/** Takes a source that has a few new callbacks when its turn ends. */
export type HandOn = (ref: Ref) => void

/** Builds the function that gives sources their turns in one process. */
export const createTurns = (context: TurnContext, handOn: HandOn): ((ref: Ref, trial: Trial) => Promise<void>) =>
  inTurn(
    {
      most: APPLIED_AT_ONCE,
      queue: (ref, afterSeconds) => leases.enqueue(context.sql, ref, afterSeconds),
      stopping: context.stopping,
    },
    (ref, trial: Trial) => turn(context, handOn, ref, trial),
  )

async function turn(context: TurnContext, handOn: HandOn, ref: Ref, trial: Trial): Promise<void> {
  const { sql, kinds, stopping } = context
  const kind = kinds.find(({ prefix }) => isId(prefix, ref.id))
  if (!kind) throw new Error(`no kind of callback has the source ${ref.id}`)
  const giveBack = (token: string) => release(sql, ref, token)
  const taken = await takeSlice(context, { sql, leases, ref, trial }, token => take(sql, ref, token), giveBack)
  if (!taken) return
  const { token, slice } = taken
  async function end(left: boolean): Promise<void> {
    const state = await slice.giveBack(() => giveBack(token))
    // A row that is marked as queued and has no job is woken by nothing but the sweep, which would take ten seconds to find it.
    if (state === 'lost') await leases.enqueue(sql, ref)
    // What came meanwhile needs no job, unless the source is behind: a busy source would have one job after the other, and never catch up with those that
    // are told.
    else if (state === 'due' && (left || stopping.aborted)) await wake(sql, [ref])
    else if (state === 'due') handOn(ref)
  }
  const left = await orGiveBack(
    () => applyDue(context, kind, ref, trial, slice),
    () => end(true),
  )
  await end(left)
}

/** @returns whether more may be due */
async function applyDue({ sql, log }: TurnContext, kind: Kind, ref: Ref, trial: Trial, slice: Slice): Promise<boolean> {
  const at = { kind, ref, line: createLine(await store.failing(sql, ref)), log }
  // A worker that died may have died of any callback of its set.
  const most = trial.suspect ? 1 : APPLIED_TOGETHER
  let left = true
  for (; left && slice.goesOn(); await trial.progressed()) left = await applyNext(sql, at, most)
  return left
}

/** @returns whether more may be due: a set is full, or holds as many bytes as it may */
async function applyNext(sql: Sql, source: Omit<Applying, 'known'>, most: number): Promise<boolean> {
  const applyBy = (way: typeof applyTogether): Promise<boolean> =>
    beginBriefly(sql, async tx => {
      const { kind, ref } = source
      const [claimed, known] = await Promise.all([store.claim(tx, ref, most), kind.know?.(tx, ref)])
      if (claimed.length > 0) ahead(tx, store.note(tx, [{ source: ref, notes: await way(tx, { ...source, known }, claimed) }]))
      commitBehind(tx)
      return claimed.length === most || claimed.reduce((sum, { body }) => sum + body.length, 0) > APPLIED_TOGETHER_BYTES / 2
    })
  try {
    return await applyBy(applyTogether)
  } catch (error) {
    if (isLost(error)) throw error
    return applyBy(applyOneByOne)
  }
}

/** Fails the callback that ended its workers, and goes on with those behind it. */
export async function skipDeadly(sql: Sql, ref: Ref): Promise<void> {
  await store.failFirst(sql, ref, `Its worker ended ${WORKER_DEATHS_MAX} times while it was applied.`)
  await leases.enqueue(sql, ref)
}
