import type { Task } from 'graphile-worker'
import { apply } from '../../src/imports/task.ts'

declare global {
  namespace GraphileWorker {
    interface Tasks {
      'imports/apply': { tenantId: string; importId: string }
    }
  }
}

const task: Task<'imports/apply'> = ({ tenantId, importId }) => apply(tenantId, importId)
export default task
