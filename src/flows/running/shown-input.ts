// What a step would be given, for people who try a flow.
import type { Step } from '../../apps/manifest/shape.ts'
import { attempt, Problem } from '../../problems.ts'
import type { Surroundings } from '../language/lookup.ts'
import { render } from '../language/render.ts'
import { isLocal, kindOf } from '../steps/kinds.ts'

/** @returns the input, and why there is none */
export function shownInput(step: Step, around: Surroundings): { input: unknown; error: string | null } {
  const input = attempt(() =>
    isLocal(step)
      ? kindOf(step).render(step, around)
      : step.type === 'wait'
        ? { minutes: step.minutes }
        : render(step.input, around, 'input'),
  )
  return input instanceof Problem ? { input: null, error: input.message } : { input, error: null }
}
