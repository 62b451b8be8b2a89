// Words to a customer: written, and queued to be sent, in one transaction. Nothing goes out before its commit.
import * as attachments from '../attachments/attachments.ts'
import type { Caller } from '../caller.ts'
import type { Account } from '../channels/accounts/accounts.ts'
import { type NewSend, queued } from '../channels/sending/queue.ts'
import { now } from '../clock.ts'
import type { EventDraft } from '../events/emit.ts'
import { newId } from '../ids.ts'
import { CHAT_MAIL_AFTER_SECONDS } from '../limits/chat.ts'
import { DUPLICATE_MS, MESSAGES_COMPARED } from '../limits/conversations.ts'
import { sideBySide } from '../postgres/side-by-side.ts'
import { savepoint, type Tx } from '../postgres/sql.ts'
import { orProblem, Problem } from '../problems.ts'
import { authorOf } from './author.ts'
import { addMessage, type Change, exchange, heldOf, snapshots, tell, writeAll } from './change.ts'
import { answered, counted, type Held, nextTime, reopened } from './conversation.ts'
import { AiPaused, ConversationReopened, MessageSent } from './events.ts'
import { type Draft, newMessage } from './message.ts'
import { open } from './open.ts'
import { refusal, refuseEmpty, refuseUnfit } from './outgoing.ts'
import { isToldRead, tellRead } from './presence.ts'
import * as refusals from './refusals.ts'
import type { Author, Message, NewMessage } from './schema.ts'
import * as store from './store.ts'
import { withdraw } from './takeover.ts'
import { mailUnseenLater } from './thread.ts'

/** A reply that a caller asks for. */
export interface Asked {
  caller: Caller
  id: string
  input: NewMessage
}

/**
 * Writes to the customer as one of the staff, or a note among the staff. The message is queued; on web chat it is there at once, as a note is. Words
 * to the customer pause the assistant, take back what of its words has not begun to go out, and reopen a closed conversation.
 * @throws {Problem} 404; 422 for what the channel does not take; 409 with one of the codes of refusals.ts
 */
export async function reply(tx: Tx, caller: Caller, id: string, input: NewMessage): Promise<Message> {
  const said = await prepare(tx, { caller, id, input })
  await finish(tx, [said])
  return said.message
}

/**
 * Several replies, as `reply`, of any workspaces: those in different conversations cost as many statements as one does.
 * @returns for each the message, or why it is refused: then it leaves no trace
 */
export async function replyAll(tx: Tx, all: Asked[]): Promise<(Message | Problem)[]> {
  const outcomes = new Map<Asked, Message | Problem>()
  const [filed, plain] = [all.filter(hasFiles), all.filter(each => !hasFiles(each))]
  // A file is taken before all is known that may be against its message.
  for (const each of filed) outcomes.set(each, await orProblem(savepoint(tx, inner => reply(inner, each.caller, each.id, each.input))))
  const waves = wavesOf(plain)
  for (const [index, wave] of waves.entries()) {
    const said = await sideBySide(
      tx,
      wave.map(each => () => orProblem(prepare(tx, each))),
    )
    for (const [at, each] of wave.entries()) outcomes.set(each, messageOf(said[at] as Said | Problem))
    const ready = said.filter((each): each is Said => !(each instanceof Problem))
    if (ready.length > 0) await finish(tx, ready, { isLast: index === waves.length - 1 })
  }
  return all.map(each => outcomes.get(each) as Message | Problem)
}

const hasFiles = ({ input: { attachments = [] } }: Asked): boolean => attachments.length > 0
const messageOf = (said: Said | Problem): Message | Problem => (said instanceof Problem ? said : said.message)

/** Replies in one conversation come one after the other: each has to see those before it. */
function wavesOf(all: Asked[]): Asked[][] {
  const waves: Asked[][] = []
  const before = new Map<string, number>()
  for (const each of all) {
    const key = `${each.caller.tenant} ${each.id}`
    const wave = before.get(key) ?? 0
    before.set(key, wave + 1)
    waves[wave] = [...(waves[wave] ?? []), each]
  }
  return waves
}

/** What is to be written of a message. */
interface Said {
  message: Message
  change: Change
  sends: NewSend[]
  /** It is mailed to the visitor if it is not seen. */
  isMailed: boolean
  /** A person's answer to what was unread: the channel over which the customer is shown that it was read, where that is so. */
  read?: Account
}

/** Nothing is written yet, but for the files. @throws {Problem} as `reply` */
async function prepare(tx: Tx, { caller, id, input }: Asked): Promise<Said> {
  refuseEmpty(input)
  const since = now() - DUPLICATE_MS
  const named = [input.in_reply_to, input.last_seen]
  const opened = await open(tx, caller, id, named, input.private ? null : new Date(since).toISOString())
  const { change, channel, seen } = opened
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
    author: authorOf(caller, opened.writer),
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
    refuseRepeated(opened.recent, draft, since)
    if (input.last_seen !== undefined) await refuseAnswered(tx, change, held, seen.get(input.last_seen) as Message)
    if (!input.template) refusals.ofWindow(channel, held, now())
  }
  const said = await added(tx, change, held, draft)
  const isRead = !input.private && said.message.author.type === 'operator' && held.conversation.unread_count > 0 && isToldRead(channel)
  return isRead ? { ...said, read: channel } : said
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

/**
 * Adds a message to the conversation, with what follows from it, and writes it: in a transaction of `beginBriefly` nothing may be sent after it.
 * @param epoch of the assistant's turn; null for all other words
 */
export async function say(tx: Tx, change: Change, before: Held, draft: Draft, epoch: number | null = null): Promise<Message> {
  const said = await added(tx, change, before, draft, epoch)
  await finish(tx, [said])
  return said.message
}

async function added(tx: Tx, change: Change, before: Held, draft: Draft, epoch: number | null = null): Promise<Said> {
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
    return { message, change, sends: [], isMailed: false }
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
  const send = { tenant: caller.tenant, channel_id, conversation_id: id, message_id: message.id, at: message.created_at, ai_epoch: epoch }
  return { message, change, sends: message.status === 'queued' ? [send] : [], isMailed: conversation.platform === 'web' }
}

/** Writes what was said in different conversations. @param isLast nothing follows it in the transaction */
async function finish(tx: Tx, all: Said[], { isLast = true } = {}): Promise<void> {
  const mailed = all.filter(each => each.isMailed)
  const changes = all.map(each => each.change)
  const sends = all.flatMap(each => each.sends)
  const read = all.flatMap(({ read: channel, change, message }) => (channel ? [{ channel, change, message }] : []))
  await writeAll(tx, changes, queued(tx, sends), { isLast: isLast && mailed.length === 0 && read.length === 0 })
  for (const { channel, change, message } of read) await tellRead(tx, change.caller, channel, message.conversation_id)
  for (const { change, message } of mailed)
    await mailUnseenLater(tx, { tenant: change.caller.tenant, id: message.id }, CHAT_MAIL_AFTER_SECONDS)
}

export function aiPaused({ caller, held }: Change, id: string): EventDraft {
  const { conversation } = held.get(id) as Held
  const { ai_paused_reason: reason, ai_paused_by: by } = conversation
  return { caller, type: AiPaused, data: { conversation_id: id, conversation, reason, by } } as EventDraft
}

/** @param since milliseconds since 1970 */
function refuseRepeated(recent: Message[], draft: Draft, since: number): void {
  const same = recent.find(each => refusals.isSame(each, draft))
  if (same) throw refusals.duplicate(same, since + DUPLICATE_MS)
}

async function refuseAnswered(tx: Tx, { caller }: Change, { conversation }: Held, seen: Message): Promise<void> {
  const later = await tx<store.StoredRow[]>`${store.answeredSince(caller.tenant, conversation.id, seen.created_at, MESSAGES_COMPARED)}`
  const answer = later.map(row => store.asMessage(row).message).find(refusals.isAnswer)
  if (answer) throw refusals.answered(answer)
}
