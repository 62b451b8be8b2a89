import { catchUp, giveUpCatchUp } from '../../src/webhooks/task.ts'
import type { GiveUp, Tried } from '../../src/worker/trial.ts'

declare global {
  namespace GraphileWorker {
    interface Tasks {
      'webhooks/catch-up': { tenantId: string; endpointId: string }
    }
  }
}

const task: Tried<'webhooks/catch-up'> = ({ tenantId, endpointId }, { trial }) => catchUp(tenantId, endpointId, trial)
export default task
export const giveUp: GiveUp<'webhooks/catch-up'> = ({ tenantId, endpointId }) => giveUpCatchUp(tenantId, endpointId)
