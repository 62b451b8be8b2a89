import { apply, giveUp as end } from '../../src/imports/task.ts'
import type { GiveUp, Tried } from '../../src/queue/trial.ts'

declare global {
  namespace GraphileWorker {
    interface Tasks {
      'imports/apply': { tenantId: string; importId: string }
    }
  }
}

const task: Tried<'imports/apply'> = ({ tenantId, importId }, { trial }) => apply({ tenant: tenantId, id: importId }, trial)
export default task
export const giveUp: GiveUp<'imports/apply'> = ({ tenantId, importId }) => end({ tenant: tenantId, id: importId })
