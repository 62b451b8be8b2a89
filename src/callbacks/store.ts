// Every statement of the callbacks themselves, but those that show them: kept, claimed, noted.
import type { Ref } from '../ids.ts'
import { APPLIED_TOGETHER_BYTES } from '../limits/callbacks.ts'
import { columns } from '../postgres/row-set.ts'
import { part, type Queryable, type Tx } from '../postgres/sql.ts'

export interface Kept {
  tenant: string
  source: string
  id: string
  /** JSON, as it came. */
  text: string
}

const KEPT = columns({ tenant_id: 'text', source_id: 'text', id: 'text', body: 'json' })

export async function insertAll(sql: Queryable, callbacks: Kept[]): Promise<void> {
  const rows = callbacks.map(({ tenant, source, id, text }) => ({ tenant_id: tenant, source_id: source, id, body: text }))
  await sql`insert into callbacks (${KEPT.names}) select ${KEPT.names} from ${KEPT.of(rows)}`
}

export interface Claimed {
  id: string
  body: string
  attempts: number
  received_at: Date
}

/**
 * Locks the callbacks that are due, in order: `most` of them, and not more bytes than can be parsed in a moment. None of them is claimed twice, whatever
 * becomes of the lease: another transaction waits here, and then finds them no longer waiting.
 */
export const claim = (tx: Tx, { tenant, id }: Ref, most: number): Promise<Claimed[]> => tx<Claimed[]>`
  with due as materialized (
    select c.id, c.due_at, octet_length(c.body) as bytes
      from callbacks c
     where c.tenant_id = ${tenant} and c.source_id = ${id} and c.status = 'waiting' and c.due_at <= clock_timestamp()
     order by c.due_at, c.id
     limit ${most}
  ), together as (
    select d.id, sum(d.bytes) over (order by d.due_at, d.id) - d.bytes as before from due d
  )
  select c.id, c.body, c.attempts, c.received_at
    from callbacks c
   where c.tenant_id = ${tenant} and c.source_id = ${id} and c.status = 'waiting'
     and c.id in (select t.id from together t where t.before < ${APPLIED_TOGETHER_BYTES})
   order by c.due_at, c.id
     for update of c`

/** How old the callbacks of a source may be when a worker is told of it: older ones were left by a turn that failed, or by a worker that died. */
const NEW_SECONDS = 5

/** What one turn of several sources takes. */
export interface Portion {
  /** Callbacks of each source … */
  most: number
  /** … of so many bytes, the last of them counted by where it begins. */
  bytes: number
  /** How long its transaction waits for locks, in milliseconds. */
  lockMs: number
}

/** Shown for each of its callbacks, or once. */
interface ClaimedRow extends Omit<Claimed, 'id'> {
  source_id: string
  is_plain: boolean
  id: string | null
}

/** A source of which this process was told. */
export interface Asked extends Ref {
  /** How long ago, in milliseconds. */
  toldMs: number
}

const ASKED = columns({ tenant_id: 'text', id: 'text', new_ms: 'integer' })

/**
 * Locks the new callbacks of sources that are not leased, and their rows until the transaction ends. Waits for no source: one is left out of what is returned
 * where a turn by a job is due instead, for another has it, or callbacks of it were left, fail or are very long. What came since this process was told
 * counts as left by no process, however far behind this one is.
 * @returns the callbacks of each source, in order, by the source's id
 */
export async function claimNew(tx: Tx, sources: Asked[], { most, bytes, lockMs }: Portion): Promise<Map<string, Claimed[]>> {
  const asked = sources.map(({ tenant, id, toldMs }) => ({ tenant_id: tenant, id, new_ms: NEW_SECONDS * 1_000 + Math.ceil(toldMs) }))
  const rows = await tx<ClaimedRow[]>`
    with source as materialized (
      select s.tenant_id, s.id, clock_timestamp() - r.new_ms * interval '1 millisecond' as new_since
        from ${ASKED.of(asked)}
       cross join lateral (
         select s.tenant_id, s.id
           from callback_sources s
          where s.tenant_id = r.tenant_id and s.id = r.id and s.enabled and s.lease_token is null
            for no key update skip locked) s
    ), due as materialized (
      select s.tenant_id, s.id as source_id, c.id, c.due_at, c.received_at, c.bytes
        from source s
       cross join lateral (
         select c.id, c.due_at, c.received_at, octet_length(c.body) as bytes
           from callbacks c
          where c.tenant_id = s.tenant_id and c.source_id = s.id and c.status = 'waiting' and c.due_at <= clock_timestamp()
          order by c.due_at, c.id
          limit ${most}) c
    ), together as materialized (
      select d.tenant_id, d.source_id, d.id, sum(d.bytes) over (partition by d.tenant_id, d.source_id order by d.due_at, d.id) - d.bytes as before
        from due d
    ), claimed as materialized (
      select c.*
        from together t
       cross join lateral (
         select c.tenant_id, c.source_id, c.id, c.due_at, c.body, c.attempts, c.received_at
           from callbacks c
          where c.tenant_id = t.tenant_id and c.source_id = t.source_id and c.id = t.id and c.status = 'waiting'
            for update of c) c
       where t.before < ${bytes}
    )
    select s.id as source_id, c.id, c.body, c.attempts, c.received_at,
           not exists (
             select from callbacks f
              where f.tenant_id = s.tenant_id and f.source_id = s.id and f.status = 'waiting' and f.failing_since is not null)
           and not exists (
             select from due d
              where d.tenant_id = s.tenant_id and d.source_id = s.id
                and (d.bytes > ${bytes} or d.received_at < s.new_since)) as is_plain
      from source s
      cross join set_config('lock_timeout', ${`${lockMs}ms`}, true)
      left join claimed c on c.tenant_id = s.tenant_id and c.source_id = s.id
     order by c.due_at, c.id`
  const found = Map.groupBy(
    rows.filter(row => row.is_plain),
    row => row.source_id,
  )
  return new Map([...found].map(([source, each]) => [source, each.filter(row => row.id !== null) as Claimed[]]))
}

export interface Failing {
  id: string
  threads: string[]
  due_at: Date
}

/** Failing callbacks that are looked at in a turn: beyond so many, those behind them are tried without waiting. */
const FAILING_MAX = 1_000

export const failing = (sql: Queryable, { tenant, id }: Ref): Promise<Failing[]> => sql<Failing[]>`
  select c.id, c.threads, c.due_at
    from callbacks c
   where c.tenant_id = ${tenant} and c.source_id = ${id} and c.status = 'waiting' and c.failing_since is not null
   order by c.id
   limit ${FAILING_MAX}`

/** What is noted of a callback after it was tried, or was passed over. */
export interface Note {
  id: string
  status: 'waiting' | 'applied' | 'ignored' | 'failed'
  reason: string | null
  attempts: number
  /** The threads of a failing one. */
  threads: string[] | null
  /** When a waiting one is due again; null: it is over. */
  dueAt: Date | null
}

const NOTE = columns({
  tenant_id: 'text',
  source_id: 'text',
  id: 'text',
  status: 'text',
  reason: 'text',
  attempts: 'smallint',
  threads: 'text',
  due_at: 'timestamptz',
})

/** Notes of callbacks of several sources. Sent at once, so that what follows goes out with it. */
export function note(tx: Tx, of: { source: Ref; notes: Note[] }[]): Promise<unknown> {
  const rows = of.flatMap(({ source, notes }) =>
    notes.map(({ threads, dueAt, ...each }) => ({
      ...each,
      tenant_id: source.tenant,
      source_id: source.id,
      threads: threads && arrayOf(threads),
      due_at: dueAt?.toISOString() ?? null,
    })),
  )
  return tx`
    update callbacks c
       set status = r.status, reason = r.reason, attempts = r.attempts,
           due_at = coalesce(r.due_at, c.due_at),
           threads = r.threads::text[],
           failing_since = case when r.threads is not null then coalesce(c.failing_since, clock_timestamp()) end,
           done_at = case when r.status <> 'waiting' then clock_timestamp() end
      from ${NOTE.of(rows)}
     where c.tenant_id = r.tenant_id and c.source_id = r.source_id and c.id = r.id`.execute()
}

const arrayOf = (texts: string[]): string => `{${texts.map(each => `"${each.replaceAll(/["\\]/g, '\\$&')}"`).join()}}`

/** Fails the callback that is first in line: it has ended worker after worker. */
export async function failFirst(sql: Queryable, { tenant, id }: Ref, reason: string): Promise<void> {
  await sql`
    update callbacks c set status = 'failed', reason = ${reason}, done_at = clock_timestamp()
     where c.tenant_id = ${tenant} and c.source_id = ${id} and c.status = 'waiting'
       and c.id = (
         select d.id
           from callbacks d
          where d.tenant_id = ${tenant} and d.source_id = ${id} and d.status = 'waiting' and d.due_at <= clock_timestamp()
          order by d.due_at, d.id
          limit 1)`
}

/** @returns how many wait again */
export async function reapply(tx: Tx, { tenant, id }: Ref, callback: string | undefined, most: number): Promise<number> {
  const { count } = await tx`
    update callbacks c
       set status = 'waiting', reason = null, attempts = 0, failing_since = null, threads = null, due_at = clock_timestamp(), done_at = null
     where c.tenant_id = ${tenant} and c.source_id = ${id} and c.status = 'failed'
       and c.id in (
         select f.id
           from callbacks f
          where f.tenant_id = ${tenant} and f.source_id = ${id} and f.status = 'failed'
            ${callback === undefined ? part`` : part`and f.id = ${callback}`}
          order by f.id
          limit ${most})`
  return count
}
