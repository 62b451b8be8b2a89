// A platform: what is common to all its channels. Each has a folder of its own here, and this is what it says about itself.
import type { Update } from '../../conversations/update.ts'

/** What a channel keeps encrypted: each only where its platform has it. */
export interface Credentials {
  /** Sends as the account: Telegram's bot token, an access token of Meta's. */
  token?: string
  /** Signs the callbacks of Meta's apps. */
  app_secret?: string
  /** Meta repeats it when it asks whether the callback's address is ours. */
  verify_token?: string
  /** Made here: what Telegram sends along with each callback, what signs those of `api`, what signs the identities of `web`. */
  secret?: string
}

/** A callback, as it came. Names of headers are in lower case. */
export interface Signed {
  headers: Record<string, string | string[] | undefined>
  raw: Buffer
}

/** What of a callback concerns one account. */
export interface Reading {
  /** Whose it is; null: of the channel it came to. */
  account: string | null
  update: Update
  /** What the platform numbers messages by, where it does: of two of one time the smaller came first. */
  order?: number
  /** A pressed button waits for a word of ours: Telegram's id of the callback query. */
  answer?: string
}

export interface Platform {
  /**
   * Whether one who knows a secret of the channel has sent it.
   * @param secrets those that count now: the present ones, and the ones before
   * @param now milliseconds since 1970
   */
  verify(signed: Signed, secrets: Credentials[], now: number): boolean
  /**
   * The updates that a callback holds, in the platform's order. Never throws: what is not known is ignored, with its reason.
   * @param body its JSON, whatever it may be
   */
  read(body: unknown): Reading[]
}
