import type { Task } from 'graphile-worker'
import { sendMail } from '../../src/mail/task.ts'

declare global {
  namespace GraphileWorker {
    interface Tasks {
      'mail/send': { tenantId: string; mailId: string }
    }
  }
}

const task: Task<'mail/send'> = ({ tenantId, mailId }, { abortSignal }) => sendMail(tenantId, mailId, abortSignal)
export default task
