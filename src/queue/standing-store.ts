// Every statement of standing sessions: this process's own, and those that other processes miss.
import { elected } from '../postgres/election.ts'
import { beginBriefly, commitBehind, type Fragment, part, type Queryable, type Sql } from '../postgres/sql.ts'
import type { Leased } from './leased.ts'

export interface ProcessRow {
  /** What its tokens open with. */
  process: string
  host: string
  pid: number
  /** Where the pid names the process (neighbours.ts); null where that is unknown. */
  place: string | null
}

/** Whether this session still stands for the process: a connection made anew does not. And the database's time, in milliseconds since 1970. */
export async function stands(session: Queryable, process: string): Promise<{ stands: boolean; clock: number }> {
  const [row] = await session<{ stands: boolean | null; clock: number }[]>`
    select current_setting('shopdesk.process', true) = ${process} as stands, extract(epoch from clock_timestamp())::float8 * 1000 as clock`
  return { stands: row?.stands === true, clock: row?.clock ?? Number.NaN }
}

/**
 * Lets the session stand for the process.
 * @param isNew no session has stood for it before @returns 'busy': try again; 'gone': the process was taken for gone
 */
export async function stand(
  session: Queryable,
  { process, host, pid, place }: ProcessRow,
  isNew: boolean,
): Promise<'stands' | 'busy' | 'gone'> {
  const [row] = await session<{ came: 'stands' | 'busy' | 'gone' }[]>`
    select worker_stand(${process}, ${Number(isNew)}::integer::boolean, ${host}, ${pid}::integer, ${place}) as came`
  return row?.came ?? 'busy'
}

/** The process ends in good order, and holds nothing. */
export async function leave(session: Queryable, process: string): Promise<void> {
  await session`delete from worker_processes where process = ${process}`
}

export interface Missing extends ProcessRow {
  /** For how long its session has been missing, in milliseconds. */
  missedMs: number
  /** The age of this program's oldest session, in milliseconds: all sessions are young when the server has lost all of them. */
  oldestMs: number
}

export interface Seen {
  /** Whether this session is the one that frees what they held. */
  elected: boolean
  missing: Missing[]
}

/**
 * Takes part in the election, and looks for processes for which no session stands. It notes since when, elected or not, unless the process has a new session by
 * now: so their time runs also where the elected one is among them.
 */
export async function look(sql: Queryable, election: number): Promise<Seen> {
  const rows = await sql<({ elected: boolean } & { [Name in keyof Missing]: Missing[Name] | null })[]>`
    with election as materialized (
      select ${elected(election)} as elected
    ), standing as materialized (
      select (l.classid::bigint << 32) | l.objid::bigint as lock
        from pg_locks l
       where l.locktype = 'advisory' and l.granted and l.objsubid = 1 and ${ofThisDatabase}
    ), missing as materialized (
      select w.* from worker_processes w where worker_lock(w.process) not in (select s.lock from standing s)
    ), noted as (
      update worker_processes w set missed_at = clock_timestamp()
        from missing m
       where m.missed_at is null and w.process = m.process and w.backend = m.backend and w.backend_since = m.backend_since
    )
    select n.elected, m.process, m.host, m.pid, m.place,
           coalesce(extract(epoch from clock_timestamp() - m.missed_at)::float8 * 1000, 0) as "missedMs",
           (select extract(epoch from clock_timestamp() - min(a.backend_start))::float8 * 1000
              from pg_stat_activity a
             where a.datname = current_database() and a.application_name like 'shopdesk %') as "oldestMs"
      from election n
      left join missing m on true`
  return { elected: rows[0]?.elected === true, missing: rows.filter((row): row is Missing & { elected: boolean } => row.process !== null) }
}

/** Those of these processes that were taken for gone, or have ended in good order. */
export async function unlisted(sql: Queryable, processes: Missing[]): Promise<Missing[]> {
  const rows = await sql<{ process: string }[]>`
    select w.process from worker_processes w where w.process = any (${processes.map(each => each.process)}::text[])`
  return processes.filter(({ process }) => !rows.some(row => row.process === process))
}

const ofThisDatabase = part`l.database = (select d.oid from pg_database d where d.datname = current_database())`

export interface Released {
  /** The processes taken for gone, without those whose session is back. */
  gone: string[]
  its_pools: string[]
  leases: number
  jobs: number
  /** By the database's clock: no later than the marks of the jobs that were made for what was freed. */
  noticed: Date
}

/**
 * Takes processes for gone and frees what they held, in one transaction. It may be repeated for the same process. Others see nothing of it before the commit, and
 * where the machine is busy each answer takes a while: so all of it is sent at once.
 * @param pools that these processes are known to have had @param kinds of leased work
 */
export const release = (sql: Sql, processes: string[], pools: string[], kinds: Pick<Leased, 'lapse'>[]): Promise<Released> =>
  beginBriefly(sql, async tx => {
    const released = tx<
      Released[]
    >`select gone, its_pools, leases, jobs, now() as noticed from worker_gone(${processes}::text[], ${pools}::text[])`.execute()
    const lapsed = kinds.map(kind => kind.lapse(tx, unlistedOf(processes)))
    commitBehind(tx)
    const [[row], ...leases] = await Promise.all([released, ...lapsed])
    return { ...(row as Released), leases: leases.reduce((sum, each) => sum + each, (row as Released).leases) }
  })

/** An expression: those of these processes that are no longer listed. worker_gone has left out any whose session is back at that moment. */
const unlistedOf = (processes: string[]): Fragment => part`
  array(select p from unnest(${processes}::text[]) p where not exists (select from worker_processes w where w.process = p))`
