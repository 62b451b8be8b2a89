// What writing in a conversation reads, once the conversation is locked: of several at once by one statement.
import { MESSAGES_COMPARED } from '../limits/conversations.ts'
import { columns } from '../postgres/row-set.ts'
import { type Fragment, part, type Tx } from '../postgres/sql.ts'
import type { NamedBy } from './author.ts'
import type { Held } from './conversation.ts'
import { type StoredRow, stored } from './store.ts'

export interface Ask {
  tenant: string
  held: Held
  /** Messages that are looked at, by their ids: two at most. */
  named: string[]
  /** ISO 8601: what was said to the customer since then is read, if that is asked for. */
  since: string | null
  author: NamedBy
}

/** Parts of other nouns, for a row of ASKED. */
export interface Others {
  /** Selects one row. */
  contact: Fragment
  channel: Fragment
  /** A value. */
  author: Fragment
}

/** The columns that these parts may name. */
export const ASKED = {
  tenant: part`r.tenant_id`,
  contact: part`r.contact_id`,
  channel: part`r.channel_id`,
  key: part`r.key_id`,
  person: part`r.person_id`,
}

export interface Found<ContactRow, ChannelRow> {
  contact: ContactRow
  channel: ChannelRow
  author: string | null
  /** Messages that are on their way or of which it is not known whether they arrived, the oldest first; at most MESSAGES_COMPARED. */
  unsettled: StoredRow[] | null
  /** Those of the conversation that were named. */
  seen: StoredRow[] | null
  /** What was said to the customer since. */
  recent: StoredRow[] | null
  /** The open conversation of the thread other than this one. */
  other: string | null
}

const ASKS = columns({
  tenant_id: 'text',
  id: 'text',
  channel_id: 'text',
  contact_id: 'text',
  thread: 'text',
  one: 'text',
  two: 'text',
  since: 'timestamptz',
  key_id: 'text',
  person_id: 'text',
})

export const readAll = <ContactRow, ChannelRow>(
  tx: Tx,
  asks: Ask[],
  { contact, channel, author }: Others,
): Promise<Found<ContactRow, ChannelRow>[]> => tx<Found<ContactRow, ChannelRow>[]>`
  select (select to_json(c) from (${contact}) c) as contact, (select to_json(c) from (${channel}) c) as channel, ${author} as author,
         (select json_agg(m) from (
            select ${stored}
              from messages m
             where m.tenant_id = r.tenant_id and m.channel_id = r.channel_id and m.conversation_id = r.id and m.status in ('queued', 'unknown')
             order by m.created_at
             limit ${MESSAGES_COMPARED}) m) as unsettled,
         case when r.one is not null or r.two is not null then (select json_agg(m) from (
            select ${stored}
              from messages m
             where m.tenant_id = r.tenant_id and m.id in (r.one, r.two) and m.conversation_id = r.id) m) end as seen,
         case when r.since is not null then (select json_agg(m) from (
            select ${stored}
              from messages m
             where m.tenant_id = r.tenant_id and m.conversation_id = r.id and m.created_at > r.since and m.status <> 'received'
             order by m.created_at, m.id
             limit ${MESSAGES_COMPARED}) m) end as recent,
         (select t.id
            from conversations t
           where t.tenant_id = r.tenant_id and t.channel_id = r.channel_id and t.thread = r.thread and t.status = 'open' and t.id <> r.id
           limit 1) as other
    from ${ASKS.numbered(asks.map(rowOf))}
   order by r.n`

function rowOf({ tenant, held: { conversation, thread }, named: [one, two], since, author: { key, person } }: Ask) {
  const { id, channel_id, contact } = conversation
  const messages = { one: one ?? null, two: two ?? null }
  return { tenant_id: tenant, id, channel_id, contact_id: contact.id, thread, ...messages, since, key_id: key, person_id: person }
}
