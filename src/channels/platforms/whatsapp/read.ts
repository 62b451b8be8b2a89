// Callbacks of the WhatsApp Cloud API:
// https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages
import type { Update } from '../../../conversations/update.ts'
import type { Reading } from '../platform.ts'
import { id, type Json, object, objects, ofSeconds, text } from '../value.ts'
import { contactOf, personOf, phoneOf } from './person.ts'
import { editedText, saidOf } from './said.ts'
import { readStatus, wordsOf } from './status.ts'

export function read(body: unknown): Reading[] {
  const root = object(body) ?? {}
  if (root['object'] !== 'whatsapp_business_account') return [{ account: null, update: ignored('it is not of WhatsApp') }]
  const changes = objects(root['entry']).flatMap(entry => objects(entry['changes']))
  const readings = changes.flatMap(readChange)
  return readings.length > 0 ? readings : [{ account: null, update: ignored('it holds no update') }]
}

const ignored = (reason: string): Update => ({ kind: 'ignored', reason })

function readChange(change: Json): Reading[] {
  const value = object(change['value']) ?? {}
  const account = id(object(value['metadata'])?.['phone_number_id']) ?? null
  return updatesOf(text(change['field']) ?? '', value).map(update => ({ account, update }))
}

function updatesOf(field: string, value: Json): Update[] {
  if (field === 'smb_message_echoes') return objects(value['message_echoes']).map(readEcho)
  if (field === 'user_id_update') return objects(value['user_id_update']).map(readRenamed)
  if (field !== 'messages') return [ignored(`${field.slice(0, 100) || 'no field'}: callbacks of this field are not used`)]
  const [messages, contacts] = [objects(value['messages']), objects(value['contacts'])]
  const updates = [
    ...messages.map(message => readMessage(message, contactOf(message, messages, contacts))),
    ...objects(value['statuses']).flatMap(readStatus),
  ]
  if (updates.length > 0) return updates
  const [error] = objects(value['errors'])
  return [ignored(error ? `an error, and no message: ${wordsOf(error)}` : 'it holds neither messages nor statuses')]
}

function readMessage(message: Json, contact: Json | undefined): Update {
  const [type, at] = [text(message['type']) ?? 'unknown', ofSeconds(message['timestamp'])]
  if (message['group_id'] !== undefined) return ignored('it is of a group')
  if (type === 'system') return readSystem(message, at)
  // Told when a customer opens the chat for the first time, where the number has a welcome message.
  if (type === 'request_welcome') return ignored('request_welcome: it is no word of a customer')
  const thread = id(message['from']) ?? id(message['from_user_id'])
  const external_id = id(message['id'])
  if (!thread || !external_id) return ignored('it names no sender or no message')
  const about = readAbout(message, { thread, at, by: 'customer' })
  return about ?? { kind: 'message', thread, at, from: personOf(message, contact), external_id, said: saidOf(message) }
}

/** What was typed in the WhatsApp Business app. */
function readEcho(message: Json): Update {
  const at = ofSeconds(message['timestamp'])
  const names = [id(message['to'])?.replace(/^\+/, ''), id(message['to_user_id'])].filter(each => each !== undefined)
  const [thread] = names
  const external_id = id(message['id'])
  if (!thread || !external_id) return ignored('it names no recipient or no message')
  const about = readAbout(message, { thread, at, by: 'operator' })
  return about ?? { kind: 'echo', thread, ...(names.length > 1 && { names }), at, external_id, said: saidOf(message) }
}

interface Of {
  thread: string
  at: string | null
  by: 'customer' | 'operator'
}

/** An edit, a deletion or a reaction: what is said about another message. */
function readAbout(message: Json, { thread, at, by }: Of): Update | undefined {
  const type = text(message['type'])
  if (type === 'reaction') {
    const reaction = object(message['reaction'])
    const external_id = id(reaction?.['message_id'])
    if (!external_id) return ignored('a reaction to no message')
    return { kind: 'reaction', thread, at, external_id, emoji: text(reaction?.['emoji']) ?? null, by }
  }
  if (type !== 'edit' && type !== 'revoke') return undefined
  const external_id = id(object(message[type])?.['original_message_id'])
  if (!external_id) return ignored(`${type}: of no message`)
  if (type === 'revoke') return { kind: 'deletion', thread, at, external_id }
  return { kind: 'edit', thread, at, external_id, text: editedText(message) }
}

// A new number comes with a new user id; where the number may not be told, the user ids come alone, and name the sender.
function readSystem(message: Json, at: string | null): Update {
  const system = object(message['system']) ?? {}
  const said = text(system['type']) ?? 'no type'
  if (!said.startsWith('user_changed')) return ignored(`system, ${said.slice(0, 100)}: it is no word of a customer`)
  const before = [message['from'], message['from_user_id'], system['previous_user_id']]
  return renamed(at, before, [system['wa_id'], system['user_id']])
}

/** A business-scoped user id was replaced by another. */
function readRenamed(value: Json): Update {
  const user = object(value['user_id'])
  const number = id(value['wa_id'])
  return renamed(ofSeconds(value['timestamp']), [number, user?.['previous']], [number, user?.['current']])
}

/** @param before what the person went by @param after what they go by, of which the first is written to */
function renamed(at: string | null, before: unknown[], after: unknown[]): Update {
  const [old, now] = [before, after].map(each => each.map(id).filter(name => name !== undefined)) as [string[], string[]]
  const ids = [...new Set([...old, ...now])]
  const [thread, to] = [old[0], now[0]]
  if (!thread || !to || ids.length < 2) return ignored('it names no two ids of a person')
  const phone = phoneOf(ids.findLast(each => phoneOf(each) !== undefined))
  const gone = old.filter(name => !now.includes(name))
  return { kind: 'renamed', thread, at, from: { ids, ...(phone && { proven: { phone } }) }, before: gone, to }
}
