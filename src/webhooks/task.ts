// What the files of tasks/webhooks/ call.
import type { Ref } from '../ids.ts'
import { provided } from '../queue/provided.ts'
import type { Trial } from '../queue/trial.ts'
import * as catchUps from './catch-up/catch-up.ts'
import type { Deliver, FetchedJob } from './delivery/engine.ts'
import { createRecover, giveUp } from './recovery/run.ts'
import type { RecoverContext } from './recovery/slice.ts'

const delivery = provided<Deliver>('delivery engine')
const recovery = provided<{
  context: RecoverContext
  recover: ReturnType<typeof createRecover>
  catchUp: ReturnType<typeof catchUps.createCatchUp>
}>('recovery')

export const provideDeliver = delivery.provide
/** Recoveries and catch-ups, which run beside live deliveries. */
export const provideRecovery = (context: RecoverContext): void =>
  recovery.provide({ context, recover: createRecover(context), catchUp: catchUps.createCatchUp(context) })

export const deliver = (endpoint: Ref, job: FetchedJob): Promise<void> => delivery.get()(endpoint, job)
export const recover = (ref: Ref, trial: Trial): Promise<void> => recovery.get().recover(ref, trial)
export const giveUpRecovery = (ref: Ref): Promise<void> => giveUp(recovery.get().context.db.sql, ref)
export const catchUp = (ref: Ref, trial: Trial): Promise<void> => recovery.get().catchUp(ref, trial)
export const giveUpCatchUp = (ref: Ref): Promise<void> => catchUps.giveUp(recovery.get().context.db.sql, ref)
