// A channel's row is the mutex of its sends: the worker that holds its lease sends, and no other. Unlike other leased work, `queued_at` is cleared when a worker
// takes the lease, for a channel without a job is woken without one.
import { part } from '../../postgres/sql.ts'
import { leased } from '../../queue/leased.ts'

/** Replies go before deliveries, whose jobs have priority 1. */
const PRIORITY = -1

export const leases = {
  ...leased({
    table: 'channels',
    task: 'channels/send',
    key: 'channelId',
    open: part`r.status in ('enabled', 'failing')`,
    priority: PRIORITY,
  }),
  /** A condition: something may be sent through the channel now. */
  mayGo: part`r.status in ('enabled', 'failing') and (r.quiet_until is null or r.quiet_until <= clock_timestamp())`,
}
