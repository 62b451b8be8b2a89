// What tasks/callbacks/apply.ts calls.
import type { Ref } from '../ids.ts'
import { provided } from '../queue/provided.ts'
import type { Trial } from '../queue/trial.ts'
import { setWake } from './callbacks.ts'
import { wake } from './lease-store.ts'
import { createQuickTurns, type QuickTurns } from './quick-turns.ts'
import { setWaitingHere } from './sweep-store.ts'
import { createTurns, skipDeadly, type TurnContext } from './turn.ts'

const tools = provided<{ context: TurnContext; turn: ReturnType<typeof createTurns> }>('applying of callbacks')

/** @returns the turns of sources that this process is told of directly */
export function provideTurns(context: TurnContext): QuickTurns {
  setWake(sources => void wake(context.sql, sources).catch(() => {}))
  const quick = createQuickTurns(context)
  setWaitingHere(quick.waiting)
  tools.provide({ context, turn: createTurns(context, quick.told) })
  return quick
}
export const apply = (ref: Ref, trial: Trial): Promise<void> => tools.get().turn(ref, trial)
export const giveUp = (ref: Ref): Promise<void> => skipDeadly(tools.get().context.sql, ref)
