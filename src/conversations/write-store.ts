// Every statement that begins conversations, or writes those that are locked and their messages.
import { arrayText, columns } from '../postgres/row-set.ts'
import { gathered } from '../postgres/side-by-side.ts'
import { type Fragment, part, type Tx } from '../postgres/sql.ts'
import type { Held } from './conversation.ts'
import type { Stored } from './store.ts'

/** Begins conversations. @returns how many were begun for each that asked: a thread that has an open conversation keeps that */
export const start = gathered(async (tx: Tx, asked: { tenant: string; all: Held[] }[]): Promise<number[]> => {
  const all = asked.flatMap(({ tenant, all }) =>
    all.map(held => ({ tenant, held, key: `${tenant} ${held.conversation.channel_id} ${held.thread}` })),
  )
  // Sorted, so that two transactions that begin conversations of the same threads cannot deadlock.
  const sorted = all.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const rows = await tx<{ tenant_id: string; id: string }[]>`
    insert into conversations (${BEGUN.names})
    select ${BEGUN.names}
      from ${BEGUN.numbered(sorted.map(({ tenant, held }) => ({ tenant_id: tenant, ...begunColumns(held) })))} order by r.n
    on conflict do nothing
    returning id`
  const begun = new Set(rows.map(row => row.id))
  return asked.map(each => each.all.filter(({ conversation }) => begun.has(conversation.id)).length)
})

/**
 * Frees the names of open conversations that are locked, for others that have them from now on: one statement that writes both might write the others first,
 * and two open ones have no name in common. What they go by themselves is written after it.
 */
export async function giveUpNames(tx: Tx, tenant: string, ids: string[]): Promise<void> {
  if (ids.length > 0) await tx`update conversations set thread = id where tenant_id = ${tenant} and id = any(${list(ids)})`
}

/** What one workspace has of something that is written. */
export interface Of<Row> {
  tenant: string
  row: Row
}

/** Inserts messages, as a part of a statement. */
export const add = (all: Of<Stored & { channel: string }>[]): Fragment => part`
  insert into messages (${ADDED.names})
  select r.* from ${ADDED.of(all.map(({ tenant, row }) => ({ tenant_id: tenant, channel_id: row.channel, ...addedColumns(row) })))}`

/**
 * Updates messages whose conversations are locked, as a part of a statement. Their ids are given once more as a list: a plan that was made for a small table
 * would else read all of the tenant's rows to join them.
 */
export const change = (all: Of<Stored>[]): Fragment => part`
  update messages m
     set status = r.status, external_id = r.external_id, counts_as_failed = r.counts_as_failed, doc = r.doc,
         withdrawn = coalesce(r.withdrawn, m.withdrawn)
    from ${MESSAGE.of(all.map(({ tenant, row }) => ({ tenant_id: tenant, ...messageColumns(row) })))}
   where m.tenant_id = any(${tenantsOf(all)}) and m.id = any(${list(all.map(each => each.row.message.id))})
     and m.tenant_id = r.tenant_id and m.id = r.id`

const list = (values: string[]): Fragment => part`${arrayText(values)}::text::text[]`
const tenantsOf = (all: Of<unknown>[]): Fragment => list([...new Set(all.map(each => each.tenant))])

/** The messages of these conversations do not count as failed any more, as a part of a statement. */
export const forgive = (tenant: string, conversations: string[]): Fragment => part`
  update messages m
     set counts_as_failed = false
   where m.tenant_id = ${tenant} and m.conversation_id = any(${list(conversations)}) and m.counts_as_failed`

/** Updates conversations that are locked, as a part of a statement: of any workspaces. */
export const save = (all: Of<Held>[]): Fragment => part`
  update conversations t
     set thread = r.thread, status = r.status, ai_status = r.ai_status, ai_epoch = r.ai_epoch, assigned_to = r.assigned_to, version = r.version,
         updated_at = r.updated_at, closed_at = r.closed_at, customer_at = r.customer_at, reply_until = r.reply_until,
         unread_count = r.unread_count, failed_count = r.failed_count, messages_count = r.messages_count, waiting_since = r.waiting_since,
         last_message = r.last_message, doc = r.doc
    from ${SAVED.of(all.map(({ tenant, row }) => ({ tenant_id: tenant, ...columnsOf(row) })))}
   where t.tenant_id = any(${tenantsOf(all)}) and t.id = any(${list(all.map(each => each.row.conversation.id))})
     and t.tenant_id = r.tenant_id and t.id = r.id`

const CONVERSATION_COLUMNS = {
  id: 'text',
  thread: 'text',
  status: 'text',
  ai_status: 'text',
  ai_epoch: 'integer',
  assigned_to: 'text',
  version: 'integer',
  updated_at: 'timestamptz',
  closed_at: 'timestamptz',
  customer_at: 'timestamptz',
  reply_until: 'timestamptz',
  unread_count: 'integer',
  failed_count: 'integer',
  messages_count: 'integer',
  waiting_since: 'timestamptz',
  last_message: 'json',
  doc: 'json',
} as const
const SAVED = columns({ tenant_id: 'text', ...CONVERSATION_COLUMNS })

// The columns and the text come from one object, so they cannot drift apart.
function columnsOf({ conversation, thread, epoch, customerAt }: Held) {
  const { contact, unread_count, failed_count, messages_count, waiting_since, last_message, reply_until, updated_at, ...doc } = conversation
  const { id, status, ai_status, assigned_to, version, closed_at } = conversation
  return {
    id,
    thread,
    status,
    ai_status,
    ai_epoch: epoch,
    assigned_to,
    version,
    updated_at,
    closed_at,
    customer_at: customerAt,
    reply_until,
    unread_count,
    failed_count,
    messages_count,
    waiting_since,
    last_message: last_message && JSON.stringify(last_message),
    doc: JSON.stringify(doc),
  }
}

const BEGUN = columns({
  tenant_id: 'text',
  ...CONVERSATION_COLUMNS,
  platform: 'text',
  channel_id: 'text',
  contact_id: 'text',
  created_at: 'timestamptz',
})
function begunColumns(held: Held) {
  const { platform, channel_id, contact, created_at } = held.conversation
  return { ...columnsOf(held), platform, channel_id, contact_id: contact.id, created_at }
}

const MESSAGE_COLUMNS = {
  id: 'text',
  status: 'text',
  external_id: 'text',
  counts_as_failed: 'boolean',
  doc: 'json',
  withdrawn: 'text',
} as const
const MESSAGE = columns({ tenant_id: 'text', ...MESSAGE_COLUMNS })
const ADDED = columns({
  tenant_id: 'text',
  channel_id: 'text',
  ...MESSAGE_COLUMNS,
  conversation_id: 'text',
  created_at: 'timestamptz',
  took_over: 'boolean',
})

const messageColumns = ({ message, counts, withdrawn }: Stored) => ({
  id: message.id,
  status: message.status,
  external_id: message.external_id,
  counts_as_failed: counts,
  doc: JSON.stringify(message),
  withdrawn: withdrawn ? JSON.stringify(withdrawn) : null,
})
const addedColumns = (each: Stored) => ({
  ...messageColumns(each),
  conversation_id: each.message.conversation_id,
  created_at: each.message.created_at,
  took_over: each.took_over ?? false,
})
