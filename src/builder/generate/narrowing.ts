// What of a clause is lost may say when a flow acts, or for whom: a flow without it would do more than was asked, so it is disabled.
import type { Flow, Step } from '../../apps/manifest/shape.ts'
import { type Draft, disable, notUnderstood } from './draft.ts'

/** Words that begin, or make, a condition. */
const NARROWS =
  /\b(?:if|unless|except|only|skip|when(?:ever)?|while|until|till|before|because|provided|as long as|whose|without|never|not for|but not|for the first)\b/i
/** A sentence of its own that takes something away from what was said before it. */
const TAKES_AWAY =
  /^(?:(?:but|and|also|please),? )*(?:skip|except|unless|only|not|never|nobody|no one|none|leave out|exclude|ignore|do not|don't|without)\b/i

/** Tells what a clause that made or changed a flow has left unread. */
export function lose(draft: Draft, before: readonly Flow[], part: string): void {
  const flow = NARROWS.test(part) ? changedIn(draft, before) : undefined
  if (flow) disable(draft, flow, part)
  else notUnderstood(draft, part)
}

/** "Do not message them", where nothing does. */
const NEVER =
  /^(?:(?:but|and|also|please),? )*(?:do not|don't|never) (?<deed>message|write to|text|tag|notify|warn|call) (?:them|him|her|it|us|the (?:customer|team|buyer|service))$/i
const STEPS: [RegExp, Step['type']][] = [
  [/^(?:message|write to|text)$/i, 'send_message'],
  [/^tag$/i, 'tag_contact'],
  [/^(?:notify|warn)$/i, 'notify'],
  [/^call$/i, 'call_skill'],
]

/** Tells a clause of which nothing was read. */
export function loseAll(draft: Draft, clause: string): void {
  const deed = NEVER.exec(clause)?.groups?.['deed']
  const type = STEPS.find(([pattern]) => deed !== undefined && pattern.test(deed))?.[1]
  if (type && draft.isFlowTold && !draft.flow?.steps.some(step => step.type === type)) return
  if (draft.isFlowTold && draft.flow && TAKES_AWAY.test(clause)) disable(draft, draft.flow, clause)
  else notUnderstood(draft, clause)
}

function changedIn({ flow, manifest }: Draft, before: readonly Flow[]): Flow | undefined {
  const known = new Set(before.map(each => JSON.stringify(each)))
  const changed = manifest.flows.filter(each => !known.has(JSON.stringify(each)))
  return changed.find(each => each === flow) ?? changed.at(-1)
}
