// The sweep of endpoints: wakes those whose deliveries are due and that no worker serves.
import { sweeping } from '../../queue/sweep.ts'
import { wake } from './store.ts'
import * as store from './sweep-store.ts'

/** Many of a backlog of thousands of endpoints wait longer than a second for their turn, though none of their jobs is lost. */
const LOST_AFTER_SECONDS = 10

export const sweep = sweeping({
  table: 'webhook_endpoints',
  task: 'webhooks/deliver',
  key: 'endpointId',
  lostAfterSeconds: LOST_AFTER_SECONDS,
  stalled: store.stalled,
  wake,
})

export const countOverdue = store.countOverdue
