// A message as its visitor sees it.
import { signedUrl } from '../attachments/link.ts'
import { ownId } from '../channels/platforms/web/read.ts'
import type { Message } from '../conversations/schema.ts'
import type { Keyring } from '../secrets.ts'
import type { ChatMessage } from './schema.ts'

/** Its files' links open without a token, for a week. */
export function shown(keyring: Keyring, tenant: string, message: Message): ChatMessage {
  const { id, direction, author, text, attachments, choices, external_id, edited_at, deleted_at, created_at } = message
  return {
    object: 'message',
    id,
    own_id: direction === 'inbound' ? ownId(external_id) : null,
    from: direction === 'inbound' ? 'visitor' : 'shop',
    name: author.type === 'operator' ? (author.name ?? null) : null,
    text,
    attachments: attachments.map(each => ({ ...each, url: signedUrl(keyring, tenant, each.id) })),
    choices,
    edited_at,
    deleted_at,
    created_at,
  }
}
