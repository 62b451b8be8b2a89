// The claim: what is due is found, its intent recorded, and all that a platform needs of it read, in one statement. A message whose intent is committed
// and whose result is not may have gone out.
import type { Ref } from '../../ids.ts'
import { columns, listOf } from '../../postgres/row-set.ts'
import { type Fragment, part, type Queryable } from '../../postgres/sql.ts'
import type { Rate } from '../../rate.ts'

/** A message that may go, or that another lease has left behind. */
export interface Claimed {
  conversation_id: string
  message_id: string
  queued_at: Date
  attempts: number
  first_attempt_at: Date | null
  /** Since when another lease had it under way, which lapsed without a result. null: it is begun now. */
  left_at: Date | null
  /** So far the file alone goes. */
  uploading: boolean
  uploaded: string | null
  /** Workers that died while they sent it, the last one included. */
  deaths: number
  /** An earlier attempt may have been taken. */
  in_doubt: boolean
  /** Words of the assistant: of an epoch that is over. */
  taken_over: boolean
  thread: string
  /** The customer's last message, by the platform's clock. */
  customer_at: Date | null
  contact_name: string | null
  /** JSON of the message. */
  doc: string
  /** The platform's id of the quoted message. */
  quoted: string | null
  /** Another message of the conversation waits behind it. */
  more: boolean
  /** Audio or video, where these have a pace of their own. */
  heavy: boolean
  /** It was not begun: it is audio or video, and its turn comes later. */
  waits: boolean
}

export const CLAIM_COLUMNS: (keyof Claimed)[] = [
  'conversation_id',
  'message_id',
  'queued_at',
  'attempts',
  'first_attempt_at',
  'left_at',
  'uploading',
  'uploaded',
  'deaths',
  'in_doubt',
  'taken_over',
  'thread',
  'customer_at',
  'contact_name',
  'doc',
  'quoted',
  'more',
  'heavy',
  'waits',
]

const COLUMNS = listOf(CLAIM_COLUMNS)

export interface Ask {
  channel: Ref
  token: string
  /** At most so many conversations. */
  room: number
  /** The pace of a conversation. */
  conversation: Rate | undefined
  heavy: HeavyAsk | undefined
}

/** How many messages with audio and video may go now, and from when on others get turns, one every so many milliseconds. */
export interface HeavyAsk {
  everyMs: number
  room: number
  /** Milliseconds since 1970. */
  from: number
}

const ASKS = columns({
  tenant_id: 'text',
  channel_id: 'text',
  token: 'text',
  room: 'integer',
  every_ms: 'integer',
  saved_ms: 'integer',
  heavy_ms: 'integer',
  heavy_room: 'integer',
  heavy_from: 'timestamptz',
})

/** Claims for many channels at once, oldest first. @returns what was found, by ask */
export async function claimAll(sql: Queryable, asks: Ask[]): Promise<Claimed[][]> {
  const rows = asks.map(({ channel, token, room, conversation, heavy }) => ({
    tenant_id: channel.tenant,
    channel_id: channel.id,
    token,
    room,
    every_ms: Math.ceil(conversation?.everyMs ?? 0),
    saved_ms: Math.ceil(conversation?.savedMs ?? 0),
    heavy_ms: heavy?.everyMs ?? 0,
    heavy_room: heavy?.room ?? 0,
    heavy_from: heavy ? new Date(heavy.from).toISOString() : null,
  }))
  const found = await sql<(Claimed & { n: number })[]>`
    with asks as (select r.* from ${ASKS.numbered(rows)}), ${CLAIMED}
    select ${COLUMNS}, n from claimed`
  const claimed: Claimed[][] = asks.map(() => [])
  for (const { n, ...row } of found) claimed[n - 1]?.push(row)
  return claimed
}

/**
 * The message that finds out whether a failing channel works again: of another conversation than the last time, whenever it would be due.
 * @param last the conversation of the last probe
 */
export async function claimProbe(
  sql: Queryable,
  { channel, token, conversation, heavy }: Ask,
  last: string | null,
): Promise<Claimed | undefined> {
  const { tenant, id } = channel
  const [found] = await sql<Claimed[]>`
    with asks as (
      select 1 as n, ${tenant}::text as tenant_id, ${id}::text as channel_id, ${token}::text as token,
             ${Math.ceil(conversation?.everyMs ?? 0)}::integer as every_ms, ${Math.ceil(conversation?.savedMs ?? 0)}::integer as saved_ms,
             ${heavy?.everyMs ?? 0}::integer as heavy_ms, 1 as heavy_room, clock_timestamp() as heavy_from
    ), heads as materialized (
      select ${ASKED}, q.tenant_id, q.conversation_id, q.taken, q.due_at
        from asks a
        join channel_queues q on q.tenant_id = a.tenant_id and q.channel_id = a.channel_id and q.due_at is not null
       order by q.conversation_id <= ${last ?? ''}, q.conversation_id
       limit 1
         for no key update of q skip locked
    ), ${BEGUN}
    select ${COLUMNS} from claimed`
  return found
}

/** What a head keeps of its ask. */
const ASKED = part`a.n, a.token::uuid as token, a.every_ms, a.saved_ms, a.heavy_ms, a.heavy_room, a.heavy_from`

const interval = (ms: Fragment): Fragment => part`make_interval(secs => ${ms} / 1000.0)`

/** Of a row `s` that is not under way, but for a lease that lapsed: an attempt of it may have been taken. A file is no message yet. */
export const IS_IN_DOUBT = part`(s.in_doubt or s.begun_at is not null and not s.uploading)`

/**
 * The oldest message of each head (tenant_id, conversation_id, taken, token, …). A head without one has an empty queue. What is under way for another
 * lease, whose holder is gone, is returned with the time at which it was begun.
 *
 * The queue's row is locked before its messages, as by all others that write them. The intent of a message with a file that goes ahead is to upload it.
 *
 * Audio and video for which there is no room are not begun but get their turns: until then they are not due, and hold up no other conversation. The type of
 * a file cannot be mistaken in the JSON of a message, for within a text the quotes are escaped.
 */
const BEGUN = part`
  oldest as (
    select h.*, s.message_id, s.channel_id, s.queued_at, s.ai_epoch, s.attempts, s.first_attempt_at, s.begun_at, s.uploading, s.uploaded, s.deaths,
           ${IS_IN_DOUBT} as in_doubt
      from heads h
      left join lateral (
        select w.* from channel_sends w
         where w.tenant_id = h.tenant_id and w.conversation_id = h.conversation_id
         order by w.queued_at, w.message_id
         limit 1) s on true
  ), known as (
    select o.*, c.thread, c.customer_at, c.ai_epoch as epoch, k.name as contact_name, m.doc, r.platform,
           o.begun_at is null and o.uploaded is null and r.platform in ('whatsapp', 'facebook', 'instagram')
             and position('"attachments":[]' in m.doc) = 0 as uploads,
           o.heavy_ms > 0 and (position('"type":"video"' in m.doc) > 0 or position('"type":"audio"' in m.doc) > 0) as heavy
      from oldest o
      join channels r on r.tenant_id = o.tenant_id and r.id = o.channel_id
      join messages m on m.tenant_id = o.tenant_id and m.id = o.message_id
      join conversations c on c.tenant_id = o.tenant_id and c.id = o.conversation_id
      join contacts k on k.tenant_id = c.tenant_id and k.id = c.contact_id
  ), ranked as (
    select k.*, case when k.heavy and k.begun_at is null then (
             select count(*)::integer from known o
              where o.n = k.n and o.heavy and o.begun_at is null and (o.due_at, o.message_id) <= (k.due_at, k.message_id)) else 0 end as rank
      from known k
  ), ready as (
    select k.* from ranked k where k.rank <= k.heavy_room
  ), postponed as (
    update channel_queues q set due_at = k.heavy_from + ${interval(part`(k.rank - 1) * k.heavy_ms`)}
      from ranked k
     where q.tenant_id = k.tenant_id and q.conversation_id = k.conversation_id and k.rank > k.heavy_room
  ), begun as (
    update channel_sends s
       set taken = r.token, begun_at = coalesce(s.begun_at, clock_timestamp()), uploading = s.uploading or r.uploads,
           deaths = s.deaths + (r.begun_at is not null)::integer, first_attempt_at = coalesce(s.first_attempt_at, clock_timestamp())
      from ready r
     where s.tenant_id = r.tenant_id and s.message_id = r.message_id
    returning s.tenant_id, s.message_id, s.deaths, s.uploading
  ), held as (
    update channel_queues q
       set taken = r.token,
           paced_until = case when r.every_ms > 0 then greatest(q.paced_until, clock_timestamp()) + ${interval(part`r.every_ms`)} end,
           free_from = case when r.every_ms > 0
             then greatest(q.paced_until, clock_timestamp()) + ${interval(part`r.every_ms`)} - ${interval(part`r.saved_ms`)} end
      from ready r
     where q.tenant_id = r.tenant_id and q.conversation_id = r.conversation_id
  ), emptied as (
    update channel_queues q set due_at = null, taken = null, idle_since = clock_timestamp()
      from oldest o
     where q.tenant_id = o.tenant_id and q.conversation_id = o.conversation_id and o.message_id is null
  ), claimed as (
    select r.n::integer as n, r.conversation_id, r.message_id, r.queued_at, r.attempts, r.first_attempt_at, r.begun_at as left_at, b.uploading, r.uploaded,
           b.deaths, r.in_doubt, coalesce(r.ai_epoch <> r.epoch, false) as taken_over, r.thread, r.customer_at, r.contact_name, r.doc,
           case when position('"in_reply_to":null' in r.doc) = 0 then (
             select i.external_id from messages i
              where i.tenant_id = r.tenant_id and i.id = r.doc::json ->> 'in_reply_to') end as quoted,
           exists (
             select from channel_sends w
              where w.tenant_id = r.tenant_id and w.conversation_id = r.conversation_id and w.message_id <> r.message_id) as more,
           r.heavy, b.message_id is null as waits
      from ranked r
      left join begun b on b.tenant_id = r.tenant_id and b.message_id = r.message_id
  )`

/** From the CTE `asks` (n, tenant_id, channel_id, token, room, every_ms, saved_ms) to `claimed`: what is due and not under way for this lease. */
export const CLAIMED = part`
  heads as materialized (
    select ${ASKED}, h.*
      from asks a
      cross join lateral (
        select q.tenant_id, q.conversation_id, q.taken, q.due_at
          from channel_queues q
         where q.tenant_id = a.tenant_id and q.channel_id = a.channel_id and q.due_at <= clock_timestamp()
           and q.taken is distinct from a.token::uuid
         order by q.due_at
         limit a.room
           for no key update of q skip locked) h
  ), ${BEGUN}`
