// The shape of a run as REST shows it.
import { type Static, Type } from 'typebox'
import { idPattern } from '../ids.ts'
import { type Listing, listQuery } from '../ingress/list.ts'
import { conflict } from '../ingress/problem-schemas.ts'
import { choice, choices, nullable, Time } from '../schemas.ts'

const STATES = ['queued', 'running', 'waiting', 'succeeded', 'failed', 'cancelled', 'skipped'] as const
const STEP_STATES = ['running', 'waiting', 'succeeded', 'failed', 'cancelled', 'skipped'] as const

export const runListing: Listing = {
  path: '/api/platform/apps/{app}/runs',
  idPrefix: 'run',
  sorts: { created_at: 'time' },
  offers: { offset: false },
}

export const runQuery = Type.Omit(
  listQuery(runListing, {
    status: Type.Optional(choices(STATES, 'Any of these, comma-separated, in any case.')),
    flow_id: Type.Optional(Type.String({ minLength: 1, maxLength: 63, description: 'Only runs of this flow.' })),
    event_id: Type.Optional(Type.String({ pattern: idPattern('evt'), description: 'Only runs on this event.' })),
  }),
  ['updated_after', 'updated_before'],
)
export type RunFilters = Static<typeof runQuery>

export const Run = Type.Object(
  {
    object: Type.Literal('run'),
    id: Type.String({ pattern: idPattern('run') }),
    app_id: Type.String({ pattern: idPattern('app') }),
    flow_id: Type.String(),
    revision: Type.Integer({ description: 'Of the app’s manifest: a run ends on the one that it began with.' }),
    event: Type.Object({ id: Type.String(), type: Type.String() }, { description: 'What it began with.' }),
    depth: Type.Integer({ description: 'Of the event: how many runs of flows led to it, one after another.' }),
    is_replay: Type.Boolean({ description: 'A person asked for it.' }),
    status: choice(STATES, { description: 'skipped: it may not run on this event, see code.' }),
    code: nullable(Type.String(), { description: 'Why it waits, failed, was cancelled or skipped, for programs. New ones may be added.' }),
    reason: nullable(Type.String(), { description: 'Why, for people.' }),
    due_at: nullable(Time, { description: 'When it goes on; null when it is over.' }),
    created_at: Time,
    started_at: nullable(Time),
    ended_at: nullable(Time),
  },
  { title: 'Run' },
)

const RunStep = Type.Object(
  {
    id: Type.String(),
    status: choice(STEP_STATES, { description: 'cancelled: its run was, while the step was under way or waited.' }),
    input: Type.Unsafe<unknown>({ description: 'As rendered, with secrets masked; null where it came to none.' }),
    output: Type.Unsafe<unknown>({ description: 'What later steps name.' }),
    error: nullable(Type.Object({ code: Type.String(), message: Type.String() })),
    reason: nullable(Type.String(), { description: 'Why it was skipped, or waits.' }),
    attempts: Type.Integer({ description: 'How often it was begun after it had failed, the first time included.' }),
    started_at: Time,
    ended_at: nullable(Time),
  },
  { title: 'RunStep' },
)

export const RunDetail = Type.Object(
  { ...Run.properties, steps: Type.Array(RunStep, { description: 'Those it has come to, in their order.' }) },
  { title: 'RunDetail' },
)

const ofRun = { run_status: choice(STATES) }
export const NotRetryable = [
  conflict('not_failed', ofRun),
  conflict('event_gone', ofRun),
  conflict('flow_disabled', ofRun),
  conflict('app_disabled'),
  conflict('config_required'),
]
export const RunOver = conflict('run_over', ofRun)
