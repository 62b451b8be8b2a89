// Statements of results: the queue goes on, and the attempt is logged. They are parts of the statement that writes what became of the messages.
import type { Ref } from '../../ids.ts'
import { arrayText, columns } from '../../postgres/row-set.ts'
import { type Fragment, part, type Queryable } from '../../postgres/sql.ts'

/** What became of an attempt. Times are ISO 8601. */
export interface ResultRow {
  tenant_id: string
  message_id: string
  conversation_id: string
  channel_id: string
  /** The lease under which the message was under way; null: it was not. */
  token: string | null
  /** When it was queued, where it was claimed. */
  queued_at: string | null
  /** The message is not to be sent any more. */
  done: boolean
  attempts: number
  /** An attempt may have been taken. */
  in_doubt: boolean
  /** When it may be sent again. */
  next_at: string | null
  /** The platform asked for a rest until then. */
  held_until: string | null
}

const RESULTS = columns<keyof ResultRow>({
  tenant_id: 'text',
  message_id: 'text',
  conversation_id: 'text',
  channel_id: 'text',
  token: 'text',
  queued_at: 'timestamptz',
  done: 'boolean',
  attempts: 'integer',
  in_doubt: 'boolean',
  next_at: 'timestamptz',
  held_until: 'timestamptz',
})

export interface AttemptRow {
  tenant_id: string
  message_id: string
  channel_id: string
  started_at: string
  duration_ms: number
  status: number | null
  outcome: string
  code: string | null
  error: string | null
}

const ATTEMPTS = columns<keyof AttemptRow>({
  tenant_id: 'text',
  message_id: 'text',
  channel_id: 'text',
  started_at: 'timestamptz',
  duration_ms: 'integer',
  status: 'smallint',
  outcome: 'text',
  code: 'text',
  error: 'text',
})

/**
 * Parts of the statement that writes the messages, which holds the locks of their conversations. Queues that another lease has taken meanwhile are its
 * own: there nothing is changed. Keys are given once more as lists: a plan that was made for a small table would else read all of it to join the rows.
 */
export const parts = (results: ResultRow[], attempts: AttemptRow[]): Fragment[] => [
  ...some(
    results.filter(each => each.done),
    all => part`
    delete from channel_sends s
     using ${RESULTS.of(all)}
     where ${sendsOf(all)} and s.tenant_id = r.tenant_id and s.message_id = r.message_id and ${IS_OURS}`,
  ),
  ...some(
    results.filter(each => !each.done),
    all => part`
    update channel_sends s set taken = null, begun_at = null, uploading = false, attempts = r.attempts, in_doubt = r.in_doubt
      from ${RESULTS.of(all)}
     where ${sendsOf(all)} and s.tenant_id = r.tenant_id and s.message_id = r.message_id and ${IS_OURS}`,
  ),
  ...some(
    results.filter(each => each.token !== null),
    all => part`
    update channel_queues q
       set taken = null, idle_since = clock_timestamp(), held_until = coalesce(r.held_until, q.held_until),
           due_at = case when not r.done then r.next_at
             when exists (
               select from channel_sends s
                where s.tenant_id = q.tenant_id and s.conversation_id = q.conversation_id and s.message_id <> r.message_id)
             then greatest(clock_timestamp(), q.free_from, r.held_until, q.held_until) end
      from ${RESULTS.of(all)}
     where q.tenant_id = any(${keys(all, 'tenant_id')}) and q.conversation_id = any(${keys(all, 'conversation_id')})
       and q.tenant_id = r.tenant_id and q.conversation_id = r.conversation_id and q.taken = r.token::uuid`,
  ),
  ...some(
    attempts,
    all => part`
    insert into channel_attempts (${ATTEMPTS.names})
    select r.* from ${ATTEMPTS.of(all)}
    on conflict do nothing`,
  ),
]

/** A part, where there is something for it to do. */
const some = <Row>(rows: Row[], write: (rows: (Row & never)[]) => Fragment): Fragment[] => (rows.length > 0 ? [write(rows as never)] : [])

const sendsOf = (all: ResultRow[]): Fragment =>
  part`s.tenant_id = any(${keys(all, 'tenant_id')}) and s.message_id = any(${keys(all, 'message_id')})`

const keys = (all: ResultRow[], name: 'tenant_id' | 'message_id' | 'conversation_id'): Fragment =>
  part`${arrayText([...new Set(all.map(each => each[name]))])}::text::text[]`

/**
 * Claimed messages whose sending is over, as a part of a statement: rows of `id`. Another lease has said that the fate is unknown; or a person has sent the message
 * again since, and its time in the queue is another.
 */
export const late = (results: ResultRow[]): Fragment => part`
  select r.message_id as id
    from ${RESULTS.of(results)}
   where r.queued_at is not null and r.queued_at is distinct from (
     select s.queued_at from channel_sends s where s.tenant_id = r.tenant_id and s.message_id = r.message_id limit 1)`

/** The message is under way for this lease, or for none. */
const IS_OURS = part`s.taken is not distinct from r.token::uuid`

/** Another conversation of the channel waits because the platform asked for a rest. */
export async function othersAreHeld(sql: Queryable, { tenant, id }: Ref, conversation: string): Promise<boolean> {
  const rows = await sql`
    select 1 from channel_queues
     where tenant_id = ${tenant} and channel_id = ${id} and due_at > clock_timestamp() and held_until > clock_timestamp()
       and conversation_id <> ${conversation}
     limit 1`
  return rows.length > 0
}
