import type { Task } from 'graphile-worker'
import { answer } from '../../src/channels/task.ts'

declare global {
  namespace GraphileWorker {
    interface Tasks {
      'channels/answer': { tenantId: string; channelId: string; queries: string[] }
    }
  }
}

const task: Task<'channels/answer'> = ({ tenantId, channelId, queries }) => answer({ tenant: tenantId, id: channelId }, queries)
export default task
