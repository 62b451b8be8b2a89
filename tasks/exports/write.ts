import { giveUp as end, write } from '../../src/exports/task.ts'
import type { GiveUp, Tried } from '../../src/queue/trial.ts'

declare global {
  namespace GraphileWorker {
    interface Tasks {
      'exports/write': { tenantId: string; exportId: string }
    }
  }
}

const task: Tried<'exports/write'> = ({ tenantId, exportId }, { trial }) => write({ tenant: tenantId, id: exportId }, trial)
export default task
export const giveUp: GiveUp<'exports/write'> = ({ tenantId, exportId }) => end({ tenant: tenantId, id: exportId })
