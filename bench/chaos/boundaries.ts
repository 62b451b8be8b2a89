// The boundaries of a run, at which workers are killed: in matching, before and after its row, while the app holds the request, and so on.
import { setTimeout as delay } from 'node:timers/promises'
import type { Sql } from '../../src/postgres/sql.ts'
import type { PointsService } from './points-app.ts'
import type { Finding } from './verdict.ts'

/** Where it is looked whether a run is at a boundary. */
export interface Looked {
  sql: Sql
  tenant: string
  service: PointsService
}

const REACHED: Record<string, (at: Looked) => Promise<boolean>> = {
  matching: async ({ sql, tenant }) => (await sql`select 1 from flow_events where tenant_id = ${tenant} limit 1`).length > 0,
  queued: async ({ sql, tenant }) =>
    (await sql`select 1 from flow_runs where tenant_id = ${tenant} and state = 'queued' limit 1`).length > 0,
  'the app holds the request': async ({ service }) => service.held().length > 0,
  'the app has answered': async ({ service }) => service.hasJustAnswered(),
  'between steps': async ({ sql, tenant }) =>
    (await sql`select 1 from flow_runs where tenant_id = ${tenant} and state = 'running' limit 1`).length > 0,
  'in a wait': async ({ sql, tenant }) =>
    (await sql`select 1 from flow_runs where tenant_id = ${tenant} and code = 'wait' limit 1`).length > 0,
}

export const BOUNDARIES = Object.keys(REACHED)

/** @returns whether a run came to the boundary in time */
export async function comesTo(boundary: string, at: Looked, withinMs: number): Promise<boolean> {
  for (const until = performance.now() + withinMs; performance.now() < until; await delay(2))
    if (await REACHED[boundary]?.(at).catch(() => false)) return true
  return false
}

/** A boundary that no run comes to in time is not tried, whatever else holds. */
export function atEach(reached: string[]): Finding {
  const missed = BOUNDARIES.filter(each => !reached.includes(each))
  return {
    promise: 'a fault came at each boundary',
    figure: missed.length === 0 ? 'at each' : `none ${missed.join(', none ')}`,
    holds: missed.length === 0,
  }
}
