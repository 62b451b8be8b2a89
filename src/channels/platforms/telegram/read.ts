// Updates of the Telegram Bot API: https://core.telegram.org/bots/api#update. The names of members are checked against types that are made of that page.
import type {
  CallbackQuery,
  Chat,
  ChatMember,
  ChatMemberUpdated,
  Contact,
  InlineKeyboardButton,
  InlineKeyboardMarkup,
  Location,
  Message,
  MessageReactionUpdated,
  ReactionType,
  Update as TelegramUpdate,
  User,
  Venue,
} from '@grammyjs/types'
import type { Person } from '../../../contacts/person.ts'
import type { Place, Said, Update } from '../../../conversations/update.ts'
import type { Reading } from '../platform.ts'
import { type Fields, fields, id, name, number, object, objects, ofSeconds, text } from '../value.ts'
import { mediaOf } from './media.ts'
import { richText } from './rich.ts'

/** The kinds that are asked for when the callback is registered. */
export const ALLOWED_UPDATES = [
  'message',
  'edited_message',
  'callback_query',
  'message_reaction',
  'my_chat_member',
] as const satisfies (keyof TelegramUpdate)[]
type Kind = (typeof ALLOWED_UPDATES)[number]

export function read(body: unknown): Reading[] {
  const update = fields<TelegramUpdate>(body) ?? {}
  const kind = ALLOWED_UPDATES.find(each => object(update[each]))
  if (kind) return [READ[kind](object(update[kind]) ?? {})]
  const other = Object.keys(update).find(each => each !== 'update_id')
  return [ignored(other ? `${other}: updates of this kind are not used` : 'it holds no update')]
}

const READ: { [K in Kind]: (value: Fields<NonNullable<TelegramUpdate[K]>>) => Reading } = {
  message: value => inChat(value, readMessage),
  edited_message: value => inChat(value, readEdit),
  callback_query: readPress,
  message_reaction: value => inChat(value, readReaction),
  my_chat_member: value => inChat(value, readMembership),
}

/** What all updates of a chat have. */
type InChat = Pick<Message, 'chat' | 'date'> & Partial<Pick<Message, 'message_id'>>

/** A message's place: its chat, and its number there, which counts up. */
interface At {
  thread: string
  number: number | undefined
  at: string | null
}

function inChat<T extends Fields<InChat>>(value: T, work: (value: T, at: At) => Update | string): Reading {
  const chat = fields<Chat>(value.chat)
  const thread = id(chat?.id)
  if (!chat || thread === undefined) return ignored('it names no chat')
  if (chat.type !== 'private') return ignored('it is not of a private chat')
  const place = { thread, number: number(value.message_id), at: ofSeconds(value.date) }
  const update = work(value, place)
  if (typeof update === 'string') return ignored(update)
  return { account: null, update, ...(place.number !== undefined && { order: place.number }) }
}

const ignored = (reason: string): Reading => ({ account: null, update: { kind: 'ignored', reason } })

/** Messages are numbered in each chat. */
const externalId = (thread: string, message: unknown): string | undefined => {
  const number = id(message)
  return number && `${thread}:${number}`
}

function readMessage(value: Fields<Message>, { thread, number, at }: At): Update | string {
  const from = personOf(value)
  const external_id = externalId(thread, number)
  if (!from || !external_id) return 'it names no sender or no message'
  const service = SERVICE.find(each => value[each] !== undefined)
  if (service) return `${service}: it is no word of a customer`
  return { kind: 'message', thread, at, from, external_id, said: saidOf(value, thread) }
}

function personOf(value: Fields<Pick<Message, 'from' | 'contact'>>): Person | undefined {
  const from = fields<User>(value.from)
  const user = id(from?.id)
  if (!from || user === undefined) return undefined
  return { ids: [user], ...named(from), ...vouched(value, user) }
}

function named(from: Fields<User>): Pick<Person, 'name' | 'handle' | 'language'> {
  const full = name([text(from.first_name), text(from.last_name)].filter(Boolean).join(' '))
  const [handle, language] = [name(from.username), name(from.language_code)]
  return { ...(full && { name: full }), ...(handle && { handle }), ...(language && { language }) }
}

// A card of one's own is vouched for by Telegram: its user_id is the sender's.
function vouched(value: Fields<Pick<Message, 'contact'>>, user: string): Pick<Person, 'proven'> {
  const card = fields<Contact>(value.contact)
  const digits = text(card?.phone_number)?.replaceAll(/\D/g, '')
  if (!card || !digits || id(card.user_id) !== user || !/^[1-9]\d{6,14}$/.test(digits)) return {}
  return { proven: { phone: `+${digits}` } }
}

function saidOf(value: Fields<Message>, thread: string): Said {
  const media = mediaOf(value)
  const location = placeOf(value)
  const card = fields<Contact>(value.contact)
  const words = wordsOf(value) ?? (card ? cardText(card) : null)
  const quoted = externalId(thread, fields<Message>(value.reply_to_message)?.message_id)
  const empty = words === null && media.length === 0 && !location
  return {
    text: words,
    media,
    ...(location && { location }),
    ...(quoted && { in_reply_to: quoted }),
    ...(empty && { unsupported: kindOf(value) }),
  }
}

const wordsOf = (value: Fields<Message>): string | undefined => text(value.text) ?? text(value.caption) ?? richText(value)

/** The telling line of a contact card: name, then number. */
function cardText(card: Fields<Contact>): string {
  const full = [text(card.first_name), text(card.last_name)].filter(Boolean).join(' ')
  return [full, text(card.phone_number)].filter(Boolean).join('\n') || 'A contact card'
}

function placeOf(value: Fields<Message>): Place | undefined {
  const venue = fields<Venue>(value.venue)
  const point = fields<Location>(value.location) ?? fields<Location>(venue?.location)
  const [latitude, longitude] = [number(point?.latitude), number(point?.longitude)]
  if (latitude === undefined || longitude === undefined) return undefined
  return { latitude, longitude, name: text(venue?.title) ?? null, address: text(venue?.address) ?? null }
}

/** Members of a message that say nothing about its kind. */
const ABOUT =
  /^(message_id|message_thread_id|direct_messages_topic|from|sender_.*|via_bot|date|business_connection_id|chat|forward_.*|is_.*|reply_.*|external_reply|quote|edit_date|has_.*|media_group_id|author_signature|paid_star_count|caption.*|show_caption.*|entities|link_preview_options|effect_id|reply_markup|suggested_post_info)$/

const kindOf = (value: Fields<Message>): string => name(Object.keys(value).find(each => !ABOUT.test(each))) ?? 'unknown'

/** What a private chat tells about itself rather than a person in it. */
const SERVICE = [
  'pinned_message',
  'message_auto_delete_timer_changed',
  'write_access_allowed',
  'connected_website',
  'users_shared',
  'chat_shared',
  'chat_background_set',
  'boost_added',
  'proximity_alert_triggered',
  'forum_topic_created',
  'forum_topic_edited',
] as const satisfies (keyof Message)[]

function readEdit(value: Fields<Message>, { thread, number, at }: At): Update | string {
  const external_id = externalId(thread, number)
  if (!external_id) return 'it names no message'
  if (object(value.location)) return 'a live location has moved on'
  return { kind: 'edit', thread, at: ofSeconds(value.edit_date) ?? at, external_id, text: wordsOf(value) ?? null }
}

function readPress(value: Fields<CallbackQuery>): Reading {
  const [query, from, choice] = [id(value.id), personOf(value), text(value.data)]
  const message = fields<Message>(value.message)
  const thread = id(fields<Chat>(message?.chat)?.id)
  if (!message || !query || !from || !choice || thread === undefined)
    return ignored('a button was pressed that is not of a message of ours')
  const quoted = externalId(thread, message.message_id)
  const said: Said = { text: titleOf(message, choice) ?? null, media: [], choice_id: choice, ...(quoted && { in_reply_to: quoted }) }
  // A press has no number and no time of its own.
  const update: Update = { kind: 'message', thread, at: null, from, external_id: `${thread}:press:${query}`, said }
  return { account: null, update, answer: query }
}

/** @returns undefined of a message that the bot has no access to any more: https://core.telegram.org/bots/api#inaccessiblemessage */
function titleOf(message: Fields<Message>, choice: string): string | undefined {
  const rows = fields<InlineKeyboardMarkup>(message.reply_markup)?.inline_keyboard
  const buttons: Fields<InlineKeyboardButton>[] = Array.isArray(rows) ? rows.flatMap(objects) : []
  return text(buttons.find(each => each.callback_data === choice)?.text)
}

function readReaction(value: Fields<MessageReactionUpdated>, { thread, number, at }: At): Update | string {
  const external_id = externalId(thread, number)
  if (!external_id) return 'it names no message'
  const left: Fields<ReactionType>[] = objects(value.new_reaction)
  const emoji = left.map(each => text(each.emoji) ?? (each.type === 'paid' ? '⭐' : undefined)).find(each => each !== undefined)
  if (left.length > 0 && emoji === undefined) return 'a reaction that is no emoji'
  return { kind: 'reaction', thread, at, external_id, emoji: emoji ?? null, by: 'customer' }
}

/** Whether the person has stopped the bot, or started it again. */
function readMembership(value: Fields<ChatMemberUpdated>, { thread, at }: At): Update | string {
  const status = text(fields<ChatMember>(value.new_chat_member)?.status)
  if (status !== 'kicked' && status !== 'member') return `a membership that is ${status ?? 'not told'}`
  return { kind: 'reachability', thread, at, reachable: status === 'member' }
}
