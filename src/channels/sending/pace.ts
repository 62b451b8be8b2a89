// How fast a platform is sent to: a channel, and each of its conversations. Below what the platforms allow, for others may use the account as well.
import { CONVERSATIONS_AT_ONCE } from '../../limits/channels.ts'
import type { Rate } from '../../rate.ts'
import type { Settings } from '../accounts/settings.ts'
import type { PlatformName } from '../platforms/names.ts'

export interface Pace {
  channel: Rate
  /** Undefined: as fast as the channel. */
  conversation?: Rate
  /** The rate of audio and video, within the channel's. */
  heavy?: Rate & { atOnce: number }
}

/** What a channel may save up: an allowed second then never sees more than the platform allows, 30 of 25 on Telegram. */
const SAVED_MS = 200

const perSecond = (count: number): Rate => ({ everyMs: 1000 / count, savedMs: SAVED_MS })

/** What is saved up of a limit that the owner has set: a timer may be late. */
const SAVED_OF_LIMIT_MS = 100

/** No second sees more than this. What may be saved up is taken off the rate. */
const atMostPerSecond = (count: number): Rate => ({ everyMs: (1000 + SAVED_OF_LIMIT_MS) / count, savedMs: SAVED_OF_LIMIT_MS })
/** A limit below this saves up less than one message. */
export const SAVING_PER_SECOND = (1000 + SAVED_OF_LIMIT_MS) / SAVED_OF_LIMIT_MS
/** One every `everyMs`, and `count` at once where they were saved up. */
const saving = (everyMs: number, count: number): Rate => ({ everyMs, savedMs: everyMs * (count - 1) })

/** Uploads that take long leave half of the conversations to others (CONVERSATIONS_AT_ONCE). */
const HEAVY_AT_ONCE = CONVERSATIONS_AT_ONCE / 2

/** A timer may be early by some milliseconds. Otherwise nothing is saved up: one that waits has its turn. */
const HEAVY_SAVED_MS = 25

/** Over 40 a second a page loses its inbox; 10 a second with audio or video are allowed. */
const messenger: Pace = {
  channel: perSecond(30),
  conversation: saving(1_000, 3),
  heavy: { everyMs: 1000 / 8, savedMs: HEAVY_SAVED_MS, atOnce: HEAVY_AT_ONCE },
}

const PACES: Record<PlatformName, Pace> = {
  /** https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this: 30 a second are allowed. */
  telegram: { channel: perSecond(25), conversation: saving(1_000, 3) },
  /** https://developers.facebook.com/docs/whatsapp/cloud-api/overview#throughput: 80 a second, 45 at once to one person. */
  whatsapp: { channel: perSecond(60), conversation: saving(6_000, 10) },
  facebook: messenger,
  instagram: messenger,
  api: { channel: perSecond(50) },
  web: { channel: perSecond(50) },
}

export function paceOf(platform: PlatformName, { max_per_second }: Settings): Pace {
  const pace = PACES[platform]
  return max_per_second === undefined ? pace : { ...pace, channel: atMostPerSecond(max_per_second) }
}

/** Paces of conversations, and of audio and video, for the statement that finds the platform together with what may go. 0: there is none. */
export const PLATFORM_PACES = Object.entries(PACES).map(([platform, { conversation, heavy }]) => ({
  platform,
  every_ms: conversation?.everyMs ?? 0,
  saved_ms: conversation?.savedMs ?? 0,
  heavy_ms: heavy?.everyMs ?? 0,
  heavy_saved_ms: heavy?.savedMs ?? 0,
}))
