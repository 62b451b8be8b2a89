// Hands the body of an answer to the request's taker, a piece at a time, and lets the connection wait meanwhile.
import type { Dispatcher } from 'undici'
import type { Answer, Outcome } from './outcome.ts'
import type { Taker } from './request.ts'

/** The exchange that an answer belongs to. */
export interface Host {
  /** Starts the time until the next piece. Undefined: the taker is busy, and no time runs. */
  rest(ms: number | undefined): void
  /** There is more than the taker may have. */
  tooLarge(): void
  /** The taker has failed. */
  untaken(): void
}

export interface Intake {
  add(piece: Buffer, controller: Dispatcher.DispatchController): void
  /** The outcome, once the taker is done with the last piece, at which it may fail as well. */
  outcome(outcome: Outcome): Promise<Outcome>
}

/** @returns undefined where the answer goes to no taker: there is none, or the answer is an error, whose body is text */
export function intakeOf(taker: Taker | undefined, status: number, headers: Answer['headers'], host: Host): Intake | undefined {
  if (!taker || status < 200 || status >= 300) return undefined
  const intake = createIntake(taker, host)
  if (Number(headers['content-length'] ?? 0) > taker.maxBytes) host.tooLarge()
  else host.rest(taker.idleMs)
  return intake
}

function createIntake({ take, maxBytes, idleMs }: Taker, host: Host): Intake {
  let taking: Promise<void> = Promise.resolve()
  let failure: { cause: unknown } | undefined
  let size = 0

  async function next(before: Promise<void>, piece: Buffer, controller: Dispatcher.DispatchController): Promise<void> {
    await before
    if (failure) return
    try {
      await take(piece)
      host.rest(idleMs)
      controller.resume()
    } catch (cause) {
      failure = { cause }
      host.untaken()
    }
  }

  return {
    add(piece, controller) {
      // Going on after a pause, undici brings an empty piece.
      if (piece.length === 0) return
      size += piece.length
      if (size > maxBytes) {
        host.tooLarge()
        return
      }
      host.rest(undefined)
      controller.pause()
      // What is left of a connection that has ended comes in spite of the pause, so pieces wait for each other here.
      taking = next(taking, piece, controller)
    },
    async outcome(outcome) {
      await taking
      return failure && outcome.error === undefined ? { ...outcome, truncated: 'aborted', ...failure } : outcome
    },
  }
}
