// Results of attempts, as the engine would record them.
import type { AttemptLog } from '../../src/webhooks/delivery/attempt.ts'
import { HEALTHY } from '../../src/webhooks/delivery/health.ts'
import type { Result, ResultSlice } from '../../src/webhooks/delivery/result.ts'

/** A first attempt, answered by `status` just now. */
export function resultOf(slice: ResultSlice, event: string, status: number): Result {
  const now = Date.now()
  const succeeded = status < 300
  const log: AttemptLog = {
    url: 'https://shop.example',
    status,
    error: succeeded ? null : `the receiver answered ${status}`,
    timings: { totalMs: 1 },
    signature: '',
    headerNames: null,
    responseHeaders: null,
    responseBody: null,
    truncated: null,
  }
  return {
    slice,
    event,
    attempt: 1,
    state: succeeded ? 'succeeded' : 'pending',
    dueAt: now,
    made: {
      startedAt: now,
      endedAt: now,
      outcome: { status, headers: {}, body: '', truncated: false, timings: log.timings },
      succeeded,
      log,
    },
    health: HEALTHY,
    ends: false,
  }
}
