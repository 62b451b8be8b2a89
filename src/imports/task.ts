// What tasks/imports/apply.ts calls. Graphile Worker loads task files by itself, so the process hands over what applying needs here.
import { type Applying, createApply } from './apply.ts'

let current: ReturnType<typeof createApply> | undefined

export function setApplying(applying: Applying): void {
  current = createApply(applying)
}

export function apply(tenantId: string, importId: string): Promise<void> {
  if (!current) throw new Error('this process applies no imports: it is told how by startWorker')
  return current({ tenant: tenantId, import: importId })
}
