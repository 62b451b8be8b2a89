// What is asked of platforms beside sending: jobs, each of which waits for an answer. So few go on at once that a platform which hangs leaves most of a process's
// jobs to others.
import type { Ref } from '../ids.ts'
import { atMost } from '../queue/at-most.ts'

export interface Question {
  /** Never throws for what the platform does. */
  ask(): Promise<void>
  /** Queues the same question once more. */
  again(afterSeconds: number): Promise<unknown>
}

/** The share of a process's jobs that may ask at once. */
const SHARE = 1 / 4
/** The share of these that may ask for one workspace. */
const SHARE_OF_ONE = 1 / 2

/** Builds the function that asks for one process, or asks later. @param jobs how many the process runs at once */
export function createAsking(jobs: number): (channel: Ref, question: Question) => Promise<void> {
  const most = Math.max(2, Math.floor(jobs * SHARE))
  return atMost(
    most,
    (_channel, afterSeconds, [question]) => question.again(afterSeconds),
    (_slot, _channel, question: Question) => question.ask(),
    most * SHARE_OF_ONE,
  )
}
