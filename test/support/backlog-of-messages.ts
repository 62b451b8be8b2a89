// Thousands of messages that wait to be sent, written as the statements of conversations leave them.
import type { Sql } from '../../src/postgres/sql.ts'
import type { Talk } from './sending.ts'

/** Numbers the copies of all backlogs of a process: ids are unique. */
let copies = 0

/**
 * Copies a conversation, and a message of it that waits, so many times. The copies wait until `channels.quiet_until`, which is set here, is over.
 * @param message the id of the message that is copied
 * @param each how many messages a conversation gets
 */
export async function aBacklog(
  sql: Sql,
  { shop, channel, conversation }: Pick<Talk, 'channel' | 'conversation'> & { shop: { id: string } },
  message: string,
  conversations: number,
  each: number,
): Promise<void> {
  const from = copies
  copies += conversations * each
  const idOf = (prefix: string, number: string) => `('${prefix}_' || lpad((${number})::text, 26, '0'))`
  await sql.unsafe(
    `
    with c as (select * from conversations where tenant_id = $1 and id = $2), n as (select generate_series($3::int, $3::int + $4::int - 1) as n)
    insert into conversations
    select (json_populate_record(null::conversations, (row_to_json(c)::jsonb || jsonb_build_object('id', ${idOf('conv', 'n.n')}, 'thread', (5000000 + n.n)::text,
              'doc', replace(c.doc, c.id, ${idOf('conv', 'n.n')})))::json)).*
      from c, n`,
    [shop.id, conversation, from, conversations],
  )
  await sql.unsafe(
    `
    insert into channel_queues (tenant_id, conversation_id, channel_id, due_at)
    select $1, ${idOf('conv', 'n')}, $2, clock_timestamp() from generate_series($3::int, $3::int + $4::int - 1) n`,
    [shop.id, channel, from, conversations],
  )
  await sql.unsafe(
    `
    with m as (select * from messages where tenant_id = $1 and id = $2),
         n as (select n, $3::int + (n - $3::int) / $5::int as c from generate_series($3::int, $3::int + $4::int * $5::int - 1) n)
    insert into messages
    select (json_populate_record(null::messages, (row_to_json(m)::jsonb || jsonb_build_object('id', ${idOf('msg', 'n.n')}, 'conversation_id', ${idOf('conv', 'n.c')}, 'status', 'queued', 'external_id', null,
              'doc', replace(replace(m.doc, m.id, ${idOf('msg', 'n.n')}), m.conversation_id, ${idOf('conv', 'n.c')})))::json)).*
      from m, n`,
    [shop.id, message, from, conversations, each],
  )
  await sql.unsafe(
    `
    insert into channel_sends (tenant_id, message_id, conversation_id, channel_id, queued_at)
    select $1, ${idOf('msg', 'n')}, ${idOf('conv', '$3::int + (n - $3::int) / $5::int')}, $2, clock_timestamp() + n * interval '1 ms'
      from generate_series($3::int, $3::int + $4::int * $5::int - 1) n`,
    [shop.id, channel, from, conversations, each],
  )
  await sql.unsafe('analyze conversations, messages, channel_queues, channel_sends')
}
