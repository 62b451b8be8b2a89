// Loads the files of tasks/. Graphile Worker could load them itself, but each task is put on trial.
import type { TaskList } from 'graphile-worker'
import { taskFiles } from './task-files.ts'
import { onTrial, type TrialContext } from './trial.ts'

export async function loadTasks(context: TrialContext): Promise<TaskList> {
  const tasks: TaskList = {}
  for (const [name, file] of await taskFiles())
    tasks[name] = file.triesItself ? (file.default as TaskList[string]) : onTrial(context, name, file.default, file.giveUp)
  return tasks
}
