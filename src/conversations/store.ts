// Every statement that locks conversations and their messages, and what is read under that lock: it stays true, for whatever writes a message holds its
// conversation's row.
import type { Ref } from '../ids.ts'
import { MESSAGES_COMPARED } from '../limits/conversations.ts'
import { iso } from '../postgres/page.ts'
import { columns } from '../postgres/row-set.ts'
import { gathered } from '../postgres/side-by-side.ts'
import { type Fragment, part, type Tx } from '../postgres/sql.ts'
import type { Held } from './conversation.ts'
import type { Conversation, Message } from './schema.ts'

const text = (column: Fragment): Fragment => part`coalesce(to_json(${column})::text, 'null')`
const time = (column: Fragment): Fragment => part`coalesce('"' || ${iso(column)} || '"', 'null')`

/** The public JSON: the stored text, with the fields that messages and contacts change spliced in. */
export const json = part`
  left(t.doc, -1) || ',"updated_at":"' || ${iso(part`t.updated_at`)} || '","contact":' || (
    select '{"id":"' || c.id || '","name":' || ${text(part`c.name`)} || ',"email":' || ${text(part`c.email`)}
           || ',"email_claimed":' || c.email_claimed || '}'
      from contacts c
     where c.tenant_id = t.tenant_id and c.id = t.contact_id)
  || ',"unread_count":' || t.unread_count || ',"failed_count":' || t.failed_count || ',"messages_count":' || t.messages_count
  || ',"waiting_since":' || ${time(part`t.waiting_since`)} || ',"last_message":' || coalesce(t.last_message, 'null')
  || ',"reply_until":' || ${time(part`t.reply_until`)} || '}'`

/** What `asHeld` reads of the row `t` of conversations. */
export const heldColumns = part`
  ${json} as json, t.thread, t.ai_epoch, ${iso(part`t.customer_at`)} as customer_at,
  (select c.blocked from contacts c where c.tenant_id = t.tenant_id and c.id = t.contact_id) as blocked`

export interface HeldRow {
  json: string
  thread: string
  ai_epoch: number
  customer_at: string | null
  blocked: boolean
}

export const asHeld = ({ json, thread, ai_epoch, customer_at, blocked }: HeldRow): Held => ({
  conversation: JSON.parse(json) as Conversation,
  thread,
  epoch: ai_epoch,
  customerAt: customer_at,
  blocked,
})

/** In the order of their ids. @returns undefined for one that is none */
async function holdMany(tx: Tx, refs: Ref[]): Promise<(Held | undefined)[]> {
  if (refs.length === 0) return []
  const rows = await tx<(HeldRow & { id: string; tenant_id: string })[]>`
    select h.*
      from ${REF.of(refs.map(({ tenant, id }) => ({ tenant_id: tenant, id })).toSorted(byId))}
     cross join lateral (
       select t.tenant_id, t.id, ${heldColumns}
         from conversations t
        where t.tenant_id = r.tenant_id and t.id = r.id
          for no key update of t) h`
  const found = new Map(rows.map(row => [`${row.tenant_id} ${row.id}`, asHeld(row)]))
  return refs.map(({ tenant, id }) => found.get(`${tenant} ${id}`))
}

/** Locks a conversation, together with others that are asked for at the same moment. @returns undefined where there is none */
export const hold = gathered(holdMany)

const REF = columns({ tenant_id: 'text', id: 'text' })
const byId = (a: { tenant_id: string; id: string }, b: { tenant_id: string; id: string }): number =>
  compare(a.tenant_id, b.tenant_id) || compare(a.id, b.id)

/** Locks conversations of a workspace. */
export async function holdAll(tx: Tx, tenant: string, ids: string[]): Promise<Held[]> {
  const held = await holdMany(
    tx,
    ids.map(id => ({ tenant, id })),
  )
  return held.filter(each => each !== undefined)
}

/** A message as it is stored. */
export interface Stored {
  message: Message
  /** Whether it counts in its conversation's failed_count. */
  counts: boolean
  /** Whether one that is being added took its conversation over from the assistant. */
  took_over?: boolean
  /** When each side withdrew its reaction, ISO 8601 by the platform's clock. Known of messages that updates name. */
  withdrawn?: Withdrawn
}

export type Withdrawn = Partial<Record<'customer' | 'operator', string>>

export interface StoredRow {
  doc: string
  counts_as_failed: boolean
  withdrawn?: string | null
}
/** The columns of the row `m` of messages that `asMessage` reads. */
export const stored = part`m.doc, m.counts_as_failed`
export const asMessage = ({ doc, counts_as_failed, withdrawn }: StoredRow): Stored => ({
  message: JSON.parse(doc) as Message,
  counts: counts_as_failed,
  ...(withdrawn && { withdrawn: JSON.parse(withdrawn) as Withdrawn }),
})

/** Messages that are on their way or of which it is not known whether they arrived, the oldest first; at most MESSAGES_COMPARED of each conversation. */
export const unsettled = (tenant: string, conversations: Pick<Conversation, 'id' | 'channel_id'>[]): Fragment => part`
  select u.doc, u.counts_as_failed
    from ${OF.of(conversations.map(({ id, channel_id }) => ({ id, channel_id })))},
         lateral (select ${stored}
                    from messages m
                   where m.tenant_id = ${tenant} and m.channel_id = r.channel_id and m.conversation_id = r.id
                     and m.status in ('queued', 'unknown')
                   order by m.created_at
                   limit ${MESSAGES_COMPARED}) u`

const OF = columns({ id: 'text', channel_id: 'text' })

/** A message, with the conversation in whose order it is locked. */
export interface Named {
  tenant: string
  conversation_id: string
  message_id: string
}

const NAMED = columns({ tenant_id: 'text', id: 'text', external_id: 'text' })
const namedOf = (all: (Named & { external_id?: string })[]): Fragment =>
  NAMED.of(all.map(({ tenant, message_id, external_id = null }) => ({ tenant_id: tenant, id: message_id, external_id })))

/**
 * Locks messages and their conversations, in the order of the conversations' ids, as a part of a statement: rows for `asHeld` and `asMessage`, with their
 * `tenant_id`. What is locked is read as it is then, whatever the statement saw before it had to wait.
 */
export const holdMessages = (all: Named[]): Fragment => part`
  select h.*
    from ${namedOf(all.toSorted(byConversation))}
   cross join lateral (
     select t.tenant_id, ${heldColumns}, ${stored}
       from messages m
       join conversations t on t.tenant_id = m.tenant_id and t.id = m.conversation_id
      where m.tenant_id = r.tenant_id and m.id = r.id and t.tenant_id = r.tenant_id
        for no key update of t, m) h`

const byConversation = (a: Named, b: Named): number =>
  compare(a.tenant, b.tenant) || compare(a.conversation_id, b.conversation_id) || compare(a.message_id, b.message_id)
const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

/** The contacts to whom these messages go, as a query of their `tenant_id` and `contact_id`. */
export const contactsOf = (all: Named[]): Fragment => part`
  select r.tenant_id, c.contact_id
    from ${namedOf(all)}
   cross join lateral (
     select t.contact_id
       from messages m
       join conversations t on t.tenant_id = m.tenant_id and t.id = m.conversation_id
      where m.tenant_id = r.tenant_id and m.id = r.id and t.tenant_id = r.tenant_id
     offset 0) c`

/** Those of these messages whose id of the platform another message of the same channel has already, as a part of a statement: rows of `id`. */
export const taken = (all: (Named & { external_id: string })[]): Fragment => part`
  select r.id
    from ${namedOf(all)}
   where exists (
     select
       from messages o
       join messages m on m.tenant_id = o.tenant_id and m.channel_id = o.channel_id and m.external_id = r.external_id and m.id <> o.id
      where o.tenant_id = r.tenant_id and o.id = r.id and m.tenant_id = r.tenant_id
     offset 0)`

/** What was said since a time by either side, the oldest first; as a part of a statement: rows for `asMessage`. @param since ISO 8601, excluded */
export const saidSince = (tenant: string, conversation: string, since: string, limit: number): Fragment =>
  messagesSince(tenant, conversation, since, limit, part``)

/** The same, but for what the customer wrote, however much that is. */
export const answeredSince = (tenant: string, conversation: string, since: string, limit: number): Fragment =>
  messagesSince(tenant, conversation, since, limit, part`and m.status <> 'received'`)

const messagesSince = (tenant: string, conversation: string, since: string, limit: number, which: Fragment): Fragment => part`
  select ${stored} from messages m
   where m.tenant_id = ${tenant} and m.conversation_id = ${conversation} and m.created_at > ${since}::text::timestamptz ${which}
   order by m.created_at, m.id
   limit ${limit}`
