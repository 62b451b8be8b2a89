import type { Task } from 'graphile-worker'
import { finishMerge } from '../../src/contacts/task.ts'

declare global {
  namespace GraphileWorker {
    interface Tasks {
      'contacts/merge': { tenantId: string; keptId: string; mergedId: string }
    }
  }
}

const task: Task<'contacts/merge'> = ({ tenantId, keptId, mergedId }) => finishMerge(tenantId, keptId, mergedId)
export default task
