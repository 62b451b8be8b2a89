// Why words cannot be sent to a customer now: each is a 409 with a code of its own.
import type { Account } from '../channels/accounts/accounts.ts'
import { DUPLICATE_MS } from '../limits/conversations.ts'
import { Problem } from '../problems.ts'
import type { Held } from './conversation.ts'
import type { Draft } from './message.ts'
import type { Message } from './schema.ts'

const refused = (code: string, detail: string, members: object = {}, headers: Record<string, string> = {}): Problem =>
  new Problem('conflict', detail, { code, ...members }, headers)

/** @throws {Problem} 409 where nothing can be sent over the channel */
export function ofChannel({ status }: Account): void {
  if (status === 'deleted') throw refused('channel_deleted', 'The channel of this conversation was deleted; it can only be read.')
  if (status === 'disabled') throw refused('channel_disabled', 'The channel of this conversation is disabled; enable it to write.')
}

/** @throws {Problem} 409 for a blocked contact */
export function ofContact({ blocked }: Held): void {
  if (blocked) throw refused('contact_blocked', 'The contact is blocked; unblock them to write.')
}

/** @throws {Problem} 409 where the customer writes in another conversation by now */
export function ofClosed({ conversation }: Held, other: string | undefined): void {
  if (conversation.status === 'open' || other === undefined) return
  throw refused('conversation_closed', `This conversation is closed, and the customer writes in ${other} now.`, { conversation_id: other })
}

/** @throws {Problem} 409 where the platform takes no reply by people any more. @param now milliseconds since 1970 */
export function ofWindow({ limits }: Account, { conversation: { reply_until } }: Held, now: number): void {
  if (limits.reply_hours !== null) refuseAfter(limits, reply_until, now)
}

/** The assistant has no more than the usual time, whatever people have. @throws {Problem} 409 @param now milliseconds since 1970 */
export function ofAssistantsWindow({ limits }: Account, { customerAt }: Held, now: number): void {
  if (limits.reply_hours === null) return
  const until = customerAt === null ? null : new Date(Date.parse(customerAt) + limits.reply_hours * HOUR_MS).toISOString()
  refuseAfter(limits, until, now)
}

const HOUR_MS = 3_600_000

function refuseAfter(limits: Account['limits'], reply_until: string | null, now: number): void {
  if (reply_until !== null && Date.parse(reply_until) > now) return
  const way = limits.templates ? 'send a template, or wait until they write' : 'wait until they write'
  throw refused('reply_window_closed', `The platform takes replies only for some time after the customer wrote; ${way}.`, { reply_until })
}

/** Whether a message of a human says the same. */
export const isSame = (message: Message, draft: Draft): boolean =>
  message.direction === 'outbound' &&
  message.author.type === 'operator' &&
  !message.private &&
  message.text === (draft.text ?? null) &&
  JSON.stringify(message.template) === JSON.stringify(draft.template ?? null) &&
  fileNames(message.attachments) === fileNames(draft.attachments ?? [])

// Each upload has an id of its own, so files are compared by what they are.
const fileNames = (files: Message['attachments']): string => JSON.stringify(files.map(each => [each.mime_type, each.size_bytes, each.name]))

/** @param now milliseconds since 1970 */
export function duplicate({ id, created_at }: Message, now: number): Problem {
  const seconds = Math.max(1, Math.ceil((Date.parse(created_at) + DUPLICATE_MS - now) / 1000))
  return refused(
    'duplicate_message',
    'The same was written less than a minute ago.',
    { message_id: id },
    { 'Retry-After': String(seconds) },
  )
}

/** Whether a message answers the customer. */
export const isAnswer = ({ direction, author, status, private: isNote }: Message): boolean =>
  direction === 'outbound' && !isNote && status !== 'failed' && (author.type === 'operator' || author.type === 'ai')

export const answered = (message: Message): Problem =>
  refused('answered_meanwhile', 'The customer was answered after the message that you saw last; read that answer first.', { message })
