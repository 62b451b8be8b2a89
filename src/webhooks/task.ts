// What the files of tasks/webhooks/ call. Task files are loaded as they are, so the process hands its engines over here.
import type { Trial } from '../queue/trial.ts'
import * as catchUps from './catch-up/catch-up.ts'
import type { Deliver } from './delivery/engine.ts'
import { createRecover, giveUp, type Recover, type Recovering } from './recovery/run.ts'

let current: Deliver | undefined
let tools: (Pick<Recovering, 'db' | 'stopping'> & { recover: Recover }) | undefined

export function setDeliver(deliver: Deliver): void {
  current = deliver
}

/** What runs beside live deliveries. */
export function setTools(recovering: Recovering): void {
  tools = { ...recovering, recover: createRecover(recovering) }
}

export function deliver(tenantId: string, endpointId: string, jobId: string): Promise<void> {
  return started(current)({ tenant: tenantId, endpoint: endpointId }, jobId)
}

export function recover(tenantId: string, recoveryId: string, trial: Trial): Promise<void> {
  return started(tools).recover({ tenant: tenantId, recovery: recoveryId }, trial)
}

export function giveUpRecovery(tenantId: string, recoveryId: string): Promise<void> {
  return giveUp(started(tools).db.sql, { tenant: tenantId, recovery: recoveryId })
}

export function catchUp(tenantId: string, endpointId: string, trial: Trial): Promise<void> {
  const { db, stopping } = started(tools)
  return catchUps.catchUp(db, { tenant: tenantId, endpoint: endpointId }, stopping, trial)
}

export function giveUpCatchUp(tenantId: string, endpointId: string): Promise<void> {
  return catchUps.giveUp(started(tools).db.sql, { tenant: tenantId, endpoint: endpointId })
}

function started<T>(engine: T | undefined): T {
  if (!engine) throw new Error('this process delivers nothing: its engines are set by startWorker')
  return engine
}
