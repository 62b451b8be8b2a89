import type { Task } from 'graphile-worker'
import { askNames } from '../../src/channels/task.ts'

declare global {
  namespace GraphileWorker {
    interface Tasks {
      'channels/names': { tenantId: string; channelId: string; people: string[] }
    }
  }
}

const task: Task<'channels/names'> = ({ tenantId, channelId, people }) => askNames({ tenant: tenantId, id: channelId }, people)
export default task
