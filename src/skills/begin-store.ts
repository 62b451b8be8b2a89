// The statement by which calls begin: many of them share it.
import { LEASE_SECONDS } from '../limits/queue.ts'
import { SKILL_CALLS_OF_ONE, SKILL_CALLS_PER_TURN } from '../limits/skills.ts'
import { columns } from '../postgres/row-set.ts'
import { limitLockWaits, part, type Queryable } from '../postgres/sql.ts'
import { isHeld, outputOf } from './call-parts.ts'
import type { Ended, NewCall } from './call-store.ts'
import type { Code, Stage } from './codes.ts'

/** A call, and the token of the lease that it begins under. */
export interface Beginning {
  call: NewCall
  token: string
  /** The version of the app by which the call was judged; null: it begins whatever became of the app since. */
  version: string | null
}

export type Found =
  /** It is ours to make. `spared`: the app is, for now. */
  | { state: 'ours'; spared: boolean }
  /** The app is not as it was judged any more. */
  | { state: 'changed' }
  /** The budget of the turn is spent: how many calls of the app, and of the skill, were made. */
  | { state: 'exhausted'; ofSkill: number }
  /** Another process makes it at this moment. */
  | { state: 'elsewhere'; id: string }
  /** Its maker is gone. */
  | { state: 'left'; id: string }
  | { state: 'ended'; id: string; ended: Ended }

const CALL = columns({
  ...{ tenant: 'text', id: 'text', app: 'text', revision: 'integer', skill: 'text', purpose: 'text', occasion: 'text' },
  ...{ conversation: 'text', run: 'text', step: 'text', key: 'text', input: 'text', sealed: 'text', token: 'text', version: 'text' },
})

/** The calls `c` on the occasion of a call `r`. */
const ofOccasion = part`c.tenant_id = r.tenant and c.app = r.app and c.occasion = r.occasion`

/** The same call, asked before. */
const isKnown = part`(c.stage is distinct from 'input' and (r.purpose <> 'conversation' or c.key = r.key))`

/** Those of the occasion that were made, and whether this one was. */
const SPENT = part`
  select count(c.turn_number)::integer as calls, (count(c.turn_number) filter (where c.skill_id = r.skill))::integer as of_skill,
         coalesce(bool_or(${isKnown}), false) as is_known
    from skill_calls c
   where ${ofOccasion}`

const isAsJudged = part`(r.version is null or a.xmin::text = r.version)`

/**
 * Writes the rows of calls, unless there is one, the turn's budget is spent or the app has changed. Calls of one turn that are written at once have the same
 * number, so one of them is written and the others find nothing: they count again, and so the budget is exact. All processes write in the same order, or two
 * that have calls of the same turns could deadlock. Nearly all calls are written: why others are not is asked afterwards.
 * @param lockMs how long they wait for locks, unless as long as any statement
 * @returns in the order given; undefined: to be tried again
 */
export async function beginAll(sql: Queryable, all: Beginning[], lockMs?: number): Promise<(Found | undefined)[]> {
  const written = await sql<{ id: string; spared: boolean }[]>`
    insert into skill_calls as c (tenant_id, id, app, revision, skill_id, purpose, occasion, conversation_id, run_id, step_id, turn_number, key, input,
                                  sealed_input, lease_token, lease_until)
    select r.tenant, r.id, r.app, r.revision, r.skill, r.purpose, r.occasion, r.conversation, r.run, r.step, s.calls + 1, r.key, r.input, r.sealed,
           r.token::uuid, clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
      from ${lockMs === undefined ? part`` : part`(${limitLockWaits(lockMs)} offset 0) as limited cross join`} ${CALL.few(all.map(rowOf))}
     cross join lateral (select from apps a where a.tenant_id = r.tenant and a.id = r.app and ${isAsJudged} limit 1) a
     cross join lateral (${SPENT}) s
     where not s.is_known
       and (r.purpose <> 'conversation' or s.calls < ${SKILL_CALLS_PER_TURN}::integer and s.of_skill < ${SKILL_CALLS_OF_ONE}::integer)
     order by r.tenant, r.app, r.occasion, r.key
    on conflict do nothing
    returning c.id, exists (select from skill_breakers b where b.tenant_id = c.tenant_id and b.app = c.app and b.spared_until is not null) as spared`
  const ours = new Map(written.map(({ id, spared }) => [id, spared]))
  const others = all.filter(({ call }) => !ours.has(call.id))
  const known = others.length === 0 ? [] : await lookAt(sql, others)
  return all.map(({ call }) => {
    const spared = ours.get(call.id)
    return spared === undefined ? known.shift() : { state: 'ours', spared }
  })
}

interface Row {
  spared: boolean
  as_judged: boolean
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

/** Why they were not written. */
async function lookAt(sql: Queryable, all: Beginning[]): Promise<(Found | undefined)[]> {
  const rows = await sql<Row[]>`
    select coalesce(b.spared_until is not null, false) as spared, a.id is not null and ${isAsJudged} as as_judged, s.calls, s.of_skill,
           k.id, coalesce(k.is_held, false) as is_held, k.stage, k.code, k.error, k.output, k.truncated
      from ${CALL.numbered(all.map(rowOf))}
     cross join lateral (${SPENT}) s
      left join lateral (
        select c.id, ${isHeld} as is_held, c.stage, c.code, c.error, ${outputOf} as output, c.truncated
          from skill_calls c
         where ${ofOccasion} and ${isKnown}
         limit 1) k on true
      left join apps a on a.tenant_id = r.tenant and a.id = r.app
      left join skill_breakers b on b.tenant_id = r.tenant and b.app = r.app
     order by r.n`
  return rows.map((row, index) => found(row, (all[index] as Beginning).call))
}

const rowOf = ({ call, token, version }: Beginning) => {
  const { tenant, id, app, revision, skill, purpose, occasion, conversation, run, step, key, input, sealed } = call
  return { tenant, id, app, revision, skill, purpose, occasion, conversation, run, step, key, input, sealed, token, version }
}

function found({ as_judged, spared, calls, of_skill: ofSkill, id, is_held, stage, ...ended }: Row, call: NewCall): Found | undefined {
  // Written before, by a statement of ours whose answer was lost.
  if (id === call.id && is_held) return { state: 'ours', spared }
  if (!as_judged) return { state: 'changed' }
  if (id !== null && stage !== null) return { state: 'ended', id, ended: { ...ended, stage } }
  if (id !== null) return { state: is_held ? 'elsewhere' : 'left', id }
  const counts = call.purpose === 'conversation'
  return counts && (calls >= SKILL_CALLS_PER_TURN || ofSkill >= SKILL_CALLS_OF_ONE) ? { state: 'exhausted', ofSkill } : undefined
}
