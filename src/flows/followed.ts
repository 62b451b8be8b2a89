// The runs of an app's flows as they go on, for its author.
import type { Ref } from '../ids.ts'
import type { Queryable } from '../postgres/sql.ts'
import { since, states } from './log-store.ts'

/** A run, as much of it as is told. */
export interface FollowedRun {
  id: string
  flow_id: string
  status: string
  reason: string | null
  event: { id: string; type: string }
  steps: { id: string; status: string; reason: string | null; error: { code: string; message: string } | null }[]
}

/** @param app its id is `app_…` @param most the latest of them */
export const followedRuns = async (sql: Queryable, app: Ref, time: Date, most: number): Promise<FollowedRun[]> =>
  (await since(sql, app, time, most)).map(text => JSON.parse(text) as FollowedRun)

/** How many runs of the last day are in each state. */
export const statesOfRuns = (sql: Queryable, app: Ref): Promise<Record<string, number>> => states(sql, app)
