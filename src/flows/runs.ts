// What people do with runs: have one go on after it failed, cancel it, run a flow once more on a past event, or look at what it would do.
import { heldApp, type Installed, installedApp, settingsOf } from '../apps/installed.ts'
import type { TriggerType } from '../apps/manifest/flow-shapes.ts'
import type { Flow } from '../apps/manifest/shape.ts'
import type { Caller } from '../caller.ts'
import { now } from '../clock.ts'
import { meant } from '../nearest.ts'
import { audit } from '../postgres/audit.ts'
import type { Queryable, Tx } from '../postgres/sql.ts'
import { attempt, invalid, notFound, Problem } from '../problems.ts'
import type { Keyring } from '../secrets.ts'
import { type Looked, looked } from './language/conditions.ts'
import type { Surroundings } from './language/lookup.ts'
import { MASK } from './language/mask.ts'
import { shapeOf } from './language/shape.ts'
import * as log from './log-store.ts'
import { newRun } from './matching/new-run.ts'
import { write } from './matching/store.ts'
import { shownInput } from './running/shown-input.ts'
import { stopRun } from './stop.ts'
import { wakeRunsAfter } from './waking/wake.ts'

/** @throws {Problem} 404; 409 where the run did not fail, its event is gone, or its flow or app may not run */
export async function retry(tx: Tx, caller: Caller, app: string, run: string): Promise<string> {
  const installed = await runnable(tx, caller, app)
  const held = await lockRun(tx, installed, run)
  if (held.state !== 'failed') throw conflict('not_failed', `Only a run that failed can be tried again; this one is ${held.state}.`, held)
  if (!held.has_event) throw conflict('event_gone', 'The event of this run is older than events are kept.', held)
  // An upgrade that disables a flow ends its runs, whatever the manifest of theirs says.
  if (!isEnabled(installed, held.flow_id))
    throw conflict('flow_disabled', `The flow ${held.flow_id} is disabled, or not there any more, so none of its runs goes on.`, held)
  await log.again(tx, caller.tenant, run)
  await audit(tx, caller, 'run.retry', run, { app_id: installed.id, flow_id: held.flow_id })
  wakeRunsAfter(tx, [installed])
  return (await log.findJson(tx, installed, run)) as string
}

/** Ends a run before its next step. @throws {Problem} 404; 409 for a run that is over */
export async function cancel(tx: Tx, caller: Caller, app: string, run: string): Promise<string> {
  const installed = await appOf(tx, caller, app)
  const held = await lockRun(tx, installed, run)
  if (!UNDER_WAY.includes(held.state)) throw conflict('run_over', `The run is over: it is ${held.state}.`, held)
  await stopRun(tx, { tenant: caller.tenant, id: run })
  await audit(tx, caller, 'run.cancel', run, { app_id: installed.id, flow_id: held.flow_id })
  return (await log.findJson(tx, installed, run)) as string
}

const UNDER_WAY = ['queued', 'running', 'waiting']

const conflict = (code: string, message: string, { state }: { state: string }): Problem =>
  new Problem('conflict', message, { code, run_status: state })

const isEnabled = ({ manifest: { flows = [] } }: Installed, id: string): boolean =>
  flows.some(({ id: each, enabled = true }) => each === id && enabled)

/** On what a flow is tried: a past event, or the example of its type. */
export type On = { event: string } | { example: unknown }

/** What trying a flow needs of its process. */
export interface TrialContext {
  keyring: Keyring
  triggers: readonly TriggerType[]
}

/** What a flow would do, step by step. */
export interface Trial {
  flow_id: string
  event: { id: string; type: string }
  /** All conditions of the flow hold. */
  begins: boolean
  /** Why it begins on no event for now, whatever its conditions. */
  held_up: string | null
  conditions: Looked[]
  steps: { id: string; type: string; conditions: Looked[]; runs: boolean; input: unknown; error: string | null }[]
}

/**
 * Shows each condition with the value that it met, and each step as rendered; nothing is done. What a step would give is not known, so paths to it are null.
 * @throws {Problem} 404; 422 for an event of another type
 */
export async function dryRun(
  sql: Queryable,
  caller: Caller,
  app: string,
  flowId: string,
  on: On,
  { keyring, triggers }: TrialContext,
): Promise<Trial> {
  const installed = await appOf(sql, caller, app)
  const flow = flowOf(installed, flowId)
  const { envelope } = await eventOn(sql, caller, flow, on)
  const around = await aroundOf(sql, keyring, installed, envelope)
  const shape = shapeOf(installed.manifest, flow, triggers)
  const conditions = looked(flow.conditions, around, shape)
  const idle = attempt(() => refuseIdle(installed, flow))
  return {
    flow_id: flow.id,
    event: { id: envelope.id, type: envelope.type },
    begins: conditions.every(({ holds }) => holds),
    held_up: idle instanceof Problem ? idle.message : null,
    conditions,
    steps: flow.steps.map(step => {
      const own = looked(step.conditions, around, shape)
      const { input, error } = shownInput(step, around)
      return { id: step.id, type: step.type, conditions: own, runs: own.every(({ holds }) => holds), input, error }
    }),
  }
}

/**
 * A new run of the flow, whatever runs it had on this event.
 * @returns its id
 * @throws {Problem} 404; 422 for an event of another type; 409 where the flow or its app may not run, its conditions do not hold, or it led to the event
 */
export async function replay(
  tx: Tx,
  caller: Caller,
  app: string,
  flowId: string,
  on: On,
  { keyring, triggers }: TrialContext,
): Promise<string> {
  const installed = await runnable(tx, caller, app)
  const flow = flowOf(installed, flowId)
  refuseIdle(installed, flow)
  const { envelope, body, depth, lineage } = await eventOn(tx, caller, flow, on)
  const unmet = looked(flow.conditions, await aroundOf(tx, keyring, installed, envelope), shapeOf(installed.manifest, flow, triggers)).find(
    ({ holds }) => !holds,
  )
  if (unmet)
    throw new Problem('conflict', `The flow does not begin: ${unmet.field} ${unmet.op} ${JSON.stringify(unmet.value)} does not hold.`, {
      code: 'conditions_unmet',
      met: unmet.met,
    })
  const run = newRun(installed, flow, { tenant: caller.tenant, id: envelope.id, type: envelope.type }, { depth, lineage }, true)
  if (run.code !== null) throw new Problem('conflict', run.reason as string, { code: run.code })
  await write(tx, [run], [], new Date(now()))
  if ('example' in on) await log.keepEvent(tx, caller.tenant, run.id, body)
  await audit(tx, caller, 'run.replay', run.id, { app_id: installed.id, flow_id: flow.id, event_id: envelope.id })
  wakeRunsAfter(tx, [installed])
  return run.id
}

async function appOf(sql: Queryable, { tenant }: Caller, named: string): Promise<Installed> {
  const app = await installedApp(sql, tenant, named)
  if (!app) throw notFound('app')
  return app
}

/** Until the transaction ends, the app stays as it is. */
async function runnable(tx: Tx, { tenant }: Caller, named: string): Promise<Installed> {
  const app = await heldApp(tx, tenant, named)
  if (!app) throw notFound('app')
  refuseIdle(app)
  return app
}

/** @throws {Problem} 409 where no run of the app, or of the flow, may begin */
function refuseIdle(app: Installed, flow?: Flow): void {
  if (app.state === 'disabled') throw new Problem('conflict', `${app.name} is disabled; enable it first.`, { code: 'app_disabled' })
  if (app.state !== 'active')
    throw new Problem('conflict', `${app.name} has no value for ${app.missing.join(', ')}; set it first.`, { code: 'config_required' })
  if (flow?.enabled === false) throw new Problem('conflict', `The flow ${flow.id} is disabled.`, { code: 'flow_disabled' })
}

async function lockRun(tx: Tx, app: Installed, run: string): Promise<log.Held> {
  const held = await log.lock(tx, app, run)
  if (!held) throw notFound('run')
  return held
}

/** @throws {Problem} 422 */
export function flowOf({ app_id, manifest: { flows = [] } }: Installed, id: string): Flow {
  const flow = flows.find(each => each.id === id)
  if (flow) return flow
  const ids = flows.map(each => each.id)
  const message = `is ${id}, which is no flow of ${app_id}${meant(id, ids, ids.length > 0 ? `; it has ${ids.join(', ')}` : ', for it has none')}`
  throw invalid({ field: 'flow', code: 'unknown_flow', message })
}

interface Envelope {
  id: string
  type: string
  created_at: string
  data: unknown
}

interface Event {
  envelope: Envelope
  body: string
  depth: number
  lineage: string[]
}

async function eventOn(sql: Queryable, { tenant }: Caller, { trigger }: Flow, on: On): Promise<Event> {
  if ('example' in on) return { envelope: on.example as Envelope, body: JSON.stringify(on.example), depth: 0, lineage: [] }
  const found = await log.pastEvent(sql, tenant, on.event)
  if (!found) throw notFound('event')
  if (found.type !== trigger)
    throw invalid({ field: 'event', code: 'other_event', message: `is of type ${found.type}; the flow begins with ${trigger}.` })
  return { envelope: JSON.parse(found.body) as Envelope, body: found.body, depth: found.depth, lineage: found.lineage ?? [] }
}

async function aroundOf(sql: Queryable, keyring: Keyring, app: Installed, { id, type, created_at, data }: Envelope): Promise<Surroundings> {
  const { plain, secret } = await settingsOf(sql, keyring, app.tenant, app.id)
  return {
    event: data,
    trigger: { id, type, created_at },
    steps: {},
    config: { ...plain, ...Object.fromEntries(Object.keys(secret).map(key => [key, MASK])) },
    run: { id: 'run_' },
  }
}
