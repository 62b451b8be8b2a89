import type { GiveUp, Tried } from '../../src/queue/trial.ts'
import { catchUp, giveUpCatchUp } from '../../src/webhooks/task.ts'

declare global {
  namespace GraphileWorker {
    interface Tasks {
      'webhooks/catch-up': { tenantId: string; endpointId: string }
    }
  }
}

const task: Tried<'webhooks/catch-up'> = ({ tenantId, endpointId }, { trial }) => catchUp({ tenant: tenantId, id: endpointId }, trial)
export default task
export const giveUp: GiveUp<'webhooks/catch-up'> = ({ tenantId, endpointId }) => giveUpCatchUp({ tenant: tenantId, id: endpointId })
