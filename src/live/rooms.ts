// The streams of staff and integrations. Those of a workspace share a room: what changed is read once, as it is now, and sent to all.
import { rendered } from '../conversations/live.ts'
import { message } from '../ingress/live.ts'
import { LIVE_READ_TOGETHER } from '../limits/live.ts'
import { batched } from '../postgres/batch.ts'
import type { Queryable } from '../postgres/sql.ts'
import type { Typing } from './change.ts'
import type { Changes, Seen } from './changes.ts'
import { type Frame, give, type Member, opening, reset, wants } from './member.ts'
import { catchUp } from './resume.ts'
import { shareWatches } from './shared-watch.ts'

export interface Rooms {
  /** Tells the member of all changes from now on; first of what changed since that time, in milliseconds since 1970, if there is one. */
  join(member: Member, since: number | undefined): Promise<void>
}

export function createRooms(sql: Queryable, changes: Changes): Rooms {
  const read = createReader(sql)
  const enter = shareWatches<Member>(changes, (tenant, members) => ({
    rendered: true,
    changed: seen => tell(tenant, members, seen),
    typing: typing => show(members, typing),
    lost: () => resetAll(members),
  }))

  function tell(tenant: string, members: Set<Member>, seen: Seen[]): void {
    const wanted = seen.filter(change => [...members].some(member => wants(member, change.conversation)))
    const frames = wanted.map(change => read.found(change) ?? read.now({ tenant, change }))
    const send = (all: Frame[]): void => {
      for (const frame of all) for (const member of members) if (wants(member, frame.change.conversation)) give(member, frame)
    }
    if (frames.every(isFrame)) send(frames)
    else Promise.all(frames).then(send, () => resetAll(members))
  }

  return {
    async join(member, since) {
      await enter(member)
      // From here on nothing is missed.
      member.stream.send(opening(since !== undefined))
      if (since !== undefined) await catchUp(sql, member, since, change => read.now({ tenant: member.tenant, change }))
    },
  }
}

const isFrame = (each: Frame | Promise<Frame>): each is Frame => !(each instanceof Promise)

interface Reader {
  /** Reads a change as it is now, one statement after the other: a later state is never followed by an earlier one. */
  now(asked: { tenant: string; change: Seen }): Promise<Frame>
  /** What the look itself has found, unless something was read since it began: that may be later. */
  found(change: Seen): Frame | undefined
}

function createReader(sql: Queryable): Reader {
  let under = 0
  /** By performance.now(). */
  let lastRead = Number.NEGATIVE_INFINITY
  const read = batched<{ tenant: string; change: Seen }, Frame>(async asked => {
    const found = await rendered(
      sql,
      asked.map(({ tenant, change }) => ({ tenant, ...change })),
    )
    return asked.map(({ change }, index) => ({ change, event: eventOf(change, found[index]) }))
  }, LIVE_READ_TOGETHER)
  return {
    async now(asked) {
      under++
      try {
        return await read(asked)
      } finally {
        under--
        lastRead = performance.now()
      }
    },
    found: change =>
      change.rendered && under === 0 && change.rendered.asOf > lastRead
        ? { change, event: eventOf(change, change.rendered.json) }
        : undefined,
  }
}

function eventOf({ conversation, message: id, at }: Seen, json: string | null | undefined): Buffer | undefined {
  if (json == null) return undefined
  const told =
    id === undefined
      ? { event: 'conversation', data: json }
      : { event: 'message', data: `{"conversation_id":"${conversation}","message":${json}}` }
  return Buffer.from(message({ ...told, id: String(at) }))
}

function show(members: Set<Member>, typing: Typing): void {
  const event = Buffer.from(message({ event: 'typing', data: JSON.stringify(typing) }))
  for (const member of members) if (wants(member, typing.conversation_id)) member.stream.send(event)
}

function resetAll(members: Set<Member>): void {
  for (const { stream } of members) stream.send(reset())
}
