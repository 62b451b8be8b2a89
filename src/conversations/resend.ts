// A message that failed, or of which it is not known whether it arrived: sent again, or settled by a person.
import type { Caller } from '../caller.ts'
import { queued } from '../channels/sending/queue.ts'
import { now } from '../clock.ts'
import type { Precondition } from '../ingress/route.ts'
import type { Tx } from '../postgres/sql.ts'
import { notFound, Problem } from '../problems.ts'
import { heldOf, setHeld, setMessage, tell, write } from './change.ts'
import { reopened } from './conversation.ts'
import { ConversationReopened } from './events.ts'
import { hasFailed, moved, SETTLED } from './message.ts'
import { type Opened, open } from './open.ts'
import * as refusals from './refusals.ts'
import type { Message, Settled } from './schema.ts'

/**
 * Sends a message again, as the same message: one that has failed or whose fate is unknown.
 * @throws {Problem} 404; 409 for any other message, and where nothing can be sent now
 */
export async function resend(tx: Tx, caller: Caller, id: string, messageId: string): Promise<Message> {
  const opened = await open(tx, caller, id, [messageId])
  const { change, channel } = opened
  const message = messageOf(opened, messageId)
  const held = heldOf(change, id)
  if (message.direction === 'inbound' || message.private || !hasFailed(message) || message.deleted_at !== null)
    throw new Problem('conflict', `Only a message that failed or is unknown can be sent again; this one is ${message.status}.`, {
      code: 'not_resendable',
      status: message.status,
    })
  refusals.ofChannel(channel)
  refusals.ofContact(held)
  refusals.ofClosed(held, opened.otherOpen)
  if (!message.template) refusals.ofWindow(channel, held, now())
  if (held.conversation.status === 'closed') {
    setHeld(change, reopened(held))
    tell(change, ConversationReopened, id)
  }
  // What the platform gave the first one names that one alone: what comes of this one goes by its own.
  const again: Message = { ...message, status: 'queued', error: null, next_attempt_at: null, external_id: null, sent_at: null }
  setMessage(change, again)
  change.audit.push({ caller, action: 'message.resend', subject: id, details: { message_id: messageId } })
  const { channel_id } = held.conversation
  // It waits from now on, behind what waits already: its own time may be days ago. A person who resends words of the assistant means them: a takeover does not
  // take them back.
  const at = new Date(now()).toISOString()
  await write(
    tx,
    change,
    queued(tx, [{ tenant: caller.tenant, channel_id, conversation_id: id, message_id: messageId, at, ai_epoch: null }]),
  )
  return again
}

/**
 * Says what became of a message whose fate is unknown.
 * @throws {Problem} 404, 412; 409 for any other message
 */
export async function settle(
  tx: Tx,
  caller: Caller,
  id: string,
  messageId: string,
  { status }: Settled,
  unchanged: Precondition,
): Promise<Message> {
  const opened = await open(tx, caller, id, [messageId])
  const { change } = opened
  const message = messageOf(opened, messageId)
  // A message does not say when it changed, so that it has not since a time cannot be known: If-Match can.
  unchanged({ body: JSON.stringify(message), updatedAt: new Date(now()) })
  if (message.status !== 'unknown')
    throw new Problem('conflict', `Only a message whose fate is unknown can be settled; this one is ${message.status}.`, {
      code: 'not_unknown',
      status: message.status,
    })
  const after = moved(message, status, status === 'failed' ? SETTLED : null)
  setMessage(change, after)
  change.audit.push({ caller, action: 'message.settle', subject: id, details: { message_id: messageId, status } })
  await write(tx, change)
  return after
}

function messageOf({ seen }: Opened, id: string): Message {
  const message = seen.get(id)
  if (!message) throw notFound('message')
  return message
}
