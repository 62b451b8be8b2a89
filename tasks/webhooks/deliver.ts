import type { Task } from 'graphile-worker'
import { deliver } from '../../src/webhooks/task.ts'

declare global {
  namespace GraphileWorker {
    interface Tasks {
      'webhooks/deliver': { tenantId: string; endpointId: string }
    }
  }
}

const task: Task<'webhooks/deliver'> = ({ tenantId, endpointId }, { job }) => deliver({ tenant: tenantId, id: endpointId }, job)
export default task
/** A note for each job would cost too much, and the lease of its endpoint serves as one. */
export const triesItself = true
