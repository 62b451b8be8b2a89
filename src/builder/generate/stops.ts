// What is no longer done: steps that flows leave out, and skills that the assistant may not use.
import type { Step } from '../../apps/manifest/shape.ts'
import type { Draft } from './draft.ts'
import { ASSISTANT, isSame } from './names.ts'
import { keepSteps, stepsOf, take } from './removals.ts'
import { typeOfDeed } from './step-names.ts'
import { speakOf, targetOf } from './targets.ts'

const FORBIDDEN = new RegExp(
  `^${ASSISTANT} (?:(?:must|should|may|can|shall) (?:not|never|no longer)|cannot|no longer (?:may|can)) (?:be able to |use (?:the )?)?(?!(?:read|see|look|view|write|create|change|edit|update|touch|know|say|tell|promise|mention)\\b)(?<deed>.{3,60}?)(?: any ?more| any longer)?$`,
  'i',
)

/** "The assistant must not quote prices any more": the skill of that name goes. */
export function forbid(draft: Draft, text: string): boolean {
  const { deed } = FORBIDDEN.exec(text)?.groups ?? {}
  const target = deed === undefined ? undefined : targetOf(draft, deed, ['skill'])
  if (target?.kind !== 'skill') return false
  take(draft, target)
  return true
}

/** A deed, to whom, and of what. */
const STOPPED =
  /^[a-z]+(?: (?:it|them|us|him|her|the flow|(?:(?:the|our|any|an?|all) )?(?:team|staff|admins?|customers?|buyers?|clients?|contacts?|people|service|records?|messages?|notifications?|reminders?|tags?|step)))*(?: (?:to|about|on|for|of|before|after) (?:the |our |any )?[\p{L}-]+(?: [\p{L}-]+){0,2})?$/iu

/** "…, just tag them": what else the flow does stays. */
const STAYS =
  /,? (?:but |and )?(?:just|only|simply|still)(?: keep)? ([a-z]+?)(?:ing)? (?:it|them|us|him|her|the (?:team|customer|buyer|client)s?)$/i

export function stop(draft: Draft, told: string): boolean {
  const [stays = '', deed = ''] = STAYS.exec(told) ?? []
  const kept = deed === '' ? undefined : typeOfDeed(deed)
  const text = kept ? told.slice(0, -stays.length) : told
  return stopDoing(draft, text, kept)
}

function stopDoing(draft: Draft, text: string, kept: Step['type'] | undefined): boolean {
  const [, words] =
    /^(?:don't|do not|stop|no longer|never|it should not|it shouldn't|(?:the )?flow should (?:not|no longer))\s+(.+?)(?: any ?more| any longer)?$/i.exec(
      text,
    ) ?? []
  // What is done in some cases no longer is no step that goes.
  if (
    words &&
    (/[,«\d]/.test(words) ||
      / (?:as long as|if|when|while|unless|who|which|that|whose|for|from|over|under|above|below|at (?:night|\d)|on (?:an? |the )?\w+days?|until|during|with|without|more than|less than)(?: |$)/i.test(
        words,
      ))
  )
    return false
  // "It may read them, but no longer write them" is said of the assistant.
  if (words && /^(?:read|write|see|change|create|edit|update)(?: or \w+)?(?: (?:it|them|these|those))?$/i.test(words)) return false
  // What is said besides of what is no longer done is another thought.
  if (!words) return false
  // "tagging people as careless": the step that gives this tag.
  const [, tag = ''] =
    /^tag(?:ging)?(?: (?:them|people|customers?|contacts?|(?:the|our) \w+|everyone|everybody))?(?: (?:as|with))?(?: an?)? ([\w-]+)$/i.exec(
      words,
    ) ?? []
  const tagging = stepsOf(draft).filter(step => step.type === 'tag_contact' && isSame(step.tag, tag))
  if (tag !== '' && tagging.length === 1) {
    keepSteps(draft, step => step !== tagging[0])
    return true
  }
  // "message big renters": those of the flow.
  const [, verb = '', whom = ''] = STOPPED.test(words) ? [] : (/^([a-z]+?)(?:ing)? ([\p{L} -]{3,40})$/iu.exec(words) ?? [])
  const whose = verb === '' || typeOfDeed(verb) === undefined ? undefined : targetOf(draft, whom, ['flow'])
  const stopped = typeOfDeed(verb)
  if (whose?.kind === 'flow' && whose.flow.steps.some(({ type }) => type === stopped)) {
    if (kept && !whose.flow.steps.some(({ type }) => type === kept)) return false
    speakOf(draft, whose)
    keepSteps(draft, step => step.type !== stopped || !whose.flow.steps.includes(step))
    return true
  }
  if (kept && !draft.flow?.steps.some(({ type }) => type === kept)) return false
  if (!STOPPED.test(words)) return false
  const type = typeOfDeed(words.split(' ')[0] as string) ?? typeOfDeed(words)
  // "do not notify us about big orders": in the flow of those alone.
  const [, of] = / (?:about|on|for|of|in) (?:the |our |any )?([\p{L}-]+(?: [\p{L}-]+){0,2})$/iu.exec(words) ?? []
  const named = of !== undefined && /^(?:it|this|that|them)$/i.test(of) ? undefined : of
  const target = named === undefined ? undefined : targetOf(draft, named, ['flow'])
  if (named !== undefined && !target) return false
  if (target) speakOf(draft, target)
  const inFlow = draft.flow?.steps.some(step => step.type === type) ? draft.flow : undefined
  if (!type || !stepsOf(draft).some(step => step.type === type)) return false
  keepSteps(draft, step => step.type !== type || (inFlow !== undefined && !inFlow.steps.includes(step)))
  return true
}
