// A message that a channel tells: the customer's, or one of the shop's that was typed in the platform's own app.
import type { Static, TSchema } from 'typebox'
import type { ContactSnapshot } from '../contacts/schema.ts'
import type { EventDraft, EventType } from '../events/emit.ts'
import { ECHO_AWAITED_MS, MESSAGE_AWAITED_MS } from '../limits/conversations.ts'
import { contactOf, lastOfSpeaker } from './apply-names.ts'
import { APPLIED, type Applying, begin, lastHeldByAnyName, namesOfThread, type Outcome, target, timeOf } from './applying.ts'
import { addMessage, exchange, setMessage, snapshots, tell } from './change.ts'
import { answered, counted, type Held, heard, ignored, isNew, nextTime, reopened, reopens } from './conversation.ts'
import { AiPaused, ConversationReopened, ConversationStarted, MessageReceived, MessageSent } from './events.ts'
import { moved, newMessage } from './message.ts'
import type { Author, Message } from './schema.ts'
import type { Stored } from './store.ts'
import type { Update } from './update.ts'

type Of<K extends Update['kind']> = Extract<Update, { kind: K }>

/** A customer's message: it continues the open conversation of its thread, reopens the last one, or starts one. */
export function hear(work: Applying, update: Of<'message'>): Outcome {
  const { change, channel } = work
  if (work.external.has(update.external_id)) return APPLIED
  const met = work.people.get(update.from)
  if (!met || update.from.ids.length === 0) return { status: 'ignored', reason: 'It names no sender.' }
  const at = timeOf(work, update)
  const last = lastOfSpeaker(work, update.thread, met)
  const contact = contactOf(work, last, met)
  const blocked = last?.blocked ?? contact.blocked
  const goesOn = last && (blocked || last.conversation.status === 'open' || reopens(last.conversation, at, channel.settings.reopen_hours))
  const before = goesOn ? last : begin(work, update.thread, contact, new Date(work.now).toISOString())
  const author: Author = { type: 'customer', id: contact.id, name: contact.name, via: 'channel' }
  const message = said(work, before, update, { direction: 'inbound', status: 'received', author })
  const started = isNew(before)
  const reopening = !blocked && before.conversation.status === 'closed'
  change.audit.push(audited(work, started ? 'conversation.start' : 'message.receive', message))
  if (blocked) {
    addMessage(change, message, ignored(before, message, work.replyHours))
    return APPLIED
  }
  addMessage(change, message, heard(reopening ? reopened(before) : before, message, work.replyHours))
  exchange(change, contact.id, message.created_at)
  const now = snapshots(change, before.conversation.id)
  if (started) emit(work, ConversationStarted, { ...now, first_message: message })
  if (reopening) tell(change, ConversationReopened, before.conversation.id)
  emit(work, MessageReceived, { message, ...now })
  return APPLIED
}

/**
 * A message of the shop that was typed elsewhere: a human's words. One of ours is known by its id, by the id that we sent along, or by its words as long as
 * its record is not here.
 */
export function overhear(work: Applying, update: Of<'echo'>, receivedAt: number): Outcome {
  const { change } = work
  if (work.external.has(update.external_id)) return APPLIED
  const named = update.our_id === undefined ? undefined : target(work, { our_id: update.our_id })
  const ours = named ?? likely(work, update)
  if (!named && ours?.message.status === 'queued' && work.now < receivedAt + ECHO_AWAITED_MS)
    return {
      status: 'later',
      until: new Date(receivedAt + MESSAGE_AWAITED_MS),
      reason: 'It is as one of our own messages, which is under way.',
    }
  if (ours && (named || ours.message.status === 'unknown')) return recognized(work, ours.message, update)

  const contact = work.met.get(update.thread)?.contact
  const last = lastOfEcho(work, update)
  if (!last && !contact) return { status: 'ignored', reason: 'It names no customer.' }
  const before = last ?? begin(work, update.thread, contact as ContactSnapshot, new Date(work.now).toISOString())
  const author: Author = { type: 'operator', id: null, name: null, via: 'channel' }
  const message = said(work, before, update, { direction: 'outbound', status: 'sent', author })
  change.audit.push(audited(work, 'message.record', message))
  if (before.blocked) addMessage(change, message, counted(before, message))
  else takeOver(work, before, message)
  return APPLIED
}

// A human has answered: a closed conversation goes on, and the assistant is silent.
function takeOver(work: Applying, before: Held, message: Message): void {
  const { change } = work
  const reopening = before.conversation.status === 'closed'
  const after = answered(reopening ? reopened(before) : before, message)
  const { conversation } = after
  addMessage(change, message, after)
  exchange(change, conversation.contact.id, message.created_at)
  work.takenOver.add(conversation.id)
  if (reopening) tell(change, ConversationReopened, conversation.id)
  emit(work, MessageSent, { message, ...snapshots(change, conversation.id) })
  if (conversation.ai_status === before.conversation.ai_status) return
  const { ai_paused_reason: reason, ai_paused_by: by } = conversation
  emit(work, AiPaused, { conversation_id: conversation.id, conversation, reason, by })
}

// What we could not know was taken is known now.
function recognized(work: Applying, message: Message, update: Of<'echo'>): Outcome {
  const external = { external_id: message.external_id ?? update.external_id, sent_at: message.sent_at ?? update.at }
  work.external.set(update.external_id, message.id)
  if (message.status === 'queued') work.arrived.add(message.id)
  setMessage(work.change, { ...moved(message, 'sent'), ...external })
  return APPLIED
}

const lastOfEcho = (work: Applying, { thread, names = [] }: Of<'echo'>): Held | undefined =>
  lastHeldByAnyName(work, [...namesOfThread(work, thread), ...names])

/** A message of ours, queued or of unknown fate, that says the same. */
const likely = (work: Applying, update: Of<'echo'>): Stored | undefined => {
  const { text, media } = update.said
  return unsettledIn(work, lastOfEcho(work, update)?.conversation.id ?? '').find(
    ({ message }) => !message.private && message.text === text && message.attachments.length > 0 === media.length > 0,
  )
}

const unsettledIn = ({ change }: Applying, conversation: string): Stored[] =>
  [...change.messages.values()].filter(
    ({ message }) => message.conversation_id === conversation && (message.status === 'queued' || message.status === 'unknown'),
  )

function said(work: Applying, before: Held, update: Of<'message' | 'echo'>, by: Pick<Message, 'direction' | 'status' | 'author'>): Message {
  const { text, media, location, choice_id, unsupported, in_reply_to } = update.said
  const quoted = in_reply_to === undefined ? undefined : target(work, { external_id: in_reply_to })
  const content = {
    ...by,
    text: media.length > 0 ? text : (text ?? pressed(choice_id, quoted?.message)),
    location: location ?? null,
    choice_id: choice_id ?? null,
    unsupported: unsupported ?? null,
    in_reply_to: quoted?.message.id ?? null,
    attachments: [],
    external_id: update.external_id,
    sent_at: update.at,
  }
  const message = newMessage(before.conversation.id, content, nextTime(before.conversation, work.now))
  if (media.length > 0) work.media.set(message.id, { media, blocked: before.blocked })
  work.external.set(update.external_id, message.id)
  return message
}

/** The words of a pressed choice whose title the platform does not tell: as we offered it, else its id. */
function pressed(id: string | undefined, offer: Message | undefined): string | null {
  if (id === undefined) return null
  return offer?.choices?.find(each => each.id === id)?.title ?? id
}

const audited = ({ change: { caller } }: Applying, action: string, { id, conversation_id }: Message) => ({
  caller,
  action,
  subject: conversation_id,
  details: { message_id: id },
})

function emit<T extends TSchema>({ change }: Applying, type: EventType<T>, data: Static<T>): void {
  change.events.push({ caller: change.caller, type, data } as unknown as EventDraft)
}
