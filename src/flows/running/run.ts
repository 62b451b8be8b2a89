// A run goes on: step after step, until it ends, waits, or its slice is over. A step's effect, its line in the log and the run's place commit together, so a
// worker killed at any moment leaves no step done twice and none behind.
import type { Logger } from 'pino'
import { type Installed, manifestOf, settingsOf } from '../../apps/installed.ts'
import type { TriggerType } from '../../apps/manifest/flow-shapes.ts'
import { scopesOfPath } from '../../apps/manifest/scopes.ts'
import type { Flow, Manifest, Step } from '../../apps/manifest/shape.ts'
import type { Caller } from '../../caller.ts'
import { now } from '../../clock.ts'
import { RUN_MS, STEP_RETRY_SECONDS } from '../../limits/flows.ts'
import { ERROR_TEXT_CHARS } from '../../limits/outbound.ts'
import { isUnavailable } from '../../postgres/errors.ts'
import type { Sql } from '../../postgres/sql.ts'
import type { Keyring } from '../../secrets.ts'
import { firstUnmet, type Looked } from '../language/conditions.ts'
import type { StepResult, Surroundings } from '../language/lookup.ts'
import { keptIn, shapeOf } from '../language/shape.ts'
import { isLocal } from '../steps/kinds.ts'
import { act } from './act.ts'
import { type Calling, callSkill, type Holding } from './call.ts'
import { givenUp } from './granted.ts'
import { end, fail, lineOf, moveOn } from './moving.ts'
import { readFor } from './outputs.ts'
import { asText, type Stepping } from './stepping.ts'
import * as store from './store.ts'

/** What runs need of their process. */
export interface RunContext extends Calling {
  keyring: Keyring
  triggers: readonly TriggerType[]
  log: Logger
}

/**
 * Goes on with a run that was claimed. What it throws is the fault of the database, and not of the run.
 * @param app undefined: it is gone
 */
export async function goOn(context: RunContext, app: Installed | undefined, run: store.Run, holding: Holding): Promise<void> {
  const { sql, log } = context
  try {
    const stepping = await prepare(context, app, run)
    if (!stepping) return await end(sql, run, 'app_gone', 'The app, or the revision with which the run began, is gone.')
    if (run.event === null) return await end(sql, run, 'event_gone', 'The event is older than it is kept.')
    while (holding.goesOn()) if (!(await step(context, stepping, holding))) return
  } catch (error) {
    if (store.wasMoved(error)) return
    // The process is stopping, or was taken for gone: another goes on at the same step.
    if (holding.signal.aborted || (error as Error).name === 'GivenUp') return
    if (isUnavailable(error)) throw error
    log.error({ err: error, run: run.id }, 'a run could not go on; it is tried again')
    await retry(context, run, error)
  }
}

/** What the run knows, put together anew when it is claimed. */
async function prepare({ sql, keyring, triggers }: RunContext, app: Installed | undefined, run: store.Run): Promise<Stepping | undefined> {
  const { tenant, app_id, flow_id, revision } = run
  const manifest = app && (await manifestAt(sql, app, revision))
  const flow = manifest?.flows?.find(({ id }) => id === flow_id)
  if (!app || !manifest || !flow) return undefined
  const { id, type, created_at, data } = run.event === null ? NOTHING : (JSON.parse(run.event) as Envelope)
  const settings = needsSettings(flow) ? await settingsOf(sql, keyring, tenant, app_id) : { plain: {}, secret: {} }
  // One that is tried again is among them, and cannot name itself: see laterStep in apps/manifest/flows.ts.
  const before = run.steps ?? []
  const shape = shapeOf(manifest, flow, triggers)
  const around: Surroundings = {
    event: data,
    trigger: { id, type, created_at },
    steps: Object.fromEntries(before.map(each => [each.step_id, resultOf(each)])),
    config: settings.plain,
    run: { id: run.id },
  }
  return {
    run,
    flow,
    app: { id: app.id, app_id: app.app_id, name: app.name },
    granted: { scopes: app.scopes, readAt: performance.now() },
    caller: { tenant, actor: { type: 'app', id: app.id }, cause: { run: run.id, depth: run.depth + 1 } } satisfies Caller,
    around,
    secrets: settings.secret,
    shape,
    reads: path => [...scopesOfPath(path, shape.members?.['event']), ...keptIn(manifest, triggers)(flow, path)],
    large: new Map(before.filter(isLarge).map(({ step_id, output_bytes }) => [step_id, output_bytes as number])),
    rendered: () => {},
  }
}

interface Envelope {
  id: string
  type: string
  created_at: string
  data: unknown
}
const NOTHING: Envelope = { id: '', type: '', created_at: '', data: {} }

const manifestAt = async (sql: Sql, app: Installed, revision: number): Promise<Manifest | undefined> =>
  app.revision === revision ? app.manifest : manifestOf(sql, app.tenant, app.id, revision)

/** Whether it names a setting anywhere. */
const needsSettings = (flow: Flow): boolean => JSON.stringify(flow).includes('config.')

const isLarge = ({ output, output_bytes }: store.LoggedStep): boolean => output === null && output_bytes !== null

function resultOf({ output, code, reason }: store.LoggedStep): StepResult {
  if (code !== null) return { error: { code, message: reason ?? '' } }
  return output === null ? {} : { output: JSON.parse(output) }
}

/** Does the next step. @returns whether the run goes on */
async function step(context: RunContext, stepping: Stepping, holding: Holding): Promise<boolean> {
  const { sql } = context
  const { run, flow } = stepping
  const startedAt = new Date(now())
  const next = flow.steps[run.place]
  if (!next) {
    await store.move(sql, run, { state: 'succeeded', place: run.place, since: null }, undefined, startedAt)
    return false
  }
  if (run.since !== null && startedAt.getTime() - run.since.getTime() > RUN_MS) {
    await end(sql, run, 'expired', `It went on for more than ${RUN_MS / 60_000} minutes without a wait.`)
    return false
  }
  stepping.rendered = await readFor(sql, stepping, next)
  try {
    return await take(context, stepping, next, holding, startedAt)
  } finally {
    stepping.rendered()
  }
}

async function take(context: RunContext, stepping: Stepping, next: Step, holding: Holding, startedAt: Date): Promise<boolean> {
  const unmet = firstUnmet(next.conditions, stepping.around, stepping.shape)
  if (unmet) return skip(context, stepping, next, unmet, startedAt)
  const refused = await givenUp(context.sql, stepping, next)
  if (refused) return fail(context.sql, stepping, next, refused, { ...lineOf(stepping, next.id, startedAt), state: 'failed' })
  if (next.type === 'wait') return wait(context, stepping, next.minutes, startedAt)
  if (isLocal(next)) return act(context.sql, stepping, next, startedAt)
  return callSkill(context, stepping, next, holding, startedAt)
}

async function skip({ sql }: RunContext, stepping: Stepping, { id }: Step, { field, op, value, met }: Looked, at: Date): Promise<boolean> {
  const reason = `${field} ${op} ${JSON.stringify(value)} does not hold: it is ${asText(met, 200)}.`
  const line: store.StepLine = { ...lineOf(stepping, id, at), state: 'skipped', reason, endedAt: at }
  return moveOn(sql, stepping, {}, line, at)
}

async function wait({ sql }: RunContext, stepping: Stepping, minutes: number, at: Date): Promise<boolean> {
  const { run, flow } = stepping
  const until = new Date(at.getTime() + minutes * 60_000)
  const line: store.StepLine = {
    ...lineOf(stepping, (flow.steps[run.place] as Step).id, at),
    state: 'succeeded',
    input: JSON.stringify({ minutes }),
    endedAt: until,
  }
  const reason = `It waits until ${until.toISOString()}.`
  await store.move(
    sql,
    run,
    { state: 'waiting', place: run.place + 1, afterSeconds: minutes * 60, code: 'wait', reason, since: null, keepsEvent: true },
    line,
    at,
  )
  return false
}

/** After an error of ours: the step is tried again, later and later, and in the end the run has failed. */
async function retry({ sql }: RunContext, run: store.Run, error: unknown): Promise<void> {
  const seconds = STEP_RETRY_SECONDS[run.attempts]
  const code = 'internal_error'
  if (seconds === undefined)
    return end(sql, run, code, `A step ended with an error of ours, ${run.attempts + 1} times; the log of the service has it.`)
  const reason = `A step ended with an error of ours and is tried again: ${String((error as Error).name).slice(0, ERROR_TEXT_CHARS)}.`
  const move: store.Move = {
    state: 'waiting',
    place: run.place,
    afterSeconds: seconds,
    code,
    reason,
    since: run.since,
    attempts: run.attempts + 1,
  }
  await store.move(sql, run, move, undefined, new Date(now()))
}
