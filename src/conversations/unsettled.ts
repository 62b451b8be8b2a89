// What a channel shows of its messages: how many wait to be sent, and of how many it is not known whether they arrived.
import type { Fragment } from '../postgres/sql.ts'
import * as store from './unsettled-store.ts'

/** As parts of a statement about a channel, whose id `channel` is. */
export const unsettled = (tenant: string, channel: Fragment): { queued: Fragment; unknown: Fragment } => ({
  queued: store.countOf(tenant, channel, 'queued'),
  unknown: store.countOf(tenant, channel, 'unknown'),
})
