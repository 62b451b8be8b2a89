// Every statement of a call under way but its first: taken over, renewed, ended.
import { isActivePart } from '../apps/parts.ts'
import { RESPONSE_LOG_BYTES } from '../limits/outbound.ts'
import { LEASE_SECONDS } from '../limits/queue.ts'
import { columns } from '../postgres/row-set.ts'
import { type Fragment, limitLockWaits, part, type Queryable } from '../postgres/sql.ts'
import type { FieldError } from '../problems.ts'
import type { AnswerLog, AttemptLog } from './attempt.ts'
import * as breaker from './breaker-store.ts'
import { isHeld, outputOf } from './call-parts.ts'
import type { Code, Stage } from './codes.ts'
import type { Occasion } from './occasion.ts'

/** A call that is to be made. */
export interface NewCall extends Occasion {
  tenant: string
  id: string
  /** `app_…` */
  app: string
  revision: number
  skill: string
  key: string
  /** The body as the log shows it. */
  input: string
  /** The true body, encrypted, where that is another. */
  sealed: string | null
}

const extended = part`clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})`

/** What is known of a call that has begun, perhaps elsewhere. */
export interface Begun {
  id: string
  key: string
  input: string
  sealed: string | null
  /** Those that were answered. */
  attempts: AttemptLog[]
  /** Its app can have got a request of it. */
  asked: boolean
}

/** What a call came to. */
export interface Ended {
  stage: Stage
  code: Code | null
  error: string | null
  /** JSON. */
  output: string | null
  truncated: boolean
}

/** Takes over a call whose maker is gone. @returns undefined: another was first, or it has ended */
export async function takeOver(
  sql: Queryable,
  tenant: string,
  id: string,
  token: string,
): Promise<(Begun & { spared: boolean }) | undefined> {
  const [row] = await sql<(Begun & { spared: boolean })[]>`
    with taken as (
      update skill_calls c set lease_token = ${token}::uuid, lease_until = ${extended}
       where c.tenant_id = ${tenant} and c.id = ${id} and c.stage is null and (c.lease_until is null or not ${isHeld})
      returning c.id, c.app, c.key, c.input, c.sealed_input as sealed, c.attempts,
                old.lease_until is not null or jsonb_array_length(c.attempts) > 0 as asked
    )
    select t.*, coalesce(b.spared_until is not null, false) as spared
      from taken t
      left join skill_breakers b on b.tenant_id = ${tenant} and b.app = t.app`
  return row
}

/** What became of a call that is made elsewhere. @returns undefined: it is under way */
export async function outcomeOf(sql: Queryable, tenant: string, id: string): Promise<Ended | 'left' | undefined> {
  const [row] = await sql<(Omit<Ended, 'stage'> & { stage: Stage | null; is_held: boolean })[]>`
    select c.stage, c.code, c.error, ${outputOf} as output, c.truncated, coalesce(${isHeld}, false) as is_held
      from skill_calls c
     where c.tenant_id = ${tenant} and c.id = ${id}`
  if (!row) return 'left'
  const { stage, is_held, ...ended } = row
  if (stage !== null) return { ...ended, stage }
  return is_held ? undefined : 'left'
}

/** @returns whether the lease is still ours */
export async function renew(sql: Queryable, tenant: string, id: string, token: string): Promise<boolean> {
  const { count } = await sql`
    update skill_calls c set lease_until = ${extended}
     where c.tenant_id = ${tenant} and c.id = ${id} and c.lease_token = ${token}::uuid and c.stage is null`
  return count > 0
}

/**
 * Whether the second attempt begins. 'refused': the app is disabled, uninstalled or lacks a setting by now, and is not asked again. 'lost': another process has the
 * call.
 */
export type Again = 'granted' | 'refused' | 'lost'

/** The second attempt begins: what becomes of the call from here on knows of the first. */
export async function beginAgain(sql: Queryable, tenant: string, id: string, token: string, attempts: AttemptLog[]): Promise<Again> {
  const [row] = await sql<{ is_active: boolean }[]>`
    update skill_calls c set attempts = ${JSON.stringify(attempts)}::text::jsonb, lease_until = ${extended}
     where c.tenant_id = ${tenant} and c.id = ${id} and c.lease_token = ${token}::uuid and c.stage is null
    returning ${isActivePart(part`c.tenant_id`, part`c.app`)} as is_active`
  if (!row) return 'lost'
  return row.is_active ? 'granted' : 'refused'
}

/** The call is made no further here: the next that asks makes it. @param asked its app can have got a request of it, as where a maker died */
export async function giveBack(sql: Queryable, tenant: string, id: string, token: string, asked: boolean): Promise<void> {
  await sql`
    update skill_calls c set lease_token = null, lease_until = case when ${asked}::boolean then clock_timestamp() end
     where c.tenant_id = ${tenant} and c.id = ${id} and c.lease_token = ${token}::uuid and c.stage is null`
}

export interface Result extends Ended {
  tenant: string
  id: string
  app: string
  token: string
  attempts: AttemptLog[]
  errors: FieldError[]
  request: { url: string; headers: Record<string, string> } | null
  response: AnswerLog | null
  durationMs: number
  /** What it says of the app's health. */
  says: breaker.Says
}

/** 'lost': another process has the call by now. 'heals': it is kept, and its app answers, which has failed before. */
export type Kept = 'kept' | 'heals' | 'lost'

const RESULT = columns({
  ...{
    tenant: 'text',
    id: 'text',
    app: 'text',
    token: 'text',
    stage: 'text',
    code: 'text',
    error: 'text',
    output: 'json',
    truncated: 'boolean',
  },
  ...{ attempts: 'jsonb', errors: 'jsonb', request: 'jsonb', response: 'jsonb', duration_ms: 'integer', says: 'text' },
})

/** Whether the call `c` is still held by the lease of its result `r`. */
const isOurs = part`c.tenant_id = r.tenant and c.id = r.id and c.lease_token = r.token::uuid and c.stage is null`

/** Each by its key: a plan that was made while there were few calls must not read all that there are, once they are many. */
const placesOf = (given: Fragment): Fragment => part`
  select r.*, k.place
    from ${given}
   cross join lateral (select c.ctid as place from skill_calls c where ${isOurs} limit 1 for no key update) k`

const isLong = (output: string | null): boolean => output !== null && output.length > RESPONSE_LOG_BYTES

const KEEP_LONG = part`, long as (
      insert into skill_outputs (tenant_id, call_id, output)
      select e.tenant_id, e.id, e.output from ended e where length(e.output) > ${RESPONSE_LOG_BYTES}::integer
    )`

/**
 * Writes what calls came to, and what that says of their apps.
 * @param results none of an app that fails, or that one alone
 * @param lockMs how long it waits for locks, unless as long as any statement
 * @returns of each, in the order given
 */
export async function endAll(sql: Queryable, results: Result[], lockMs?: number): Promise<Kept[]> {
  const [{ id, says }] = results as [Result]
  const given = part`${lockMs === undefined ? part`` : part`(${limitLockWaits(lockMs)} offset 0) as limited cross join`} ${RESULT.few(results.map(rowOf))}`
  const isLone = results.length === 1
  const rows = await sql<{ n: number | string; heals: boolean }[]>`
    with ${isLone ? part`` : part`mine as (${placesOf(given)}), `}ended as (
      update skill_calls c
         set stage = r.stage, code = r.code, error = r.error, output = case when length(r.output) <= ${RESPONSE_LOG_BYTES}::integer then r.output end,
             truncated = r.truncated, attempts = r.attempts, errors = r.errors, request = r.request, response = r.response, duration_ms = r.duration_ms,
             ended_at = clock_timestamp(), lease_token = null, lease_until = null
        from ${isLone ? given : part`mine r`}
       where ${isLone ? isOurs : part`c.ctid = r.place`}
      returning c.tenant_id, c.id, c.app, r.n, r.says, r.output
    )${results.some(each => isLong(each.output)) ? KEEP_LONG : part``}${says === 'fails' ? breaker.counted(id) : part``}
    select e.n, e.says = 'answers' and exists (select from skill_breakers b where b.tenant_id = e.tenant_id and b.app = e.app) as heals from ended e`
  const written = new Map(rows.map(({ n, heals }) => [Number(n), heals]))
  return results.map((_, index) => {
    const heals = written.get(index + 1)
    return heals === undefined ? 'lost' : heals ? 'heals' : 'kept'
  })
}

const rowOf = ({ durationMs, attempts, errors, request, response, ...result }: Result) => ({
  ...result,
  duration_ms: durationMs,
  ...{ attempts: JSON.stringify(attempts), errors: JSON.stringify(errors) },
  ...{ request: request && JSON.stringify(request), response: response && JSON.stringify(response) },
})

/** Writes a call that was refused before it was begun. */
export async function refuse(sql: Queryable, call: NewCall, code: Code, error: string, errors: FieldError[]): Promise<void> {
  const { tenant, id, app, revision, skill, purpose, occasion, conversation, run, step, key, input } = call
  await sql`
    insert into skill_calls (tenant_id, id, app, revision, skill_id, purpose, occasion, conversation_id, run_id, step_id, key, input,
                             ended_at, duration_ms, stage, code, error, errors)
    values (${tenant}, ${id}, ${app}, ${revision}::integer, ${skill}, ${purpose}, ${occasion}, ${conversation}, ${run}, ${step}, ${key}, ${input},
            clock_timestamp(), 0, 'input', ${code}, ${error}, ${JSON.stringify(errors)}::text::jsonb)`
}

/** How long a process stays known as gone: longer than a lease that it took last can last. */
const GONE_SECONDS = 4 * LEASE_SECONDS

/** Ends the leases of dead processes. @param processes what their tokens open with @returns how many leases ended that are known of: none */
export function lapse(sql: Queryable, processes: string[] | Fragment): Promise<number> {
  return sql`
    with old as (
      delete from skill_callers_gone g
       where g.gone_at < clock_timestamp() - make_interval(secs => ${GONE_SECONDS}) and g.process <> all (${processes}::text[])
    )
    insert into skill_callers_gone (process)
    select p from unnest(${processes}::text[]) as p
    on conflict (process) do update set gone_at = excluded.gone_at`
    .execute()
    .then(() => 0)
}
