// Sending by the Telegram Bot API: https://core.telegram.org/bots/api#sendmessage, #sending-files, #making-requests
import { multipart } from '../../../outbound/multipart.ts'
import type { FileKind } from '../limits.ts'
import {
  jsonRequest,
  type Outgoing,
  type OutgoingFile,
  type PlatformAnswer,
  type Refusal,
  type Sender,
  type SendingAccount,
} from '../sender.ts'
import { id, number, object, text } from '../value.ts'

const API_URL = 'https://api.telegram.org'

export const telegram: Sender = {
  repeatable: false,
  message(message, account) {
    const { file, location } = message
    if (file) return withFile(message, file, account)
    const common = { ...target(message), ...quoting(message), ...buttons(message) }
    if (location)
      return jsonRequest(url(account, location.name && location.address ? 'sendVenue' : 'sendLocation'), {
        ...common,
        ...placeOf(location),
      })
    return jsonRequest(url(account, 'sendMessage'), { ...common, text: message.text ?? '' })
  },
  taken({ json }) {
    const result = object(object(json)?.['result'])
    const [chat, message] = [id(object(result?.['chat'])?.['id']), id(result?.['message_id'])]
    return chat !== undefined && message !== undefined ? `${chat}:${message}` : undefined
  },
  refusal,
  words: ({ json }) => text(object(json)?.['description']),
  typing: (to, _last, account) => jsonRequest(url(account, 'sendChatAction'), { chat_id: to, action: 'typing' }),
}

// The token is part of the URL's path, which is never logged.
const url = ({ settings, credentials }: SendingAccount, method: string): string =>
  `${settings.api_url ?? API_URL}/bot${credentials.token}/${method}`

const target = ({ to }: Outgoing) => ({ chat_id: to })

// A quoted message may be gone by now: the reply goes out all the same. A pressed button is a message with us alone.
function quoting({ in_reply_to }: Outgoing): object {
  const message_id = Number(/^-?\d+:(\d+)$/.exec(in_reply_to ?? '')?.[1])
  return Number.isSafeInteger(message_id) ? { reply_parameters: { message_id, allow_sending_without_reply: true } } : {}
}

const buttons = ({ choices }: Outgoing): object =>
  choices.length > 0 ? { reply_markup: { inline_keyboard: choices.map(choice => [{ text: choice.title, callback_data: choice.id }]) } } : {}

function placeOf({ latitude, longitude, name, address }: NonNullable<Outgoing['location']>): object {
  return name && address ? { latitude, longitude, title: name, address } : { latitude, longitude }
}

interface Method {
  method: string
  field: string
}

const DOCUMENT: Method = { method: 'sendDocument', field: 'document' }

/** What is sent as what it is, by type; any other file is a document, which Telegram takes whatever it holds. */
const METHODS: Record<FileKind, Record<string, Method>> = {
  image: {
    'image/jpeg': { method: 'sendPhoto', field: 'photo' },
    'image/png': { method: 'sendPhoto', field: 'photo' },
    'image/webp': { method: 'sendPhoto', field: 'photo' },
    'image/gif': { method: 'sendAnimation', field: 'animation' },
  },
  video: { 'video/mp4': { method: 'sendVideo', field: 'video' } },
  audio: {
    'audio/mpeg': { method: 'sendAudio', field: 'audio' },
    'audio/mp4': { method: 'sendAudio', field: 'audio' },
    'audio/ogg': { method: 'sendVoice', field: 'voice' },
  },
  file: {},
}

function withFile(message: Outgoing, file: OutgoingFile, account: SendingAccount) {
  const { method, field } = METHODS[file.type][file.mime_type] ?? DOCUMENT
  const fields = { ...target(message), ...(message.text !== null && { caption: message.text }), ...quoting(message), ...buttons(message) }
  const texts = Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)])
  const part = { field, fileName: file.name ?? field, type: file.mime_type, length: file.size_bytes, pieces: file.pieces }
  return { url: url(account, method), ...multipart(Object.fromEntries(texts), part) }
}

function refusal({ status, json }: PlatformAnswer): Refusal | undefined {
  const words = text(object(json)?.['description']) ?? ''
  if (status === 429) {
    const seconds = number(object(object(json)?.['parameters'])?.['retry_after'])
    return { kind: 'held', ...(seconds !== undefined && { forMs: seconds * 1000 }) }
  }
  if (status === 401 || status === 404) return { kind: 'credentials' }
  const isGone = status === 403 || (status === 400 && /chat not found/i.test(words))
  return isGone
    ? { kind: 'failed', code: 'recipient_unreachable', ...(/blocked by the user/i.test(words) && { isBlock: true }) }
    : undefined
}
