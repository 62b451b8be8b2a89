// Statements of a channel's lease: taken together with the first message that is due, written under, given back.
import type { Ref } from '../../ids.ts'
import { arrayText, columns, listOf } from '../../postgres/row-set.ts'
import { type Fragment, part, type Queryable } from '../../postgres/sql.ts'
import type { Settings } from '../accounts/settings.ts'
import type { Status } from '../accounts/store.ts'
import type { PlatformName } from '../platforms/names.ts'
import { CLAIM_COLUMNS, CLAIMED, type Claimed, IS_IN_DOUBT } from './claim-store.ts'
import type { Health } from './health.ts'
import { leases } from './lease.ts'
import { PLATFORM_PACES, SAVING_PER_SECOND } from './pace.ts'

export interface Lease extends Health {
  status: Status
  platform: PlatformName
  name: string
  account_id: string | null
  settings: Settings
  /** Encrypted. A tombstone has none. */
  credentials: string | null
  /** Encrypted; null once it counts no more. */
  previous_secret: string | null
  paced_until: Date | null
  /** The same of audio and video. */
  heavy_until: Date | null
  /** Nothing is sent before. */
  quiet_until: Date | null
  /** Something may be sent now. */
  may_go: boolean
  /** Something has waited for too long, or for a channel that was deleted. */
  has_old: boolean
}

/** Messages that are claimed together with the lease at most; one, of a channel whose pace has saved up no second one. */
export const FIRST_ROOM = 2

/** The lease, and the first messages that are due of a healthy channel. */
export interface Taken {
  lease: Lease
  found: Claimed[]
  /** How many were asked for. Fewer found: nothing else is due, and the slice need not look again. */
  asked: number
}

const PACES = part`(values ${PLATFORM_PACES.map(
  ({ platform, every_ms, saved_ms, heavy_ms, heavy_saved_ms }, index) =>
    part`${index === 0 ? part`` : part`, `}(${platform}, ${every_ms}::integer, ${saved_ms}::integer, ${heavy_ms}::integer, ${heavy_saved_ms}::integer)`,
)}) as p (platform, every_ms, saved_ms, heavy_ms, heavy_saved_ms)`

/** What is given up: it waited for so many hours, or its channel is deleted. */
const isOld = (hours: number) => part`
  s.taken is distinct from r.lease_token and (r.status = 'deleted' or s.queued_at < clock_timestamp() - make_interval(hours => ${hours}))`

const FOUND = listOf(CLAIM_COLUMNS, 'f')

export interface Take extends Ref {
  /** The token of the lease that is asked for. */
  token: string
  /** Messages that may be claimed with it at most. */
  room: number
}

const TAKES = columns({ tenant_id: 'text', id: 'text', token: 'text', room: 'integer' })

/** Takes the leases of channels. @returns undefined for a channel: another worker holds the lease, or no channel has the id */
export async function takeAll(sql: Queryable, takes: Take[], expireHours: number): Promise<(Taken | undefined)[]> {
  const taken = await tryToTake(sql, takes, expireHours)
  if (takes.length === 1) return taken
  // One that was locked is waited for alone: its last slice is ending, and the word that came meanwhile is used up.
  return Promise.all(taken.map(async (each, index) => each ?? (await tryToTake(sql, [takes[index] as Take], expireHours))[0]))
}

/** Several takes pass by rows that are locked, so that two statements cannot wait for one another. */
async function tryToTake(sql: Queryable, takes: Take[], expireHours: number): Promise<(Taken | undefined)[]> {
  const rows = await sql<(Lease & Claimed & { n: number; asked: number | null })[]>`
    with asked as (
      select r.* from ${TAKES.numbered(takes.map(({ tenant, id, token, room }) => ({ tenant_id: tenant, id, token, room })))}
    ), free as materialized (
      select a.n, a.token, a.room, f.*
        from asked a
        cross join lateral (
          select r.tenant_id, r.id
            from channels r
           where r.tenant_id = a.tenant_id and r.id = a.id and ${leases.isFree}
             for no key update of r ${takes.length > 1 ? part`skip locked` : part``}) f
    ), taken as (
      update channels r set lease_token = f.token::uuid, ${leases.extended}, queued_at = null
        from free f
       where r.tenant_id = f.tenant_id and r.id = f.id
      returning r.*, ${leases.mayGo} as may_go, f.n, f.room
    ), asks as (
      select r.n, r.tenant_id, r.id as channel_id, r.lease_token as token,
             least(r.room, case
               when (r.settings ->> 'max_per_second')::float8 < ${SAVING_PER_SECOND} or r.paced_until > clock_timestamp() then 1
               else ${FIRST_ROOM} end) as room,
             p.every_ms, p.saved_ms, p.heavy_ms, (r.heavy_until is null or r.heavy_until - make_interval(secs => p.heavy_saved_ms / 1000.0) <= clock_timestamp())::integer as heavy_room,
             greatest(r.heavy_until, clock_timestamp()) as heavy_from
        from taken r
        join ${PACES} on p.platform = r.platform
       where r.status = 'enabled' and r.may_go
    ), ${CLAIMED}
    select r.n::integer as n, a.room as asked, r.status, r.platform, r.name, r.account_id, r.settings, r.credentials, r.paced_until, r.heavy_until, r.quiet_until, r.may_go,
           r.failures, r.failures_of, r.failing_since, r.failing_reason, r.probes, r.probed,
           case when r.previous_secret_until > clock_timestamp() then r.previous_secret end as previous_secret,
           exists (select from channel_sends s where s.tenant_id = r.tenant_id and s.channel_id = r.id and ${isOld(expireHours)}) as has_old,
           ${FOUND}
      from taken r
      left join asks a on a.n = r.n
      left join claimed f on f.n = r.n`
  return takes.map((_, index) => {
    const own = rows.filter(row => row.n === index + 1)
    return own[0] && { lease: own[0], found: own.filter(row => row.message_id !== null), asked: own[0].asked ?? 0 }
  })
}

/** What a slice leaves behind. Times are milliseconds since 1970. */
export interface End {
  pacedUntil: number
  /** null: no audio or video was sent. */
  heavyUntil: number | null
  /** Nothing is sent before; null: nothing is in the way. Without it what the row says stays. */
  quietUntil?: number | null
  /** Something was sent last then. */
  sentAt: number | null
}

/** A channel whose lease is given back. */
export interface Ending {
  channel: Ref
  token: string
  end: End
}

const ENDS = columns({
  tenant_id: 'text',
  id: 'text',
  token: 'text',
  paced_until: 'timestamptz',
  heavy_until: 'timestamptz',
  sent_at: 'timestamptz',
  sets_quiet: 'boolean',
  quiet_until: 'timestamptz',
})

const at = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

const rowOf = ({ channel, token, end: { pacedUntil, heavyUntil, quietUntil, sentAt } }: Ending) => ({
  tenant_id: channel.tenant,
  id: channel.id,
  token,
  paced_until: at(pacedUntil),
  heavy_until: at(heavyUntil),
  sent_at: at(sentAt),
  sets_quiet: quietUntil !== undefined,
  quiet_until: at(quietUntil ?? null),
})

/**
 * Gives leases back together with the last results of their slices, as a part of a statement. What has come due meanwhile is found by the sweep. Keys are
 * given once more as lists, for plans that were made for a small table.
 */
export const endAll = (ends: Ending[]): Fragment => part`
  update channels r
     set ${leases.givenBack}, paced_until = e.paced_until, heavy_until = e.heavy_until, last_sent_at = coalesce(e.sent_at, r.last_sent_at),
         quiet_until = case when r.status = 'enabled' and e.sets_quiet then e.quiet_until else r.quiet_until end
    from (select r.* from ${ENDS.of(ends.map(rowOf))}) e
   where r.tenant_id = any(${keys(ends.map(each => each.channel.tenant))}) and r.id = any(${keys(ends.map(each => each.channel.id))})
     and r.tenant_id = e.tenant_id and r.id = e.id and r.lease_token = e.token::uuid`

const keys = (values: string[]): Fragment => part`${arrayText([...new Set(values)])}::text::text[]`

/** Gives the lease back. @returns whether something is due */
export async function release(sql: Queryable, channel: Ref, token: string, end: End): Promise<boolean> {
  const { tenant, id } = channel
  const rows = await sql`
    with r as (
      ${endAll([{ channel, token, end }])}
      returning r.*
    )
    select 1
      from r
     where (${end.quietUntil == null} or r.status <> 'enabled') and ${leases.mayGo} and exists (
             select from channel_queues q
              where q.tenant_id = ${tenant} and q.channel_id = ${id} and (q.due_at <= clock_timestamp() or r.status = 'failing' and q.due_at is not null))`
  return rows.length > 0
}

/** What is given up, oldest first. */
export interface Old {
  conversation_id: string
  message_id: string
  attempts: number
  /** The lease of a dead worker, under which it was under way; null: none. */
  left: string | null
  /** An attempt may have been taken. */
  in_doubt: boolean
}

export const old = (sql: Queryable, { tenant, id }: Ref, expireHours: number, atMost: number): Promise<Old[]> => sql<Old[]>`
  select s.conversation_id, s.message_id, s.attempts, s.taken as left, ${IS_IN_DOUBT} as in_doubt
    from channels r
    join channel_sends s on s.tenant_id = r.tenant_id and s.channel_id = r.id
   where r.tenant_id = ${tenant} and r.id = ${id} and s.tenant_id = ${tenant} and ${isOld(expireHours)}
   order by s.queued_at
   limit ${atMost}`

/** The file is at the platform: from here on the message itself may go. @returns false: the lease is lost, or the message is another's by now */
export async function fileIsThere(sql: Queryable, { tenant }: Ref, token: string, message: string, uploaded: string): Promise<boolean> {
  const rows = await sql`
    update channel_sends s set uploaded = ${uploaded}, uploading = false
      from channel_queues q
     where s.tenant_id = ${tenant} and s.message_id = ${message} and q.tenant_id = ${tenant} and q.conversation_id = s.conversation_id and q.taken = ${token}
    returning 1`
  return rows.length > 0
}
