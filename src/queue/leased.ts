// Leased work: a row has work queued, one worker leases it for a slice of time, and what has stalled is queued again. A noun uses this by naming a
// table and a task.
//
// The row is the truth and its job a wake-up: the job is added when work is queued, tried once, and gone when its slice is over. Two rules keep the
// work going whatever becomes of a worker. The lease of a dead process lapses at once (`lapse`, called by the lookout); and a row without a lease or a
// job is queued again (`rescueStalled`, called by schedule.ts). Work during which three workers died at one place ends as failed: see trial.ts.
import type { Ref } from '../ids.ts'
import { LEASE_SECONDS } from '../limits/queue.ts'
import { type Fragment, part, type Queryable } from '../postgres/sql.ts'
import { addJob, hasFreeJob, hasLivingJob, type Payload, type PayloadParts, type TaskName } from './jobs.ts'

/** A noun's description of its leased work. The parts refer to the row as `r`. */
export interface Declaration<Task extends TaskName> {
  /** The table of the rows, with `tenant_id`, `id` and the columns below. */
  table: string
  task: Task
  /** The member of the task's payload that holds the row's id, beside `tenantId`. */
  key: Exclude<keyof Payload<Task>, 'tenantId'> & string
  /** A condition: the row has work left. An index finds these rows. */
  open: Fragment
  /** The priority of its jobs: see `addJob`. */
  priority?: Fragment | number
  /** Set where the table has leases of another kind as well. */
  columns?: Columns
}

export interface Columns {
  /** timestamptz: when its job was added. */
  queuedAt: string
  /** uuid: the token of the lease, which opens with the name of the process that holds it (standing.ts). */
  token: string
  /** timestamptz: when the lease ends. */
  until: string
}

const COLUMNS: Columns = { queuedAt: 'queued_at', token: 'lease_token', until: 'lease_until' }

export interface Leased {
  table: string
  /** An expression that adds the job of the row `r`. @param after an interval until the job is due */
  job(after?: Fragment): Fragment
  /** For a set clause: the row is queued now. Used together with `job`. */
  queued: Fragment
  /** For a set clause: takes the lease. Only where the row `isFree`. */
  leaseTo(token: string): Fragment
  /** For a set clause: extends the lease to its full length. Only where it `isHeldBy` the token. */
  extended: Fragment
  /** For a set clause: gives the lease back. */
  givenBack: Fragment
  /** A condition: no lease is held. */
  isFree: Fragment
  /** A condition: the lease is held by this token. */
  isHeldBy(token: string): Fragment

  /**
   * Queues work that is open and not leased: a leased row is queued again when its slice ends.
   * @param afterSeconds until the job is due
   * @returns false: there was none
   */
  enqueue(sql: Queryable, ref: Ref, afterSeconds?: number): Promise<boolean>
  /** Takes the lease. @returns false: another worker holds it, or the work is over */
  take(sql: Queryable, ref: Ref, token: string): Promise<boolean>
  /** @returns whether the work is `open` still, or `over`; undefined when the lease is no longer ours */
  renew(sql: Queryable, ref: Ref, token: string): Promise<'open' | 'over' | undefined>
  /** Gives the lease back, and queues the next slice if work is left. @param also more for the set clause, such as part`error = null` */
  release(sql: Queryable, ref: Ref, token: string, afterSeconds?: number, also?: Fragment): Promise<void>
  /** Waits until every statement is over that waits for the row already: see giveBackTaken. */
  pass(sql: Queryable, ref: Ref): Promise<void>
  /** Queues rows that have had neither lease nor job for ten seconds: a worker died between two statements, or a job was lost. */
  rescueStalled(sql: Queryable): Promise<number>
  /**
   * The same for rows that a process had in its memory when it died, after their jobs: see the lookout. For a noun whose jobs may be over before their turns begin.
   * @param noticed when the death was: rows that were queued later are not looked at @param also a further condition of the row
   */
  rescueForgotten(sql: Queryable, noticed: Date, also: Fragment): Promise<number>
  /**
   * Ends the leases of dead processes. The statement is sent at once, so that a COMMIT may be sent behind it.
   * @param processes what their tokens open with, or an expression for that @returns how many leases ended
   */
  lapse(sql: Queryable, processes: string[] | Fragment): Promise<number>
}

const STALLED_AFTER_SECONDS = 10
/** Rows queued at one run of the sweep, which runs again soon. */
const RESCUED_AT_A_TIME = 1_000

export function leased<Task extends TaskName>({
  table: name,
  task,
  key,
  open,
  priority = 0,
  columns = COLUMNS,
}: Declaration<Task>): Leased {
  const [table, queuedAt, token, until] = [part(name), part(columns.queuedAt), part(columns.token), part(columns.until)]
  const payload = { tenantId: part`r.tenant_id`, [key]: part`r.id` } as unknown as PayloadParts<Task>
  const job = (after = part`interval '0'`): Fragment => addJob(task, payload, { priority, after })
  const isRow = ({ tenant, id }: Ref): Fragment => part`r.tenant_id = ${tenant} and r.id = ${id}`
  const isFree = part`(r.${until} is null or r.${until} < clock_timestamp())`
  const isHeldBy = (held: string): Fragment => part`r.${token} = ${held}`
  const queued = part`${queuedAt} = clock_timestamp()`
  const extended = part`${until} = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})`
  const leaseTo = (held: string): Fragment => part`${token} = ${held}, ${extended}`
  const givenBack = part`${token} = null, ${until} = null`
  const seconds = (count: number): Fragment => part`make_interval(secs => ${count}::float8)`

  async function rescue(sql: Queryable, queuedBefore: Fragment, isLost: Fragment): Promise<number> {
    const rows = await sql`
      with stalled as materialized (
        select r.tenant_id, r.id
          from ${table} r
         where ${open} and ${isFree} and r.${queuedAt} < ${queuedBefore} and ${isLost}
         limit ${RESCUED_AT_A_TIME}
           for no key update of r skip locked
      ), r as (
        update ${table} r set ${queued}
          from stalled s
         where r.tenant_id = s.tenant_id and r.id = s.id
        returning r.*
      )
      select ${job()} from r`
    return rows.length
  }

  return {
    table: name,
    job,
    queued,
    leaseTo,
    extended,
    givenBack,
    isFree,
    isHeldBy,

    async enqueue(sql, ref, afterSeconds = 0) {
      const rows = await sql`
        with r as (
          update ${table} r set ${queued} where ${isRow(ref)} and ${open} and ${isFree}
          returning r.*
        )
        select ${job(seconds(afterSeconds))} from r`
      return rows.length > 0
    },

    async take(sql, ref, held) {
      const rows = await sql`
        update ${table} r set ${leaseTo(held)} where ${isRow(ref)} and ${open} and ${isFree}
        returning 1`
      return rows.length > 0
    },

    async renew(sql, ref, held) {
      const [row] = await sql<{ is_open: boolean }[]>`
        update ${table} r set ${extended} where ${isRow(ref)} and ${isHeldBy(held)}
        returning ${open} as is_open`
      return row && (row.is_open ? 'open' : 'over')
    },

    async release(sql, ref, held, afterSeconds = 0, also) {
      await sql`
        with r as (
          update ${table} r set ${givenBack}, ${queued}${also ? part`, ${also}` : part``} where ${isRow(ref)} and ${isHeldBy(held)}
          returning r.*
        )
        select ${job(seconds(afterSeconds))} from r where ${open}`
    },

    async pass(sql, ref) {
      await sql`select 1 from ${table} r where ${isRow(ref)} for no key update`
    },

    rescueStalled: sql =>
      rescue(sql, part`clock_timestamp() - ${seconds(STALLED_AFTER_SECONDS)}`, part`not ${hasFreeJob(task, key, part`r.id`)}`),
    rescueForgotten: (sql, noticed, also) =>
      rescue(sql, part`${noticed}::timestamptz`, part`not ${hasLivingJob(task, key, part`r.id`)} and ${also}`),

    lapse: (sql, processes) =>
      sql`
        update ${table} l set ${until} = clock_timestamp() - interval '1 millisecond'
         where (l.tenant_id, l.id) in (
           select r.tenant_id, r.id
             from ${table} r
            where ${open} and left(r.${token}::text, 18) = any (${processes}::text[]) and r.${until} > clock_timestamp()
              for no key update skip locked)`
        .execute()
        .then(({ count }) => count),
  }
}
