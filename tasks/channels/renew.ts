import type { Task } from 'graphile-worker'
import { renew } from '../../src/channels/task.ts'

declare global {
  namespace GraphileWorker {
    interface Tasks {
      'channels/renew': { tenantId: string; channelId: string }
    }
  }
}

const task: Task<'channels/renew'> = ({ tenantId, channelId }) => renew({ tenant: tenantId, id: channelId })
export default task
