// Edits of how long a flow waits.
import type { Step } from '../../apps/manifest/shape.ts'
import type { Draft } from './draft.ts'
import { DURATION, minutesIn } from './durations.ts'
import { stepIn } from './step-names.ts'
import { speakOf, targetOf } from './targets.ts'

/** A flow may be named with it: "the wait in the follow-up flow". */
function waitMeant(draft: Draft, words: string): Step | undefined {
  const target = words.trim() === '' ? undefined : targetOf(draft, words, ['flow'])
  if (target) speakOf(draft, target)
  const found = stepIn(draft, 'wait')
  return found?.step.type === 'wait' ? found.step : undefined
}

/** What it was before: another while, or its number alone. */
const INSTEAD_OF = `(?:,? (?:instead of|rather than|and not|not) (?:after |for |just |only )*(?<old>${DURATION}|\\d+|[a-z]+)(?:,? (?:in|before|for|to|after|following) (?:the )?(?<of>.{2,60}))?| instead)`
/** The wait that lasts as long as is said, where there are several; undefined where none does. */
function waits(draft: Draft, was: number, meant: Step | undefined): Step | undefined {
  const isMeant = (step: Step): boolean => step.type === 'wait' && step.minutes === was
  return meant && isMeant(meant) ? meant : draft.manifest.flows.flatMap(({ steps }) => steps).find(isMeant)
}

const WAITS = [
  new RegExp(
    `^(?:change|set|make|shorten|extend|increase|reduce|raise|lower|prolong|cut|adjust) (?:the )?(?:wait(?:ing)?(?: time| period)?|pause|delay)(?: (?:in|of|for|after|before) (?<flow>.{2,60}?))?(?: from (?:${DURATION}))? (?:to|be|down to|up to)? ?(?<next>${DURATION})${INSTEAD_OF}?$`,
    'i',
  ),
  new RegExp(
    `^(?:the )?(?:wait(?:ing)?(?: time| period)?|pause|delay)(?: (?:in|of|for) (?<flow>.{2,60}?))? (?:should|must|shall|has to|is to) (?:now |only |rather )?(?:be|last|take) (?:only )?(?<next>${DURATION})${INSTEAD_OF}?$`,
    'i',
  ),
  new RegExp(
    `^(?<flow>(?:ask|send|remind|message|write|notify|tell|thank|call|tag)(?: [\\w' -]{2,40}?)?) (?:only )?after (?:only )?(?<next>${DURATION})${INSTEAD_OF}$`,
    'i',
  ),
  new RegExp(`^(?:wait|let it wait|it should wait|make it)(?: for)?(?: only| just)? (?<next>${DURATION})${INSTEAD_OF}$`, 'i'),
  new RegExp(
    `^(?<flow>.{2,60}?) (?:should|must|shall|has to) (?:now |only )?(?:wait(?: for)?|come|be sent|happen|follow|go out) (?:only )?(?:after )?(?<next>${DURATION})(?: later)?${INSTEAD_OF}?$`,
    'i',
  ),
  new RegExp(`^make (?<flow>.{2,60}?) (?:wait(?: for)?|come after) (?<next>${DURATION})(?: later)?${INSTEAD_OF}?$`, 'i'),
]

/** "For follow-up calls: wait four days": a flow that waits once. */
export function waitAgain(draft: Draft, text: string): boolean {
  const waits = draft.flow?.steps.filter(({ type }) => type === 'wait') ?? []
  const minutes = new RegExp(`^wait(?: for)? ${DURATION}$`, 'i').test(text) ? minutesIn(text) : undefined
  const [step] = waits
  if (waits.length !== 1 || step?.type !== 'wait' || minutes === undefined) return false
  step.minutes = Math.min(43_200, Math.max(1, minutes))
  return true
}

export function changeWait(draft: Draft, text: string): boolean {
  for (const pattern of WAITS) {
    const { flow: named, next = '', old, of = '' } = pattern.exec(text)?.groups ?? {}
    const minutes = next === '' ? undefined : minutesIn(next)
    const flow = named ?? (targetOf(draft, of, ['flow']) ? of : '')
    const meant = minutes === undefined ? undefined : waitMeant(draft, /^(?:it|we|the flow|this)$/i.test(flow) ? '' : flow)
    const was =
      old === undefined ? undefined : minutesIn(/[a-z]$/i.test(old) && minutesIn(old) ? old : `${old} ${/[a-z]+$/i.exec(next)?.[0]}`)
    const step = was === undefined ? meant : waits(draft, was, meant)
    if (step?.type !== 'wait' || minutes === undefined || (old !== undefined && was === undefined)) continue
    step.minutes = Math.min(43_200, Math.max(1, minutes))
    return true
  }
  return false
}
