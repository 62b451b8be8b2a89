// Sentences of their own about when the flow acts that was spoken of: "only for orders over 50", "the tag is for those to Poland alone".
import type { Condition, Flow, Step } from '../../apps/manifest/shape.ts'
import { conditionsOf, opposite } from './conditions.ts'
import { type Draft, disable } from './draft.ts'
import { type Limit, limitsIn } from './limited.ts'
import { typeOfDeed } from './step-names.ts'

/** "Only for orders over 50": conditions of the flow that was spoken of. */
export function readConditions(draft: Draft, sentence: string): boolean {
  const { flow, isFlowTold } = draft
  if (flow && isFlowTold && readLimits(draft, flow, sentence)) return true
  const [, words] =
    /^(?:but )?(?:(?:do|run|use) (?:it|this|that|the flow|all (?:of )?(?:this|that|it)|everything) )?only(?: (?:do|run) (?:it|this|that|the flow))? (?:(?:for|if|when|where)\s+|(?=(?:from|over|above|at least|between|under|below|up to)\s))(.+)$/i.exec(
      sentence.replace(/, [^,]{2,60} (?:is|are|was|were) (?:too|not) [^,]{2,60}$/i, ''),
    ) ?? []
  if (words === undefined) return readExceptions(draft, sentence)
  if (!flow) return false
  const { conditions, left } = conditionsOf(words, flow.trigger, draft.said)
  // A flow that was there before gets its limit changed, rather than a second one.
  const isChanged = draft.isEdit && !draft.isFlowTold
  const others = (flow.conditions ?? []).filter(
    ({ field, op }) => !isChanged || !conditions.some(each => each.field === field && (each.op === op || /^[gl]te?$/.test(op))),
  )
  if (conditions.length > 0) flow.conditions = [...others, ...conditions]
  if (left !== '') disable(draft, flow, left)
  return true
}

/** The first way in which all of it can be asked for; @returns false where there is none. */
function readLimits({ said }: Draft, flow: Flow, sentence: string): boolean {
  for (const { words, isNot, of } of limitsIn(sentence)) {
    const steps = stepsOf(flow, of)
    const { conditions, left } = conditionsOf(words, flow.trigger, said)
    const met = isNot ? opposite(conditions) : conditions
    if (!steps || left !== '' || !met || met.length === 0 || isDenied(words)) continue
    for (const each of steps) each.conditions = [...(each.conditions ?? []), ...met]
    return true
  }
  return false
}

/** "… if it does not go to Norway": what is denied within is no condition that was read. */
const isDenied = (words: string): boolean => /\b(?:no (?!smaller|less|more|lower|bigger)|nothing|without)\b/i.test(words)

/** Whose the conditions are: the flow itself, unless some of its steps alone are named. */
function stepsOf(flow: Flow, of: Limit['of']): { conditions?: Condition[] }[] | undefined {
  if (of === '') return [flow]
  const type = typeOfDeed(of)
  const named = flow.steps.filter(step => step.type === type)
  // A message may be one to the team.
  const meant = named.length > 0 || type !== 'send_message' ? named : flow.steps.filter(step => step.type === 'notify')
  if (meant.length === 0) return undefined
  return flow.steps.every((step: Step) => step.type === 'wait' || meant.includes(step)) ? [flow] : meant
}

/** "But not for orders below 20", "skip it for orders to Poland": conditions that must not hold of the flow that was told before. */
function readExceptions(draft: Draft, sentence: string): boolean {
  const words = EXCEPTIONS.map(pattern => pattern.exec(sentence)?.[1]).find(each => each !== undefined)
  const { flow } = draft
  if (words === undefined || !flow || !draft.isFlowTold) return false
  const { conditions, left } = conditionsOf(words, flow.trigger, draft.said)
  const others = left === '' ? opposite(conditions) : undefined
  if (others) flow.conditions = [...(flow.conditions ?? []), ...others]
  else disable(draft, flow, sentence)
  return true
}

const EXCEPTIONS = [
  /^(?:(?:but|and|please),? )*(?:(?:skip|ignore|leave out|exclude) (?:it|this|that|them)?(?: ?(?:for|if|when|where|with))? ?|(?:do )?not (?:for|if|when|where|with) |never (?:for|if|when) |except(?: for| if| when)? |unless )(?:it is |it's )?(.{3,120})$/i,
  /^(?:(?:but|and),? )*(?:this|that|it|the flow|all (?:of )?(?:this|that)) (?:does not|doesn't|do not|don't|should not|shouldn't|must not|is not to|should never) (?:apply|count|happen|be done|hold|run|go)(?: out)? (?:to|for|if|when|where) (.{3,120})$/i,
  /^(?:(?:but|and),? )*((?:orders?|customers?|messages?|contacts?|products?|those|anything|everything) [^,]{3,100}?),? (?:(?:is|are|should be|must be) (?:excluded|exempt|left out|skipped|ignored|not (?:included|meant|affected|counted))|(?:do not|don't|does not|doesn't|should not|shouldn't) count|(?:gets?|should get|receives?) (?:nothing|none))$/i,
  /^(?:(?:but|and),? )*(?:no (?:tag|message|notification|notice|warning|call|thanks|reminder)s?|nothing|none(?: of (?:this|that))?) (?:for|if|when|where|on) (.{3,120})$/i,
]
