// Loads the files of tasks/, each a task named by its path. Graphile Worker could load them itself, but each task is put on trial.
import { glob } from 'node:fs/promises'
import type { TaskList } from 'graphile-worker'
import { onTrial, type TrialContext } from './trial.ts'

/** What a file of tasks/ exports. */
interface TaskFile {
  default: (payload: never, helpers: never) => unknown
  giveUp?: (payload: never) => Promise<void>
  /** The task counts the deaths of its workers by itself. */
  triesItself?: true
}

/** @param folder a file URL that ends with a slash */
export async function loadTasks(folder: URL, context: TrialContext): Promise<TaskList> {
  const tasks: TaskList = {}
  for await (const path of glob('*/*.ts', { cwd: folder })) {
    const name = path.slice(0, -'.ts'.length)
    const file = (await import(new URL(path, folder).href)) as TaskFile
    tasks[name] = file.triesItself ? (file.default as TaskList[string]) : onTrial(context, name, file.default, file.giveUp)
  }
  return tasks
}
