import type { Task } from 'graphile-worker'
import { signal } from '../../src/channels/task.ts'

declare global {
  namespace GraphileWorker {
    interface Tasks {
      'channels/signal': { tenantId: string; channelId: string; conversationId: string; signal: 'typing' | 'read'; at: string }
    }
  }
}

const task: Task<'channels/signal'> = ({ tenantId, channelId, conversationId, signal: what, at }) =>
  signal({ channel: { tenant: tenantId, id: channelId }, conversation: conversationId, signal: what, at })
export default task
