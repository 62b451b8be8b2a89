// What tasks/webhooks/deliver.ts calls. Graphile Worker loads task files by itself, so the process hands its engine over here.
import type { Deliver } from './deliver.ts'

let current: Deliver | undefined

export function setDeliver(deliver: Deliver): void {
  current = deliver
}

export function deliver(tenantId: string, endpointId: string): Promise<void> {
  if (!current) throw new Error('this process has no delivery engine: it is set by startWorker')
  return current({ tenant: tenantId, endpoint: endpointId })
}
