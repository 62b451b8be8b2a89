// Ends the runs of an app that may not go on: before their next step, in the transaction that disables, removes or changes the app. A step that is under way is
// undone with its transaction.
import { now } from '../clock.ts'
import type { Ref } from '../ids.ts'
import type { Queryable, Tx } from '../postgres/sql.ts'
import * as store from './stop-store.ts'

const REASONS = {
  app_disabled: 'The app was disabled.',
  app_uninstalled: 'The app was uninstalled.',
  flow_disabled: 'An upgrade of the app disabled the flow, or took it away.',
} as const

/** Cancels the runs under way of an app, but for those of the flows named. */
export const stopRuns = (tx: Tx, app: Ref, code: keyof typeof REASONS, flowsKept: string[] = []): Promise<void> =>
  store.cancelAll(tx, app, flowsKept, { code, reason: REASONS[code] }, new Date(now()))

/** Takes away by what the runs of an app were leased, when the app is gone for good. Its runs stay for as long as any. */
export const forgetRuns = (sql: Queryable, app: Ref): Promise<void> => store.forget(sql, app)
