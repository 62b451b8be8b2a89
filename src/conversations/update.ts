// What a channel tells about a conversation, in the words of this service: each platform's callbacks are read into these.
import type { Person } from '../contacts/person.ts'

interface Told {
  /** Which conversation of the channel: a chat, a number, an id of a person. */
  thread: string
  /** The platform's clock, ISO 8601 with milliseconds; null where it does not say. */
  at: string | null
}

/** A file of a message, which is yet to be fetched. */
export interface Media {
  type: 'image' | 'video' | 'audio' | 'file'
  name?: string
  mime_type?: string
  size_bytes?: number
  /** By the platform's id of the file, which is asked for its address anew at each attempt; or at this address. */
  source: { file_id: string } | At | Uploaded
}

/** A file at an address. Where it may live shorter than the file is wanted, the message is named that holds it, and its place there. */
export interface At {
  url: string
  /** By the platform's id. */
  message?: string
  /** Counts from nought. */
  part?: number
}

/** A file that a visitor of web chat has uploaded already. */
export interface Uploaded {
  /** `att_…` */
  uploaded: string
  /** `vis_…`: whose it is. */
  visitor: string
}

export interface Place {
  latitude: number
  longitude: number
  name: string | null
  address: string | null
}

/** What a message holds, of either side. */
export interface Said {
  text: string | null
  media: Media[]
  location?: Place
  /** The id of the choice that was pressed; its title is the text, or null where the platform does not tell it. */
  choice_id?: string
  /** The platform's id of the quoted message; on `api` it may be our own `msg_…`. */
  in_reply_to?: string
  /** The platform's word for a kind of message that cannot be shown. */
  unsupported?: string
}

export type ReceiptStatus = 'sent' | 'delivered' | 'read' | 'failed'

/** The message that an update is about: by the platform's id of it, unique by channel; or by our own `msg_…`, where only that is told. */
type Meant = { external_id: string; our_id?: string } | { external_id?: string; our_id: string }

/** `external_id` is the platform's id of the message, unique by channel; `our_id` is our own `msg_…`, where the platform returns it. */
export type Update =
  | (Told & { kind: 'message'; from: Person; external_id: string; said: Said })
  /** A message of the shop that was typed in the platform's own app, or one of ours coming back. @property names all that its customer is told to go by */
  | (Told & { kind: 'echo'; names?: string[]; external_id: string; our_id?: string; said: Said })
  | (Told & Meant & { kind: 'edit'; text: string | null })
  /** @property parts the ids that its further files would have, where each file is a message here */
  | (Told & Meant & { kind: 'deletion'; parts?: string[] })
  /** @property emoji null: the reaction is withdrawn */
  | (Told & Meant & { kind: 'reaction'; emoji: string | null; by: 'customer' | 'operator' })
  /** How far one message came; or, with `until`, all that were sent in the thread up to this time. */
  | (Told & {
      kind: 'receipt'
      status: ReceiptStatus
      external_id?: string
      our_id?: string
      until?: string
      error?: { code: string; message: string }
    })
  /** The customer blocked the shop, or writes again. */
  | (Told & { kind: 'reachability'; reachable: boolean })
  /** One person under another name. @property before the names that reach them no more @property to the name by which they are written to from now on */
  | (Told & { kind: 'renamed'; from: Person; before: string[]; to: string })
  /** Nothing to show: @property reason in plain English */
  | { kind: 'ignored'; reason: string }
