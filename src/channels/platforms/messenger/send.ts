// Sending by Meta's Send API, to Messenger and to Instagram: https://developers.facebook.com/docs/messenger-platform/reference/send-api,
// …/reference/attachment-upload-api, https://developers.facebook.com/docs/messenger-platform/send-messages/message-tags
import { multipart } from '../../../outbound/multipart.ts'
import { authorized, graphUrl, refusal, words } from '../graph/send.ts'
import type { PlatformName } from '../names.ts'
import { jsonRequest, type Outgoing, type OutgoingFile, type Sender, type SendingAccount } from '../sender.ts'
import { id, object } from '../value.ts'
import { midOf } from './own-ids.ts'

export const messenger = (platform: Extract<PlatformName, 'facebook' | 'instagram'>): Sender => ({
  repeatable: false,
  upload(file, account) {
    const part = { field: 'filedata', fileName: file.name ?? file.type, type: file.mime_type, length: file.size_bytes, pieces: file.pieces }
    const message = JSON.stringify({ attachment: { type: file.type, payload: { is_reusable: false } } })
    const { headers, body } = multipart({ ...(platform === 'instagram' && { platform }), message }, part)
    return { url: graphUrl(account, 'message_attachments'), headers: { ...headers, ...authorized(account) }, body }
  },
  uploaded: ({ json }) => id(object(json)?.['attachment_id']),
  message: (message, account, uploaded) =>
    jsonRequest(
      graphUrl(account, 'messages'),
      {
        recipient: { id: message.to },
        ...(message.late ? { messaging_type: 'MESSAGE_TAG', tag: 'HUMAN_AGENT' } : { messaging_type: 'RESPONSE' }),
        ...quoting(message),
        message: { ...content(message.file, message.text, uploaded), ...quickReplies(message), metadata: message.id },
      },
      authorized(account),
    ),
  taken: ({ json }) => id(object(json)?.['message_id']),
  refusal,
  words,
  typing: (to, _last, account) => action(to, 'typing_on', account),
  read: (to, _last, account) => action(to, 'mark_seen', account),
})

function quoting({ in_reply_to }: Outgoing): object {
  const mid = in_reply_to === null ? undefined : midOf(in_reply_to)
  return mid === undefined ? {} : { reply_to: { mid } }
}

const content = (file: OutgoingFile | null, text: string | null, uploaded: string | null): object =>
  file ? { attachment: { type: file.type, payload: { attachment_id: uploaded } } } : { text: text ?? '' }

const quickReplies = ({ choices }: Outgoing): object =>
  choices.length > 0 ? { quick_replies: choices.map(choice => ({ content_type: 'text', title: choice.title, payload: choice.id })) } : {}

const action = (to: string, sender_action: string, account: SendingAccount) =>
  jsonRequest(graphUrl(account, 'messages'), { recipient: { id: to }, sender_action }, authorized(account))
