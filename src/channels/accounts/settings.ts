// What can be set about a channel, and is shown. Each platform has its own; what is not set has its default.
import type { Limits } from '../platforms/limits.ts'

export interface Settings {
  /** A message so many hours after closing reopens the conversation; a later one starts another. */
  reopen_hours: number
  /** Messages a second to the platform, instead of the platform's usual pace. */
  max_per_second?: number
  /** telegram, whatsapp, facebook, instagram: where the platform's API is, without a slash at its end. */
  api_url?: string
  /** whatsapp, facebook, instagram: reading here tells the customer so. */
  read_receipts?: boolean
  /** facebook, instagram: Meta lets people, not the assistant, answer for 7 days. */
  human_agent?: boolean
  /** whatsapp: the business account, whose callbacks are subscribed to. */
  waba?: string
  /** api: where messages are sent to. */
  send_url?: string
  /** web: the pages that the chat may stand on, each `https://host`. */
  origins?: string[]
  title?: string
  greeting?: string
  color?: string
  away_text?: string
  hours?: string
  time_zone?: string
}

export const REOPEN_HOURS = 24
export const REOPEN_HOURS_MAX = 720

/** In which time after the customer's last message a reply may be sent, in hours: of people, and of the assistant. null: any time. */
export const replyHours = (limits: Limits, { human_agent }: Settings): { people: number | null; assistant: number | null } => ({
  people: human_agent && limits.human_reply_hours !== null ? limits.human_reply_hours : limits.reply_hours,
  assistant: limits.reply_hours,
})
