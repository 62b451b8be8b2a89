// What the files of tasks/flows/ call.
import type { Ref } from '../ids.ts'
import { provided } from '../queue/provided.ts'
import type { Matching } from './matching/matching.ts'
import type { Running } from './running/engine.ts'

const flows = provided<{ matching: Matching; running: Running }>('running of flows')

export const provideFlows = flows.provide
export const match = (tenant: string): Promise<void> => flows.get().matching.match(tenant)
export const run = (app: Ref): Promise<void> => flows.get().running.run(app)
