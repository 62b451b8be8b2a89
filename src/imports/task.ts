// What tasks/imports/apply.ts calls.
import type { Ref } from '../ids.ts'
import { provided } from '../queue/provided.ts'
import type { Trial } from '../queue/trial.ts'
import { type ApplyContext, createApply, giveUp as end } from './apply.ts'

const tools = provided<{ context: ApplyContext; apply: ReturnType<typeof createApply> }>('import of files')

export const provideApply = (context: ApplyContext): void => tools.provide({ context, apply: createApply(context) })
export const apply = (ref: Ref, trial: Trial): Promise<void> => tools.get().apply(ref, trial)
export const giveUp = (ref: Ref): Promise<void> => end(tools.get().context.sql, ref)
