// Sending by the WhatsApp Cloud API: https://developers.facebook.com/docs/whatsapp/cloud-api/reference/messages, …/reference/media
import { multipart } from '../../../outbound/multipart.ts'
import { authorized, graphUrl, refusal, words } from '../graph/send.ts'
import { type FileKind, LIMITS } from '../limits.ts'
import { areButtons, jsonRequest, numbered, type Outgoing, type OutgoingFile, type Sender } from '../sender.ts'
import { id, object, objects } from '../value.ts'

export const whatsapp: Sender = {
  repeatable: false,
  upload(file, account) {
    const part = { field: 'file', fileName: file.name ?? file.type, type: file.mime_type, length: file.size_bytes, pieces: file.pieces }
    const { headers, body } = multipart({ messaging_product: 'whatsapp', type: file.mime_type }, part)
    return { url: graphUrl(account, 'media'), headers: { ...headers, ...authorized(account) }, body }
  },
  uploaded: ({ json }) => id(object(json)?.['id']),
  message: (message, account, uploaded) =>
    jsonRequest(
      graphUrl(account, 'messages'),
      {
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        ...recipient(message.to),
        ...(message.in_reply_to !== null && { context: { message_id: message.in_reply_to } }),
        ...content(message, uploaded),
        biz_opaque_callback_data: message.id,
      },
      authorized(account),
    ),
  taken: ({ json }) => id(objects(object(json)?.['messages'])[0]?.['id']),
  refusal,
  words,
  typing: (_to, last, account) =>
    last === null
      ? undefined
      : jsonRequest(graphUrl(account, 'messages'), { ...seen(last), typing_indicator: { type: 'text' } }, authorized(account)),
  read: (_to, last, account) => (last === null ? undefined : jsonRequest(graphUrl(account, 'messages'), seen(last), authorized(account))),
}

const seen = (message_id: string) => ({ messaging_product: 'whatsapp', status: 'read', message_id })

// Who has hidden their number is named by a business-scoped user id.
const recipient = (to: string): object => (/^\+?\d+$/.test(to) ? { to } : { recipient: to })

function content(message: Outgoing, uploaded: string | null): object {
  const { text, template, location, file, choices } = message
  if (template)
    return {
      type: 'template',
      template: { name: template.name, language: { code: template.language }, components: bodyOf(template.parameters) },
    }
  if (location)
    return { type: 'location', location: { ...location, name: location.name ?? undefined, address: location.address ?? undefined } }
  if (choices.length > 0 && text && areButtons(text, LIMITS.whatsapp) && isHeader(file)) return withButtons(message, text, uploaded)
  const said = choices.length > 0 ? numbered(text, choices) : text
  if (file) return { type: KIND[file.type], [KIND[file.type]]: media(file, uploaded, said) }
  return { type: 'text', text: { body: said ?? '', preview_url: true } }
}

const bodyOf = (parameters: string[]): object[] =>
  parameters.length > 0 ? [{ type: 'body', parameters: parameters.map(text => ({ type: 'text', text })) }] : []

const KIND: Record<FileKind, 'image' | 'video' | 'audio' | 'document'> = {
  image: 'image',
  video: 'video',
  audio: 'audio',
  file: 'document',
}

const isHeader = (file: OutgoingFile | null): boolean => file?.type !== 'audio'

function withButtons({ file, choices }: Outgoing, text: string, uploaded: string | null): object {
  const header = file && { header: { type: KIND[file.type], [KIND[file.type]]: media(file, uploaded, null) } }
  const buttons = choices.map(reply => ({ type: 'reply', reply }))
  return { type: 'interactive', interactive: { type: 'button', ...header, body: { text }, action: { buttons } } }
}

// Audio has no caption, and only documents have a name.
const media = (file: OutgoingFile, uploaded: string | null, caption: string | null): object => ({
  id: uploaded,
  ...(caption !== null && file.type !== 'audio' && { caption }),
  ...(file.type === 'file' && file.name !== null && { filename: file.name }),
})
