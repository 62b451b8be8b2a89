// Whether people can be written to on a channel: they may have blocked the shop, or be gone.
import type { Caller } from '../caller.ts'
import type { Tx } from '../postgres/sql.ts'
import type { Channel } from './channel-ids.ts'
import * as store from './reachable-store.ts'

/**
 * Records that people cannot be written to on this channel any more, or can again.
 * @param changes `id` is one of a person's ids on the channel; `since` is ISO 8601, and null where they can be reached
 */
export async function reachable(
  tx: Tx,
  { tenant }: Caller,
  channel: Channel,
  changes: { id: string; since: string | null }[],
): Promise<void> {
  const last = new Map(changes.map(({ id, since }) => [id, { external_id: id, unreachable_since: since }]))
  if (last.size > 0) await store.setUnreachable(tx, tenant, channel.id, [...last.values()])
}

/** The same of people of any workspaces to whom a platform let nothing be sent, as a part of a statement. @param at ISO 8601 */
export const refusedPart = store.refused
export type Place = store.Place
