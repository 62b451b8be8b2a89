// Who types: told at once to those who look, and kept nowhere.
import type { Site } from '../channels/accounts/site.ts'
import { now } from '../clock.ts'
import { talksOf } from '../conversations/thread.ts'
import { createSlidingLog } from '../ingress/address-limit.ts'
import type { GuestAnswer, GuestInput } from '../ingress/guest.ts'
import { CHAT_TYPING_A_MINUTE, CHAT_TYPING_MS } from '../limits/chat.ts'
import { RATE_WINDOW_SECONDS } from '../limits/rate.ts'
import { typing } from '../live/feed.ts'
import { type ChatContext, visitorOf } from './context.ts'

const slots = createSlidingLog(CHAT_TYPING_A_MINUTE, RATE_WINDOW_SECONDS)

/** The visitor types. It is told as often as staff needs to know, and no oftener. */
export async function type(context: ChatContext, input: GuestInput<Site, unknown>): Promise<GuestAnswer> {
  const { at: site } = input
  const { visitor } = visitorOf(context.keyring, input)
  if (!slots(visitor).allowed) return { status: 204 }
  const [conversation_id] = await talksOf(context.sql, site.tenant, { channel_id: site.id, thread: visitor })
  const until = new Date(now() + CHAT_TYPING_MS).toISOString()
  if (conversation_id !== undefined) typing(site.tenant, { conversation_id, by: 'customer', until })
  return { status: 204 }
}
