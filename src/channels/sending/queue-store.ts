// Statements that put messages into the queues of their conversations, and take them out before they begin to go.
import { type Fragment, part } from '../../postgres/sql.ts'

export interface NewSend {
  channel_id: string
  conversation_id: string
  message_id: string
  /** ISO 8601 with milliseconds: the order within the conversation. */
  at: string
  /** The epoch in which the assistant said it; null for all other words. */
  ai_epoch: number | null
}

// What waits already keeps its time, which may be that of its next attempt.
export const open = (tenant: string, { channel_id, conversation_id, at }: NewSend): Fragment => part`
  insert into channel_queues as q (tenant_id, conversation_id, channel_id, due_at)
  values (${tenant}, ${conversation_id}, ${channel_id}, ${at})
  on conflict (tenant_id, conversation_id) do update
     set due_at = coalesce(q.due_at, greatest(excluded.due_at, q.free_from, q.held_until))`

export const add = (tenant: string, { channel_id, conversation_id, message_id, at, ai_epoch }: NewSend): Fragment => part`
  insert into channel_sends (tenant_id, message_id, conversation_id, channel_id, queued_at, ai_epoch)
  values (${tenant}, ${message_id}, ${conversation_id}, ${channel_id}, ${at}, ${ai_epoch})`

/**
 * A message that is under way is not withdrawn. A queue that is then empty is found so when it is due. The queue's row is locked before its messages, as by
 * the claim, which would otherwise wait for this transaction with the queue in its hand.
 */
export const withdrawAssistant = (tenant: string, conversation: string): Fragment => part`
  delete from channel_sends
   where tenant_id = ${tenant} and ai_epoch is not null and begun_at is null and conversation_id in (
     select q.conversation_id from channel_queues q
      where q.tenant_id = ${tenant} and q.conversation_id = ${conversation}
        for no key update)
  returning message_id`
