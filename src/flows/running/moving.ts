// A run moves: to its next step, or to its end. Each move is one statement with the line of the step, and the last of the step's transaction.
import type { Step } from '../../apps/manifest/shape.ts'
import { now } from '../../clock.ts'
import type { Sql } from '../../postgres/sql.ts'
import type { StepResult } from '../language/lookup.ts'
import { remember } from './outputs.ts'
import type { Failure, Stepping } from './stepping.ts'
import * as store from './store.ts'

/** Where a run is after its step: at the next one, or at its end. */
export function after({ run, flow }: Stepping, startedAt: Date): store.Move {
  const place = run.place + 1
  return { state: place >= flow.steps.length ? 'succeeded' : 'running', place, since: run.since ?? startedAt }
}

/** Moves a run to its next step. */
export async function moveOn(sql: Sql, stepping: Stepping, result: StepResult, line: store.StepLine, at: Date): Promise<boolean> {
  const to = after(stepping, line.startedAt)
  await store.move(sql, stepping.run, to, line, at)
  remember(stepping, line.step_id, result, line.output)
  return movedTo(stepping.run, to)
}

export function movedTo(run: store.Run, { place, since, state }: store.Move): boolean {
  run.place = place
  run.since = since
  run.attempts = 0
  return state === 'running'
}

/** A step has failed: its run ends there, or goes on where the flow says so. */
export async function fail(sql: Sql, stepping: Stepping, next: Step, failure: Failure, line: store.StepLine): Promise<boolean> {
  const at = new Date(now())
  const failed: store.StepLine = { ...line, state: 'failed', code: failure.code, reason: failure.message, endedAt: at }
  if (next.on_error === 'continue') return moveOn(sql, stepping, { error: failure }, failed, at)
  const { code, message: reason } = failure
  await store.move(sql, stepping.run, { state: 'failed', place: stepping.run.place, code, reason, since: null }, failed, at)
  return false
}

/** @param step_id the line's. Its attempts count how often the step was begun after it had failed */
export function lineOf({ run }: Stepping, step_id: string, startedAt: Date): Omit<store.StepLine, 'state'> {
  const before = run.steps?.find(({ place }) => place === run.place)
  return { place: run.place, step_id, attempts: (before?.attempts ?? 1) + (before?.state === 'failed' ? 1 : 0), startedAt }
}

/** A run ends where it is. */
export const end = (sql: Sql, run: store.Run, code: string, reason: string): Promise<void> =>
  store.move(sql, run, { state: 'failed', place: run.place, code, reason, since: null }, undefined, new Date(now()))
