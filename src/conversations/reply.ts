// Words to a customer: written, and queued to be sent, in one transaction. Nothing goes out before its commit.
import * as attachments from '../attachments/attachments.ts'
import type { Caller } from '../caller.ts'
import type { Account } from '../channels/accounts/accounts.ts'
import * as accounts from '../channels/accounts/accounts.ts'
import { queued } from '../channels/sending/queue.ts'
import { now } from '../clock.ts'
import * as contacts from '../contacts/contacts.ts'
import type { EventDraft } from '../events/emit.ts'
import { newId } from '../ids.ts'
import { CHAT_MAIL_AFTER_SECONDS, DUPLICATE_MS, MESSAGES_COMPARED } from '../limits.ts'
import { combine } from '../postgres/combine.ts'
import type { Fragment, Tx } from '../postgres/sql.ts'
import { notFound } from '../problems.ts'
import { authorOf, authorPart } from './author.ts'
import { addMessage, type Change, exchange, heldOf, newChange, snapshots, tell, write } from './change.ts'
import { answered, counted, type Held, nextTime, reopened } from './conversation.ts'
import { AiPaused, ConversationReopened, MessageSent } from './events.ts'
import { type Draft, newMessage } from './message.ts'
import { refusal, refuseEmpty, refuseUnfit } from './outgoing.ts'
import * as refusals from './refusals.ts'
import type { Author, Message, NewMessage } from './schema.ts'
import * as store from './store.ts'
import { withdraw } from './takeover.ts'
import { mailUnseenLater } from './thread.ts'

/**
 * Writes to the customer as one of the staff, or a note among the staff. The message is queued; on web chat it is there at once, as a note is. Words
 * to the customer pause the assistant, take back what of its words has not begun to go out, and reopen a closed conversation.
 * @throws {Problem} 404; 422 for what the channel does not take; 409 with one of the codes of refusals.ts
 */
export async function reply(tx: Tx, caller: Caller, id: string, input: NewMessage): Promise<Message> {
  refuseEmpty(input)
  const since = now() - DUPLICATE_MS
  const opened = await open(tx, caller, id, [input.in_reply_to, input.last_seen], {
    author: authorPart(caller),
    recent: input.private ? undefined : store.answeredSince(caller.tenant, id, new Date(since).toISOString(), MESSAGES_COMPARED),
  })
  const { change, channel, seen, also } = opened
  const held = heldOf(change, id)
  for (const field of ['in_reply_to', 'last_seen'] as const)
    if (input[field] !== undefined && !seen.has(input[field]))
      throw refusal(field, 'unknown_message', 'names no message of this conversation.')
  const messageId = newId('msg')
  const files = await attachments.claim(tx, caller, messageId, input.attachments?.map(each => each.id) ?? [])
  if (!input.private) refuseUnfit(channel, input, files)
  const draft: Draft = {
    id: messageId,
    direction: 'outbound',
    author: authorOf(caller, also.author[0]),
    status: input.private || channel.platform === 'web' ? 'sent' : 'queued',
    text: input.text ?? null,
    attachments: files,
    choices: input.choices ?? null,
    template: input.template ?? null,
    private: input.private ?? false,
    in_reply_to: input.in_reply_to ?? null,
  }
  if (!input.private) {
    refusals.ofChannel(channel)
    refusals.ofContact(held)
    refusals.ofClosed(held, opened.otherOpen)
    refuseRepeated(also.recent, draft, since)
    if (input.last_seen !== undefined) await refuseAnswered(tx, change, held, seen.get(input.last_seen) as Message)
    if (!input.template) refusals.ofWindow(channel, held, now())
  }
  return say(tx, change, held, draft)
}

/** A message that was said elsewhere, or to be kept as said: nothing is sent. @throws {Problem} 404 */
export async function record(
  tx: Tx,
  caller: Caller,
  id: string,
  said: Omit<Draft, 'direction' | 'status'> & { author: Author },
): Promise<Message> {
  const { change } = await open(tx, caller, id, [])
  return say(tx, change, heldOf(change, id), { ...said, direction: 'outbound', status: 'sent' })
}

export interface Opened<Also extends string = never> {
  change: Change
  channel: Account
  /** The messages of the conversation that were asked for. */
  seen: Map<string, Message>
  /** The id of another conversation of the thread that is open. */
  otherOpen: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: what a part returns is known where the part was made
  also: { [Name in Also]: any[] }
}

/**
 * Locks a conversation, and reads what writing in it needs.
 * @param also further parts to be read in the same round trip
 * @throws {Problem} 404
 */
export async function open<Also extends string = never>(
  tx: Tx,
  caller: Caller,
  id: string,
  named: (string | undefined)[],
  also = {} as { [Name in Also]: Fragment | undefined },
): Promise<Opened<Also>> {
  const { tenant } = caller
  const [held] = await store.hold(tx, tenant, [id])
  if (!held) throw notFound('conversation')
  const { contact, channel_id } = held.conversation
  const asked = named.filter(each => each !== undefined)
  const found = await combine(tx, {
    reads: {
      contact: contacts.snapshotPart(caller, contact.id),
      unsettled: store.unsettled(tenant, [held.conversation]),
      other: store.otherOpen(tenant, held),
      seen: asked.length > 0 ? store.messagesOf(tenant, id, asked) : undefined,
      channel: accounts.part(tenant, channel_id),
      ...also,
    },
  })
  const seen = (found.seen as store.StoredRow[]).map(store.asMessage)
  const change = newChange(caller, [held], [...(found.unsettled as store.StoredRow[]).map(store.asMessage), ...seen])
  change.contacts.set(contact.id, contacts.snapshotOf(found.contact[0]))
  return {
    change,
    channel: accounts.asAccount(found.channel[0]),
    seen: new Map(seen.map(({ message }) => [message.id, message])),
    otherOpen: found.other[0]?.id,
    also: found,
  }
}

/**
 * Adds a message to the conversation, with what follows from it, and writes it: in a transaction of `beginBriefly` nothing may be sent after it.
 * @param epoch of the assistant's turn; null for all other words
 */
export async function say(tx: Tx, change: Change, before: Held, draft: Draft, epoch: number | null = null): Promise<Message> {
  const { caller } = change
  const { id, channel_id } = before.conversation
  const message = newMessage(id, draft, nextTime(before.conversation, now()))
  change.audit.push({
    caller,
    action: message.private ? 'message.note' : 'message.write',
    subject: id,
    details: { message_id: message.id },
  })
  if (message.private) {
    addMessage(change, message, counted(before, message))
    await write(tx, change, [], { isLast: true })
    return message
  }
  const reopening = before.conversation.status === 'closed'
  const after = answered(reopening ? reopened(before) : before, message)
  const { conversation } = after
  addMessage(change, message, after)
  exchange(change, conversation.contact.id, message.created_at)
  if (reopening) tell(change, ConversationReopened, id)
  if (message.status === 'sent')
    change.events.push({ caller, type: MessageSent, data: { message, ...snapshots(change, id) } } as EventDraft)
  if (conversation.ai_status !== before.conversation.ai_status) change.events.push(aiPaused(change, id))
  if (after.epoch !== before.epoch) await withdraw(tx, change, id)
  const send: Fragment[] =
    message.status === 'queued'
      ? queued(tx, caller.tenant, { channel_id, conversation_id: id, message_id: message.id, at: message.created_at, ai_epoch: epoch })
      : []
  const isMailed = conversation.platform === 'web'
  await write(tx, change, send, { isLast: !isMailed })
  if (isMailed) await mailUnseenLater(tx, { tenant: caller.tenant, id: message.id }, CHAT_MAIL_AFTER_SECONDS)
  return message
}

export function aiPaused({ caller, held }: Change, id: string): EventDraft {
  const { conversation } = held.get(id) as Held
  const { ai_paused_reason: reason, ai_paused_by: by } = conversation
  return { caller, type: AiPaused, data: { conversation_id: id, conversation, reason, by } } as EventDraft
}

/** @param since milliseconds since 1970 */
function refuseRepeated(recent: store.StoredRow[], draft: Draft, since: number): void {
  const same = recent.map(row => store.asMessage(row).message).find(each => refusals.isSame(each, draft))
  if (same) throw refusals.duplicate(same, since + DUPLICATE_MS)
}

async function refuseAnswered(tx: Tx, { caller }: Change, { conversation }: Held, seen: Message): Promise<void> {
  const later = await tx<store.StoredRow[]>`${store.answeredSince(caller.tenant, conversation.id, seen.created_at, MESSAGES_COMPARED)}`
  const answer = later.map(row => store.asMessage(row).message).find(refusals.isAnswer)
  if (answer) throw refusals.answered(answer)
}
