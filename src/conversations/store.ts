// Every statement that locks or writes conversations and their messages.
import { iso } from '../postgres/page.ts'
import { type Fragment, part, type Tx } from '../postgres/sql.ts'
import type { Conversation, Message } from './schema.ts'

const text = (column: Fragment): Fragment => part`coalesce(to_json(${column})::text, 'null')`

const time = (column: Fragment): Fragment => part`coalesce('"' || ${iso(column)} || '"', 'null')`

/** The public JSON: the stored text, with the fields that messages and contacts change spliced in. */
export const json = part`
  left(t.doc, -1) || ',"updated_at":"' || ${iso(part`t.updated_at`)} || '","contact":' || (
    select '{"id":"' || c.id || '","name":' || ${text(part`c.name`)} || ',"email":' || ${text(part`c.email`)} || '}'
      from contacts c
     where c.tenant_id = t.tenant_id and c.id = t.contact_id)
  || ',"unread_count":' || t.unread_count || ',"failed_count":' || t.failed_count || ',"messages_count":' || t.messages_count
  || ',"waiting_since":' || ${time(part`t.waiting_since`)} || ',"last_message":' || coalesce(t.last_message, 'null')
  || ',"reply_until":' || ${time(part`t.reply_until`)} || '}'`

/** What identifies the open conversation that a customer's message continues. */
export interface Thread {
  channel_id: string
  /** A chat, a number or an id of a person: whatever the channel tells its conversations apart by. */
  thread: string
}

/** Locks the open conversation of a thread, as a part of a statement: one row with `json`, or none. */
export const lockOpen = (tenant: string, { channel_id, thread }: Thread): Fragment => part`
  select ${json} as json
    from conversations t
   where t.tenant_id = ${tenant} and t.channel_id = ${channel_id} and t.thread = ${thread} and t.status = 'open'
     for no key update of t`

/** Locks one conversation, as a part of a statement: one row with `json`, or none. */
export const lock = (tenant: string, id: string): Fragment => part`
  select ${json} as json from conversations t where t.tenant_id = ${tenant} and t.id = ${id} for no key update of t`

/** The message with this id on the platform and its conversation, as a part of a statement: one row, or none. */
export const byExternalId = (tenant: string, channel: string, externalId: string): Fragment => part`
  select m.doc as message, ${json} as conversation
    from messages m
    join conversations t on t.tenant_id = m.tenant_id and t.id = m.conversation_id
   where m.tenant_id = ${tenant} and m.channel_id = ${channel} and m.external_id = ${externalId}`

/** @returns false when the thread already has an open conversation */
export async function start(tx: Tx, tenant: string, thread: string, conversation: Conversation): Promise<boolean> {
  const { id, platform, channel_id, created_at, contact } = conversation
  const row = { tenant_id: tenant, id, platform, channel_id, thread, contact_id: contact.id, created_at, ...columns(conversation) }
  const rows = await tx`insert into conversations ${tx(row)} on conflict do nothing returning 1`
  return rows.length > 0
}

/** @returns false when the platform's id is another message's */
export async function add(tx: Tx, tenant: string, channel: string, message: Message): Promise<boolean> {
  const { id, conversation_id, status, external_id, created_at } = message
  const doc = JSON.stringify(message)
  const row = { tenant_id: tenant, id, conversation_id, channel_id: channel, status, external_id, created_at, doc }
  const rows =
    await tx`insert into messages ${tx(row)} on conflict (tenant_id, channel_id, external_id) where external_id is not null do nothing returning 1`
  return rows.length > 0
}

/** Updates a conversation that is locked, as a part of a statement. */
export const save = (tenant: string, conversation: Conversation): Fragment => part`
  update conversations set ${part(columns(conversation))} where tenant_id = ${tenant} and id = ${conversation.id}`

// The columns and the text come from one object, so they cannot drift apart.
function columns(conversation: Conversation) {
  const { contact, unread_count, failed_count, messages_count, waiting_since, last_message, reply_until, updated_at, ...doc } = conversation
  const { status, ai_status, assigned_to, version, closed_at } = conversation
  return {
    status,
    ai_status,
    assigned_to,
    version,
    updated_at,
    closed_at,
    unread_count,
    failed_count,
    messages_count,
    waiting_since,
    reply_until,
    last_message: last_message && JSON.stringify(last_message),
    doc: JSON.stringify(doc),
  }
}
