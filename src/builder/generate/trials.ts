// Several readings of one clause, and which of them is kept: the one that leaves the least of it unread, the first of those that are equal.
import type { Resource } from '../../apps/manifest/shape.ts'
import { stemOf, unreadOf } from './coverage.ts'
import type { Draft } from './draft.ts'
import { flowWords } from './flow-words.ts'
import { isSame } from './names.ts'
import { disableLost, lose, loseAll } from './narrowing.ts'
import { placed } from './placings.ts'
import { isPlausible, namesOf } from './plausible.ts'
import { again, copied, outcomeOf, type State, stateOf } from './states.ts'
import { asidesIn } from './wordings.ts'

export type Reader = (draft: Draft, clause: string) => boolean

/** What is not even tried otherwise: a reading that took a clause for a name. */
const IMPOSSIBLE = 1_000

interface Trial {
  state: State
  cost: number
}

/** Reads a clause in the first of its wordings that leaves nothing unread, or else in the best. */
export async function readBest(draft: Draft, wordings: Iterable<string[]>, clause: string, readers: readonly Reader[]): Promise<void> {
  const start = copied(stateOf(draft))
  let best: Trial | undefined
  for (const parts of wordings) {
    Object.assign(draft, copied(start))
    let [cost, isRead] = [0, false]
    for (const part of parts.length === 1 && parts[0] === clause ? parts : parts.flatMap(each => placed(draft, each))) {
      const { cost: more, isRead: also } = await readPart(draft, part, readers)
      cost += more
      isRead ||= also
    }
    // What is not read at all is told as it was said.
    if (!best || (isRead && cost < best.cost)) best = { state: stateOf(draft), cost }
    if (cost === 0 || draft.effort.provesNoMore()) break
  }
  Object.assign(draft, best?.state)
  draft.before = clause
}

/** @returns what the best of the readers costs; one who cannot read it costs all of its words */
async function readPart(draft: Draft, part: string, readers: readonly Reader[]): Promise<{ cost: number; isRead: boolean }> {
  const start = copied(stateOf(draft))
  let best: Trial | undefined
  let chars: number | undefined
  for (const reader of readers) {
    draft.isSettled = false
    await draft.effort.spend(part, 0)
    if (!reader(draft, part)) continue
    // It is copied, to be taken back.
    chars ??= JSON.stringify(start.manifest).length
    await draft.effort.spend(part, chars)
    const cost = await tell(draft, part, start, reader, best?.cost ?? IMPOSSIBLE)
    if (cost < IMPOSSIBLE && (!best || cost < best.cost)) best = { state: stateOf(draft), cost }
    if (cost === 0 || draft.effort.provesNoMore()) break
    Object.assign(draft, copied(start))
  }
  Object.assign(draft, best?.state ?? copied(start))
  draft.before = part
  draft.clauses = [...draft.clauses, part]
  if (best) return { cost: best.cost, isRead: best.cost < weightOf(part) }
  loseAll(draft, part)
  return { cost: weightOf(part), isRead: false }
}

/** Notes what is left of the part, unless it costs as much as another already. @returns what the reading costs */
async function tell(draft: Draft, part: string, start: State, reader: Reader, most: number): Promise<number> {
  const known = namesOf(start.manifest)
  for (const [key, { role, name }] of namesOf(draft.manifest)) if (!known.has(key) && !isPlausible(role, name)) return IMPOSSIBLE
  if (draft.isEdit && isMistaken(draft, start, part)) return IMPOSSIBLE
  // A reader that changed nothing has read nothing, unless it says why.
  const isIdle = isUnchanged(draft, start) && draft.notes.length === start.notes.length
  if (isIdle && draft.ahead.length === 0 && !draft.isSettled && !isSpokenOf(draft, start)) return IMPOSSIBLE
  if (costOf(draft, start) >= most) return IMPOSSIBLE
  const whole = outcomeOf(draft)
  const made = async (text: string): Promise<string | undefined> => {
    if (text === part || draft.effort.provesNoMore()) return whole
    await draft.effort.spend(part, whole.length)
    const other = again(draft, start)
    other.isSettled = false
    return reader(other, text) ? outcomeOf(other) : undefined
  }
  const names = spokenOf(draft, start)
  const isAside = asidesIn(part)
  const isName = (word: string, at: number): boolean =>
    isAside(at) ||
    names.has(stemOf(word)) ||
    (draft.isEdit && (KINDS.has(word) || DOERS.test(word))) ||
    (draft.isSettled && ACCESS.test(word))
  disableLost(draft, start.notes, start.manifest.flows)
  if (draft.proves) for (const unread of await unreadOf(part, made, isName)) lose(draft, start.manifest.flows, unread)
  const cost = costOf(draft, start)
  // A reader that knows what it cannot do has read none of it.
  if (cost > 0 && isUnchanged(draft, start)) return weightOf(part)
  return Math.min(cost, weightOf(part) - 1)
}

/** What things that there are go by in edits, beside their names: what is done in a flow, and to whom. */
const KINDS: ReadonlySet<string> = new Set(
  'run runs start starts service tool type option options choice choices limit threshold minimum maximum skill address page screen view list text entry value values possible notice notification alert reminder greeting message follow-up record step team people customer customers buyer buyers contact contacts saved made created sent called tagged notified react'.split(
    ' ',
  ),
)
/** Those who did what a flow acts on. */
const DOERS = /^(?:ask|buy|order|pay|rent|shop|writ)ers?$/
/** What is so already. */
const ACCESS = /^(?:only|read|see|seen|look|write|written|create|change|edit|allowed)$/

const LISTS = ['resources', 'skills', 'views', 'knowledge', 'config', 'flows'] as const

/** What a manifest calls its parts is no name of one of them: "required" says something. */
const MEMBERS =
  /"(?:fields|type|required|enumValues|relations|exposeToAi|allowAiWrite|inputSchema|properties|conditions|steps|enabled|value|op)":/g

/** The words of what was there before and is changed, or spoken of: a clause names it by some of them. */
function spokenOf({ manifest, resource, flow, spoken }: Draft, { manifest: before }: State): Set<string> {
  const kept = new Set(LISTS.flatMap(list => manifest[list].map(entry => JSON.stringify(entry))))
  const changed = LISTS.flatMap(list => before[list].map(entry => JSON.stringify(entry))).filter(entry => !kept.has(entry))
  const meant = [
    before.resources.find(({ id }) => id === resource?.id),
    before.flows.find(({ id }) => id === flow?.id),
    spoken !== undefined && JSON.stringify(before).includes(JSON.stringify(Object.values(spoken).at(-1))) && spoken,
  ].map(each => JSON.stringify(each || ''))
  const told = before.flows.filter(each => each.id === flow?.id || !kept.has(JSON.stringify(each))).flatMap(flowWords)
  return new Set(
    [
      ...[...changed, ...meant].flatMap(
        text =>
          text
            .replaceAll(MEMBERS, '')
            .toLowerCase()
            .match(/[\p{L}\d]+/gu) ?? [],
      ),
      ...told,
    ].map(stemOf),
  )
}

const costOf = ({ notes }: Draft, start: State): number =>
  notes
    .filter(note => !start.notes.includes(note))
    .reduce((sum, note) => sum + weightOf(/^Not understood: "(.*)"\./s.exec(note)?.[1] ?? note), 0)

/** What is only named is spoken of from then on. */
const isSpokenOf = (draft: Draft, start: State): boolean =>
  JSON.stringify([draft.spoken, draft.flow?.id, draft.resource?.id]) !== JSON.stringify([start.spoken, start.flow?.id, start.resource?.id])

const KEEPS =
  /\b(?:resources?|tables?|lists?|record types?|register|keep|stores?|track|records?|save|add|create|make|log|note|collect|need|want|ha(?:s|ve)|new|remember|write down|show|see)\b/i

/** Words that say that it is a resource. */
const IS_RESOURCE = /\b(?:resources?|tables?|lists?|record types?|registers?|kinds? of records?|collections?)\b/i
/** Of a resource that is made beside others more than its name has to be said: "save time with shortcuts" makes none. */
const SAID_MIN = 2

/** An edit that makes a resource where nothing is to be kept, or of the name of a field or a setting, has taken something else for its name. */
const isMistaken = ({ manifest }: Draft, { manifest: before }: State, part: string): boolean => {
  // One that is renamed has a new id, too.
  if (manifest.resources.length <= before.resources.length) return false
  const known = [...before.resources.flatMap(({ fields }) => fields.map(({ name }) => name)), ...before.config.map(({ key }) => key)]
  const isSaid = ({ id, fields, relations = [] }: Resource): boolean =>
    fields.length + relations.length + manifest.views.filter(({ component }) => component === `list:${id}`).length >= SAID_MIN
  return manifest.resources
    .filter(({ id }) => !before.resources.some(each => each.id === id))
    .some(each => !KEEPS.test(part) || known.some(name => isSame(name, each.name)) || !(IS_RESOURCE.test(part) || isSaid(each)))
}

const isUnchanged = ({ manifest }: Draft, start: State): boolean => JSON.stringify(manifest) === JSON.stringify(start.manifest)

/** Words count, and what is quoted or an address as well. */
const weightOf = (text: string): number => Math.max(1, text.match(/[\p{L}\d]+/gu)?.length ?? 0)
