// The one place in TypeScript that adds jobs. Graphile Worker's private tables are read in this folder, and by functions of sql/0010, sql/0060 and sql/0064.
// A job carries the payload that its task's file declares (`GraphileWorker.Tasks`); any other payload does not compile.
import { type Fragment, part } from '../postgres/sql.ts'
import { beatsOn } from './pool-store.ts'

export type TaskName = keyof GraphileWorker.Tasks
export type Payload<Name extends TaskName> = GraphileWorker.Tasks[Name]

/** The payload as SQL: an expression for each member. */
export type PayloadParts<Name extends TaskName> = { [Key in keyof Payload<Name>]: Fragment }

export interface JobOptions {
  /** Jobs with a lower number go first, whatever their age. Live deliveries have 1. Default 0. */
  priority?: Fragment | number
  /** An interval after which the job is due. */
  after?: Fragment
  /** How often the job is tried. Default 1: the sweep queues leased work again, whatever became of its job. */
  maxAttempts?: Fragment | number
}

/** Adds a job, as an expression in a statement that selects the rows the job is about. It is part of the transaction, like those rows. */
export const addJob = <Name extends TaskName>(task: Name, payload: PayloadParts<Name>, options: JobOptions = {}): Fragment =>
  addJobOf(part`${task}`, json(payload), options)

/** Adds a job again as the queue had it, whatever its task. @param payload an expression of JSON @param flags see Graphile Worker's `forbiddenFlags` */
export function addJobOf(
  task: Fragment,
  payload: Fragment,
  { priority = 0, after = part`interval '0'`, maxAttempts = 1 }: JobOptions,
  flags?: string[],
): Fragment {
  return part`
    graphile_worker.add_job(${task}, ${payload}, max_attempts => ${integer(maxAttempts)}, priority => ${integer(priority)},
                            run_at => clock_timestamp() + ${after}, flags => ${flags ?? null}::text[])`
}

const integer = (value: Fragment | number): Fragment => (typeof value === 'number' ? part`${value}::integer` : value)

function json(members: Record<string, Fragment>): Fragment {
  const [first, ...more] = Object.entries(members).map(([name, value]) => part`${name}::text, ${value}`)
  // The driver takes an empty list of parts for a parameter.
  return part`json_build_object(${first as Fragment}${more.length > 0 ? more.map(each => part`, ${each}`) : part``})`
}

/**
 * A condition: the queue has a job of this task for the row with this id, and no worker has begun it.
 * @param key the member of the payload that holds the row's id
 */
export const hasFreeJob = <Name extends TaskName>(task: Name, key: keyof Payload<Name> & string, id: Fragment): Fragment =>
  hasJob(task, key, id, part`j.is_available`)

/** A condition: the queue has a job of this task for the row, and a worker runs it or it may still be tried. */
export const hasLivingJob = <Name extends TaskName>(task: Name, key: keyof Payload<Name> & string, id: Fragment): Fragment =>
  hasJob(task, key, id, part`(j.locked_at is not null or j.attempts < j.max_attempts)`)

const hasJob = (task: string, key: string, id: Fragment, which: Fragment): Fragment => part`
  exists (
    select 1
      from graphile_worker._private_jobs j
     where j.payload ->> ${key}::text = ${id} and ${which}
       and j.task_id = (select t.id from graphile_worker._private_tasks t where t.identifier = ${task}))`

/**
 * How long a job that a worker fetched counts as about to run: a local queue empties in seconds. Beyond that its pool may live without a word of it, as where the
 * answer of the fetch was lost and so were the looks that free its jobs (lost-fetches.ts): they would stay locked for four hours.
 */
const FETCHED_SECONDS = 30

/** A task whose jobs name the row that they serve by a member that the index of sql/0069_rows_of_jobs.sql has. */
export type TaskOfRow = { [Name in TaskName]: keyof Payload<Name> & RowKey extends never ? never : Name }[TaskName]

type RowKey = 'endpointId' | 'channelId' | 'appId'

const rowOf = part`coalesce(j.payload ->> 'endpointId', j.payload ->> 'channelId', j.payload ->> 'appId')`

/**
 * A condition: the queue has a job of this task for the row with this id that is free, or that a living worker has fetched of late. A job that runs for longer
 * has the lease of its row; and a second one does no harm.
 * @param deadHaveNone the jobs of dead workers have just been freed. A worker that is new fetches before it is known to live.
 */
export const isServed = (task: TaskOfRow, id: Fragment, deadHaveNone: boolean): Fragment => part`
  exists (
    select 1
      from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id and t.identifier = ${task}
     where ${rowOf} = ${id}
       and (j.locked_by is null
            or (j.locked_at > clock_timestamp() - make_interval(secs => ${FETCHED_SECONDS})
                and ${deadHaveNone ? part`true` : part`j.locked_by in (select p.id from worker_pools p where ${beatsOn})`})))`
