// How a platform is sent to: the requests of a message, and what its answers mean. Pure: the requests are made by ../sending/.
import type { OutboundRequest, PostRequest, Streamed } from '../../outbound/request.ts'
import type { FileKind, Limits } from './limits.ts'
import type { Credentials } from './platform.ts'

/** A message as it goes to a platform. */
export interface Outgoing {
  /** Ours, `msg_…`: platforms that return it let us know our own again. */
  id: string
  conversation_id: string
  /** The thread of the conversation: a chat, a number, an id of a person. */
  to: string
  /** What the customer is called, where that is known. */
  name: string | null
  text: string | null
  file: OutgoingFile | null
  choices: { id: string; title: string }[]
  location: { latitude: number; longitude: number; name: string | null; address: string | null } | null
  template: { name: string; language: string; parameters: string[] } | null
  /** The platform's id of the quoted message. */
  in_reply_to: string | null
  /** A day and more after the customer's last message: words of people, on a channel that may use them then. */
  late: boolean
  created_at: string
}

export interface OutgoingFile {
  type: FileKind
  name: string | null
  mime_type: string
  size_bytes: number
  /** Where any program that has the link can fetch the file for a while. */
  url: string
  /** Its bytes. */
  pieces: Streamed['pieces']
}

/** The account that sends. */
export interface SendingAccount {
  account_id: string | null
  /** Where the platform's API is, or where `api` sends to. */
  settings: { api_url?: string; send_url?: string }
  credentials: Credentials
  /** The secret before a rotation, as long as it counts. */
  previous_secret?: string
}

/** What of a request is the platform's. */
export type PlatformRequest = Pick<PostRequest, 'url' | 'headers' | 'body'>

/** An answer, its JSON read: whatever that may be, undefined where it is none. */
export interface PlatformAnswer {
  status: number
  json: unknown
}

export interface Sender {
  /** Messages are sent again although they may have been taken: the receiver tells repeats. */
  repeatable: boolean
  /** A file goes ahead of its message, where the platform wants that; it is no message yet, so repeating it is harmless. */
  upload?(file: OutgoingFile, account: SendingAccount): PlatformRequest
  /** @returns the platform's id of the file, undefined where the answer has none */
  uploaded?(answer: PlatformAnswer): string | undefined
  /** @param uploaded the platform's id of the file @param now milliseconds since 1970 */
  message(message: Outgoing, account: SendingAccount, uploaded: string | null, now: number): PlatformRequest
  /** The platform's id of the message, where the answer says that it was taken. null: it was, and has no id. */
  taken(answer: PlatformAnswer): string | null | undefined
  /** What the platform's own words mean, where they say more than the status. */
  refusal?(answer: PlatformAnswer): Refusal | undefined
  /** What the platform itself says of a refusal. */
  words(answer: PlatformAnswer): string | undefined
  /** Tells the customer that the shop is typing. @param last the platform's id of the customer's last message */
  typing?(to: string, last: string | null, account: SendingAccount): PlatformRequest | undefined
  /** Tells the customer that they were read. @param last the platform's id of their last message */
  read?(to: string, last: string | null, account: SendingAccount): PlatformRequest | undefined
}

/** What a refusal means: see `Verdict`, whose kinds these are. `isBlock`: by its words the customer wants nothing from the shop. */
export type Refusal =
  | { kind: 'held'; forMs?: number }
  | { kind: 'again' }
  | { kind: 'credentials' }
  | { kind: 'failed'; code: FailureCode; isBlock?: true }

export type FailureCode = 'recipient_unreachable' | 'reply_window_closed' | 'rejected'

/** A request with a body of JSON. */
export const jsonRequest = (url: string, body: unknown, headers: OutboundRequest['headers'] = {}): PlatformRequest => ({
  url,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

/** Whether choices below the text are buttons. */
export const areButtons = (text: string, { button_text_max: max }: Pick<Limits, 'button_text_max'>): boolean =>
  max === null || text.length <= max

/** Choices as lines of text, where the platform has no buttons for them. */
export const numbered = (text: string | null, choices: Outgoing['choices']): string =>
  [...(text ? [text] : []), choices.map(({ title }, index) => `${index + 1}. ${title}`).join('\n')].join('\n\n')
