import type { Task } from 'graphile-worker'
import { catchUp } from '../../src/webhooks/task.ts'

declare global {
  namespace GraphileWorker {
    interface Tasks {
      'webhooks/catch-up': { tenantId: string; endpointId: string }
    }
  }
}

const task: Task<'webhooks/catch-up'> = ({ tenantId, endpointId }) => catchUp(tenantId, endpointId)
export default task
