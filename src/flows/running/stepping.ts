// A run as its steps see it.
import type { Shape } from '../../apps/manifest/paths.ts'
import type { Scope } from '../../apps/manifest/scopes.ts'
import type { Flow } from '../../apps/manifest/shape.ts'
import type { Caller } from '../../caller.ts'
import { ERROR_TEXT_CHARS } from '../../limits/outbound.ts'
import type { Problem } from '../../problems.ts'
import type { Surroundings } from '../language/lookup.ts'
import type { Run } from './store.ts'

export interface Stepping {
  /** Its place and what it says of time change as it goes on. */
  run: Run
  flow: Flow
  app: { id: string; app_id: string; name: string }
  /** The scopes that the app has, and when they were read, by performance.now(). */
  granted: { scopes: readonly string[]; readAt: number }
  /** The app, with the run as the cause of what it does. */
  caller: Caller
  /** Without secrets. */
  around: Surroundings
  /** Outputs that are too large to be kept, by their steps, with their bytes. */
  large: Map<string, number>
  /** Lets go of those that the step at hand names: it is rendered. */
  rendered(): void
  /** The values of secret settings by key: for the input of a call alone. */
  secrets: Record<string, string>
  /** What paths lead to. */
  shape: Shape
  /** The scopes that are needed before what a path leads to may leave for the app's service. */
  reads(path: string): Scope[]
}

/** Why a step failed. */
export interface Failure {
  code: string
  message: string
}

export const failureOf = ({ message, members, type }: Problem): Failure => ({
  code: typeof members['code'] === 'string' ? members['code'] : type.replaceAll('-', '_'),
  message: message.slice(0, ERROR_TEXT_CHARS),
})

/** A value in a sentence. */
export function asText(value: unknown, most: number): string {
  const text = JSON.stringify(value ?? null)
  return text.length > most ? `${text.slice(0, most)}…` : text
}
