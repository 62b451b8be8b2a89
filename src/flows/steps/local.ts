// A step that acts here: through the verb that REST uses, so lock, audit row and event are the same.
import type { Step } from '../../apps/manifest/shape.ts'
import type { Caller } from '../../caller.ts'
import type { Tx } from '../../postgres/sql.ts'
import type { Surroundings } from '../language/lookup.ts'

/** The app that acts, and what its run is about. */
export interface Acting {
  tx: Tx
  /** The app, with the run as the cause of what it does. */
  caller: Caller
  app: { id: string; app_id: string; name: string }
  around: Surroundings
}

export interface Acted {
  /** What later steps name. */
  output: unknown
  /** The message that it wrote. */
  message?: string
}

export type StepOf<Type extends Step['type']> = Extract<Step, { type: Type }>

/** A kind of step. */
export interface LocalStep<Type extends Step['type'], Input> {
  /** Fills in the templates. @throws {Problem} 422 for what becomes too large */
  render(step: StepOf<Type>, around: Surroundings): Input
  /** @throws {Problem} why it cannot be done: then it leaves no trace */
  act(acting: Acting, input: Input): Promise<Acted>
}
