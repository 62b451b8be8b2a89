// The statement by which an author follows calls.
import type { Queryable } from '../postgres/sql.ts'

/** The calls of an app that began after this time; the oldest first. */
export async function callsSince(sql: Queryable, tenant: string, app: string, since: Date, most: number): Promise<string[]> {
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
