import type { Task } from 'graphile-worker'
import { mailUnread } from '../../src/chat/task.ts'

declare global {
  namespace GraphileWorker {
    interface Tasks {
      'chat/mail-unread': { tenantId: string; messageId: string }
    }
  }
}

const task: Task<'chat/mail-unread'> = ({ tenantId, messageId }) => mailUnread(tenantId, messageId)
export default task
