// Statements that put messages into the queues of their conversations, and take them out before they begin to go.
import { arrayText, columns } from '../../postgres/row-set.ts'
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

/**
 * As a part of a statement. A message that is sent again may still have its earlier row: a receipt told that it had failed while the answer to its request was
 * awaited. That row begins anew.
 */
export const add = (sends: NewSend[]): Fragment => part`
  insert into channel_sends (${SENDS.names})
  select r.* from ${SENDS.of(sends.map(rowOf))}
  on conflict (tenant_id, message_id) do update
     set queued_at = excluded.queued_at, ai_epoch = excluded.ai_epoch, attempts = 0, first_attempt_at = null, in_doubt = false`

/** What the assistant said in a conversation: see `takenOut`. */
export const withdrawAssistant = (tenant: string, conversation: string): Fragment =>
  takenOut(tenant, [conversation], part`s.ai_epoch is not null`)

/** A message that is known to have arrived, in its conversation. */
export interface Arrived {
  conversation_id: string
  message_id: string
  /** ISO 8601: when it was written. */
  created_at: string
}

const ARRIVED = columns({ message_id: 'text', created_at: 'timestamptz' })

/** Messages that are known to have arrived: see `takenOut`. One that a person sent again since is to go once more: its row is younger than the message. */
export const withdrawArrived = (tenant: string, all: Arrived[]): Fragment =>
  takenOut(
    tenant,
    all.map(each => each.conversation_id),
    part`(s.message_id, s.queued_at) in (
      select r.message_id, r.created_at from ${ARRIVED.of(all.map(({ message_id, created_at }) => ({ message_id, created_at })))})`,
  )

/**
 * Takes messages out of the queues of conversations that are locked, but for what is under way: rows of `message_id` and `in_doubt`, for an attempt may have
 * been taken. What waited behind the first of a queue may go at once. A queue that is then empty is found so when it is due. Its row is locked before its
 * messages, as by the claim, which would otherwise wait for this transaction with the queue in its hand.
 * @param which of the rows `s` of channel_sends
 */
const takenOut = (tenant: string, conversations: string[], which: Fragment): Fragment => part`
  with queue as materialized (
    select q.conversation_id
      from channel_queues q
     where q.tenant_id = ${tenant} and q.conversation_id = any(${arrayText([...new Set(conversations)])}::text::text[])
     order by q.conversation_id
       for no key update
  ), gone as (
    delete from channel_sends s
     using queue q
     where s.tenant_id = ${tenant} and s.conversation_id = q.conversation_id and s.begun_at is null and ${which}
    returning s.conversation_id, s.message_id, s.in_doubt, s.queued_at
  ), freed as (
    update channel_queues q set due_at = greatest(clock_timestamp(), q.free_from, q.held_until)
      from (select g.conversation_id, min(g.queued_at) as queued_at from gone g group by g.conversation_id) f
     where q.tenant_id = ${tenant} and q.conversation_id = f.conversation_id and q.taken is null and q.due_at is not null and not exists (
       select from channel_sends o
        where o.tenant_id = ${tenant} and o.conversation_id = f.conversation_id and o.queued_at < f.queued_at)
  )
  select message_id, in_doubt from gone`
