// What becomes of an app's runs as the app changes, in the transaction that changes it. Those that may not go on end before their next step: a step that is under
// way is undone with its transaction.
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
  store.cancelAll(tx, app, flowsKept, { code, reason: REASONS[code], at: new Date(now()) })

/** Cancels a run under way. */
export const stopRun = (tx: Tx, run: Ref): Promise<void> =>
  store.cancel(tx, run, { code: 'cancelled', reason: 'A person or a program cancelled it.', at: new Date(now()) })

/** Before an app becomes active: the time for which its runs waited for a setting is none of their own. */
export const resumeRuns = (tx: Tx, app: Ref): Promise<void> => store.beginAnew(tx, app)

/** Takes away by what the runs of an app were leased, when the app is gone for good. Its runs stay for as long as any. */
export const forgetRuns = (sql: Queryable, app: Ref): Promise<void> => store.forget(sql, app)
