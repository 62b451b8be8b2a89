// The breaker of an app: after calls in a row without an answer below 500 it is spared, and then one call finds out whether it answers again. Its row is
// there while there is something to tell, so calls of a healthy app write nothing here.
import { SKILL_BREAKER_CALLS, SKILL_PROBED_SECONDS, SKILL_SPARED_MAX_SECONDS, SKILL_SPARED_SECONDS } from '../limits/skills.ts'
import { iso } from '../postgres/page.ts'
import { type Fragment, part, type Queryable } from '../postgres/sql.ts'
import { isHeld } from './call-parts.ts'

/** What a call says of its app: it answered, it did not, or neither. */
export type Says = 'answers' | 'fails' | 'nothing'

/** The app has answered. */
export async function close(sql: Queryable, tenant: string, app: string): Promise<void> {
  await sql`delete from skill_breakers b where b.tenant_id = ${tenant} and b.app = ${app}`
}

/** A further part of the statement that ends a call, which has a part `ended`: tenant_id and app. The call fails. */
export function counted(call: string): Fragment {
  const opens = part`(coalesce(b.probe = ${call}, false) or b.failures + 1 >= ${SKILL_BREAKER_CALLS}::integer)`
  const seconds = part`least(${SKILL_SPARED_SECONDS}::integer * power(2, least(b.openings, 10)), ${SKILL_SPARED_MAX_SECONDS}::integer)`
  // While the app is spared, calls that began before say nothing new.
  return part`, counted as (
      insert into skill_breakers as b (tenant_id, app, failures)
      select e.tenant_id, e.app, 1 from ended e
      on conflict (tenant_id, app) do update
         set failures = b.failures + 1,
             openings = b.openings + ${opens}::integer,
             spared_until = case when ${opens} then clock_timestamp() + make_interval(secs => ${seconds}) else b.spared_until end,
             probe = null
       where b.spared_until is null or b.probe = ${call}
    )`
}

/**
 * Whether the call may go to an app that is spared: its time is over, and no other call finds out.
 * @returns undefined: it may; else when to ask again, ISO 8601
 */
export async function probe(sql: Queryable, tenant: string, app: string, call: string): Promise<string | undefined> {
  const taken = await sql`
    update skill_breakers b set probe = ${call}, probed_at = clock_timestamp()
     where b.tenant_id = ${tenant} and b.app = ${app} and b.spared_until <= clock_timestamp()
       and (b.probe is null
            or b.probed_at < clock_timestamp() - interval '2 seconds'
               and not exists (
                 select from skill_calls c
                  where c.tenant_id = ${tenant} and c.id = b.probe and c.stage is null and ${isHeld}))`
  if (taken.count > 0) return undefined
  const [row] = await sql<{ until: string }[]>`
    select ${iso(part`greatest(b.spared_until, clock_timestamp() + make_interval(secs => ${SKILL_PROBED_SECONDS}))`)} as until
      from skill_breakers b
     where b.tenant_id = ${tenant} and b.app = ${app} and b.spared_until is not null`
  return row?.until
}
