// What tasks/exports/write.ts calls. Task files are loaded as they are, so the process hands over what writing needs here.
import type { Trial } from '../queue/trial.ts'
import { createWrite, giveUp as end, type Write, type Writing } from './write.ts'

let current: { write: Write; writing: Writing } | undefined

export function setWriting(writing: Writing): void {
  current = { write: createWrite(writing), writing }
}

export function write(tenantId: string, exportId: string, trial: Trial): Promise<void> {
  return started(current).write({ tenant: tenantId, id: exportId }, trial)
}

export function giveUp(tenantId: string, exportId: string): Promise<void> {
  return end(started(current).writing.sql, { tenant: tenantId, id: exportId })
}

function started<T>(writing: T | undefined): T {
  if (!writing) throw new Error('this process writes no exports: it is told how by startWorker')
  return writing
}
