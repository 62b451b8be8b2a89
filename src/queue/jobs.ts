// Jobs: the one place that adds them, and that knows the tables of Graphile Worker, which are its own. A job carries the payload that its task's file
// declares (`GraphileWorker.Tasks`): another one does not compile.
import { type Fragment, part } from '../postgres/sql.ts'

export type TaskName = keyof GraphileWorker.Tasks
export type Payload<Name extends TaskName> = GraphileWorker.Tasks[Name]

/** The payload as SQL: an expression of the statement for each member. */
export type PayloadParts<Name extends TaskName> = { [Key in keyof Payload<Name>]: Fragment }

export interface JobOptions {
  /** Jobs of a lower one go first, whatever their age. Live deliveries have 1. Default 0. */
  priority?: Fragment | number
  /** An interval: the job is due when it has passed. */
  after?: Fragment
  /** How often the job is tried. Default 1: what has a lease is brought back by the sweep, whatever became of its job. */
  maxAttempts?: number
}

/** Adds a job, as an expression of a statement that selects what the job is about. Part of the transaction, like the rows it is about. */
export function addJob<Name extends TaskName>(
  task: Name,
  payload: PayloadParts<Name>,
  { priority = 0, after = part`interval '0'`, maxAttempts = 1 }: JobOptions = {},
): Fragment {
  return part`
    graphile_worker.add_job(${task}, ${json(payload)}, max_attempts => ${maxAttempts}::integer, priority => ${integer(priority)},
                            run_at => clock_timestamp() + ${after})`
}

const integer = (value: Fragment | number): Fragment => (typeof value === 'number' ? part`${value}::integer` : value)

function json(members: Record<string, Fragment>): Fragment {
  const [first, ...more] = Object.entries(members).map(([name, value]) => part`${name}::text, ${value}`)
  return part`json_build_object(${first as Fragment}${more.map(each => part`, ${each}`)})`
}

/**
 * Whether the queue has a job of this task for the row that an expression names, which no worker has begun: as a condition.
 * @param key the member of the payload that holds the row's id
 */
export const hasFreeJob = <Name extends TaskName>(task: Name, key: keyof Payload<Name> & string, id: Fragment): Fragment =>
  hasJob(task, key, id, part`j.is_available`)

/** The same of a job that a worker is at, or that may still be tried. */
export const hasLivingJob = <Name extends TaskName>(task: Name, key: keyof Payload<Name> & string, id: Fragment): Fragment =>
  hasJob(task, key, id, part`(j.locked_at is not null or j.attempts < j.max_attempts)`)

const hasJob = (task: string, key: string, id: Fragment, which: Fragment): Fragment => part`
  exists (
    select 1
      from graphile_worker._private_jobs j
     where j.payload ->> ${key}::text = ${id} and ${which}
       and j.task_id = (select t.id from graphile_worker._private_tasks t where t.identifier = ${task}))`
