// The streams of visitors: what is said in their own talk, as it is said. What changed is read once for all streams of a workspace; they take
// their places among all live streams of the process.
import type { Readable } from 'node:stream'
import type { Site } from '../channels/accounts/site.ts'
import { now } from '../clock.ts'
import { shownIn, type Told, talksOf } from '../conversations/thread.ts'
import { type LiveStream, message, type Streams } from '../ingress/live.ts'
import { CHAT_STREAMS_OF_VISITOR } from '../limits/chat.ts'
import { LIVE_OVERLAP_MS, LIVE_RESUMED_TOGETHER } from '../limits/live.ts'
import type { Changes, Seen } from '../live/changes.ts'
import { opening, reset } from '../live/member.ts'
import { missedSince } from '../live/resume.ts'
import { shareWatches } from '../live/shared-watch.ts'
import type { Queryable } from '../postgres/sql.ts'
import type { Keyring } from '../secrets.ts'
import type { Typing } from './schema.ts'
import { shown } from './shown.ts'

export interface ChatLive {
  /**
   * @param lastEventId of the last event that the visitor's script has
   * @throws {Problem} 409 while the workspace has as many streams as it may, 503 while the process has
   */
  open(site: Site, { visitor, guest }: Reader, lastEventId: string | undefined): Readable
}

interface Reader {
  visitor: string
  /** Their address. */
  guest: string
}

export interface LiveContext {
  sql: Queryable
  keyring: Keyring
  streams: Streams
  changes: Changes
}

interface Member {
  tenant: string
  channel: string
  visitor: string
  stream: LiveStream
  /** The talk's conversations: to know who is typing in it. */
  conversations: Set<string>
  /** What changes while the stream is sent what it has missed. */
  waiting: Seen[] | undefined
}

export function createChatLive({ sql, keyring, streams, changes }: LiveContext): ChatLive {
  /** Those of each visitor, the oldest first. */
  const ofVisitors = new Map<string, LiveStream[]>()

  const enter = shareWatches<Member>(changes, (tenant, members) => {
    const everyone = (what: (member: Member) => void): void => members.forEach(what)
    // Changes are read one after the other: a later state is never followed by an earlier one.
    let read = Promise.resolve()
    return {
      changed(seen) {
        // A database that is away: they connect again, and go on where they were.
        read = read.then(() => tell(tenant, members, seen)).catch(() => everyone(({ stream }) => stream.end()))
      },
      typing({ conversation_id, by, until }) {
        if (by === 'operator') everyone(member => member.conversations.has(conversation_id) && member.stream.send(typingEvent({ until })))
      },
      lost: () => everyone(({ stream }) => stream.send(reset())),
    }
  })

  async function tell(tenant: string, members: Set<Member>, seen: Seen[]): Promise<void> {
    const at = new Map(seen.flatMap(each => (each.message === undefined ? [] : [[each.message, each.at] as const])))
    if (at.size === 0) return
    const visitors = [...new Set([...members].map(each => each.visitor))]
    for (const told of await shownIn(sql, tenant, visitors, [...at.keys()])) {
      for (const member of members) {
        if (member.visitor !== told.thread || member.channel !== told.channel_id) continue
        give(member, told, at.get(told.message.id) as number)
      }
    }
  }

  function give(member: Member, told: Told, at: number): void {
    const { conversation_id: conversation, id } = told.message
    member.conversations.add(conversation)
    if (member.waiting) member.waiting.push({ conversation, message: id, at })
    else member.stream.send(messageEvent(keyring, member.tenant, told, at))
  }

  async function join(member: Member, since: number | undefined): Promise<void> {
    await enter(member)
    member.stream.send(opening(since !== undefined))
    const thread = { channel_id: member.channel, thread: member.visitor }
    for (const id of await talksOf(sql, member.tenant, thread)) member.conversations.add(id)
    if (since !== undefined) await catchUp(member, since)
    while (member.waiting && member.waiting.length > 0) {
      const waiting = member.waiting
      member.waiting = []
      await send(member, waiting)
    }
    member.waiting = undefined
  }

  async function catchUp(member: Member, since: number): Promise<void> {
    for (const conversation of member.conversations) {
      const missed = await missedSince(sql, member.tenant, since - LIVE_OVERLAP_MS, conversation)
      if (!missed) return member.stream.send(reset())
      await send(member, missed)
    }
  }

  async function send(member: Member, seen: Seen[]): Promise<void> {
    const changed = [...new Map(seen.flatMap(each => (each.message === undefined ? [] : [[each.message, each.at] as const])))]
    for (let from = 0; from < changed.length && !member.stream.over.aborted; from += LIVE_RESUMED_TOGETHER) {
      await sendSome(member, new Map(changed.slice(from, from + LIVE_RESUMED_TOGETHER)))
      await member.stream.drained()
    }
  }

  async function sendSome(member: Member, at: Map<string, number>): Promise<void> {
    const told = await shownIn(sql, member.tenant, [member.visitor], [...at.keys()])
    const own = new Map(told.filter(each => each.channel_id === member.channel).map(each => [each.message.id, each]))
    for (const [id, time] of at) {
      const each = own.get(id)
      if (each) member.stream.send(messageEvent(keyring, member.tenant, each, time))
    }
  }

  return {
    open({ tenant, id: channel }, { visitor, guest }, lastEventId) {
      return streams.open(
        tenant,
        stream => {
          const own = ofVisitors.get(visitor) ?? []
          ofVisitors.set(visitor, [...own, stream])
          // A connection that broke off unnoticed must not keep its visitor out: the oldest makes room.
          if (own.length >= CHAT_STREAMS_OF_VISITOR) own[0]?.end()
          stream.over.addEventListener('abort', () => {
            const left = (ofVisitors.get(visitor) ?? []).filter(each => each !== stream)
            if (left.length > 0) ofVisitors.set(visitor, left)
            else ofVisitors.delete(visitor)
          })
          const member: Member = { tenant, channel, visitor, stream, conversations: new Set(), waiting: [] }
          join(member, timeOf(lastEventId)).catch(() => stream.end())
        },
        guest,
      )
    },
  }
}

const typingEvent = (typing: Typing): string => message({ event: 'typing', data: JSON.stringify(typing) })

const messageEvent = (keyring: Keyring, tenant: string, told: Told, at: number): string =>
  message({ event: 'message', data: JSON.stringify(shown(keyring, tenant, told.message)), id: String(at) })

/** An id is the time of a change, in milliseconds since 1970. What was never an id is as one of long ago. */
const timeOf = (id: string | undefined): number | undefined => {
  if (id === undefined) return undefined
  return /^\d{1,15}$/.test(id) ? Math.min(Number(id), now()) : 0
}
