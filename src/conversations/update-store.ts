// What the updates of a channel name: conversations by their threads, messages by their ids.
import { MESSAGES_COMPARED } from '../limits/conversations.ts'
import { arrayText, columns } from '../postgres/row-set.ts'
import { gathered } from '../postgres/side-by-side.ts'
import { type Fragment, part, type Tx } from '../postgres/sql.ts'
import type { Held } from './conversation.ts'
import { asHeld, asMessage, type HeldRow, heldColumns, type Stored, type StoredRow, stored, unsettled } from './store.ts'

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

/** One channel's, of several that are asked for together. */
export interface Asked {
  tenant: string
  named: Named
}

// Rows with the number of their question, from nought on.
const THREAD = columns({ n: 'integer', tenant_id: 'text', channel_id: 'text', thread: 'text' })
const NAMED = columns({ n: 'integer', tenant_id: 'text', channel_id: 'text', id: 'text' })

const threadsOf = (asked: Asked[]) =>
  asked.flatMap(({ tenant, named: { channel, threads } }, n) =>
    threads.map(thread => ({ n, tenant_id: tenant, channel_id: channel, thread })),
  )
const idsOf = (asked: Asked[], key: 'external' | 'ours') =>
  asked.flatMap(({ tenant, named }, n) => named[key].map(id => ({ n, tenant_id: tenant, channel_id: named.channel, id })))

const namesMessages = ({ named: { external, ours } }: Asked): boolean => external.length + ours.length > 0
const namesAny = (asked: Asked): boolean => asked.named.threads.length > 0 || namesMessages(asked)

/** The last conversation of each of these threads, the open one where there is one. */
const lastOf = (asked: Asked[]): Fragment => part`
  select r.n, r.tenant_id, (
           select t.id
             from conversations t
            where t.tenant_id = r.tenant_id and t.channel_id = r.channel_id and t.thread = r.thread
            order by t.closed_at desc nulls first
            limit 1) as id
    from ${THREAD.of(threadsOf(asked))}`

const namedMessages = (asked: Asked[]): Fragment => part`
  select r.n, r.tenant_id, m.id, m.conversation_id, m.doc, m.counts_as_failed, m.withdrawn
    from ${NAMED.of(idsOf(asked, 'external'))}
   cross join lateral (
     select m.id, m.conversation_id, ${stored}, m.withdrawn
       from messages m
      where m.tenant_id = r.tenant_id and m.channel_id = r.channel_id and m.external_id is not null and m.external_id = r.id
      limit 1) m
   union all
  select r.n, r.tenant_id, m.id, m.conversation_id, m.doc, m.counts_as_failed, m.withdrawn
    from ${NAMED.of(idsOf(asked, 'ours'))}
   cross join lateral (
     select m.id, m.conversation_id, ${stored}, m.withdrawn
       from messages m
      where m.tenant_id = r.tenant_id and m.channel_id = r.channel_id and m.id = r.id
      limit 1) m`

/** The last conversation of a thread, the open one where there is one. Locks nothing. */
export async function lastOfThread(tx: Tx, tenant: string, channel: string, thread: string): Promise<string | undefined> {
  const [row] = await tx<{ id: string | null }[]>`${lastOf([{ tenant, named: { channel, threads: [thread], external: [], ours: [] } }])}`
  return row?.id ?? undefined
}

/** Locks the conversations that updates concern, in the order of their ids: the last one of each thread, and those of the messages. */
export const holdConcerned = gathered(async (tx: Tx, asked: Asked[]): Promise<Held[][]> => {
  if (!asked.some(namesAny)) return asked.map(() => [])
  const rows = await tx<(HeldRow & { n: number })[]>`
    select w.n, h.*
      from (
        select distinct on (v.tenant_id, v.id) v.tenant_id, v.id, v.n
          from (
            select l.n, l.tenant_id, l.id from (${lastOf(asked)} offset 0) l
             union all
            select m.n, m.tenant_id, m.conversation_id from (${namedMessages(asked)}) m) v
         where v.id is not null
         order by v.tenant_id, v.id) w
     cross join lateral (
       select ${heldColumns}
         from conversations t
        where t.tenant_id = w.tenant_id and t.id = w.id
          for no key update of t) h`
  return split(asked, rows, asHeld)
})

/** The messages that updates name. */
export const messagesNamed = gathered(async (tx: Tx, asked: Asked[]): Promise<Stored[][]> => {
  if (!asked.some(namesMessages)) return asked.map(() => [])
  const rows = await tx<(StoredRow & { n: number; id: string })[]>`${namedMessages(asked)}`
  // A message may be named by both of its ids.
  return split(asked, [...new Map(rows.map(row => [`${row.n} ${row.id}`, row])).values()], asMessage)
})

/** To each question its answer. */
function split<Row extends { n: number }, Result>(asked: Asked[], rows: Row[], as: (row: Row) => Result): Result[][] {
  const results: Result[][] = asked.map(() => [])
  for (const row of rows) results[row.n]?.push(as(row))
  return results
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
