// What tasks/exports/write.ts calls.
import type { Ref } from '../ids.ts'
import { provided } from '../queue/provided.ts'
import type { Trial } from '../queue/trial.ts'
import { createWrite, giveUp as end, type WriteContext } from './write.ts'

const tools = provided<{ context: WriteContext; write: ReturnType<typeof createWrite> }>('writing of exports')

export const provideWrite = (context: WriteContext): void => tools.provide({ context, write: createWrite(context) })
export const write = (ref: Ref, trial: Trial): Promise<void> => tools.get().write(ref, trial)
export const giveUp = (ref: Ref): Promise<void> => end(tools.get().context.sql, ref)
