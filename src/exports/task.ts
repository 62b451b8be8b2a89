// What tasks/exports/write.ts calls. Graphile Worker loads task files by itself, so the process hands over what writing needs here.
import { createWrite, type Write, type Writing } from './write.ts'

let current: Write | undefined

export function setWriting(writing: Writing): void {
  current = createWrite(writing)
}

export function write(tenantId: string, exportId: string): Promise<void> {
  if (!current) throw new Error('this process writes no exports: it is told how by startWorker')
  return current({ tenant: tenantId, id: exportId })
}
