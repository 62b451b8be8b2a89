// A step that calls a skill of the app. The call has a row and a key of its own, so a run that comes here again after a kill is answered from that row, or the
// same request is made once more.
import type { Step } from '../../apps/manifest/shape.ts'
import { now } from '../../clock.ts'
import { CALL_AGAIN_SECONDS } from '../../limits/flows.ts'
import type { Sql } from '../../postgres/sql.ts'
import { attempt, Problem } from '../../problems.ts'
import { MASK } from '../language/mask.ts'
import { render } from '../language/render.ts'
import { fail, lineOf, moveOn } from './moving.ts'
import { failureOf, type Stepping } from './stepping.ts'
import * as store from './store.ts'

/** Calls a skill. @returns undefined where there is none; `again_at`: it was not asked, and may be then */
export type CallSkill = (asked: {
  tenant: string
  app_id: string
  skill_id: string
  arguments: unknown
  /** Gives the call up: it rejects. */
  signal: AbortSignal
  for: { run: string; step: string; revision: number; secrets: readonly string[]; shown: unknown; attempt: number }
}) => Promise<{ output: unknown; truncated: boolean } | { refused: string; reason: string; code: string; again_at?: string } | undefined>

/** What calls need of their process. */
export interface Calling {
  sql: Sql
  call: CallSkill
}

/** What a run may ask of its slice. */
export interface Holding {
  /** Another step may begin. */
  goesOn(): boolean
  /** Gives up a call under way. */
  signal: AbortSignal
  /** Tells how many calls more, or fewer, are under way. */
  calls(change: 1 | -1): void
}

/** One of the runs that wait for an app is to find out whether it answers before the others ask. */
const BEHIND_SECONDS = 2

type Call = Extract<Step, { type: 'call_skill' }>

/** @returns whether the run goes on */
export async function callSkill(
  { sql, call }: Calling,
  stepping: Stepping,
  step: Call,
  holding: Holding,
  startedAt: Date,
): Promise<boolean> {
  const { run, app } = stepping
  const line: store.StepLine = { ...lineOf(stepping, step.id, startedAt), state: 'running' }
  const input = attempt(() => inputOf(stepping, step))
  stepping.rendered()
  if (input instanceof Problem) return fail(sql, stepping, step, failureOf(input), line)
  const { value, shown } = input
  line.input = JSON.stringify(shown)
  const since = run.since ?? startedAt
  await store.move(sql, run, { state: 'running', place: run.place, since }, line, startedAt)
  run.since = since
  holding.calls(1)
  const called = await call({
    tenant: run.tenant,
    app_id: app.id,
    skill_id: step.skill,
    arguments: value,
    signal: holding.signal,
    for: { run: run.id, step: step.id, revision: run.revision, secrets: Object.values(stepping.secrets), shown, attempt: line.attempts },
  }).finally(() => holding.calls(-1))
  const at = new Date(now())
  if (!called) return fail(sql, stepping, step, { code: 'unknown_skill', message: `The app has no skill ${step.skill} any more.` }, line)
  if ('output' in called)
    return moveOn(
      sql,
      stepping,
      { output: called.output },
      { ...line, state: 'succeeded', output: JSON.stringify(called.output), endedAt: at },
      at,
    )
  const { code, reason, again_at } = called
  // A setting was taken away since the run was claimed. It stays due, as those that are not claimed meanwhile.
  if (code === 'config_required') {
    const waiting = { state: 'waiting', code, reason } as const
    await store.move(sql, run, { ...waiting, place: run.place, since }, { ...line, ...waiting }, at)
    return false
  }
  if (again_at === undefined) return fail(sql, stepping, step, { code, message: reason }, line)
  const afterSeconds = Math.max(1, (Date.parse(again_at) - at.getTime()) / 1000 || CALL_AGAIN_SECONDS)
  await store.move(
    sql,
    run,
    { state: 'waiting', place: run.place, afterSeconds, code, reason, since },
    { ...line, state: 'waiting', code, reason },
    at,
  )
  if (code === 'app_unavailable') await store.postpone(sql, run, { afterSeconds: afterSeconds + BEHIND_SECONDS, code, reason })
  return false
}

/** @returns the arguments, and what of them is shown */
function inputOf({ around, secrets }: Stepping, { input }: Call): { value: unknown; shown: unknown } {
  const masks = Object.fromEntries(Object.keys(secrets).map(key => [key, MASK]))
  const withSettings = (more: Record<string, string>) => ({ ...around, config: { ...around.config, ...more } })
  return { value: render(input, withSettings(secrets), 'input'), shown: render(input, withSettings(masks), 'input') }
}
