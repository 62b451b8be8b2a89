import type { Task } from 'graphile-worker'
import { finishBlock } from '../../src/contacts/task.ts'

declare global {
  namespace GraphileWorker {
    interface Tasks {
      'contacts/block': { tenantId: string; contactId: string }
    }
  }
}

const task: Task<'contacts/block'> = ({ tenantId, contactId }) => finishBlock(tenantId, contactId)
export default task
