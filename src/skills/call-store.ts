// Every statement of a call under way: begun, taken over, renewed, ended.
import { LEASE_SECONDS } from '../limits/queue.ts'
import { SKILL_CALLS_OF_ONE, SKILL_CALLS_PER_TURN } from '../limits/skills.ts'
import { part, type Queryable } from '../postgres/sql.ts'
import type { FieldError } from '../problems.ts'
import type { AnswerLog, AttemptLog } from './attempt.ts'
import * as breaker from './breaker-store.ts'
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

/** What is known of a call that has begun, perhaps elsewhere. */
export interface Begun {
  id: string
  key: string
  input: string
  sealed: string | null
  /** Those that were answered. */
  attempts: AttemptLog[]
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

export type Found =
  /** It is ours to make. `spared`: the app is, for now. */
  | { state: 'ours'; spared: boolean }
  /** The budget of the turn is spent: how many calls of the app, and of the skill, were made. */
  | { state: 'exhausted'; ofSkill: number }
  /** Somebody makes it at this moment. */
  | { state: 'elsewhere'; id: string }
  /** Its maker is gone. */
  | { state: 'left'; id: string }
  | { state: 'ended'; id: string; ended: Ended }

interface Row {
  ours: string | null
  spared: boolean
  calls: number
  of_skill: number
  id: string | null
  is_held: boolean
  stage: Stage | null
  code: Code | null
  error: string | null
  output: string | null
  truncated: boolean
}

const extended = part`clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})`

/**
 * Writes the call's row, unless there is one or the turn's budget is spent. Calls of one turn that are written at once have the same number, so one of them is
 * written and the others find nothing: they count again, and so the budget is exact.
 * @returns undefined: to be tried again
 */
export async function begin(sql: Queryable, call: NewCall, token: string): Promise<Found | undefined> {
  const { tenant, id, app, revision, skill, purpose, occasion, conversation, run, step, key, input, sealed } = call
  const counts = purpose === 'conversation'
  const [row] = await sql<Row[]>`
    with known as materialized (
      select c.*
        from skill_calls c
       where c.tenant_id = ${tenant} and c.app = ${app} and c.occasion = ${occasion} and c.stage is distinct from 'input'
         and ${counts ? part`c.key = ${key}` : part`true`}
       limit 1
    ), spent as (
      select count(*)::integer as calls, (count(*) filter (where c.skill_id = ${skill}))::integer as of_skill
        from skill_calls c
       where c.tenant_id = ${tenant} and c.app = ${app} and c.occasion = ${occasion} and c.turn_number is not null
    ), written as (
      insert into skill_calls (tenant_id, id, app, revision, skill_id, purpose, occasion, conversation_id, run_id, step_id, turn_number, key, input, sealed_input,
                               lease_token, lease_until)
      select ${tenant}, ${id}, ${app}, ${revision}::integer, ${skill}, ${purpose}, ${occasion}, ${conversation}, ${run}, ${step},
             ${counts ? part`s.calls + 1` : part`null`}, ${key}, ${input}, ${sealed}, ${token}::uuid, ${extended}
        from spent s
       where not exists (select from known)
         ${counts ? part`and s.calls < ${SKILL_CALLS_PER_TURN}::integer and s.of_skill < ${SKILL_CALLS_OF_ONE}::integer` : part``}
      on conflict do nothing
      returning id
    )
    select w.id as ours, coalesce(b.spared_until is not null, false) as spared, s.calls, s.of_skill,
           k.id, coalesce(k.lease_until > clock_timestamp(), false) as is_held, k.stage, k.code, k.error, k.output, k.truncated
      from spent s
      left join written w on true
      left join known k on true
      left join skill_breakers b on b.tenant_id = ${tenant} and b.app = ${app}`
  return row && found(row, counts)
}

function found({ ours, spared, calls, of_skill: ofSkill, id, is_held, stage, ...ended }: Row, counts: boolean): Found | undefined {
  if (ours !== null) return { state: 'ours', spared }
  if (id !== null && stage !== null) return { state: 'ended', id, ended: { ...ended, stage } }
  if (id !== null) return { state: is_held ? 'elsewhere' : 'left', id }
  return counts && (calls >= SKILL_CALLS_PER_TURN || ofSkill >= SKILL_CALLS_OF_ONE) ? { state: 'exhausted', ofSkill } : undefined
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
       where c.tenant_id = ${tenant} and c.id = ${id} and c.stage is null and (c.lease_until is null or c.lease_until <= clock_timestamp())
      returning c.id, c.app, c.key, c.input, c.sealed_input as sealed, c.attempts
    )
    select t.*, coalesce(b.spared_until is not null, false) as spared
      from taken t
      left join skill_breakers b on b.tenant_id = ${tenant} and b.app = t.app`
  return row
}

/** What became of a call that is made elsewhere. @returns undefined: it is under way */
export async function outcomeOf(sql: Queryable, tenant: string, id: string): Promise<Ended | 'left' | undefined> {
  const [row] = await sql<(Omit<Ended, 'stage'> & { stage: Stage | null; is_held: boolean })[]>`
    select c.stage, c.code, c.error, c.output, c.truncated, coalesce(c.lease_until > clock_timestamp(), false) as is_held
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

/** The second attempt begins: what becomes of the call from here on knows of the first. @returns whether the lease is still ours */
export async function beginAgain(sql: Queryable, tenant: string, id: string, token: string, attempts: AttemptLog[]): Promise<boolean> {
  const { count } = await sql`
    update skill_calls c set attempts = ${JSON.stringify(attempts)}::text::jsonb, lease_until = ${extended}
     where c.tenant_id = ${tenant} and c.id = ${id} and c.lease_token = ${token}::uuid and c.stage is null`
  return count > 0
}

/** The call is not made now: whoever asks next makes it. */
export async function giveBack(sql: Queryable, tenant: string, id: string, token: string): Promise<void> {
  await sql`
    update skill_calls c set lease_token = null, lease_until = null
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

/** Writes what the call came to, and what that says of the app, in one statement. @returns false: another process has the call by now */
export async function end(sql: Queryable, result: Result): Promise<boolean> {
  const { tenant, id, app, token, stage, code, error, output, truncated, attempts, errors, request, response, durationMs, says } = result
  const rows = await sql`
    with ended as (
      update skill_calls c
         set stage = ${stage}, code = ${code}, error = ${error}, output = ${output}, truncated = ${Number(truncated)}::integer::boolean,
             attempts = ${JSON.stringify(attempts)}::text::jsonb, errors = ${JSON.stringify(errors)}::text::jsonb,
             request = ${request && JSON.stringify(request)}::text::jsonb, response = ${response && JSON.stringify(response)}::text::jsonb,
             duration_ms = ${durationMs}::integer, ended_at = clock_timestamp(), lease_token = null, lease_until = null
       where c.tenant_id = ${tenant} and c.id = ${id} and c.lease_token = ${token}::uuid and c.stage is null
      returning c.id
    )${breaker.told(says, tenant, app, id)}
    select id from ended`
  return rows.length > 0
}

/** Writes a call that was refused before it was begun. */
export async function refuse(sql: Queryable, call: NewCall, code: Code, error: string, errors: FieldError[]): Promise<void> {
  const { tenant, id, app, revision, skill, purpose, occasion, conversation, run, step, key, input } = call
  await sql`
    insert into skill_calls (tenant_id, id, app, revision, skill_id, purpose, occasion, conversation_id, run_id, step_id, key, input,
                             ended_at, duration_ms, stage, code, error, errors)
    values (${tenant}, ${id}, ${app}, ${revision}::integer, ${skill}, ${purpose}, ${occasion}, ${conversation}, ${run}, ${step}, ${key}, ${input},
            clock_timestamp(), 0, 'input', ${code}, ${error}, ${JSON.stringify(errors)}::text::jsonb)`
}

/** Ends the leases of dead processes. @param processes what their tokens open with @returns how many leases ended */
export async function lapse(sql: Queryable, processes: string[]): Promise<number> {
  const { count } = await sql`
    update skill_calls l set lease_until = clock_timestamp() - interval '1 millisecond'
     where (l.tenant_id, l.id) in (
       select c.tenant_id, c.id
         from skill_calls c
        where c.stage is null and left(c.lease_token::text, 18) = any (${processes}::text[]) and c.lease_until > clock_timestamp()
          for no key update skip locked)`
  return count
}
