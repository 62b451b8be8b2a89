// What earlier steps gave. A run keeps what is small; of the rest a step is handed what it names, from just before it is rendered until it is. So a run takes
// little memory however much its app's service answers, and however many runs are under way.

import type { Step } from '../../apps/manifest/shape.ts'
import { textsIn } from '../../apps/manifest/templates.ts'
import { createFairQueue } from '../../fair-queue.ts'
import { OUTPUT_KEPT_BYTES, OUTPUTS_READ_BYTES } from '../../limits/flows.ts'
import type { Sql } from '../../postgres/sql.ts'
import type { StepResult } from '../language/lookup.ts'
import type { Stepping } from './stepping.ts'
import * as store from './store.ts'

/** Keeps what a step gave for later ones. @param json its output, where it has one */
export function remember({ around, large }: Stepping, step: string, result: StepResult, json = ''): void {
  const bytes = Buffer.byteLength(json)
  around.steps[step] = bytes > OUTPUT_KEPT_BYTES ? {} : result
  if (bytes > OUTPUT_KEPT_BYTES) large.set(step, bytes)
}

const KB = 1024
/** Shared by all runs of the process, tenants in turn. */
const room = createFairQueue(OUTPUTS_READ_BYTES / KB)

/** Puts the large outputs that a step names where its paths find them. @returns what lets them go */
export async function readFor(sql: Sql, { run, around, large }: Stepping, step: Step): Promise<() => void> {
  const named = large.size === 0 ? [] : [...large.keys()].filter(id => names(step, id))
  if (named.length === 0) return () => {}
  const bytes = named.reduce((sum, id) => sum + (large.get(id) as number), 0)
  const leave = await enter(run.tenant, Math.min(bytes, OUTPUTS_READ_BYTES))
  const letGo = (): void => {
    for (const id of named) around.steps[id] = {}
    leave()
  }
  try {
    for (const { step_id, output } of await store.outputs(sql, run, named)) around.steps[step_id] = { output: JSON.parse(output) }
  } catch (error) {
    letGo()
    throw error
  }
  return once(letGo)
}

function enter(tenant: string, bytes: number): Promise<() => void> {
  return new Promise(resolve => {
    const waiter = { tenant, weight: Math.ceil(bytes / KB), begin: () => resolve(() => room.leave(waiter)) }
    room.enter(waiter)
  })
}

/** Whether a path of the step leads to what the other one gave: it stands in a template, or is the field of a condition. */
function names(step: Step, other: string): boolean {
  for (const [, text] of textsIn(step)) if (text.includes(`steps.${other}.output`)) return true
  return false
}

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
}
