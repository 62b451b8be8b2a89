// Statements that take the leases of endpoints together with what is due, and that look at those which were not taken.
import { LEASE_SECONDS } from '../../limits/queue.ts'
import { SMALL_BODY_BYTES } from '../../limits/webhooks.ts'
import { LOCKED, type Locked } from '../../postgres/past-lock.ts'
import { type Fragment, part, type Queryable } from '../../postgres/sql.ts'
import { byDue, CLAIM_COLUMNS, type Claimed, FIRST_ASK, type Found, smallBytes, type TellOfDropped, withoutLost } from './claim-store.ts'
import { type AskingSlice, columns } from './lease-store.ts'
import type { TargetRow } from './target.ts'

export interface Lease extends TargetRow {
  max_parallel: number
  version: number
  /** Changes when the endpoint is enabled anew or moves: earlier requests then say nothing about its health. */
  slate: number
  failures: number
  failing_since: Date | null
  failure_known_at: Date | null
  silent_until: Date | null
  max_per_minute: number | null
  paced_until: Date | null
  last_success_at: Date | null
  /** How many workers in a row died while they held its lease. */
  deaths: number
  /** The token of the lease before, if it lapsed instead of being released. */
  lapsed: string | null
}

/** The lease, and what is due of a healthy endpoint. Undefined for an endpoint that failed last: its claims depend on what was tried. */
export interface Taken {
  lease: Lease
  found: Claimed[] | undefined
}

/**
 * Takes the leases of endpoints. Undefined: it was not taken, and `unmarkAll` says more. A slice leaves an endpoint alone that has another job than
 * its own: that job serves it, and would lie beside the next one that this slice queues at its end. What is due is claimed by a function, which sees what
 * the holder before recorded until this statement had the locks.
 */
export async function takeAll(sql: Queryable, slices: AskingSlice[], tell?: TellOfDropped): Promise<(Taken | undefined)[]> {
  const rows = slices.length === 1 ? await takeOne(sql, slices[0] as AskingSlice) : await takeMany(sql, slices)
  const taken: (Taken | undefined)[] = slices.map(() => undefined)
  const found: Found[][] = slices.map(() => [])
  for (const row of rows) {
    const index = (row[0] as number) - 1
    taken[index] ??= withoutClaims(named(LEASE_COLUMNS, row, 1))
    const claimed = named<Found>(CLAIM_COLUMNS, row, 1 + LEASE_COLUMNS.length)
    if (claimed.event_id !== null) found[index]?.push(claimed)
  }
  const claimed = await withoutLost(sql, slices, found, tell)
  taken.forEach((each, index) => {
    if (each?.found) each.found = (claimed[index] as Claimed[]).sort(byDue)
  })
  return taken
}

const LEASE_COLUMNS: (keyof Lease)[] = [
  'url',
  'secret',
  'previous_secret',
  'headers',
  'max_per_minute',
  'paced_until',
  'max_parallel',
  'version',
  'slate',
  'failures',
  'failing_since',
  'failure_known_at',
  'silent_until',
  'last_success_at',
  'deaths',
  'lapsed',
]

/**
 * The place of a slice, the columns of its lease, and those of one of its claims: of several, each has the lease too. Both statements select by these
 * names, so that a value is read under the name that it was selected by, in whatever order a table or a function has its columns.
 */
type TakenRow = unknown[]

const selected = (lease: string, claim: string): Fragment =>
  part.unsafe([...LEASE_COLUMNS.map(name => `${lease}.${name}`), ...CLAIM_COLUMNS.map(name => `${claim}.${name}`)].join(', '))

const columnsOfOne = selected('t', 't')
const columnsOfMany = selected('t', 'c')

// Takes one lease by webhook_take, whose statements are short: see sql/0064_marks_of_jobs.sql.
const takeOne = (sql: Queryable, { tenant, id, token, markedBy }: AskingSlice): PromiseLike<TakenRow[]> =>
  sql`
    select 1, ${columnsOfOne}
      from webhook_take(${tenant}, ${id}, ${token}::uuid, ${LEASE_SECONDS}, ${FIRST_ASK}, ${SMALL_BODY_BYTES}, ${smallBytes(FIRST_ASK)},
                        to_timestamp(${markedBy}::float8 / 1000)) t`.values()

// Rows come as lists: an object of twenty columns is a hash table to V8, which weighs 3 KB.
function takeMany(sql: Queryable, slices: AskingSlice[]): PromiseLike<TakenRow[]> {
  const { tenants, ids, tokens } = columns(slices)
  return sql`
    with asked as materialized (
      select *
        from unnest(${tenants}::text[], ${ids}::text[], ${tokens}::uuid[], ${marks(slices)}::float8[]) with ordinality
          as a (tenant_id, id, token, marked_by, n)
    ), locked as materialized (
      select e.tenant_id, e.id
        from webhook_endpoints e
       where (e.tenant_id, e.id) in (select a.tenant_id, a.id from asked a)
       order by e.tenant_id, e.id
         for no key update skip locked
    ), taken as (
      update webhook_endpoints e
         set lease_token = a.token, lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}), queued_at = null
        from (select distinct on (a.tenant_id, a.id) a.* from asked a join locked l on l.tenant_id = a.tenant_id and l.id = a.id) a
       where e.tenant_id = a.tenant_id and e.id = a.id and e.status = 'enabled'
         and (e.lease_until is null or e.lease_until < clock_timestamp())
         and (e.silent_until is null or e.silent_until <= clock_timestamp())
         and ${isLeftTo}
      returning a.n, e.tenant_id, e.id, e.url, e.secret,
                case when e.previous_secret_until > clock_timestamp() then e.previous_secret end as previous_secret, e.headers,
                e.max_per_minute, e.paced_until, e.max_parallel, e.version, e.slate, e.failures, e.failing_since, e.failure_known_at, e.silent_until,
                e.last_success_at, e.deaths, old.lease_token as lapsed
    ), healthy as (
      select array_agg(t.n) as places, array_agg(t.tenant_id) as tenants, array_agg(t.id) as ids from taken t where t.failures = 0
    )
    select t.n, ${columnsOfMany}
      from taken t
      left join (
        select h.places[c.place] as n, c.* from healthy h, webhook_claim(h.tenants, h.ids, ${FIRST_ASK}, ${SMALL_BODY_BYTES}, ${smallBytes(FIRST_ASK)}) c
      ) c on c.n = t.n`.values()
}

/**
 * Marks endpoints that were not taken as queued no longer, where they are paused or silent and the slice's own job is used up: resuming them, or the sweep when
 * their silence is over, can then wake them at once. A statement of its own, so that an error keeps no lease that was taken beside.
 * @returns LOCKED for those that a lock keeps from being taken, or from being marked; undefined: another worker holds the lease, or nothing may be sent now
 */
export async function unmarkAll(sql: Queryable, slices: AskingSlice[]): Promise<(Locked | undefined)[]> {
  const rows = await sql<{ n: number }[]>`
    with seen as materialized (
      select a.n::integer, e.tenant_id, e.id, ${isOwn} as marked, ${open} as open,
             (e.lease_until is null or e.lease_until < clock_timestamp()) and ${isLeftTo} as free
        from ${marked(slices)}
        join webhook_endpoints e on e.tenant_id = a.tenant_id and e.id = a.id
    ), locked as materialized (
      select e.tenant_id, e.id
        from webhook_endpoints e
       where (e.tenant_id, e.id) in (select s.tenant_id, s.id from seen s where s.marked and not s.open)
       order by e.tenant_id, e.id
         for no key update skip locked
    ), spent as (
      update webhook_endpoints e
         set queued_at = null
        from locked l
       where e.tenant_id = l.tenant_id and e.id = l.id and not ${open}
      returning e.tenant_id, e.id
    )
    select s.n
      from seen s
     where case when s.open then s.free
                else s.marked and not exists (select from spent p where p.tenant_id = s.tenant_id and p.id = s.id) end`
  return lockedOf(slices, rows)
}

/**
 * For slices whose taking failed: their jobs have ended, so endpoints whose marks are theirs are queued no longer, unless they have a lease.
 * @returns LOCKED: the statement that was to take the lease may be running still, and take it
 */
export async function withdrawAll(sql: Queryable, slices: AskingSlice[]): Promise<(Locked | undefined)[]> {
  const rows = await sql<{ n: number }[]>`
    with asked as materialized (
      select a.* from ${marked(slices)}
    ), free as materialized (
      select e.tenant_id, e.id
        from webhook_endpoints e
       where (e.tenant_id, e.id) in (select a.tenant_id, a.id from asked a)
       order by e.tenant_id, e.id
         for no key update skip locked
    ), spent as (
      update webhook_endpoints e
         set queued_at = null
        from asked a
        join free f on f.tenant_id = a.tenant_id and f.id = a.id
       where e.tenant_id = f.tenant_id and e.id = f.id and ${isOwn} and (e.lease_until is null or e.lease_until < clock_timestamp())
    )
    select a.n::integer
      from asked a
      join webhook_endpoints e on e.tenant_id = a.tenant_id and e.id = a.id
     where not exists (select from free f where f.tenant_id = a.tenant_id and f.id = a.id)`
  return lockedOf(slices, rows)
}

function lockedOf(slices: AskingSlice[], rows: { n: number }[]): (Locked | undefined)[] {
  const locked = new Set(rows.map(row => row.n))
  return slices.map((_, index) => (locked.has(index + 1) ? LOCKED : undefined))
}

/** The slices as a table `a`, each with the latest mark that is its own job's. */
function marked(slices: AskingSlice[]): Fragment {
  const { tenants, ids } = columns(slices)
  return part`unnest(${tenants}::text[], ${ids}::text[], ${marks(slices)}::float8[]) with ordinality as a (tenant_id, id, marked_by, n)`
}

const marks = (slices: AskingSlice[]): (number | null)[] => slices.map(each => each.markedBy)

/** A condition: the mark is that of the slice's own job. */
const isOwn = part`coalesce(e.queued_at <= to_timestamp(a.marked_by / 1000), false)`

/** A condition: no job of the endpoint is to serve it before. One that was lost is found by the sweep. See also webhook_take. */
const isLeftTo = part`(e.queued_at is null or ${isOwn})`

const open = part`(e.status = 'enabled' and (e.silent_until is null or e.silent_until <= clock_timestamp()))`

const withoutClaims = (lease: Lease): Taken => ({ lease, found: lease.failures === 0 ? [] : undefined })

function named<Row>(names: (keyof Row)[], values: unknown[], from: number): Row {
  const row = {} as Row
  names.forEach((name, i) => {
    row[name] = values[from + i] as Row[keyof Row]
  })
  return row
}
