// What is said within a step of the cases in which it is done: "…, but only if it is over 50", "… unless it goes to Norway".
import type { Condition, Flow } from '../../apps/manifest/shape.ts'
import { conditionsOf, opposite } from './conditions.ts'
import type { Draft } from './draft.ts'
import { ALL } from './limited.ts'

/** "tag the customer, but only if …", "notify the team unless …" */
const NARROWED =
  /^(.+?)(,)?,? (?:and |but )?(?:(only)(?: ever)? )?(if|when|where|provided(?: that)?|as long as|in case|unless|except (?:if|when|where|for)|not (?:if|when|for)|for) (.+)$/i

const OF_ALL = new RegExp(
  `(?:,| [-–—]| but| and)+ ${ALL}(?: (?:is|are|should|must)(?: be)?)?(?: (?:done|happen|apply|applies|happens))?$`,
  'i',
)

interface Narrowed {
  deed: string
  conditions: Condition[]
  /** Of all that is done, rather than of the step before it. */
  isOfAll: boolean
}

export function narrowed(draft: Draft, flow: Flow, text: string): Narrowed | undefined {
  const [, told = '', comma, only, word = '', rest = ''] = NARROWED.exec(text) ?? []
  // "…, but do all of this only if …"
  const deed = only ? told.replace(OF_ALL, '') : told
  if (deed === '' || (/^for$/i.test(word) && !only)) return undefined
  const { conditions, left } = conditionsOf(rest, flow.trigger, draft.said)
  const isNegative = /^(?:unless|except|not)/i.test(word)
  const met = isNegative ? opposite(conditions) : conditions
  if (left !== '' || !met || met.length === 0 || /\b(?:no (?!smaller|less|more|lower|bigger)|nothing)\b/i.test(rest)) return undefined
  return { deed, conditions: met, isOfAll: Boolean(comma ?? only) || isNegative || deed !== told }
}
