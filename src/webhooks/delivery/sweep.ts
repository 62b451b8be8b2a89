// The sweep of endpoints: wakes those whose deliveries are due and that no worker serves.
import { type Sweep, sweeping } from '../../queue/sweep.ts'
import { wake } from './store.ts'
import * as store from './sweep-store.ts'

/** Many of a backlog of thousands of endpoints wait longer than a second for their turn, though none of their jobs is lost. */
const LOST_AFTER_SECONDS = 10

export const SWEEP: Sweep = {
  table: 'webhook_endpoints',
  work: 'webhook_deliveries',
  of: 'endpoint_id',
  isDue: store.isDue,
  isReady: store.isReady,
  task: 'webhooks/deliver',
  lostAfterSeconds: LOST_AFTER_SECONDS,
  wake,
}

export const sweep = sweeping(SWEEP)

export const countOverdue = store.countOverdue
