// What a visitor says: kept like a callback, so it is durable when they hear so, and becomes a message in the channel's turn.
import { isBlank } from '../blank.ts'
import type { Site } from '../channels/accounts/site.ts'
import type { WebUpdate } from '../channels/platforms/web/schema.ts'
import { now } from '../clock.ts'
import { messageOf, saidBefore, saidIn } from '../conversations/thread.ts'
import { isId } from '../ids.ts'
import { createSlidingLog } from '../ingress/address-limit.ts'
import type { GuestAnswer, GuestInput } from '../ingress/guest.ts'
import { CHAT_MESSAGES_A_MINUTE, CHAT_PAGE } from '../limits/chat.ts'
import { RATE_WINDOW_SECONDS } from '../limits/rate.ts'
import { invalid } from '../problems.ts'
import { type ChatContext, visitorOf, within } from './context.ts'
import { keepOwn } from './files.ts'
import type { Kept, NewChatMessage, Seen } from './schema.ts'
import { shown } from './shown.ts'

const slots = createSlidingLog(CHAT_MESSAGES_A_MINUTE, RATE_WINDOW_SECONDS)

/** Kept also while the chat is disabled, and applied when it is enabled. @throws {Problem} 401, 422, 429 */
export async function say(context: ChatContext, input: GuestInput<Site, NewChatMessage>): Promise<GuestAnswer> {
  const { at: site, body } = input
  const guest = visitorOf(context.keyring, input)
  within(slots(guest.visitor), `${CHAT_MESSAGES_A_MINUTE} messages a minute`)
  if (body.text !== undefined && isBlank(body.text)) throw invalid({ field: 'text', code: 'blank', message: 'must not be blank.' })
  await keepOwn(context, site, guest.visitor, body.attachments ?? [])
  return keep(context, site, { type: 'message', visitor: guest.visitor, ...(guest.identity && { identity: guest.identity }), ...body })
}

/** The visitor has seen what was answered, up to a message. */
export async function see(context: ChatContext, input: GuestInput<Site, Seen>): Promise<GuestAnswer> {
  const { at: site, body } = input
  const { visitor } = visitorOf(context.keyring, input)
  const message = await messageOf(context.sql, site.tenant, { channel_id: site.id, thread: visitor }, body.message_id)
  if (!message) throw invalid({ field: 'message_id', code: 'unknown_message', message: 'names no message of this talk.' })
  await keep(context, site, { type: 'seen', visitor, until: message.created_at })
  return { status: 204 }
}

async function keep({ keep }: ChatContext, { tenant, id }: Site, update: Omit<WebUpdate, 'at'>): Promise<GuestAnswer> {
  const at = new Date(now()).toISOString()
  const kept: Kept = { object: 'callback', id: await keep({ tenant, id }, JSON.stringify({ ...update, at })) }
  return { body: kept }
}

/** The end of the talk, or what stands behind a message of it, or before one. @throws {Problem} 401; 422 where `after` or `before` is no id */
export async function read(context: ChatContext, input: GuestInput<Site, unknown>): Promise<GuestAnswer> {
  const { at: site, query } = input
  const { visitor } = visitorOf(context.keyring, input)
  const thread = { channel_id: site.id, thread: visitor }
  const [after, before] = [idOf(query, 'after'), idOf(query, 'before')]
  const { messages, more } =
    before === undefined
      ? await saidIn(context.sql, site.tenant, thread, CHAT_PAGE, after)
      : await saidBefore(context.sql, site.tenant, thread, CHAT_PAGE, before)
  return { body: { object: 'list', data: messages.map(each => shown(context.keyring, site.tenant, each)), has_more: more } }
}

function idOf(query: Record<string, unknown>, field: 'after' | 'before'): string | undefined {
  const value = query[field]
  if (value === undefined || (typeof value === 'string' && isId('msg', value))) return value
  throw invalid({ field, code: 'invalid_format', message: 'must be an id: msg_ and 26 characters.' })
}
