// The names of people on a channel: WhatsApp knows a person by a number, by an id, or by both, and either may change or become another person's.
import { spelled } from '../contacts/channel-ids.ts'
import type { Met } from '../contacts/on-channel.ts'
import type { ContactSnapshot } from '../contacts/schema.ts'
import { APPLIED, type Applying, heldByAnyName, lastHeld, lastOfAll, namesOfThread, type Outcome, otherThreads } from './applying.ts'
import { heldOf, setHeld } from './change.ts'
import { type Held, nextTime } from './conversation.ts'
import { close } from './conversations.ts'
import type { Update } from './update.ts'

/** The last conversation of a person who writes, by any of their names; from here on it goes by the one that they use now. */
export function lastOfSpeaker(work: Applying, thread: string, met: Met): Held | undefined {
  const all = heldByAnyName(work, [...namesOfThread(work, thread), ...otherThreads(work.channel, met)])
  // A name that was another customer's before is theirs whose conversation goes by it now.
  const { id } = contactOf(work, lastHeld(work, thread), met)
  const last = lastOfAll(id === met.contact.id ? all : all.filter(each => each.conversation.contact.id === id))
  return last && goBy(work, last, thread)
}

/** The contact of a conversation, if any, else the one whom the channel names; so too where it has no channel any more, being a part of that one. */
export function contactOf({ change }: Applying, held: Held | undefined, met: Met): ContactSnapshot {
  const contact = held && change.contacts.get(held.conversation.contact.id)
  return contact && contact.channels.length > 0 ? contact : met.contact
}

/**
 * A person goes by another name: their conversation does as well where it goes by one that was given up, so that answers reach them before they write again.
 * It may be told late or again: a name that came after it stays, and so does one by which its customer has written since.
 */
export function goByAnotherName(work: Applying, { at, from, before, to }: Extract<Update, { kind: 'renamed' }>): Outcome {
  const contact = work.people.get(from)?.contact.id
  const gone = new Set(before.flatMap(each => spelled(work.channel, each)))
  const all = [...work.change.held.values()]
  const last = lastOfAll(all.filter(each => each.conversation.contact.id === contact && gone.has(each.thread)))
  const there = all.find(each => each.conversation.status === 'open' && each.thread === to && each !== last)
  if (!last || [last, there].some(each => at !== null && (each?.customerAt ?? '') > at)) return APPLIED
  const isTheirs = there?.conversation.contact.id === contact
  // Of two that are open one has the name; answers in the other would go to another customer, or nowhere.
  if (there) end(work, isTheirs ? last : there)
  goBy(work, heldOf(work.change, last.conversation.id), to)
  if (there && isTheirs) work.lastOf.set(to, there.conversation.id)
  return APPLIED
}

function end({ change, now }: Applying, held: Held): void {
  const { id, status } = held.conversation
  if (status === 'closed') return
  const at = nextTime(held.conversation, now)
  close(change, { ...held, conversation: { ...held.conversation, updated_at: at } }, change.caller, at)
  change.audit.push({ caller: change.caller, action: 'conversation.update', subject: id, details: { status: 'closed' } })
}

function goBy(work: Applying, held: Held, thread: string): Held {
  if (held.thread === thread) return held
  work.lastOf.set(thread, held.conversation.id)
  setHeld(work.change, { ...held, thread })
  return heldOf(work.change, held.conversation.id)
}
