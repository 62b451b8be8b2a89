// Every statement of events.
import { HELD_BACK_TOLD_SECONDS } from '../limits/webhooks.ts'
import { epoch } from '../postgres/epoch.ts'
import { ends, fits, iso, upToRow } from '../postgres/page.ts'
import { columns } from '../postgres/row-set.ts'
import { type Fragment, part, type Queryable } from '../postgres/sql.ts'

/** Inserts events in the order given, which is the order of their `seq`. Returns the columns that listeners read. */
export const insertAll = (events: NewEvent[], at: Date): Fragment => part`
  insert into events (tenant_id, id, type, created_at, body, epoch, xid, depth, run_id)
  select r.tenant, r.id, r.type, ${at}, r.body, ${epoch}, ${place}, r.depth, r.run_id from ${EVENT.few(events)}
  returning tenant_id, id, type`

/** The highest number of a transaction that had ended when the statement began. */
const lastEnded = part`(pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)::text::xid8`

/**
 * Where events stand in the order: behind all that this transaction has seen end. Its own number may be lower than that of a change for which it waited, for
 * it has one from its first write on. Never lower than its own, so nothing is written any more below the oldest one under way; and never one that no
 * transaction has yet, for which the event would wait on a quiet database.
 */
const place = part`(select greatest(pg_current_xact_id(), ${lastEnded}))`

const EVENT = columns({ tenant: 'text', id: 'text', type: 'text', body: 'json', depth: 'smallint', run_id: 'text' })

export interface NewEvent {
  tenant: string
  id: string
  type: string
  body: string
  depth: number
  run_id: string | null
}

/** A position in the order of commits. */
export interface Position {
  epoch: string
  xid: string
  seq: string
}

export interface EventsPage {
  /** JSON texts joined by commas. */
  data: Buffer
  /** Where the next page continues, if there is one: the last event on this page, or the last that was looked at. */
  next: EventPosition | undefined
  /** On the last page, the last event there is after the position asked for. */
  end: EventPosition | undefined
  /** Fewer events than asked for are on the page, though more may follow. */
  short: boolean
  /** On the last page, when the first event happened that a transaction under way holds back, if that was a while ago. */
  heldBackSince: string | null
}

export type EventPosition = Position & { id: string }

// The envelope as receivers get it, with `object` before it.
const json = part`'{"object":"event",' || substr(e.body, 2)`

/**
 * Events in the order of their commits. Events of transactions that may still be under way are held back: an event below pg_snapshot_xmin, or of
 * an older epoch, is settled, so a cursor never passes an event that commits later.
 * @param scan how many events are looked at
 */
export async function listByCommit(
  sql: Queryable,
  tenant: string,
  after: Position | undefined,
  types: string[] | undefined,
  limit: number,
  scan: number,
): Promise<EventsPage> {
  const settled = part`
    e.tenant_id = ${tenant} and (e.epoch, e.xid) < (${epoch}, pg_snapshot_xmin(pg_current_snapshot()))
    ${after ? part`and (e.epoch, e.xid, e.seq) > (${after.epoch}::text::integer, ${after.xid}::text::xid8, ${after.seq}::text::bigint)` : part``}`
  const position = part`e.epoch || '.' || e.xid || '.' || e.seq || '.' || e.id`
  const rows = await sql`
    select p.data, coalesce(p.next, s.stop), l.last, s.stop, h.since
      from (
        select string_agg(q.json, ',') filter (where q.fits) as data,
               bool_or(not q.fits) as more,
               max(q.position) filter (where q.fits and q.followed and q.ends) as next
          from (
            select r.json, r.position, lead(true) over w as followed, ${fits(limit)} as fits, ${ends(limit)} as ends
              from (
                select ${json} as json, ${position} as position
                  from (select e.* from events e where ${settled} order by e.epoch, e.xid, e.seq limit ${scan}) e
                 where e.test_of is null
                   ${types ? part`and e.type = any(${types}::text[])` : part``}
                 limit ${limit + 1}
              ) r
            ${upToRow}
          ) q
      ) p
      left join lateral (
        select ${position} as stop
          from events e
         where ${settled} and p.more is not true
         order by e.epoch, e.xid, e.seq
         limit 1 offset ${scan - 1}
      ) s on true
      left join lateral (
        select ${position} as last from events e where ${settled} and p.next is null and s.stop is null order by e.epoch desc, e.xid desc, e.seq desc limit 1
      ) l on true
      left join lateral (
        select case when e.created_at < clock_timestamp() - make_interval(secs => ${HELD_BACK_TOLD_SECONDS}) then ${iso(part`e.created_at`)} end as since
          from events e
         where e.tenant_id = ${tenant} and (e.epoch, e.xid) >= (${epoch}, pg_snapshot_xmin(pg_current_snapshot())) and p.next is null and s.stop is null
         order by e.epoch, e.xid, e.seq
         limit 1
      ) h on true`.raw()
  const [data, next, end, stop, since] = rows[0] as unknown as (Buffer | null)[]
  return {
    data: data ?? Buffer.alloc(0),
    next: positionIn(next),
    end: positionIn(end),
    short: Boolean(stop),
    heldBackSince: since?.toString() ?? null,
  }
}

function positionIn(text: Buffer | null | undefined): EventPosition | undefined {
  const [epoch, xid, seq, id] = text?.toString().split('.') ?? []
  return epoch !== undefined && xid !== undefined && seq !== undefined && id !== undefined ? { epoch, xid, seq, id } : undefined
}

/** The position of an event in the order of commits. */
export async function positionOf(sql: Queryable, tenant: string, id: string): Promise<Position | undefined> {
  const [row] = await sql<
    Position[]
  >`select epoch::text as epoch, xid::text as xid, seq::text as seq from events where tenant_id = ${tenant} and id = ${id}`
  return row
}

export async function findJson(sql: Queryable, tenant: string, id: string): Promise<Buffer | undefined> {
  const rows = await sql`select ${json} from events e where e.tenant_id = ${tenant} and e.id = ${id}`.raw()
  return (rows[0] as unknown as Buffer[] | undefined)?.[0]
}
