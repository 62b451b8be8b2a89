// A conversation as lines of a terminal.
import { printableLine } from '../cli/printable.ts'
import type { Conversation, Message } from './schema.ts'

export const customerOf = ({ contact: { name, email, id } }: Pick<Conversation, 'contact'>): string => printableLine(name ?? email ?? id)

export function titleOf(conversation: Conversation): string {
  const { id, platform, status, ai_status, unread_count, failed_count, assigned_to, tags } = conversation
  const counts = [
    unread_count > 0 && `${unread_count} unread`,
    failed_count > 0 && `${failed_count} failed`,
    assigned_to && `assigned to ${assigned_to}`,
    tags.length > 0 && `tagged ${printableLine(tags.join(', '))}`,
  ]
  return [`${id}  ${platform}  ${customerOf(conversation)}  ${status}, assistant ${ai_status}`, ...counts.filter(Boolean)].join(', ')
}

/** A line for each message; a text of several lines goes on below. */
export const lines = (messages: Message[]): string[] => messages.map(line)

function line(message: Message): string {
  const { created_at, text, attachments, location, template, unsupported, reactions, deleted_at, direction, status, error } = message
  const files = attachments.map(({ type, name }) => `[${type}${name ? ` ${name}` : ''}]`)
  const place = location && `[place ${location.name ?? `${location.latitude}, ${location.longitude}`}]`
  const said = [text, ...files, place, template && `[template ${template.name}]`, unsupported && `[${unsupported}]`]
    .filter(Boolean)
    .join(' ')
  const shown = deleted_at === null ? said : '(deleted)'
  const fate = direction === 'outbound' && !message.private ? `  (${status}${error ? `: ${error.message}` : ''})` : ''
  const reacted = reactions.map(({ emoji }) => `  ${emoji}`).join('')
  return printableLine(`${timeOf(created_at)}  ${writerOf(message)}: ${shown}${fate}${reacted}`)
}

/** What became of a message that was shown already. */
export const fateOf = (message: Message): string => {
  const { id, status, error, text } = message
  return printableLine(
    `${timeOf(new Date().toISOString())}  ${status}${error ? `: ${error.message}` : ''}  (${text === null ? id : shortened(text)})`,
  )
}

const FATE_CHARS = 40
const shortened = (text: string): string => (text.length > FATE_CHARS ? `${text.slice(0, FATE_CHARS).trimEnd()}…` : text)

/** What a time takes at the beginning of a line. */
export const TIME_COLUMNS = 10

/** By the terminal's own clock. */
const timeOf = (at: string): string => new Date(at).toTimeString().slice(0, 8)

function writerOf({ author, private: isNote }: Message): string {
  if (author.type === 'ai') return 'assistant'
  const name = author.name ?? author.type
  return isNote ? `${name}, a note` : name
}
