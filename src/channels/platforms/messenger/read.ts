// Callbacks of Messenger and of Instagram, which share one format:
// https://developers.facebook.com/documentation/business-messaging/messenger-platform/webhooks/webhook-events
// https://developers.facebook.com/documentation/business-messaging/instagram-messaging/webhooks
import type { Person } from '../../../contacts/person.ts'
import type { Said, Update } from '../../../conversations/update.ts'
import { isId } from '../../../ids.ts'
import { FILES_IN_MAX } from '../bounds.ts'
import type { Reading } from '../platform.ts'
import { id, type Json, name, object, objects, ofMilliseconds, text } from '../value.ts'
import type { Of } from './of.ts'
import { ofPart, ofPress } from './own-ids.ts'
import { partsOf } from './parts.ts'
import { readReaction } from './reaction.ts'
import { readDelivery, readRead } from './receipts.ts'

/** @param kind what `object` of its callbacks says */
export const reader =
  (kind: 'page' | 'instagram') =>
  (body: unknown): Reading[] => {
    const root = object(body) ?? {}
    if (root['object'] !== kind) return [{ account: null, update: ignored(`its object is not ${kind}`) }]
    const readings = objects(root['entry']).flatMap(readEntry)
    return readings.length > 0 ? readings : [{ account: null, update: ignored('it holds no update') }]
  }

const ignored = (reason: string): Update => ({ kind: 'ignored', reason })

function readEntry(entry: Json): Reading[] {
  const account = id(entry['id']) ?? null
  // Instagram's own login hands on some of them as changes.
  const changed = objects(entry['changes']).map(({ field, value }) => ({ field: text(field) ?? 'no field', value: object(value) }))
  const events = [
    ...objects(entry['messaging']),
    ...objects(entry['standby']),
    ...changed.flatMap(({ value }) => (value?.['sender'] ? [value] : [])),
  ]
  const others = changed.flatMap(({ field, value }) =>
    value?.['sender'] ? [] : [ignored(`${field.slice(0, 100)}: callbacks of this field are not used`)],
  )
  return [...events.flatMap(event => readEvent(event, account)), ...others].map(update => ({ account, update }))
}

/** What each event of the messaging lists holds: by the member that names its kind. */
const READ: [member: string, work: (value: Json, of: Of) => Update[]][] = [
  ['message', readMessage],
  ['message_edit', readEdit],
  ['reaction', readReaction],
  ['postback', readPostback],
  ['delivery', readDelivery],
  ['read', readRead],
]

function readEvent(event: Json, account: string | null): Update[] {
  const [kind, work] = READ.find(([member]) => object(event[member])) ?? []
  if (!kind || !work) return [ignored(`${otherKind(event)}: events of this kind are not used`)]
  const [sender, recipient] = [object(event['sender']), object(event['recipient'])]
  const value = object(event[kind]) as Json
  const ours = value['is_echo'] === true || (account !== null && id(sender?.['id']) === account)
  const customer = ours ? recipient : sender
  const thread = id(customer?.['id'])
  if (!customer || !thread) return [ignored(`${kind}: it names no person`)]
  return work(value, {
    thread,
    from: personOf(thread, customer),
    by: ours ? 'operator' : 'customer',
    at: ofMilliseconds(event['timestamp']),
  })
}

const otherKind = (event: Json): string =>
  name(Object.keys(event).find(each => !['sender', 'recipient', 'timestamp'].includes(each))) ?? 'an event without a kind'

// Callbacks carry no names as a rule: they are asked for later.
function personOf(person: string, told: Json): Person {
  const [called, handle] = [name(told['name']), name(told['username'])]
  return { ids: [person], ...(called && { name: called }), ...(handle && { handle }) }
}

function readMessage(value: Json, of: Of): Update[] {
  const external_id = id(value['mid'])
  if (!external_id) return [ignored('message: it has no id')]
  const { thread, from, at } = of
  if (value['is_deleted'] === true) return [{ kind: 'deletion', thread, at, external_id, parts: furtherIds(external_id) }]
  const parts = saidOf(value, external_id)
  if (of.by === 'customer')
    return parts.map((said, index) => ({ kind: 'message', thread, at, from, external_id: partId(external_id, index), said }))
  const metadata = text(value['metadata'])
  const ours = metadata && isId('msg', metadata) ? { our_id: metadata } : {}
  // One of ours has one file at most, so its id belongs to the first part.
  return parts.map((said, index) => ({ kind: 'echo', thread, at, external_id: partId(external_id, index), ...(index === 0 && ours), said }))
}

const partId = (mid: string, index: number): string => (index === 0 ? mid : ofPart(mid, index))

/** It is deleted as a whole, and the update does not say how many files it held. */
const furtherIds = (mid: string): string[] => Array.from({ length: FILES_IN_MAX - 1 }, (_, n) => partId(mid, n + 1))

/** The message, and one more for each further file. */
function saidOf(value: Json, message: string): Said[] {
  const quoted = id(object(value['reply_to'])?.['mid'])
  const choice = text(object(value['quick_reply'])?.['payload'])
  const [first = {}, ...more] = partsOf(objects(value['attachments']), message)
  const own = text(value['text'])
  const said: Said = {
    text: null,
    media: [],
    ...first,
    ...(own && { text: own }),
    ...(choice && { choice_id: choice }),
    ...(quoted && { in_reply_to: quoted }),
  }
  const empty = said.text === null && said.media.length === 0 && !said.location && !said.unsupported
  return [empty ? { ...said, unsupported: unsupportedOf(value) } : said, ...more.map(each => ({ text: null, media: [], ...each }))]
}

const unsupportedOf = (value: Json): string =>
  value['is_unsupported'] === true
    ? 'unsupported'
    : (name(Object.keys(value).find(each => each !== 'mid' && each !== 'is_echo')) ?? 'unknown')

function readEdit(value: Json, { thread, at }: Of): Update[] {
  const external_id = id(value['mid'])
  if (!external_id) return [ignored('message_edit: it names no message')]
  return [{ kind: 'edit', thread, at, external_id, text: text(value['text']) ?? null }]
}

function readPostback(value: Json, { thread, from, at }: Of): Update[] {
  const choice = text(value['payload'])
  const title = text(value['title']) ?? choice
  if (!title) return [ignored('postback: it says nothing')]
  const external_id = id(value['mid']) ?? ofPress(thread, at)
  return [{ kind: 'message', thread, at, from, external_id, said: { text: title, media: [], ...(choice && { choice_id: choice }) } }]
}
