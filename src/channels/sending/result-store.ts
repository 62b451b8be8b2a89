// Statements of results: the queue goes on, and the attempt is logged. They are parts of the statement that writes what became of the messages.
import type { Ref } from '../../ids.ts'
import { columns } from '../../postgres/row-set.ts'
import { type Fragment, part, type Queryable } from '../../postgres/sql.ts'

/** What became of an attempt. Times are ISO 8601. */
export interface ResultRow {
  message_id: string
  conversation_id: string
  channel_id: string
  /** The lease under which the message was under way; null: it was not. */
  token: string | null
  /** The message is not to be sent any more. */
  done: boolean
  attempts: number
  /** When it may be sent again. */
  next_at: string | null
  /** The platform asked for a rest until then. */
  held_until: string | null
}

const RESULTS = columns<keyof ResultRow>({
  message_id: 'text',
  conversation_id: 'text',
  channel_id: 'text',
  token: 'text',
  done: 'boolean',
  attempts: 'integer',
  next_at: 'timestamptz',
  held_until: 'timestamptz',
})

export interface AttemptRow {
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
 * own: there nothing is changed.
 */
export const parts = (tenant: string, results: ResultRow[], attempts: AttemptRow[]): Fragment[] => [
  part`
    delete from channel_sends s
     using ${RESULTS.of(results.filter(each => each.done) as never)}
     where s.tenant_id = ${tenant} and s.message_id = r.message_id and ${IS_OURS}`,
  part`
    update channel_sends s set taken = null, begun_at = null, uploading = false, attempts = r.attempts
      from ${RESULTS.of(results.filter(each => !each.done) as never)}
     where s.tenant_id = ${tenant} and s.message_id = r.message_id and ${IS_OURS}`,
  part`
    update channel_queues q
       set taken = null, idle_since = clock_timestamp(), held_until = coalesce(r.held_until, q.held_until),
           due_at = case when not r.done then r.next_at
             when exists (
               select from channel_sends s
                where s.tenant_id = ${tenant} and s.conversation_id = q.conversation_id and s.message_id <> r.message_id)
             then greatest(clock_timestamp(), q.free_from, r.held_until, q.held_until) end
      from ${RESULTS.of(results.filter(each => each.token !== null) as never)}
     where q.tenant_id = ${tenant} and q.conversation_id = r.conversation_id and q.taken = r.token::uuid`,
  ...(attempts.length === 0
    ? []
    : [
        part`
    insert into channel_attempts (${ATTEMPTS.names}, tenant_id)
    select r.*, ${tenant}::text from ${ATTEMPTS.of(attempts as never)}
    on conflict do nothing`,
      ]),
]

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
