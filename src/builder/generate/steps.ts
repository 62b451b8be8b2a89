// Steps as people tell them: "tag the customer as vip, wait two days and then notify the team".
import type { Flow, Step } from '../../apps/manifest/shape.ts'
import { call, include } from './calls.ts'
import { type Draft, disable, note, notUnderstood } from './draft.ts'
import { addStep } from './drafted-flows.ts'
import { DURATION, LATER, minutesIn } from './durations.ts'
import { isUndone } from './narrowing.ts'
import { mention, notify } from './notices.ts'
import { record } from './records.ts'
import { message } from './sayings.ts'
import { QUOTE } from './sentences.ts'
import { narrowed } from './step-limits.ts'
import { isStep, stepTexts } from './step-texts.ts'
import { tag } from './tags.ts'
import { GERUND, plainVerb } from './verbs.ts'

/** "… and even if that call fails, carry on" */
const CARRY_ON =
  /,? (?:and |but )?(?:even )?(?:if|when|should) (?:it|that|this|(?:the|that|this) (?:call|service|request|server|address)) (?:call |request )?(?:fails?|does not work|doesn't work|does not answer|goes wrong|is down|breaks)(?:,| then)? (?:just |still |simply |then )?(?:carry on|continue|go on|proceed|keep going)(?: anyway| regardless| all the same)?(?=,|$| and )/i

/** Adds what the words say to the flow; what is not understood is noted. */
export function readSteps(draft: Draft, flow: Flow, text: string): void {
  const carried = text.replace(CARRY_ON, '')
  if (carried !== text) {
    const begun = flow.steps.length
    readSteps(draft, flow, carried)
    for (const step of flow.steps.slice(begun)) if (step.type === 'call_skill') step.on_error = 'continue'
    if (!flow.steps.slice(begun).some(({ type }) => type === 'call_skill')) notUnderstood(draft, CARRY_ON.exec(text)?.[0] ?? '')
    return
  }
  // "thank them, but wait a day first"
  const [, later, while_] =
    new RegExp(`^(.+?),? (?:but|and) (?:first )?(wait(?: for)? ${DURATION})(?: first| before(?: that)?)$`, 'i').exec(text) ?? []
  if (later && while_) {
    readSteps(draft, flow, `${while_}, then ${later}`)
    return
  }
  // Of what concerns no customer the team alone can be told.
  if (
    /^(?:proposal|channel|webhook|product)\./.test(flow.trigger) &&
    /^(?:tell|notify|warn|inform|alert|message|send|let) them\b/i.test(text)
  ) {
    readSteps(draft, flow, text.replace(/^send them (?:an? )?warning\b/i, 'warn the team').replace(/^(\w+) them\b/i, '$1 the team'))
    return
  }
  const isNew = flow.steps.length === 0
  const all = narrowed(draft, flow, text)
  const isOne = all && stepTexts(all.deed).length === 1
  if (all && isNew && (all.isOfAll || isOne)) {
    flow.conditions = [...(flow.conditions ?? []), ...all.conditions]
    readSteps(draft, flow, all.deed)
    return
  }
  for (const part of stepTexts(text)) {
    const only = narrowed(draft, flow, part)
    const begun = flow.steps.length
    readStep(draft, flow, only?.deed ?? part)
    if (only) for (const step of flow.steps.slice(begun)) step.conditions = [...(step.conditions ?? []), ...only.conditions]
  }
}

/** "message the customer after three days", "… two days later" */
const LATE = new RegExp(
  `^(.+?),? (?:(?:about |around )?(?:${DURATION}) (?:later|afterwards?|after (?:that|this|it)|thereafter)|after(?: about| waiting(?: for)?| a (?:pause|delay|wait) of)? ${DURATION}|(?:in|with a delay of) ${DURATION}(?:'s? time)?|(?:on |in )?the (?:next|following) (?:day|week))$`,
  'i',
)

function readStep(draft: Draft, flow: Flow, part: string): void {
  if (isUndone(flow, part)) return
  const [, deed = ''] = LATE.exec(part) ?? []
  const while_ = deed !== '' && isStep(deed) && !/^wait/i.test(deed) ? part.slice(deed.length) : ''
  const minutes = while_ === '' ? undefined : minutesIn(while_.replace(/^.*?(?=the (?:next|following))/i, ''))
  if (minutes !== undefined) {
    addWait(draft, flow, minutes, while_)
    readStep(draft, flow, deed)
    return
  }
  const read = READERS.some(reader => reader(draft, flow, part)) || readBegin(draft, flow, part)
  // A wait that is lost makes what follows come too early.
  if (!read && /^(?:wait|pause|after|until)\b|\blater\b/i.test(part)) disable(draft, flow, part)
  else if (!read) notUnderstood(draft, part)
}

/** "tag the customer late and print a label": what no step does is told, and does not hide the one before it. */
function readBegin(draft: Draft, flow: Flow, part: string): boolean {
  for (const { index, 0: and } of [
    ...part.matchAll(/,? (?:and|plus)(?: then| also)? (?=[a-z]{3,} (?:the|an?|it|them|their|our|all|every)\b)/g),
  ].slice(0, 3)) {
    if (!READERS.some(reader => reader(draft, flow, part.slice(0, index)))) continue
    const rest = part.slice(index + and.length)
    notUnderstood(draft, rest)
    return true
  }
  return false
}

/** @returns whether it was this kind of step, and is done with */
type Reader = (draft: Draft, flow: Flow, text: string) => boolean

/** The longest that a step waits, in minutes. */
const WAIT_MAX = 43_200

function wait(draft: Draft, flow: Flow, text: string): boolean {
  const [all] =
    new RegExp(`^(?:wait|pause)(?: for)?(?: about| another)? ${DURATION}(?![\\w-])`, 'i').exec(text) ??
    new RegExp(`^(?:${LATER}),?\\s*`, 'i').exec(text) ??
    []
  const minutes = all === undefined ? undefined : minutesIn(all)
  if (all === undefined || minutes === undefined) return false
  addWait(draft, flow, minutes, text)
  const rest = text
    .slice(all.length)
    .replace(/^,?\s*(?:before (?:you |we )?(?=\w+ing)|(?:and|&|then|to) )?/i, '')
    .replace(new RegExp(`^${GERUND}(?= )`, 'i'), plainVerb)
  const mark = ALONE.exec(rest)?.[1]
  // "send «…», and a week later «…»": to those who were written to before.
  if (mark) readSteps(draft, flow, `${/^notify$/.test(flow.steps.findLast(isSaid)?.type ?? '') ? 'notify the team' : 'send them'} ${mark}`)
  else if (rest !== '') readSteps(draft, flow, rest)
  return true
}

const isSaid = ({ type }: Step): boolean => type === 'notify' || type === 'send_message'
/** A text, and no word of whom it is for. */
const ALONE = new RegExp(
  `^(?:(?:the|an?|another|a second|one more) (?:second |other |next )?(?:message|text|note|one|question)?:? ?)?(${QUOTE})$`,
  'i',
)

function addWait(draft: Draft, flow: Flow, minutes: number, text: string): void {
  if (minutes > WAIT_MAX) note(draft, `A step waits at most ${WAIT_MAX / 60 / 24} days, so "${text.trim()}" became that.`)
  addStep(draft, flow, { type: 'wait', minutes: Math.min(WAIT_MAX, Math.max(1, minutes)) })
}

const READERS: Reader[] = [wait, call, tag, notify, mention, include, message, record]
