// What of a clause is lost may say when a flow acts, or for whom: a flow without it would do more than was asked, so it is disabled.
import type { Flow } from '../../apps/manifest/shape.ts'
import { type Draft, disable, notUnderstood } from './draft.ts'
import { ASSISTANT } from './names.ts'
import { PEOPLE, TEAM } from './sayings.ts'
import { typeOfDeed } from './step-names.ts'

/** Words that begin, or make, a condition. */
const NARROWS =
  /\b(?:if|unless|except|only|skip|when(?:ever)?|while|until|till|before|because|provided|as long as|whose|without|never|not for|but not|for the first)\b/i
/** A sentence of its own that takes something away from what was said before it. */
const TAKES_AWAY =
  /^(?:(?:but|and|also|please),? )*(?:skip|except|unless|only|not|never|nobody|no one|none|leave out|exclude|ignore|do not|don't|without)\b/i

/** What is said of a flow that acts in some cases alone, wherever in a sentence it stands. */
const LIMITS =
  /\b(?:only|unless|except|excluding|never|alone|exclusively|but not|not for|not if|not when|provided|as long as|restrict\w*|limit(?:ed)? to)\b/i
/** Who sees what, what has to be given: nothing of a flow's. */
const OF_OTHERS = new RegExp(
  `\\b(?:${ASSISTANT}|fields?|columns?|tabs?|pages?|settings?|dashboard|required|mandatory|optional|read|see|write)\\b`,
  'i',
)

/** Tells what a clause that made or changed a flow has left unread. */
export function lose(draft: Draft, before: readonly Flow[], part: string): void {
  const flow = NARROWS.test(part) ? changedIn(draft, before) : undefined
  if (flow) disable(draft, flow, part)
  else notUnderstood(draft, part)
}

/** What a reader noted itself may narrow as well: "forward it with the text, unless the customer is tagged vip". */
export function disableLost(draft: Draft, before: readonly string[], flows: readonly Flow[]): void {
  for (const note of draft.notes.filter(each => !before.includes(each))) {
    const [, part = ''] =
      /^Not understood: "((?:(?:,|but|and) ?)*(?:unless|except|only|if|when|until|not|never|as long as|provided)\b.*)"\.$/is.exec(note) ??
      []
    const flow = part === '' ? undefined : changedIn(draft, flows)
    if (!flow || flow.enabled === false) continue
    draft.notes = draft.notes.filter(each => each !== note)
    disable(draft, flow, part)
  }
}

/** "Do not message them", "don't tag the customer" */
const NEVER = new RegExp(
  `^(?:(?:but|and|also|please),? )*(?:do not|don't|never|no need to) (?<deed>[a-z]+(?: to)?) (?:${PEOPLE}|${TEAM}|it|anybody|anyone|anything)$`,
  'i',
)

/** Whether a clause says that nothing is done which the flow does not do anyway. */
export function isUndone({ steps }: Flow, clause: string): boolean {
  const { deed = '' } = NEVER.exec(clause)?.groups ?? {}
  const type = deed === '' ? undefined : typeOfDeed(deed.replace(/^tell$/i, 'notify'))
  return type !== undefined && !steps.some(step => step.type === type)
}

/** Tells a clause of which nothing was read. */
export function loseAll(draft: Draft, clause: string): void {
  if (draft.isFlowTold && draft.flow && isUndone(draft.flow, clause)) return
  const isLimit = TAKES_AWAY.test(clause) || (LIMITS.test(clause) && !OF_OTHERS.test(clause))
  if (draft.isFlowTold && draft.flow && isLimit) disable(draft, draft.flow, clause)
  else notUnderstood(draft, clause)
}

function changedIn({ flow, manifest }: Draft, before: readonly Flow[]): Flow | undefined {
  const known = new Set(before.map(each => JSON.stringify(each)))
  const changed = manifest.flows.filter(each => !known.has(JSON.stringify(each)))
  return changed.find(each => each === flow) ?? changed.at(-1)
}
