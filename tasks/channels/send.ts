import type { Task } from 'graphile-worker'
import { send } from '../../src/channels/task.ts'

declare global {
  namespace GraphileWorker {
    interface Tasks {
      'channels/send': { tenantId: string; channelId: string }
    }
  }
}

const task: Task<'channels/send'> = ({ tenantId, channelId }) => send({ tenant: tenantId, id: channelId })
export default task
/** A note for each job would cost too much. A message at which a worker died is not sent again by itself, or only twice: see sending/claim-store.ts. */
export const triesItself = true
