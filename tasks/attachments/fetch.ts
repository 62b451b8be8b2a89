import { giveUp as end, fetchFile } from '../../src/attachments/task.ts'
import type { GiveUp, Tried } from '../../src/queue/trial.ts'

declare global {
  namespace GraphileWorker {
    interface Tasks {
      'attachments/fetch': { tenantId: string; attachmentId: string }
    }
  }
}

const task: Tried<'attachments/fetch'> = ({ tenantId, attachmentId }, { trial }) => fetchFile({ tenant: tenantId, id: attachmentId }, trial)
export default task
export const giveUp: GiveUp<'attachments/fetch'> = ({ tenantId, attachmentId }) => end({ tenant: tenantId, id: attachmentId })
