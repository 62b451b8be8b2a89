// What a reading changes of a draft, so that it can be tried and taken back, and what two readings are compared by.
import type { Draft } from './draft.ts'

const CHANGED = [
  'manifest',
  'notes',
  'before',
  'resource',
  'flow',
  'isFlowTold',
  'isSettled',
  'spoken',
  'topic',
  'ahead',
  'clauses',
] as const
export type State = Pick<Draft, (typeof CHANGED)[number]>

export const stateOf = (draft: Draft): State => Object.fromEntries(CHANGED.map(key => [key, draft[key]])) as unknown as State

/** What is one thing in the draft is one in its copy. All of it is JSON; `structuredClone` took most of the time of a draft. */
export function copied(state: State): State {
  const made = new Map<object, unknown>()
  const copy = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const known = made.get(value)
    if (known) return known
    if (Array.isArray(value)) {
      const list: unknown[] = []
      made.set(value, list)
      for (const each of value) list.push(copy(each))
      return list
    }
    // An author's own schema may have a key that is called so.
    if (Object.hasOwn(value, '__proto__')) return structuredClone(value)
    const fresh: Record<string, unknown> = {}
    made.set(value, fresh)
    for (const key in value) fresh[key] = copy((value as Record<string, unknown>)[key])
    return fresh
  }
  return copy(state) as State
}

/** The draft as it was, to be read into once more. */
export const again = (draft: Draft, start: State): Draft => ({ ...draft, ...copied(start) })

/** What a reading comes to. What a flow is called says nothing of what it does. */
export const outcomeOf = ({ manifest, notes, spoken, resource, flow, isSettled }: Draft): string =>
  JSON.stringify([
    { ...manifest, flows: manifest.flows.map(({ name: _name, ...rest }) => rest) },
    notes,
    spoken,
    resource?.id,
    flow?.id,
    isSettled,
  ])
