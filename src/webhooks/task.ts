// What the files of tasks/webhooks/ call. Graphile Worker loads them by itself, so the process hands its engines over here.
import { catchUp as catchUpOn } from './catch-up.ts'
import type { Deliver } from './deliver.ts'
import { createRecover, type Recover, type Recovering } from './recover.ts'

let current: Deliver | undefined
let tools: { recover: Recover; catchUp(tenant: string, endpoint: string): Promise<void> } | undefined

export function setDeliver(deliver: Deliver): void {
  current = deliver
}

/** What runs beside live deliveries. */
export function setTools(recovering: Recovering): void {
  const { db, stopping } = recovering
  tools = { recover: createRecover(recovering), catchUp: (tenant, endpoint) => catchUpOn(db, { tenant, endpoint }, stopping) }
}

export function deliver(tenantId: string, endpointId: string, jobId: string): Promise<void> {
  return started(current)({ tenant: tenantId, endpoint: endpointId }, jobId)
}

export function recover(tenantId: string, recoveryId: string): Promise<void> {
  return started(tools).recover({ tenant: tenantId, recovery: recoveryId })
}

export function catchUp(tenantId: string, endpointId: string): Promise<void> {
  return started(tools).catchUp(tenantId, endpointId)
}

function started<T>(engine: T | undefined): T {
  if (!engine) throw new Error('this process delivers nothing: its engines are set by startWorker')
  return engine
}
