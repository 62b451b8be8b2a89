// What people do with a conversation besides writing in it: they close it, reopen it, read it, assign it, tag it, and switch the assistant off and on.
// The conversation's row is locked first and the contact's written last, here as wherever messages are written.
import type { Caller } from '../caller.ts'
import { now } from '../clock.ts'
import type { EventDraft } from '../events/emit.ts'
import type { Precondition } from '../ingress/route.ts'
import type { Tx } from '../postgres/sql.ts'
import { notFound } from '../problems.ts'
import { isMember } from '../tenants/people.ts'
import { type Change, heldOf, setHeld, tell, write } from './change.ts'
import { closed, type Held, nextTime, paused, reopened, resumed } from './conversation.ts'
import { AiResumed, ConversationClosed, ConversationReopened } from './events.ts'
import * as lists from './list-store.ts'
import { type Opened, open } from './open.ts'
import { refusal } from './outgoing.ts'
import { tellRead } from './presence.ts'
import * as refusals from './refusals.ts'
import { aiPaused } from './reply.ts'
import type { ConversationChange } from './schema.ts'
import { withdraw } from './takeover.ts'
import { lastOfThread } from './update-store.ts'

/**
 * Closes or reopens, assigns, tags, pauses or resumes. What the assistant began to say before counts no more once it is paused or resumed, or the
 * conversation is closed or reopened.
 * @returns the public JSON as changed, with its newest messages
 * @throws {Problem} 404, 412; 422 for an assigned_to that is no user of the workspace; 409 where the thread has another open conversation or the contact is blocked
 */
export async function change(tx: Tx, caller: Caller, id: string, input: ConversationChange, unchanged: Precondition): Promise<string> {
  return (await changed(tx, caller, id, input, unchanged)).json
}

/** The same, and whether it was otherwise before. */
export async function changed(
  tx: Tx,
  caller: Caller,
  id: string,
  input: ConversationChange,
  unchanged: Precondition,
): Promise<{ json: string; isChanged: boolean }> {
  const opened = await open(tx, caller, id, [])
  const { assigned_to } = input
  if (typeof assigned_to === 'string' && !(await isMember(tx, caller.tenant, assigned_to)))
    throw refusal('assigned_to', 'unknown_user', 'names no user of this workspace.')
  const current = (await lists.findDetail(tx, caller.tenant, id)) as Buffer
  const before = heldOf(opened.change, id)
  unchanged({ body: current, updatedAt: new Date(before.conversation.updated_at) })
  const steps = stepsOf(opened, before, input)
  if (steps.length === 0) return { json: current.toString(), isChanged: false }
  const at = nextTime(before.conversation, now())
  // First: closing clears what counts as failed, that of the assistant's words included of which it is not known whether they were taken.
  if (steps.some(step => CUTTING.includes(step))) await withdraw(tx, opened.change, id)
  for (const step of steps) step(opened.change, heldOf(opened.change, id), caller, at)
  const after = heldOf(opened.change, id)
  // Several of these at once are one write of the conversation.
  setHeld(opened.change, { ...after, conversation: { ...after.conversation, version: before.conversation.version + 1, updated_at: at } })
  opened.change.audit.push({ caller, action: 'conversation.update', subject: id, details: { ...input } })
  await write(tx, opened.change)
  return { json: ((await lists.findDetail(tx, caller.tenant, id)) as Buffer).toString(), isChanged: true }
}

/** The last conversation of a thread of a channel, the open one where there is one. @returns its id */
export const ofThread = (tx: Tx, tenant: string, channel: string, thread: string): Promise<string | undefined> =>
  lastOfThread(tx, tenant, channel, thread)

type Step = (change: Change, held: Held, caller: Caller, at: string) => void

/** What is to be done: nothing for what is so already. */
function stepsOf({ otherOpen }: Opened, { conversation, ...held }: Held, input: ConversationChange): Step[] {
  const { status, ai_status, assigned_to, tags } = input
  const steps: Step[] = []
  if (assigned_to !== undefined && assigned_to !== conversation.assigned_to) steps.push(set({ assigned_to }))
  if (tags !== undefined && JSON.stringify(tags) !== JSON.stringify(conversation.tags)) steps.push(set({ tags }))
  if (ai_status !== undefined && ai_status !== conversation.ai_status) steps.push(ai_status === 'paused' ? pause : resume)
  if (status === undefined || status === conversation.status) return steps
  if (status === 'open') {
    refusals.ofContact({ conversation, ...held })
    refusals.ofClosed({ conversation, ...held }, otherOpen)
  }
  return [...steps, status === 'open' ? reopen : close]
}

const set =
  (fields: Partial<Held['conversation']>): Step =>
  (change, held) =>
    setHeld(change, { ...held, conversation: { ...held.conversation, ...fields } })

const pause: Step = (change, held, { actor }, at) => {
  setHeld(change, paused(held, actor.id ?? null, at, 'manual'))
  change.events.push(aiPaused(change, held.conversation.id))
}

const resume: Step = (change, held, caller) => {
  const after = resumed(held)
  const { id } = after.conversation
  setHeld(change, after)
  change.events.push({
    caller,
    type: AiResumed,
    data: { conversation_id: id, conversation: after.conversation, by: caller.actor.id ?? null },
  } as EventDraft)
}

/** Closes a conversation that is held. @param at ISO 8601 */
export const close: Step = (change, held, _caller, at) => {
  const { id } = held.conversation
  setHeld(change, closed(held, at))
  for (const [key, stored] of change.messages)
    if (stored.message.conversation_id === id) change.messages.set(key, { ...stored, counts: false })
  change.forgiven.push(id)
  tell(change, ConversationClosed, id)
}

const reopen: Step = (change, held) => {
  setHeld(change, reopened(held))
  tell(change, ConversationReopened, held.conversation.id)
}

/** Steps that begin another epoch: what the assistant said before counts no more. */
const CUTTING: Step[] = [pause, resume, close, reopen]

/** Nothing in it is unread any more. @returns the public JSON as changed, with its newest messages @throws {Problem} 404 */
export async function read(tx: Tx, caller: Caller, id: string): Promise<string> {
  const { change, channel } = await open(tx, caller, id, [])
  const held = heldOf(change, id)
  if (held.conversation.unread_count > 0) {
    setHeld(change, { ...held, conversation: { ...held.conversation, unread_count: 0 } })
    await write(tx, change)
    await tellRead(tx, caller, channel, id)
  }
  const json = await lists.findDetail(tx, caller.tenant, id)
  if (!json) throw notFound('conversation')
  return json.toString()
}
