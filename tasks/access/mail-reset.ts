import type { Task } from 'graphile-worker'
import { sendReset } from '../../src/access/task.ts'

declare global {
  namespace GraphileWorker {
    interface Tasks {
      'access/mail-reset': { email: string }
    }
  }
}

const task: Task<'access/mail-reset'> = ({ email }) => sendReset(email)
export default task
