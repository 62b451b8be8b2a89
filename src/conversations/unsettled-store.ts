// Counts of a channel's messages that have not come to their end.
import { UNSETTLED_COUNTED_MAX } from '../limits/conversations.ts'
import { type Fragment, part } from '../postgres/sql.ts'

/** @param channel an expression */
export const countOf = (tenant: string, channel: Fragment, status: 'queued' | 'unknown'): Fragment => part`
  (select count(*)::integer
     from (select from messages m
            where m.tenant_id = ${tenant} and m.channel_id = ${channel} and m.status = ${status} and m.status in ('queued', 'unknown')
            limit ${UNSETTLED_COUNTED_MAX}) few)`
