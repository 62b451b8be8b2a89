// Sending to `send_url`: the generic format, signed as webhooks are. Its receiver tells repeats by the Idempotency-Key, so what may have been taken is sent
// again.
import { signWebhook } from '../../../outbound/sign.ts'
import type { Outgoing, OutgoingFile, Sender } from '../sender.ts'
import { id, object, text } from '../value.ts'

export const api: Sender = {
  repeatable: true,
  message(message, { settings, credentials, previous_secret }, _uploaded, now) {
    const body = JSON.stringify(bodyOf(message))
    const secrets = [credentials.secret as string, ...(previous_secret === undefined ? [] : [previous_secret])]
    const signature = signWebhook(secrets, Math.floor(now / 1000), body)
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': message.id, 'X-Service-Signature': signature }
    return { url: settings.send_url as string, headers, body }
  },
  taken: ({ status, json }) => (status >= 200 && status < 300 ? (id(object(json)?.['id']) ?? null) : undefined),
  words: ({ json }) => text(object(json)?.['detail']) ?? text(object(json)?.['message']) ?? text(object(json)?.['error']),
}

function bodyOf(message: Outgoing): object {
  const { text, choices, location, in_reply_to } = message
  return {
    type: 'message',
    id: message.id,
    conversation_id: message.conversation_id,
    to: { id: message.to, ...(message.name !== null && { name: message.name }) },
    ...(text !== null && { text }),
    attachments: message.file ? [attachment(message.file)] : [],
    ...(choices.length > 0 && { choices }),
    ...(location && { location }),
    ...(in_reply_to !== null && { in_reply_to }),
    created_at: message.created_at,
  }
}

const attachment = ({ type, name, mime_type, size_bytes, url }: OutgoingFile): object => ({
  type,
  ...(name !== null && { name }),
  mime_type,
  size_bytes,
  url,
})
