// What tasks/imports/apply.ts calls. Task files are loaded as they are, so the process hands over what applying needs here.
import type { Trial } from '../queue/trial.ts'
import { type Applying, createApply, giveUp as end } from './apply.ts'

let current: { apply: ReturnType<typeof createApply>; applying: Applying } | undefined

export function setApplying(applying: Applying): void {
  current = { apply: createApply(applying), applying }
}

export function apply(tenantId: string, importId: string, trial: Trial): Promise<void> {
  return started(current).apply({ tenant: tenantId, import: importId }, trial)
}

export function giveUp(tenantId: string, importId: string): Promise<void> {
  return end(started(current).applying.sql, { tenant: tenantId, import: importId })
}

function started<T>(applying: T | undefined): T {
  if (!applying) throw new Error('this process applies no imports: it is told how by startWorker')
  return applying
}
