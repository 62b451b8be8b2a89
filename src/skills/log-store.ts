// Every statement of the log of calls, as people and programs read it.
import { isOverPart } from '../flows/parts.ts'
import { type Filter, listPage, timeFilters } from '../postgres/list-page.ts'
import { iso, object, type Page, type PageRequest, type Sort, type TimeFilters } from '../postgres/page.ts'
import { arrayText } from '../postgres/row-set.ts'
import { type Fragment, part, type Queryable } from '../postgres/sql.ts'
import { isHeld } from './call-parts.ts'

export interface CallFilters extends TimeFilters {
  skill_id?: string
  purpose?: string[]
  stage?: string[]
  code?: string[]
}

const status = part`
  case
    when t.stage = 'done' then 'succeeded'
    when t.stage is not null then 'failed'
    when exists (select from (select t.lease_until, t.lease_token) as c where ${isHeld}) then 'running'
    when t.purpose = 'run' and ${isOverPart(part`t.tenant_id`, part`t.run_id`)} then 'cancelled'
    when t.purpose = 'run' then 'waiting'
    else 'lost'
  end`

const members = part`
  'skill_call' as object, t.id, t.app as app_id, t.revision, t.skill_id, t.purpose, t.conversation_id, t.run_id, t.step_id, ${status} as status,
  t.stage, t.code, t.error, t.response -> 'status' as http_status, jsonb_array_length(t.attempts) as attempts_count, t.truncated, t.duration_ms,
  ${iso(part`t.created_at`)} as created_at, ${iso(part`t.ended_at`)} as ended_at`

const request = part`
  'POST' as method, coalesce(t.request ->> 'url', '') as url, coalesce(t.request -> 'headers', '{}') as headers, t.input as body`

const details = part`
  ${members}, t.key, ${object(request)} as request, t.response, t.attempts, t.errors`

const sorts: Record<string, Sort> = { created_at: { by: part`t.created_at`, type: 'time' } }

/** @param app `app_…` */
export const listCalls = (sql: Queryable, tenant: string, app: string, filters: CallFilters, page: PageRequest): Promise<Page> =>
  listPage(
    sql,
    {
      from: part`skill_calls t`,
      json: part`${object(members)}::text`,
      scope: part`t.tenant_id = ${tenant} and t.app = ${app}`,
      sorts,
    },
    filtersOf(filters),
    page,
  )

function filtersOf({ skill_id, purpose, stage, code, ...times }: CallFilters): Filter[] {
  const among = (column: Fragment, values: string[] | undefined): Filter[] =>
    values === undefined ? [] : [{ kind: 'residual', where: part`${column} = any(${values}::text[])` }]
  return [
    ...(skill_id === undefined ? [] : [{ kind: 'equality' as const, where: part`t.skill_id = ${skill_id}`, sort: 'created_at' }]),
    ...among(part`t.purpose`, purpose),
    ...among(part`t.stage`, stage),
    ...among(part`t.code`, code),
    ...timeFilters(times),
  ]
}

/** @param app `app_…` */
export async function findCall(sql: Queryable, tenant: string, app: string, id: string): Promise<string | undefined> {
  const [row] = await sql<{ json: string }[]>`
    select ${object(details)}::text as json
      from skill_calls t
     where t.tenant_id = ${tenant} and t.app = ${app} and t.id = ${id}`
  return row?.json
}

export interface Followed {
  id: string
  ended_at: Date
  /** JSON, as `findCall` gives it. */
  call: string
}

/**
 * Calls that ended at this time or later, in the order in which they did. They began no longer than some minutes before.
 * @param app `app_…`
 * @param but those that are known
 */
export const callsSince = (
  sql: Queryable,
  tenant: string,
  app: string,
  since: Date,
  but: string[],
  limit: number,
): Promise<Followed[]> => sql<Followed[]>`
  select t.id, t.ended_at, ${object(details)}::text as call
    from skill_calls t
   where t.tenant_id = ${tenant} and t.app = ${app} and t.created_at > ${since}::timestamptz - interval '10 minutes' and t.ended_at >= ${since}
     and t.id <> all (${arrayText(but)}::text::text[])
   order by t.ended_at, t.id
   limit ${limit}`

/** The calls of an app that began after this time; the oldest first. */
export async function callsBegunSince(sql: Queryable, tenant: string, app: string, since: Date, most: number): Promise<string[]> {
  const rows = await sql<{ json: string }[]>`
    select json_build_object(
             'id', t.id, 'skill_id', t.skill_id, 'purpose', t.purpose, 'status', coalesce(t.stage, 'under way'), 'code', t.code, 'error', t.error,
             'http_status', t.response -> 'status', 'duration_ms', t.duration_ms,
             'request', json_build_object('url', coalesce(t.request ->> 'url', ''), 'body', t.input), 'response', t.response)::text as json
      from skill_calls t
     where t.tenant_id = ${tenant} and t.app = ${app} and t.created_at > ${since}
     order by t.created_at desc, t.id desc
     limit ${most}`
  return rows.map(row => row.json).reverse()
}
