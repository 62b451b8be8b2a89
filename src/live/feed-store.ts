// Every statement of the feed of changes: written, told, read, forgotten.
import { renderedOne } from '../conversations/live.ts'
import { LIVE_HOURS, LIVE_READ_TOGETHER } from '../limits/live.ts'
import { PRUNE_BATCH } from '../limits/retention.ts'
import { epoch } from '../postgres/epoch.ts'
import { oldestFirst, type Prune } from '../postgres/prune.ts'
import { columns } from '../postgres/row-set.ts'
import { type Fragment, part, type Queryable } from '../postgres/sql.ts'
import type { Changed, Typing } from './change.ts'

const CHANGE = columns({ tenant_id: 'text', conversation_id: 'text', message_id: 'text' })

export interface Made {
  tenant: string
  changes: Changed[]
}

/** Changes of several workspaces. */
export const insertAll = (made: Made[]): Fragment => part`
  insert into live_changes (tenant_id, epoch, conversation_id, message_id)
  select r.tenant_id, ${epoch}, r.conversation_id, r.message_id
    from ${CHANGE.of(
      made.flatMap(({ tenant, changes }) =>
        changes.map(({ conversation, message }) => ({ tenant_id: tenant, conversation_id: conversation, message_id: message ?? null })),
      ),
    )}`

export const insertAmong = (tenant: string, ids: Fragment): Fragment => part`
  insert into live_changes (tenant_id, epoch, conversation_id)
  select ${tenant}, ${epoch}, m.id
    from (${ids}) m`

/** The channel of NOTIFY. */
export const CHANNEL = 'shopdesk_live'
/** A message may have 8 000 bytes. */
const TENANTS_OF_MESSAGE = 200

export interface Told {
  tenant: string
  what: Typing
}

export function changedMessages(tenants: string[]): string[] {
  const messages: string[] = []
  for (let at = 0; at < tenants.length; at += TENANTS_OF_MESSAGE)
    messages.push(JSON.stringify({ changed: tenants.slice(at, at + TENANTS_OF_MESSAGE) }))
  return messages
}

export const typingMessage = (typing: Told): string => JSON.stringify({ typing })

/** Whatever was told: undefined members were not. */
export const toldIn = (message: string): { changed?: string[]; typing?: Told } => JSON.parse(message) as never

/** Does not wait for the disk: a crash of the server ends all connections that listen. */
export async function notify(sql: Queryable, messages: string[]): Promise<void> {
  await sql`
    select set_config('synchronous_commit', 'off', true), (
      select count(pg_notify(${CHANNEL}, m.text)) from unnest(${messages}::text[]) as m (text))`
}

/** Where the feed is read on: after the transactions that had ended then. */
export interface Position {
  epoch: string
  /** A `pg_snapshot`: it names those that were under way. */
  snapshot: string
}

export interface Place extends Position {
  tenant: string
  /** What changed is rendered as well. */
  rendered: boolean
}

export interface FeedRow {
  tenant_id: string
  seq: string
  at: Date
  conversation_id: string
  message_id: string | null
  /** What changed as it is now, where it was asked for; null where it is to be read. */
  json?: string | null
}

export interface Found {
  /** Where to read on after these. */
  position: Position
  /** In the order of commits. */
  rows: FeedRow[]
}

const present = part`(select ${epoch}::text as epoch, pg_current_snapshot()::text as snapshot) p`

export async function positionNow(sql: Queryable): Promise<Position> {
  const [row] = await sql<Position[]>`select p.epoch, p.snapshot from ${present}`
  return row as Position
}

const PLACE = columns({ tenant: 'text', epoch: 'text', snapshot: 'text', rendered: 'boolean' })

/**
 * What changed, with its JSON as of this moment: one statement, for a look is followed by a reading nearly always. Of very many changes only the first are
 * rendered.
 * @param most changes of one tenant
 */
export async function changesSince(sql: Queryable, places: Place[], most: number): Promise<Found> {
  // A statement of its own: planned at the first look, of empty tables, the reading would go by any index of a workspace for as long as the process runs.
  const json = places.some(place => place.rendered)
    ? part`case when r.rendered and r.nth <= ${LIVE_READ_TOGETHER} then ${renderedOne} end`
    : part`null`
  const found = await sql<(Position & { [K in keyof FeedRow]: FeedRow[K] | null })[]>`
    select p.epoch, p.snapshot, r.tenant as tenant_id, r.seq::text as seq, r.at, r.conversation as conversation_id, r.message as message_id,
           ${json} as json
      from ${present}
      left join (
        select c.tenant_id as tenant, c.seq, c.at, c.conversation_id as conversation, c.message_id as message, r.rendered, row_number() over () as nth
          from ${PLACE.of(places.map(({ tenant, epoch, snapshot, rendered }) => ({ tenant, epoch, snapshot, rendered })))}
         cross join lateral (
           -- Of the transactions that were under way those that have ended since, and of later ones whatever is to be seen. Each has its own limit: of
           -- many changes all would be read, and sorted together, or joined with a single transaction.
           (select c.*
              from pg_snapshot_xip(r.snapshot::pg_snapshot) as late (xid)
             cross join lateral (
               select *
                 from live_changes c
                where c.tenant_id = r.tenant and c.epoch = r.epoch::integer and c.xid = late.xid
                limit ${most}) c
             limit ${most})
            union all
           (select c.*
              from live_changes c
             where c.tenant_id = r.tenant and (c.epoch, c.xid) >= (r.epoch::integer, pg_snapshot_xmax(r.snapshot::pg_snapshot))
             order by c.epoch, c.xid, c.seq
             limit ${most})
            order by epoch, xid, seq
            limit ${most}) c
      ) r on true`
  const { epoch, snapshot } = found[0] as Position
  return { position: { epoch, snapshot }, rows: found.filter(({ seq }) => seq !== null) as FeedRow[] }
}

/**
 * What changed since a time, each once, in the order of its last change.
 * @param since milliseconds since 1970
 * @returns also how many changes were looked at, of `most`
 */
export async function changedSince(
  sql: Queryable,
  tenant: string,
  since: number,
  conversation: string | undefined,
  most: number,
): Promise<{ looked: number; rows: FeedRow[] }> {
  const rows = await sql<(FeedRow & { looked: number })[]>`
    select ${tenant}::text as tenant_id, max(c.seq)::text as seq, max(c.at) as at, c.conversation_id, c.message_id,
           (sum(count(*)) over ())::integer as looked
      from (
        select f.*
          from live_changes f
         where f.tenant_id = ${tenant} and f.at >= ${new Date(since)}
           ${conversation === undefined ? part`` : part`and f.conversation_id = ${conversation}`}
         order by f.at desc, f.seq desc
         limit ${most}) c
     group by c.conversation_id, c.message_id
     order by max(c.at), max(c.seq)`
  return { looked: rows[0]?.looked ?? 0, rows }
}

/** Deletes what is older than a stream may go back. */
export const pruneLive: Prune = sql =>
  oldestFirst(async () => {
    const { count } = await sql`
      delete from live_changes d
       using (
         select c.tenant_id, c.at, c.seq
           from tenants t,
                lateral (
                  select c.tenant_id, c.at, c.seq
                    from live_changes c
                   where c.tenant_id = t.id and c.at < now() - make_interval(hours => ${LIVE_HOURS + 1})
                   order by c.at
                   limit ${PRUNE_BATCH}) c
          limit ${PRUNE_BATCH}) old
       where d.tenant_id = old.tenant_id and d.at = old.at and d.seq = old.seq`
    return count
  })
