// A stream that comes back is first sent what it has missed: each conversation and message that changed, as it is now. What changes meanwhile waits, and is
// read after, so the last that it is sent of anything is the latest.
import { now } from '../clock.ts'
import { LIVE_HOURS, LIVE_OVERLAP_MS, LIVE_RESUMED_MAX, LIVE_RESUMED_TOGETHER } from '../limits/live.ts'
import type { Queryable } from '../postgres/sql.ts'
import { type Seen, seenOf } from './changes.ts'
import * as store from './feed-store.ts'
import { type Frame, type Member, reset } from './member.ts'

/** @param since milliseconds since 1970: of the last event that it was sent */
export async function catchUp(sql: Queryable, member: Member, since: number, read: (change: Seen) => Promise<Frame>): Promise<void> {
  const { tenant, stream, conversation } = member
  const missed = await missedSince(sql, tenant, since - LIVE_OVERLAP_MS, conversation)
  if (missed) await sendAll(missed)
  else stream.send(reset())
  while (member.waiting && member.waiting.size > 0 && !stream.over.aborted) {
    const waiting = [...member.waiting.values()]
    member.waiting = new Map()
    await sendAll(waiting)
  }
  member.waiting = undefined

  async function sendAll(changes: Seen[]): Promise<void> {
    for (let at = 0; at < changes.length && !stream.over.aborted; at += LIVE_RESUMED_TOGETHER) {
      const frames = await Promise.all(changes.slice(at, at + LIVE_RESUMED_TOGETHER).map(read))
      for (const { event } of frames) if (event) stream.send(event)
      await stream.drained()
    }
  }
}

/** Undefined: too long ago, or too much. */
export async function missedSince(
  sql: Queryable,
  tenant: string,
  from: number,
  conversation: string | undefined,
): Promise<Seen[] | undefined> {
  if (from < now() - LIVE_HOURS * 3_600_000) return undefined
  const { looked, rows } = await store.changedSince(sql, tenant, from, conversation, LIVE_RESUMED_MAX + 1)
  return looked > LIVE_RESUMED_MAX ? undefined : rows.map(seenOf)
}
