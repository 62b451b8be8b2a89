// The calls of an app as they happen, for its author.
import type { Queryable } from '../postgres/sql.ts'
import { callsBegunSince } from './log-store.ts'

/** A call, as much of it as is told. */
export interface FollowedCall {
  id: string
  skill_id: string
  purpose: string
  status: string
  code: string | null
  error: string | null
  http_status: number | null
  duration_ms: number | null
  request: { url: string; body: string }
  response: { body?: string } | null
}

/** @param app `app_…` @param most the latest of them */
export const followedCalls = async (sql: Queryable, tenant: string, app: string, since: Date, most: number): Promise<FollowedCall[]> =>
  (await callsBegunSince(sql, tenant, app, since, most)).map(text => JSON.parse(text) as FollowedCall)
