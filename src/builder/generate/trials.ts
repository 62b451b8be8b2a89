// Several readings of one clause, and which of them is kept: the one that leaves the least of it unread, the first of those that are equal.
import { type Snapshot, snapshotOf, unreadOf } from './coverage.ts'
import type { Draft } from './draft.ts'
import { lose, loseAll } from './narrowing.ts'
import { placed } from './placings.ts'
import { isPlausible, namesOf } from './plausible.ts'

export type Reader = (draft: Draft, clause: string) => boolean

/** All of a draft that a reading changes. */
const CHANGED = ['manifest', 'notes', 'before', 'resource', 'flow', 'isFlowTold', 'heard', 'spoken', 'topic', 'isAhead'] as const
type State = Pick<Draft, (typeof CHANGED)[number]>

const stateOf = (draft: Draft): State => Object.fromEntries(CHANGED.map(key => [key, draft[key]])) as unknown as State
/** What is one thing in the draft is one in its copy. */
const copied = (state: State): State => structuredClone(state)

/** Readings of one description, so that one that nobody can read takes no long time. */
const TRIALS_MAX = 1_500
/** What is not even tried otherwise: a reading that took a clause for a name. */
const IMPOSSIBLE = 1_000

interface Trial {
  state: State
  cost: number
}

/** Reads a clause in the first of its wordings that leaves nothing unread, or else in the best. */
export function readBest(draft: Draft, wordings: Iterable<string[]>, clause: string, readers: readonly Reader[]): void {
  const start = copied(stateOf(draft))
  let best: Trial | undefined
  for (const parts of wordings) {
    Object.assign(draft, copied(start))
    let [cost, isRead] = [0, false]
    for (const part of parts.length === 1 && parts[0] === clause ? parts : parts.flatMap(each => placed(draft, each))) {
      const { cost: more, isRead: also } = readPart(draft, part, readers)
      cost += more
      isRead ||= also
    }
    // What is not read at all is told as it was said.
    if (!best || (isRead && cost < best.cost)) best = { state: stateOf(draft), cost }
    if (cost === 0 || draft.trials > TRIALS_MAX) break
  }
  Object.assign(draft, best?.state)
  draft.before = clause
}

/** @returns what the best of the readers costs; one who cannot read it costs all of its words */
function readPart(draft: Draft, part: string, readers: readonly Reader[]): { cost: number; isRead: boolean } {
  const start = copied(stateOf(draft))
  const before = snapshotOf(draft)
  let best: Trial | undefined
  for (const reader of readers) {
    draft.heard = []
    if (!reader(draft, part)) continue
    draft.trials++
    const cost = tell(draft, part, before, start)
    if (cost < IMPOSSIBLE && (!best || cost < best.cost)) best = { state: stateOf(draft), cost }
    if (cost === 0 || draft.trials > TRIALS_MAX) break
    Object.assign(draft, copied(start))
  }
  Object.assign(draft, best?.state ?? copied(start))
  draft.before = part
  if (best) return { cost: best.cost, isRead: best.cost < weightOf(part) }
  loseAll(draft, part)
  return { cost: weightOf(part), isRead: false }
}

/** Notes what is left of the part. @returns what the reading costs */
function tell(draft: Draft, part: string, before: Snapshot, start: State): number {
  const known = namesOf(start.manifest)
  for (const [key, { role, name }] of namesOf(draft.manifest)) if (!known.has(key) && !isPlausible(role, name)) return IMPOSSIBLE
  if (draft.isEdit && isInvented(draft, start, part)) return IMPOSSIBLE
  for (const unread of unreadOf(draft, part, before, start.notes)) lose(draft, start.manifest.flows, unread)
  const notes = draft.notes.filter(note => !start.notes.includes(note))
  // A reader that changed nothing has read nothing, unless it says why.
  if (
    !draft.isAhead &&
    notes.length === 0 &&
    draft.heard.every(each => each === '') &&
    isUnchanged(before, snapshotOf(draft)) &&
    !isSpokenOf(draft, start)
  )
    return IMPOSSIBLE
  const cost = notes.reduce((sum, note) => sum + weightOf(/^Not understood: "(.*)"\./s.exec(note)?.[1] ?? note), 0)
  // A reader that knows what it cannot do has read none of it.
  if (cost > 0 && isUnchanged(before, snapshotOf(draft))) return weightOf(part)
  return Math.min(cost, weightOf(part) - 1)
}

/** What is only named is spoken of from then on. */
const isSpokenOf = (draft: Draft, start: State): boolean =>
  JSON.stringify([draft.spoken, draft.flow?.id, draft.resource?.id]) !== JSON.stringify([start.spoken, start.flow?.id, start.resource?.id])

/** An edit that makes a resource of which nothing is said has taken something else for its name. */
const isInvented = ({ manifest }: Draft, { manifest: before }: State, part: string): boolean =>
  !/\b(?:resource|table|list|record type|register|keep|store|track|records)\b/i.test(part) &&
  manifest.resources.some(
    ({ id, fields, relations = [] }) =>
      fields.length + relations.length === 0 &&
      !before.resources.some(each => each.id === id) &&
      !manifest.views.some(({ component }) => component === `list:${id}`),
  )

const isUnchanged = (before: Snapshot, after: Snapshot): boolean =>
  [...after].every(([list, now]) => now.join() === before.get(list)?.join())

/** Words count, and what is quoted or an address as well. */
const weightOf = (text: string): number => Math.max(1, text.match(/[\p{L}\d]+/gu)?.length ?? 0)
