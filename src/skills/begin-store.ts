// The statement by which calls begin: many of them share it.
import { LEASE_SECONDS } from '../limits/queue.ts'
import { SKILL_CALLS_OF_ONE, SKILL_CALLS_PER_TURN } from '../limits/skills.ts'
import { columns } from '../postgres/row-set.ts'
import { limitLockWaits, part, type Queryable } from '../postgres/sql.ts'
import type { Ended, NewCall } from './call-store.ts'
import type { Code, Stage } from './codes.ts'

/** A call, and the token of the lease that it begins under. */
export interface Beginning {
  call: NewCall
  token: string
}

export type Found =
  /** It is ours to make. `spared`: the app is, for now. */
  | { state: 'ours'; spared: boolean }
  /** The budget of the turn is spent: how many calls of the app, and of the skill, were made. */
  | { state: 'exhausted'; ofSkill: number }
  /** Another process makes it at this moment. */
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

const CALL = columns({
  ...{ tenant: 'text', id: 'text', app: 'text', revision: 'integer', skill: 'text', purpose: 'text', occasion: 'text' },
  ...{ conversation: 'text', run: 'text', step: 'text', key: 'text', input: 'text', sealed: 'text', token: 'text' },
})

/**
 * Writes the rows of calls, unless there is one or the turn's budget is spent. Calls of one turn that are written at once have the same number, so one of
 * them is written and the others find nothing: they count again, and so the budget is exact. All processes write in the same order, or two that have calls
 * of the same turns could deadlock.
 * @param lockMs how long they wait for locks, unless as long as any statement
 * @returns in the order given; undefined: to be tried again
 */
export async function beginAll(sql: Queryable, all: Beginning[], lockMs?: number): Promise<(Found | undefined)[]> {
  const limited = lockMs === undefined ? part`` : part`, (${limitLockWaits(lockMs)}) as limited`
  const rows = await sql<Row[]>`
    with r as materialized (
      select r.*, r.purpose = 'conversation' as counts ${limited} from ${CALL.numbered(all.map(rowOf))}
    ), known as materialized (
      select r.n, k.*
        from r
       cross join lateral (
         select c.id, coalesce(c.lease_until > clock_timestamp(), false) as is_held, c.stage, c.code, c.error, c.output, c.truncated
           from skill_calls c
          where c.tenant_id = r.tenant and c.app = r.app and c.occasion = r.occasion and c.stage is distinct from 'input'
            and (not r.counts or c.key = r.key)
          limit 1
       ) k
    ), spent as materialized (
      select r.n, s.*
        from r
       cross join lateral (
         select count(*)::integer as calls, (count(*) filter (where c.skill_id = r.skill))::integer as of_skill
           from skill_calls c
          where c.tenant_id = r.tenant and c.app = r.app and c.occasion = r.occasion and c.turn_number is not null
       ) s
    ), written as (
      insert into skill_calls (tenant_id, id, app, revision, skill_id, purpose, occasion, conversation_id, run_id, step_id, turn_number, key, input, sealed_input,
                               lease_token, lease_until)
      select r.tenant, r.id, r.app, r.revision, r.skill, r.purpose, r.occasion, r.conversation, r.run, r.step, case when r.counts then s.calls + 1 end,
             r.key, r.input, r.sealed, r.token::uuid, clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
        from r
        join spent s on s.n = r.n
       where r.n not in (select k.n from known k)
         and (not r.counts or s.calls < ${SKILL_CALLS_PER_TURN}::integer and s.of_skill < ${SKILL_CALLS_OF_ONE}::integer)
       order by r.tenant, r.app, r.occasion, r.key
      on conflict do nothing
      returning tenant_id, id
    )
    select w.id as ours, coalesce(b.spared_until is not null, false) as spared, s.calls, s.of_skill,
           k.id, coalesce(k.is_held, false) as is_held, k.stage, k.code, k.error, k.output, k.truncated
      from r
      join spent s on s.n = r.n
      left join known k on k.n = r.n
      left join written w on w.tenant_id = r.tenant and w.id = r.id
      left join skill_breakers b on b.tenant_id = r.tenant and b.app = r.app
     order by r.n`
  return rows.map((row, index) => found(row, (all[index] as Beginning).call))
}

const rowOf = ({ call, token }: Beginning) => {
  const { tenant, id, app, revision, skill, purpose, occasion, conversation, run, step, key, input, sealed } = call
  return { tenant, id, app, revision, skill, purpose, occasion, conversation, run, step, key, input, sealed, token }
}

function found({ ours, spared, calls, of_skill: ofSkill, id, is_held, stage, ...ended }: Row, call: NewCall): Found | undefined {
  const counts = call.purpose === 'conversation'
  // Written before, by a statement of ours whose answer was lost.
  if (ours !== null || (id === call.id && is_held)) return { state: 'ours', spared }
  if (id !== null && stage !== null) return { state: 'ended', id, ended: { ...ended, stage } }
  if (id !== null) return { state: is_held ? 'elsewhere' : 'left', id }
  return counts && (calls >= SKILL_CALLS_PER_TURN || ofSkill >= SKILL_CALLS_OF_ONE) ? { state: 'exhausted', ofSkill } : undefined
}
