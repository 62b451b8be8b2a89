// What tasks/attachments/fetch.ts calls.
import type { Ref } from '../ids.ts'
import { provided } from '../queue/provided.ts'
import type { Trial } from '../queue/trial.ts'
import { createFetch, giveUp as end, type FetchContext } from './fetch.ts'

const tools = provided<{ context: FetchContext; fetchFile: ReturnType<typeof createFetch> }>('fetching of files')

export const provideFetch = (context: FetchContext): void => tools.provide({ context, fetchFile: createFetch(context) })
export const fetchFile = (ref: Ref, trial: Trial): Promise<void> => tools.get().fetchFile(ref, trial)
export const giveUp = (ref: Ref): Promise<void> => end(tools.get().context, ref)
