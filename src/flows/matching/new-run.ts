// A run as it begins, or does not.
import { newId, type Ref } from '../../ids.ts'
import { FLOW_DEPTH_MAX } from '../../limits/flows.ts'
import type { NewRun } from './store.ts'

/** What led to an event. */
interface Cause {
  depth: number
  /** The lineage of the run that caused it, if one did. */
  lineage: string[]
}

/** The app as the run begins. */
interface AppAt {
  id: string
  revision: number
}

interface OfEvent extends Ref {
  type: string
}

/** A run of a flow on an event, skipped where the flow itself led to it, or too many runs did. */
export function newRun(app: AppAt, flow: { id: string }, event: OfEvent, { depth, lineage }: Cause, is_replay = false): NewRun {
  const name = `${app.id} ${flow.id}`
  return {
    tenant_id: event.tenant,
    id: newId('run'),
    app_id: app.id,
    flow_id: flow.id,
    revision: app.revision,
    event_id: event.id,
    event_type: event.type,
    depth,
    lineage: [...lineage, name],
    is_replay,
    ...whySkipped(name, depth, lineage),
  }
}

function whySkipped(name: string, depth: number, lineage: string[]): { code: string | null; reason: string | null } {
  if (lineage.includes(name))
    return { code: 'loop', reason: 'A run of this flow led to the event: it does not run on what it caused, directly or further on.' }
  if (depth >= FLOW_DEPTH_MAX)
    return { code: 'depth', reason: `${depth} runs of flows led to the event, one after another: such an event starts none.` }
  return { code: null, reason: null }
}
