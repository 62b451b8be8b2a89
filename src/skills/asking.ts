// What a call is made with, and what is asked.
import type { Callable } from '../apps/installed.ts'
import type { OutboundClient } from '../outbound/client.ts'
import type { Sql } from '../postgres/sql.ts'
import type { Standing } from '../queue/standing.ts'
import type { Keyring } from '../secrets.ts'
import type { Skill } from './answer.ts'
import type { NewCall } from './call-store.ts'
import type { Refusal } from './codes.ts'
import type { For } from './occasion.ts'
import type { Places } from './places.ts'

export interface SkillContext {
  sql: Sql
  client: OutboundClient
  keyring: Keyring
  standing: Standing
  /** The process is stopping: no call begins, and one that waits is given up. A request under way may end, as long as its client is open. */
  stopping: AbortSignal
  places: Places
  /** The time for an attempt, from its start to the last byte of its answer. */
  timeoutMs: number
}

/** Calls outside a worker end with what asks for them. */
export const UNSTOPPED: AbortSignal = new AbortController().signal

export interface Asked {
  tenant: string
  /** `app_…`, or the id of the manifest. */
  app_id: string
  skill_id: string
  /** JSON. */
  arguments: unknown
  /** Gives the call up: it rejects with the signal's reason, and if the same is asked again, the call is made then. */
  signal: AbortSignal
  for: For
}

export type Called =
  | { output: unknown; truncated: boolean; call_id: string }
  /** `again_at`: the app was not asked, and a run's step may ask again then. ISO 8601. */
  | (Refusal & { call_id: string; again_at?: string })

/** The process is stopping, or was taken for gone. If the same is asked again, the call is made then. */
export class GivenUp extends Error {
  override name = 'GivenUp'
}

/** @param signal of the caller @throws its reason, or GivenUp where the caller gave nothing up */
export function giveUp(signal: AbortSignal): never {
  signal.throwIfAborted()
  throw new GivenUp('The call was given up, for this process is stopping or was taken for gone.')
}

/** A call that may be made. */
export interface Asking {
  context: SkillContext
  row: NewCall
  callable: Callable
  skill: Skill
  /** Values that stand in the arguments and are never shown. */
  secrets: readonly string[]
  signal: AbortSignal
}
