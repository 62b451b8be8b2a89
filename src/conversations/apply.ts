// What a channel tells, applied: messages, echoes, edits, deletions, reactions, receipts. A set costs a few statements whatever its size, and is
// applied in the platform's order. Everything may come twice, late or in any order.
import * as attachments from '../attachments/attachments.ts'
import type { Caller } from '../caller.ts'
import type { Account } from '../channels/accounts/accounts.ts'
import { replyHours } from '../channels/accounts/settings.ts'
import { withdrawArrived } from '../channels/sending/queue.ts'
import { now } from '../clock.ts'
import { learn } from '../contacts/learn.ts'
import * as onChannel from '../contacts/on-channel.ts'
import { reachable } from '../contacts/reachable.ts'
import { ahead, type Tx } from '../postgres/sql.ts'
import { changeMessage } from './apply-change.ts'
import { holdOthers, namesOf, type Others } from './apply-concerned.ts'
import { hear, overhear } from './apply-message.ts'
import { goByAnotherName } from './apply-names.ts'
import { APPLIED, type Applying, heldByAnyName, namesOfThread, type Outcome, type Told, timeOf } from './applying.ts'
import { newChange, readContacts, writeBeside } from './change.ts'
import { type Held, newConversation } from './conversation.ts'
import type { Attachment } from './schema.ts'
import type { Stored } from './store.ts'
import { withdraw } from './takeover.ts'
import type { Update } from './update.ts'
import * as updates from './update-store.ts'
import { giveUpNames, start } from './write-store.ts'

export type { Outcome, Told } from './applying.ts'

/**
 * Applies what a channel has told. The transaction has to hold the channel's turn, or be ready to be run again after a unique violation.
 * @returns an outcome for each, in the order given; what waits for its message is told until when
 */
export async function apply(tx: Tx, caller: Caller, channel: Account, told: Told[]): Promise<Outcome[]> {
  for (let attempt = 1; ; attempt++) {
    const outcomes = await tryToApply(tx, caller, channel, told)
    if (outcomes) return outcomes
    if (attempt === ATTEMPTS) throw new Error(`Others keep changing the conversations of ${channel.id}.`)
  }
}

/** Another attempt is needed only where an operator reopens a conversation of the same thread at that moment. */
const ATTEMPTS = 5

/** @returns undefined where a conversation has begun elsewhere meanwhile: the next attempt finds it */
async function tryToApply(tx: Tx, caller: Caller, channel: Account, told: Told[]): Promise<Outcome[] | undefined> {
  const { tenant } = caller
  const all = told.map(each => each.update)
  const named = namesOf(channel, all)
  // Sent together: each is answered before the next one runs.
  const [met, concerned, spoken] = await Promise.all([
    meet(tx, caller, channel, all),
    updates.holdConcerned(tx, { tenant, named }),
    updates.messagesNamed(tx, { tenant, named }),
  ])
  const { held, aliases } = await holdOthers(tx, channel, tenant, all, met, concerned)
  // Of a message that is found twice the latter counts: more is known of those that are named.
  const messages = [...(await compared(tx, tenant, { held, aliases }, all)), ...spoken]
  const ids = new Set(held.map(each => each.conversation.id))
  if (messages.some(({ message }) => !ids.has(message.conversation_id))) return undefined
  const strangers = await meetFirst(tx, caller, channel, all, held)
  const work = begun(caller, channel, { held, messages, met: [...met, ...strangers], aliases })
  await readContacts(tx, work.change)
  const outcomes = new Map(inOrder(told).map(each => [each, applyOne(work, each)]))
  for (const id of work.takenOver) await withdraw(tx, work.change, id)
  if (work.arrived.size > 0) await withdrawArrived(tx, { tenant, id: channel.id }, arrivedOf(work))
  if (work.begun.size > 0 && (await start(tx, { tenant, all: initial(work) })) < work.begun.size) return undefined
  await addFiles(tx, work)
  await giveUpNames(tx, tenant, handedOn(work, held))
  ahead(tx, writeBeside(tx, work.change))
  await learn(tx, caller, channel, met)
  await reachable(tx, caller, channel, reachability(work, told))
  return told.map(each => outcomes.get(each) as Outcome)
}

/** The conversations whose name another one has from now on. */
function handedOn({ change }: Applying, before: Held[]): string[] {
  const open = [...change.held.values()].filter(isOpen)
  const nowOf = new Map(open.map(each => [each.thread, each.conversation.id]))
  return before.filter(each => isOpen(each) && (nowOf.get(each.thread) ?? each.conversation.id) !== each.conversation.id).map(idOf)
}

const arrivedOf = ({ change, arrived }: Applying) =>
  [...arrived].map(id => {
    const { conversation_id, created_at } = (change.messages.get(id) as Stored).message
    return { conversation_id, message_id: id, created_at }
  })

const isOpen = ({ conversation }: Held): boolean => conversation.status === 'open'
const idOf = ({ conversation }: Held): string => conversation.id

// Each file is fetched after the commit, from the channel, however long that takes. A new message has one list of its files, wherever it is shown.
async function addFiles(tx: Tx, { change, channel, media, removed }: Applying): Promise<void> {
  const { tenant } = change.caller
  const asked = [...media].flatMap(([message, files]) => files.media.map(each => ({ message, media: each, blocked: files.blocked })))
  const [wanted, blocked] = [asked.filter(each => !each.blocked), asked.filter(each => each.blocked)]
  const made = [
    await attachments.expected(tx, tenant, channel.id, wanted),
    await attachments.unwanted(tx, tenant, channel.id, blocked),
  ].flat()
  for (const [index, { message }] of [...wanted, ...blocked].entries())
    change.messages.get(message)?.message.attachments.push(made[index] as Attachment)
  await attachments.removeOf(tx, tenant, removed)
}

function applyOne(work: Applying, { update, receivedAt }: Told): Outcome {
  if (update.kind === 'ignored') return { status: 'ignored', reason: update.reason }
  if (update.kind === 'reachability') return APPLIED
  if (update.kind === 'renamed') return goByAnotherName(work, update)
  if (update.kind === 'message') return hear(work, update)
  if (update.kind === 'echo') return overhear(work, update, receivedAt.getTime())
  return changeMessage(work, update, receivedAt.getTime())
}

/** The contacts of the people who are told of. */
function meet(tx: Tx, caller: Caller, channel: Account, all: Update[]): Promise<onChannel.Met[]> {
  const people = all.flatMap(update => (update.kind === 'message' || update.kind === 'renamed' ? [update.from] : []))
  return onChannel.onChannel(tx, caller, channel, people)
}

/**
 * The contacts of customers whom a person of the shop wrote to first: an echo names them by the thread, or by both of their names. Also of those by one of
 * whose names no conversation goes: the two are connected, so that what they write by it finds the other's.
 */
function meetFirst(tx: Tx, caller: Caller, channel: Account, all: Update[], held: Held[]): Promise<onChannel.Met[]> {
  const known = new Set(held.map(each => each.thread))
  const first = all.flatMap(update => {
    if (update.kind !== 'echo') return []
    const { thread, names = [thread] } = update
    return names.every(each => known.has(each)) ? [] : [[thread, names] as const]
  })
  return onChannel.onChannel(
    tx,
    caller,
    channel,
    [...new Map(first).values()].map(ids => ({ ids })),
  )
}

/** The messages that echoes and watermarks are compared with. */
async function compared(tx: Tx, tenant: string, { held, aliases }: Others, all: Update[]): Promise<Stored[]> {
  const inThreads = (isMeant: (update: Update) => boolean) => {
    const meant = all.flatMap(update =>
      isMeant(update) && 'thread' in update ? [update.thread, ...(update.kind === 'echo' ? (update.names ?? []) : [])] : [],
    )
    const threads = new Set(meant.flatMap(each => [each, ...(aliases.get(each) ?? [])]))
    return held.filter(each => threads.has(each.thread))
  }
  const underWay = inThreads(each => isEcho(each) || isWatermark(each))
  const found = [await updates.findUnsettled(tx, tenant, underWay), await updates.findUnread(tx, tenant, inThreads(isWatermark))]
  return found.flat()
}

const isEcho = ({ kind }: Update): boolean => kind === 'echo'
const isWatermark = (update: Update): boolean => update.kind === 'receipt' && update.until !== undefined

interface Found {
  held: Held[]
  messages: Stored[]
  met: onChannel.Met[]
  aliases: Applying['aliases']
}

function begun(caller: Caller, channel: Account, { held, messages, met, aliases }: Found): Applying {
  const change = newChange(caller, held, messages)
  for (const { contact } of met) change.contacts.set(contact.id, contact)
  return {
    channel,
    change,
    replyHours: replyHours(channel.limits, channel.settings).people,
    lastOf: new Map(held.toSorted(lastLast).map(each => [each.thread, each.conversation.id])),
    external: new Map(messages.flatMap(({ message: { id, external_id } }) => (external_id === null ? [] : [[external_id, id]]))),
    aliases,
    people: new Map(met.map(each => [each.person, each])),
    met: new Map(met.flatMap(each => each.person.ids.map(id => [id, each]))),
    media: new Map(),
    removed: [],
    takenOver: new Set(),
    arrived: new Set(),
    begun: new Set(),
    now: now(),
  }
}

// An open one comes after all that are closed.
const lastLast = ({ conversation: a }: Held, { conversation: b }: Held): number => ((a.closed_at ?? '~') < (b.closed_at ?? '~') ? -1 : 1)

/** The conversations that begin, as they were before anything was said in them: what was said comes with the rest. */
const initial = ({ begun, change }: Applying): Held[] =>
  [...begun].map(id => {
    const held = change.held.get(id) as Held
    const { platform, channel_id, contact, created_at, status, closed_at } = held.conversation
    const conversation = { ...newConversation({ platform, channel_id, contact }, created_at), id, status, closed_at }
    return { ...held, epoch: 0, customerAt: null, conversation }
  })

/** In the platform's order, as far as it tells one. Others stay in the order in which they came. */
const inOrder = (told: Told[]): Told[] => told.toSorted((a, b) => timeAt(a) - timeAt(b) || (a.order ?? 0) - (b.order ?? 0))

const timeAt = ({ update, receivedAt }: Told): number =>
  'at' in update && update.at !== null ? Date.parse(update.at) : receivedAt.getTime()

/** A customer who has written since can be reached again, by whatever name, however late or often the block is told of. */
const reachability = (work: Applying, told: Told[]) =>
  inOrder(told).flatMap(({ update }) => {
    if (update.kind !== 'reachability') return []
    const { thread, at, reachable } = update
    const since = timeOf(work, { at })
    const hasWritten = heldByAnyName(work, namesOfThread(work, thread)).some(({ customerAt }) => customerAt !== null && customerAt >= since)
    return !reachable && hasWritten ? [] : [{ id: thread, since: reachable ? null : since }]
  })
