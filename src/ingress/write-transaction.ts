// The transaction of a write. On some routes, requests that arrive together share one: its beginning, its statements and the flush of its
// commit are then paid once. A refused request is a value and leaves no trace.
import { batched } from '../postgres/batch.ts'
import { wasRolledBack } from '../postgres/errors.ts'
import { begin, beginBriefly, type Database, SHARED_AT_A_TIME, type Sql } from '../postgres/sql.ts'
import { Problem } from '../problems.ts'
import type { Turns } from '../turns.ts'
import { type Claim, remember } from './idempotency.ts'
import type { Action, Answer, JsonWrite, SharedWrite, WriteInput } from './route.ts'

/** One request to write. */
export interface PendingWrite {
  input: WriteInput
  /** The idempotency key to record the answer under. */
  claim: Claim | undefined
  /** The caller has left. A request with a key goes on: its repeat gets the answer. */
  leaving: AbortSignal
}

/** Requests of one transaction: its locks are held until the last of them is written. */
const SHARED_MAX = 32

/**
 * @param turns of the writes that wait for others of their workspace
 * @returns carries out one request in a transaction; rejects with its refusal
 */
export function writeTransaction(db: Database, route: JsonWrite, turns: Turns): (write: PendingWrite) => Promise<Answer> {
  if (route.kind === 'shared-write') return sharing(db, route)
  if (route.kind === 'action') return acting(db, route)
  const single = ({ input, claim }: PendingWrite): Promise<Answer> =>
    begin(db.sql, async tx => {
      const answer = { status: route.status, ...(await route.handler({ ...input, tx })) }
      if (claim) await remember(tx, claim, answer)
      return answer
    })
  return route.inTurns ? write => turns(write.input.caller.tenant, () => single(write)) : single
}

const NEVER = new AbortController().signal

// Only its answer is written, once it is there.
function acting({ sql }: Database, { handler, status }: Action): (write: PendingWrite) => Promise<Answer> {
  return async ({ input, claim, leaving }) => {
    const answer = { status, ...(await handler({ ...input, sql, leaving: claim ? NEVER : leaving })) }
    if (claim) await begin(sql, tx => remember(tx, claim, answer))
    return answer
  }
}

type Outcome = Answer | Error | Promise<Answer | Error>

function sharing({ sharedPool, sql }: Database, { handleAll, status }: SharedWrite): (write: PendingWrite) => Promise<Answer> {
  const writeTogether = (on: Sql, writes: PendingWrite[]): Promise<(Answer | Problem)[]> =>
    // An answer to remember is written last, so no statement of the handler may send COMMIT behind it.
    (writes.some(each => each.claim) ? begin : beginBriefly)(on, async tx => {
      const outcomes = await handleAll(
        tx,
        writes.map(each => each.input),
      )
      const answers = outcomes.map(each => (each instanceof Problem ? each : { status, ...each }))
      for (const [index, { claim }] of writes.entries()) {
        const answer = answers[index]
        if (claim && answer && !(answer instanceof Problem)) await remember(tx, claim, answer)
      }
      return answers
    })
  const add = batched(
    async (writes: PendingWrite[]): Promise<Outcome[]> => {
      try {
        return await writeTogether(sharedPool, writes)
      } catch (error) {
        if (!wasRolledBack(error)) throw error
        // One request waited for a lock or was overtaken: now each has its own transaction, and none waits for another.
        return writes.map(each => writeTogether(sql, [each]).then(([answer]) => answer as Answer | Problem, asError))
      }
    },
    SHARED_MAX,
    SHARED_AT_A_TIME,
  )
  return async write => {
    const outcome = await add(write)
    if (outcome instanceof Error) throw outcome
    return outcome
  }
}

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)))
