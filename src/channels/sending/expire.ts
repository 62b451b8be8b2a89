// Messages that are given up without having been sent: they waited for too long, or their channel was deleted.
import { now } from '../../clock.ts'
import type { Failure } from '../../conversations/schema.ts'
import { unconfirmed } from '../../conversations/sent.ts'
import { EXPIRED_BATCH, MESSAGE_EXPIRES_HOURS } from '../../limits/channels.ts'
import { type Old, old } from './lease-store.ts'
import type { Fate } from './record.ts'
import type { Slice } from './slice.ts'

export const EXPIRED = {
  code: 'expired',
  message: `It could not be sent within ${MESSAGE_EXPIRES_HOURS} hours.`,
}
const CHANNEL_DELETED = { code: 'channel_deleted', message: 'Its channel was deleted before it was sent.' }
export const UNCONFIRMED = { code: 'unconfirmed', message: 'The process that sent it ended before the platform answered.' }

export const isExpired = (queuedAt: Date): boolean => queuedAt.getTime() < now() - MESSAGE_EXPIRES_HOURS * 60 * 60_000

/** What becomes of a message that is not sent any more. @param in_doubt an attempt may have been taken: then it cannot be said to have failed */
export const givenUp = (why: Failure, { in_doubt, attempts }: Pick<Old, 'in_doubt' | 'attempts'>): Fate =>
  in_doubt ? { status: 'unknown', error: unconfirmed(why), attempts } : { status: 'failed', error: why, attempts }

/** Before anything is claimed for this lease: what is under way then was left by a worker that died. */
export async function giveUpOld(slice: Slice): Promise<void> {
  const { context, channel, lease, held } = slice
  while (held.goesOn()) {
    const found = await old(context.sql, channel, MESSAGE_EXPIRES_HOURS, EXPIRED_BATCH)
    const fateOf = (each: Old): Fate =>
      each.left !== null && each.in_doubt
        ? { status: 'unknown', error: UNCONFIRMED, attempts: each.attempts + 1 }
        : givenUp(lease.status === 'deleted' ? CHANNEL_DELETED : EXPIRED, each)
    await Promise.all(
      found.map(each => {
        const { conversation_id, message_id, left: token } = each
        return context.record({ channel, token, conversation_id, message_id, fate: fateOf(each) })
      }),
    )
    if (found.length < EXPIRED_BATCH) return
  }
}
