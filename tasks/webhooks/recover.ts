import type { GiveUp, Tried } from '../../src/queue/trial.ts'
import { giveUpRecovery, recover } from '../../src/webhooks/task.ts'

declare global {
  namespace GraphileWorker {
    interface Tasks {
      'webhooks/recover': { tenantId: string; recoveryId: string }
    }
  }
}

const task: Tried<'webhooks/recover'> = ({ tenantId, recoveryId }, { trial }) => recover({ tenant: tenantId, id: recoveryId }, trial)
export default task
export const giveUp: GiveUp<'webhooks/recover'> = ({ tenantId, recoveryId }) => giveUpRecovery({ tenant: tenantId, id: recoveryId })
