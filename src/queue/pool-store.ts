// Every statement of worker pools, and of the jobs that dead ones leave behind.
import { POOL_DEAD_SECONDS, POOL_SILENT_SECONDS } from '../limits/queue.ts'
import { part, type Queryable } from '../postgres/sql.ts'

export interface PoolRow {
  /** Graphile Worker's name of the pool: the `locked_by` of its jobs. */
  id: string
  /** What its process's tokens open with. */
  process: string
  host: string
  pid: number
  version: string
  /** Why the worker cannot send, as a clause. */
  trouble: string | null
}

/** A condition of the pool `p`: it has sent a heartbeat of late, so that it may be given work. */
export const beatsOn = part`p.beat_at > clock_timestamp() - make_interval(secs => ${POOL_SILENT_SECONDS})`

/** Writes the pool's row, so that the jobs it holds are free when its process dies. It is told of nothing before its first heartbeat. */
export async function enter(sql: Queryable, { id, process, host, pid, version, trouble }: PoolRow): Promise<void> {
  await sql`
    insert into worker_pools (id, process, host, pid, version, trouble, beat_at)
    values (${id}, ${process}, ${host}, ${pid}, ${version}, ${trouble}, clock_timestamp() - make_interval(secs => ${POOL_SILENT_SECONDS}))`
}

/** Writes the pool's heartbeat. Inserts the row again if the pool was taken for dead meanwhile. */
export async function beat(sql: Queryable, { id, process, host, pid, version, trouble }: PoolRow): Promise<void> {
  await sql`
    insert into worker_pools (id, process, host, pid, version, trouble)
    values (${id}, ${process}, ${host}, ${pid}, ${version}, ${trouble})
    on conflict (id) do update set beat_at = clock_timestamp(), process = excluded.process, trouble = excluded.trouble`
}

/** Ends the pool, and frees the jobs that it still holds. */
export async function leave(sql: Queryable, id: string): Promise<void> {
  await sql`
    with gone as (delete from worker_pools where id = ${id})
    select graphile_worker.force_unlock_workers(array[${id}])`
}

/** The ids of the jobs that the pool holds. */
export async function held(sql: Queryable, pool: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`select j.id::text from graphile_worker._private_jobs j where j.locked_by = ${pool}`
  return rows.map(each => each.id)
}

/** Makes jobs that the pool holds available again, as if it had never fetched them. None of ours is in a named queue. */
export async function free(sql: Queryable, pool: string, jobs: string[]): Promise<void> {
  await sql`
    update graphile_worker._private_jobs set attempts = greatest(0, attempts - 1), locked_by = null, locked_at = null
     where id = any(${jobs}::bigint[]) and locked_by = ${pool}`
}

/**
 * Frees the jobs of pools without a recent heartbeat, including pools that never sent one. It judges no pool before this session is as old as a
 * heartbeat may be: after an outage of the database, living pools need that time to send one.
 * @returns the pools and the number of jobs freed
 */
export async function releaseDead(sql: Queryable): Promise<{ pools: { id: string; host: string; pid: number }[]; jobs: number }> {
  const [row] = await sql<{ pools: { id: string; host: string; pid: number }[]; jobs: number }[]>`
    with judge as (
      select clock_timestamp() - make_interval(secs => ${POOL_DEAD_SECONDS}) as since
       where (select a.backend_start from pg_stat_activity a where a.pid = pg_backend_pid())
             < clock_timestamp() - make_interval(secs => ${POOL_DEAD_SECONDS})
    ), dead as (
      delete from worker_pools p using judge where p.beat_at < judge.since
      returning p.id, p.host, p.pid
    ), left_behind as (
      select j.locked_by as id, count(*) as jobs
        from graphile_worker._private_jobs j, judge
       where j.locked_at < judge.since
         and not exists (select 1 from worker_pools p where p.id = j.locked_by and p.beat_at >= judge.since)
       group by j.locked_by
    ), freed as (
      select graphile_worker.force_unlock_workers(array_agg(l.id)) from left_behind l having count(*) > 0
    )
    select coalesce((select json_agg(d) from dead d), '[]') as pools,
           coalesce((select sum(l.jobs) from left_behind l, freed), 0)::int as jobs`
  return row as NonNullable<typeof row>
}

/**
 * Whether a job of these tasks is free, and has been due for this many seconds. The statement locks the job for a moment, which a read-only database
 * refuses, and skips locked jobs as a fetch does.
 */
export async function hasUnseen(sql: Queryable, tasks: string[], seconds: number): Promise<boolean> {
  const rows = await sql`
    select 1
      from graphile_worker._private_jobs j
     where j.is_available
       and j.run_at <= clock_timestamp() - make_interval(secs => ${seconds})
       and j.created_at <= clock_timestamp() - make_interval(secs => ${seconds})
       and j.task_id in (select t.id from graphile_worker._private_tasks t where t.identifier = any(${tasks}))
     limit 1
       for update skip locked`
  return rows.length > 0
}

/** Deletes jobs that failed for good, or whose worker died during their last attempt: the queue would keep them for ever. */
export async function deleteSpent(sql: Queryable): Promise<{ task: string; error: string | null }[]> {
  return sql`
    delete from graphile_worker._private_jobs j
     using graphile_worker._private_tasks t
     where t.id = j.task_id and j.attempts >= j.max_attempts and j.locked_at is null
    returning t.identifier as task, j.last_error as error`
}

/** Pools with a recent heartbeat, the oldest first. */
export async function living(sql: Queryable): Promise<(Omit<PoolRow, 'process'> & { started_at: Date; jobs: number })[]> {
  return sql`
    select p.id, p.host, p.pid, p.version, p.started_at, p.trouble,
           (select count(*) from graphile_worker._private_jobs j where j.locked_by = p.id)::int as jobs
      from worker_pools p
     where p.beat_at > clock_timestamp() - make_interval(secs => ${POOL_DEAD_SECONDS})
     order by p.started_at`
}

/** How many jobs could run now, and the age in seconds of the oldest. */
export async function ready(sql: Queryable): Promise<{ jobs: number; oldest: number }> {
  const [row] = await sql<{ jobs: number; oldest: number }[]>`
    select count(*) as jobs, coalesce(extract(epoch from now() - min(greatest(run_at, created_at))), 0)::int as oldest
      from graphile_worker._private_jobs
     where locked_at is null and run_at <= now() and attempts < max_attempts`
  return row as { jobs: number; oldest: number }
}
