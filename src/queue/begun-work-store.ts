// Every statement of work that was begun: its notes, the count of the workers that died during it, and jobs set aside.
import type { DbJob } from 'graphile-worker'
import { SUSPECT_DEATHS } from '../limits/queue.ts'
import { PRUNE_BATCH, RETENTION_DAYS } from '../limits/retention.ts'
import { oldestFirst, type Prune } from '../postgres/prune.ts'
import { part, type Queryable } from '../postgres/sql.ts'
import { addJobOf } from './jobs.ts'

/** The work of all jobs with the same task and payload, which run one after the other. */
export interface Work {
  task: string
  /** JSON. */
  payload: string
}

export type Job = Pick<DbJob, 'priority' | 'attempts' | 'max_attempts'>

/** A note left by a dead process counts as a death. A very young note does not: its process may not have sent its first heartbeat. */
const died = part`(b.token is not null and b.begun_at < clock_timestamp() - interval '10 seconds' and worker_died(b.token))`
const deaths = part`(b.deaths + ${died}::integer)`

/**
 * Notes that a run begins. A suspect that is not alone gets no note: it must not run, and so must not be blamed if the worker ends now.
 * @returns how many workers in a row died during this work, at one place
 */
export async function begin(sql: Queryable, { task, payload }: Work, token: string, alone: boolean): Promise<number> {
  const [row] = await sql<{ deaths: number }[]>`
    insert into begun_work as b (task, payload, token)
    values (${task}, ${payload}, ${token})
        on conflict (task, payload) do update
       set deaths = ${deaths}, begun_at = clock_timestamp(),
           token = case when ${deaths} < ${SUSPECT_DEATHS} or ${Number(alone)} = 1 then excluded.token end
    returning b.deaths`
  return row?.deaths ?? 0
}

/** Resets the count: the work got past the place where workers died. */
export async function forgive(sql: Queryable, { task, payload }: Work, token: string): Promise<void> {
  await sql`update begun_work set deaths = 0 where task = ${task} and payload = ${payload} and token = ${token}`
}

/** Notes that a run has ended in good order. */
export async function end(sql: Queryable, { task, payload }: Work, token: string): Promise<void> {
  await sql`
    with kept as (
      update begun_work set token = null where task = ${task} and payload = ${payload} and token = ${token} and deaths > 0
    )
    delete from begun_work where task = ${task} and payload = ${payload} and token = ${token} and deaths = 0`
}

/** Notes this for all runs of a process that is told to stop: whatever ends it now is not their fault. @param process what their tokens open with */
export async function endAll(sql: Queryable, process: string): Promise<void> {
  await sql`update begun_work set token = null where left(token::text, 18) = ${process} and deaths > 0`
  await sql`delete from begun_work where left(token::text, 18) = ${process}`
}

/** Forgets the work: its noun has ended it. */
export async function remove(sql: Queryable, { task, payload }: Work): Promise<void> {
  await sql`delete from begun_work where task = ${task} and payload = ${payload}`
}

/** Sets the work aside with what is needed to queue it again: its job is gone when this run ends. */
export async function setAside(sql: Queryable, { task, payload }: Work, { priority, max_attempts }: Job): Promise<void> {
  await sql`
    update begun_work set set_aside_at = clock_timestamp(), token = null, priority = ${priority}, max_attempts = ${max_attempts}
     where task = ${task} and payload = ${payload}`
}

/** The flag on a suspect's jobs. */
export const SUSPECT = 'suspect'

/** Queues the same job again, a second later. */
export async function postpone(
  sql: Queryable,
  { task, payload }: Work,
  { priority, attempts, max_attempts }: Job,
  suspect: boolean,
): Promise<void> {
  await sql`
    select ${addJobOf(
      part`${task}`,
      part`${payload}::text::json`,
      { priority, after: part`interval '1 second'`, maxAttempts: Math.max(1, max_attempts - attempts + 1) },
      suspect ? [SUSPECT] : undefined,
    )}`
}

export interface SetAside {
  id: string
  task: string
  payload: Record<string, string>
  set_aside_at: Date
}

/** The jobs set aside, the latest first. */
export async function listSetAside(sql: Queryable, limit: number): Promise<SetAside[]> {
  return sql<SetAside[]>`
    select id::text as id, task, payload::json as payload, set_aside_at
      from begun_work
     where set_aside_at is not null
     order by set_aside_at desc, id desc
     limit ${limit}`
}

/** Queues the job again, without its deaths. @returns false when no job with that id is set aside */
export async function retry(sql: Queryable, id: string): Promise<boolean> {
  const rows = await sql`
    with again as (
      delete from begun_work where id = ${id}::text::bigint and set_aside_at is not null
      returning task, payload, priority, max_attempts
    )
    select ${addJobOf(part`a.task`, part`a.payload::json`, { priority: part`a.priority`, maxAttempts: part`a.max_attempts` })} from again a`
  return rows.length > 0
}

/** Deletes the job for good. @returns false when no job with that id is set aside */
export async function drop(sql: Queryable, id: string): Promise<boolean> {
  const rows = await sql`delete from begun_work where id = ${id}::text::bigint and set_aside_at is not null returning 1`
  return rows.length > 0
}

/** Deletes notes of work that was never begun again (it was cancelled, or a job of another kind did it), and jobs set aside that no operator decided on. */
export const prune: Prune = sql =>
  oldestFirst(async () => {
    const { count } = await sql`
      delete from begun_work b
       using (
         select o.task, o.payload from begun_work o
          where o.begun_at < clock_timestamp() - make_interval(days => ${RETENTION_DAYS})
          limit ${PRUNE_BATCH}
            for update skip locked) old
       where b.task = old.task and b.payload = old.payload`
    return count
  })

/** Whether the process of this token is known to have died. */
export async function hasDied(sql: Queryable, token: string): Promise<boolean> {
  const [row] = await sql<{ died: boolean }[]>`select worker_died(${token}) as died`
  return row?.died === true
}
