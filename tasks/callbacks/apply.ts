import { apply, giveUp as skip } from '../../src/callbacks/task.ts'
import type { GiveUp, Tried } from '../../src/queue/trial.ts'

declare global {
  namespace GraphileWorker {
    interface Tasks {
      'callbacks/apply': { tenantId: string; sourceId: string }
    }
  }
}

const task: Tried<'callbacks/apply'> = ({ tenantId, sourceId }, { trial }) => apply({ tenant: tenantId, id: sourceId }, trial)
export default task
export const giveUp: GiveUp<'callbacks/apply'> = ({ tenantId, sourceId }) => skip({ tenant: tenantId, id: sourceId })
