// How long runs of an app stood still while workers were killed and PostgreSQL was restarted, beyond the causes: read from the log of runs.
import type { Sql } from '../../src/postgres/sql.ts'
import { HELD_MS } from './points-app.ts'
import { type Finding, quantile } from './verdict.ts'

/** From when until when, in milliseconds since 1970. */
export type Period = [from: number, to: number]

export interface Causes {
  /** From a fault until its cause was over. */
  faults: Period[]
  /** When no worker ran: on a busy machine a new one takes longer to start than it is until the next kill. */
  unserved: Period[]
  /** When the waits of runs were over, by their ids. */
  waited: Map<string, number>
}

interface Span {
  from: number
  to: number
  where: string
  /** The run takes its turn: others of its app may go on before it. */
  inTurn: boolean
}

interface Still {
  ms: number
  where: string
}

/**
 * A run that has begun is the first of its app to go on, and so is an event that is to be matched: no piece of such a span may be long. Runs that begin, and those
 * whose wait is over, take their turns, eight at once: of their spans only what passes between two steps of any of the app's runs counts.
 */
export async function stillness(sql: Sql, tenant: string, stillMs: number, { faults, unserved, waited }: Causes): Promise<Finding[]> {
  const [spans, steps] = [await spansOf(sql, tenant, waited), await momentsOf(sql, tenant)]
  const still = spans.map(({ inTurn, where, ...span }) => {
    const pieces = without([span.from, span.to], [...faults, ...unserved]).flatMap(piece => (inTurn ? cutAt(piece, steps) : [piece]))
    return { inTurn, where, ms: Math.max(0, ...pieces.map(([from, to]) => to - from)) }
  })
  const found = (promise: string, some: Still[]): Finding => {
    const longest = some.reduce((most, each) => (each.ms > most.ms ? each : most), { ms: 0, where: 'anywhere' })
    const most = quantile(
      some.map(({ ms }) => ms),
      0.99,
    )
    return {
      promise: `${promise} for more than ${stillMs / 1000} s beyond the cause`,
      figure: `${(longest.ms / 1000).toFixed(1)} s at most, ${longest.where}; ${(most / 1000).toFixed(1)} s in 99 of 100`,
      holds: longest.ms <= stillMs,
    }
  }
  return [
    found(
      'no event and no run that had begun stood still',
      still.filter(({ inTurn }) => !inTurn),
    ),
    found(
      'no run waited for its turn while no other went on',
      still.filter(({ inTurn }) => inTurn),
    ),
  ]
}

async function spansOf(sql: Sql, tenant: string, waited: Causes['waited']): Promise<Span[]> {
  const rows = await sql<{ run: string; from: Date; to: Date; where: string; place: number }[]>`
    select r.id as run, e.created_at as from, r.created_at as to, 'to be matched' as where, -1 as place
      from flow_runs r join events e on e.tenant_id = r.tenant_id and e.id = r.event_id
     where r.tenant_id = ${tenant}
     union all
    select s.run_id, lag(s.ended_at, 1, r.created_at) over (partition by r.id order by s.place), s.started_at, 'before ' || s.step_id, s.place
      from flow_runs r join flow_steps s on s.tenant_id = r.tenant_id and s.run_id = r.id
     where r.tenant_id = ${tenant}
     union all
    select s.run_id, s.started_at, s.ended_at - make_interval(secs => ${(2 * HELD_MS) / 1000}::float8), 'in ' || s.step_id, s.place
      from flow_steps s where s.tenant_id = ${tenant} and s.step_id = 'award' and s.ended_at is not null`
  return rows.map(({ run, from, to, where, place }) => {
    const until = where === AFTER_WAIT ? waited.get(run) : undefined
    return { from: until ?? from.getTime(), to: to.getTime(), where, inTurn: place === 0 || until !== undefined }
  })
}

const AFTER_WAIT = 'before tag'

/** When any step of the workspace's runs began or ended, in order. */
async function momentsOf(sql: Sql, tenant: string): Promise<number[]> {
  const rows = await sql<{ at: Date }[]>`
    select u.at from flow_steps s, lateral (values (s.started_at), (s.ended_at)) as u (at)
     where s.tenant_id = ${tenant} and u.at <= now() order by 1`
  return rows.map(({ at }) => at.getTime())
}

/** What is left of a period. */
export function without(period: Period, taken: Period[]): Period[] {
  let left = [period]
  for (const [from, to] of taken)
    left = left.flatMap(([began, ended]): Period[] =>
      to <= began || from >= ended
        ? [[began, ended]]
        : [
            [began, Math.max(began, from)],
            [Math.min(ended, to), ended],
          ],
    )
  return left.filter(([from, to]) => to > from)
}

/** @param moments in order */
export function cutAt([from, to]: Period, moments: number[]): Period[] {
  const inside = moments.filter(at => at > from && at < to)
  return [from, ...inside].map((at, n) => [at, inside[n] ?? to])
}
