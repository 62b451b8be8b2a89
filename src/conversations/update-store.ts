// What the updates of a channel name: conversations by their threads, messages by their ids.
import { MESSAGES_COMPARED } from '../limits.ts'
import { arrayText } from '../postgres/row-set.ts'
import { type Fragment, part, type Tx } from '../postgres/sql.ts'
import type { Held } from './conversation.ts'
import { asMessage, holdAmong, type Stored, type StoredRow, stored, unsettled } from './store.ts'

const list = (values: string[]): Fragment => part`${arrayText(values)}::text::text[]`

/** What a channel's updates name. */
export interface Named {
  channel: string
  threads: string[]
  /** The platform's ids of messages. */
  external: string[]
  /** Our own ids of messages. */
  ours: string[]
}

/** The last conversation of each of these threads, the open one where there is one. */
const lastOf = (tenant: string, { channel, threads }: Pick<Named, 'channel' | 'threads'>): Fragment => part`
  select (select t.id
            from conversations t
           where t.tenant_id = ${tenant} and t.channel_id = ${channel} and t.thread = r.thread
           order by t.closed_at desc nulls first
           limit 1) as id
    from unnest(${list(threads)}) r (thread)`

const namedMessages = (tenant: string, { channel, external, ours }: Named, columns: Fragment): Fragment => part`
  select ${columns}
    from messages m
   where m.tenant_id = ${tenant} and m.channel_id = ${channel} and m.external_id is not null and m.external_id = any(${list(external)})
  union
  select ${columns}
    from messages m
   where m.tenant_id = ${tenant} and m.channel_id = ${channel} and m.id = any(${list(ours)})`

/** The last conversation of a thread, the open one where there is one. Locks nothing. */
export async function lastOfThread(tx: Tx, tenant: string, channel: string, thread: string): Promise<string | undefined> {
  const [row] = await tx<{ id: string | null }[]>`${lastOf(tenant, { channel, threads: [thread] })}`
  return row?.id ?? undefined
}

/** Locks the conversations that updates concern: the last one of each thread, and those of the messages. */
export const holdConcerned = async (tx: Tx, tenant: string, named: Named): Promise<Held[]> =>
  named.threads.length + named.external.length + named.ours.length === 0
    ? []
    : holdAmong(tx, tenant, part`${lastOf(tenant, named)} union all (${namedMessages(tenant, named, part`m.conversation_id as id`)})`)

/** The messages that updates name. */
export async function messagesNamed(tx: Tx, tenant: string, named: Named): Promise<Stored[]> {
  if (named.external.length + named.ours.length === 0) return []
  const rows = await tx<StoredRow[]>`${namedMessages(tenant, named, stored)}`
  return rows.map(asMessage)
}

/** See `unsettled`. */
export async function findUnsettled(tx: Tx, tenant: string, held: Held[]): Promise<Stored[]> {
  if (held.length === 0) return []
  const rows = await tx<StoredRow[]>`${unsettled(
    tenant,
    held.map(each => each.conversation),
  )}`
  return rows.map(asMessage)
}

/** The newest messages of each of these conversations that the platform took and that may not have been read. */
export async function findUnread(tx: Tx, tenant: string, held: Held[]): Promise<Stored[]> {
  if (held.length === 0) return []
  const rows = await tx<StoredRow[]>`
    select u.doc, u.counts_as_failed
      from unnest(${list(held.map(each => each.conversation.id))}) r (id),
           lateral (select ${stored}, m.status
                      from messages m
                     where m.tenant_id = ${tenant} and m.conversation_id = r.id
                     order by m.created_at desc, m.id desc
                     limit ${MESSAGES_COMPARED}) u
     where u.status in ('sent', 'delivered')`
  return rows.map(asMessage)
}
