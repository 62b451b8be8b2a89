// The files of tasks/, each a task named by its path. In the bundle of a worker (bin/program/build.mjs) a list of imports takes the place of this file.
import { glob } from 'node:fs/promises'

/** What a file of tasks/ exports. */
export interface TaskFile {
  default: (payload: never, helpers: never) => unknown
  giveUp?: (payload: never) => Promise<void>
  /** The task counts the deaths of its workers by itself. */
  triesItself?: true
}

const FOLDER = new URL('../../tasks/', import.meta.url)

/** @returns by the names of tasks */
export async function taskFiles(): Promise<Map<string, TaskFile>> {
  const files = new Map<string, TaskFile>()
  for await (const path of glob('*/*.ts', { cwd: FOLDER }))
    files.set(path.slice(0, -'.ts'.length), await import(new URL(path, FOLDER).href))
  return files
}
