// What a path of a flow leads to when the flow runs. Whether it may lead there at all was checked at the install (../../apps/manifest/paths.ts).

/** What the paths of a flow begin with. */
export interface Surroundings {
  /** The data of the event. */
  event: unknown
  trigger: { id: string; type: string; created_at: string }
  /** The results of the steps so far, by their ids. */
  steps: Record<string, StepResult>
  /** The settings of the app; secrets among them only where they may stand. */
  config: Record<string, unknown>
  run: { id: string }
}

export interface StepResult {
  output?: unknown
  /** Why the step failed, where its flow went on. */
  error?: { code: string; message: string }
}

/** Follows a path through members of its own and entries by their number. @returns null where it leads nowhere */
export function lookup(root: Surroundings, path: string): unknown {
  let value: unknown = root
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null
    if (Array.isArray(value) && !INDEX.test(name)) return null
    value = (value as Record<string, unknown>)[name]
  }
  return value ?? null
}

const INDEX = /^\d{1,4}$/
