import type { Task } from 'graphile-worker'
import { recountOf } from '../../src/analytics/task.ts'

declare global {
  namespace GraphileWorker {
    interface Tasks {
      'analytics/recount': { tenantId: string }
    }
  }
}

const task: Task<'analytics/recount'> = ({ tenantId }) => recountOf(tenantId)
export default task
