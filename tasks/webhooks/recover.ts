import type { Task } from 'graphile-worker'
import { recover } from '../../src/webhooks/task.ts'

declare global {
  namespace GraphileWorker {
    interface Tasks {
      'webhooks/recover': { tenantId: string; recoveryId: string }
    }
  }
}

const task: Task<'webhooks/recover'> = ({ tenantId, recoveryId }) => recover(tenantId, recoveryId)
export default task
