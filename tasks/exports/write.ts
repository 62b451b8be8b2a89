import type { Task } from 'graphile-worker'
import { write } from '../../src/exports/task.ts'

declare global {
  namespace GraphileWorker {
    interface Tasks {
      'exports/write': { tenantId: string; exportId: string }
    }
  }
}

const task: Task<'exports/write'> = ({ tenantId, exportId }) => write(tenantId, exportId)
export default task
