import type { Task } from 'graphile-worker'
import { run } from '../../src/flows/task.ts'

declare global {
  namespace GraphileWorker {
    interface Tasks {
      'flows/run': { tenantId: string; appId: string }
    }
  }
}

const task: Task<'flows/run'> = ({ tenantId, appId }) => run({ tenant: tenantId, id: appId })
export default task
/** Usually a run has no job: see src/flows/running/engine.ts, which counts by itself how often a step has ended with an error. */
export const triesItself = true
