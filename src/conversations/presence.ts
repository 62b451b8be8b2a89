// Who types, and what was read: shown to the customer, as far as their channel can.
import type { Caller } from '../caller.ts'
import type { Account } from '../channels/accounts/accounts.ts'
import * as accounts from '../channels/accounts/accounts.ts'
import { queueSignal } from '../channels/sending/signal.ts'
import { now } from '../clock.ts'
import { createSlidingLog } from '../ingress/address-limit.ts'
import { CHAT_TYPING_MS } from '../limits/chat.ts'
import { TYPING_EVERY_SECONDS } from '../limits/conversations.ts'
import * as live from '../live/feed.ts'
import { afterCommit, type Tx } from '../postgres/sql.ts'
import { notFound } from '../problems.ts'
import * as lists from './list-store.ts'
import * as refusals from './refusals.ts'
import type { Conversation, Typing } from './schema.ts'

/** Platforms are told at most so often of one conversation, by each process. */
const slots = createSlidingLog(1, TYPING_EVERY_SECONDS)

/**
 * One of the staff types. Nothing is kept: live streams and web chat show it for a moment, a platform at most every five seconds.
 * @throws {Problem} 404; 409 channel_disabled, channel_deleted
 */
export async function typing(tx: Tx, { tenant }: Caller, id: string): Promise<Typing> {
  const [json] = await lists.findAll(tx, tenant, [id])
  if (!json) throw notFound('conversation')
  const { channel_id } = JSON.parse(json) as Conversation
  const channel = (await accounts.of(tx, tenant, channel_id)) as Account
  refusals.ofChannel(channel)
  const at = now()
  const until = new Date(at + CHAT_TYPING_MS).toISOString()
  afterCommit(tx, () => live.typing(tenant, { conversation_id: id, by: 'operator', until }))
  if (channel.platform !== 'web' && channel.platform !== 'api' && slots(`${tenant} ${id}`).allowed)
    await queueSignal(tx, { channel: { tenant, id: channel_id }, conversation: id, signal: 'typing', at: new Date(at).toISOString() })
  return { object: 'typing', conversation_id: id, until }
}

/** Whether a channel's customers are shown that they were read. */
export const isToldRead = ({ status, limits, settings }: Account): boolean =>
  status === 'enabled' && limits.reply_hours !== null && settings.read_receipts !== false

/** The customer is shown that they were read, where their channel says so. */
export async function tellRead(tx: Tx, { tenant }: Caller, channel: Account, id: string): Promise<void> {
  const told = { channel: { tenant, id: channel.id }, conversation: id, signal: 'read', at: new Date(now()).toISOString() } as const
  if (isToldRead(channel)) await queueSignal(tx, told)
}
