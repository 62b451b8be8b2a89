// A lease that its holder has lost sight of, for an answer of the database was lost. Its process lives, so nothing ends the lease before its time, and nothing
// goes on with the work until then.
import { setTimeout as delay } from 'node:timers/promises'
import { LEASE_SECONDS } from '../limits/queue.ts'
import { isUnavailable, wasRolledBack } from '../postgres/errors.ts'

const AGAIN_MS = 250

/**
 * Gives a lease back, also where the database comes back only in a while. The lease must not be renewed meanwhile: see `Slice.giveBack`.
 * @param stopping the process is stopping: then it is tried once
 * @throws the error of the last try: by then the lease has run out, the process stops, or the error is not one of a database that is away
 */
export async function giveBackSurely<T>(stopping: AbortSignal, giveBack: () => Promise<T>): Promise<T> {
  for (const until = performance.now() + LEASE_SECONDS * 1000; ; ) {
    try {
      return await giveBack()
    } catch (error) {
      if (!isUnavailable(error) || stopping.aborted || performance.now() > until) throw error
      await delay(AGAIN_MS)
    }
  }
}

/**
 * Takes a lease, or does work under one, and gives the lease back if that fails. Whether a lease was taken is unknown where the answer is lost: what may have
 * been taken is given back.
 * @param giveBack tries for as long as the database is away; given the error
 * @throws the error of the work, also where giving back fails
 */
export async function orGiveBack<T>(work: () => Promise<T>, giveBack: (error: unknown) => Promise<unknown>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    // If that fails as well, the lease runs out.
    await giveBack(error).catch(() => {})
    throw error
  }
}

/**
 * Gives back what a statement may have taken that failed. Where the connection was lost, that statement may wait in the server for the row still, and take the
 * lease after all.
 * @param pass waits for the row, and so until that statement is over, for it came first
 */
export async function giveBackTaken<T>(error: unknown, pass: () => Promise<unknown>, giveBack: () => Promise<T>): Promise<T> {
  if (!wasRolledBack(error)) await pass()
  return giveBack()
}

/**
 * Gives a lease back after an error of the database. After any other error it is left to run out, so that whatever is wrong has time to pass.
 * @returns false: it was not given back, and runs out
 */
export async function giveBackAfter(error: unknown, stopping: AbortSignal, giveBack: () => Promise<unknown>): Promise<boolean> {
  if (!isUnavailable(error)) return false
  return giveBackSurely(stopping, giveBack).then(
    () => true,
    () => false,
  )
}
