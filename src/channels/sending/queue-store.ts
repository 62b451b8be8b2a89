// Statements that put messages into the queues of their conversations, and take them out before they begin to go.
import { columns } from '../../postgres/row-set.ts'
import { type Fragment, part } from '../../postgres/sql.ts'

export interface NewSend {
  tenant: string
  channel_id: string
  conversation_id: string
  message_id: string
  /** ISO 8601 with milliseconds: the order within the conversation, and since when it waits. */
  at: string
  /** The epoch in which the assistant said it; null for all other words. */
  ai_epoch: number | null
}

const SENDS = columns({
  tenant_id: 'text',
  message_id: 'text',
  conversation_id: 'text',
  channel_id: 'text',
  queued_at: 'timestamptz',
  ai_epoch: 'integer',
})
const rowOf = ({ tenant, at, ...send }: NewSend) => ({ ...send, tenant_id: tenant, queued_at: at })

/** Opens the queues of different conversations, as a part of a statement. What waits already keeps its time, which may be that of its next attempt. */
export const open = (sends: NewSend[]): Fragment => part`
  insert into channel_queues as q (tenant_id, conversation_id, channel_id, due_at)
  select r.tenant_id, r.conversation_id, r.channel_id, r.queued_at from ${SENDS.numbered(sends.map(rowOf))} order by r.n
  on conflict (tenant_id, conversation_id) do update
     set due_at = coalesce(q.due_at, greatest(excluded.due_at, q.free_from, q.held_until))`

export const add = (sends: NewSend[]): Fragment => part`
  insert into channel_sends (${SENDS.names})
  select r.* from ${SENDS.of(sends.map(rowOf))}`

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
