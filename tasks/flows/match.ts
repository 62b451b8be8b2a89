import { match } from '../../src/flows/task.ts'
import type { Tried } from '../../src/queue/trial.ts'

declare global {
  namespace GraphileWorker {
    interface Tasks {
      'flows/match': { tenantId: string }
    }
  }
}

const task: Tried<'flows/match'> = ({ tenantId }) => match(tenantId)
export default task
