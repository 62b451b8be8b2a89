// Steps as people tell them: "tag the customer as vip, wait two days and then notify the team".
import type { Condition, Flow, Step } from '../../apps/manifest/shape.ts'
import { call, include } from './calls.ts'
import { conditionsOf, opposite } from './conditions.ts'
import { type Draft, disable, note, notUnderstood } from './draft.ts'
import { addStep } from './drafted-flows.ts'
import { DURATION, LATER, minutesIn } from './durations.ts'
import { asImperative } from './imperatives.ts'
import { isUndone } from './narrowing.ts'
import { record } from './records.ts'
import { mention, message, notify, PEOPLE, TEAM, WORDS } from './sayings.ts'
import { QUOTE, URL_MARK } from './sentences.ts'
import { unquoted } from './targets.ts'
import { GERUND, plainVerb } from './verbs.ts'

const VERB =
  'hold|tag|label|mark|flag|call|post|ping|hit|request|invoke|send|message|write|tell|text|reply|answer|notify|alert|warn|inform|thank|create|open|add|save|record|store|keep|log|make|give|wait|pause|let|email|mail|register|remember|say|start|award|credit|grant|ask|remind|greet|welcome|wish|show|forward|apologi[sz]e|file|note|report|escalate|raise'
const SOON =
  '(?:(?:also|both|then|please|afterwards?|finally|immediately|automatically|just|and|always|simply|first(?: of all)?|second(?:ly)?|third(?:ly)?|next|lastly|last|at last|after that|after this|subsequently|at once|straight away|right away|instantly|directly|after (?:this|that) is done|once (?:that|this) is done|in addition|additionally|besides|furthermore|moreover|kindly|but|as well)[, ]+)*'
const BEGINS = new RegExp(
  `^(?:(?:${VERB})\\b(?! (?:are|is|was|were)\\b)|(?:${LATER})\\b|put (?=.{2,80} (?:in|into) (?:it|there|the (?:text|body|title|notification|message|alert|notice|warning))\\b)|(?:include|mention) )`,
  'i',
)
const BEFORE = new RegExp(`^${SOON}`, 'i')

export const ordered = (text: string): string => asImperative(text.trim().replace(BEFORE, ''))

/** Whether a sentence begins as a step does. */
export const isStep = (text: string): boolean => BEGINS.test(ordered(text.slice(0, 300)))

/** "with the order id, email and total": a word alone is what is told. */
const IS_INPUT =
  /^(?:e-?mail|mail|text|message|note)(?: (?:address|id|number|text|body))?(?: to (?:(?:our |the )?[\w-]+ (?:at )?)?‹\d+›.*)?$/i

/** "…, let two days pass, …", "…, after a week, …": between two steps it belongs to the second. */
const WHILE = new RegExp(
  `(^|,\\s*|\\s(?:and|then)\\s+)(?:(?:let|allow|leave|give it|give them|after|wait(?= until))(?: about| another)? |there (?:is|should be) (?:an? )?(?:pause|break|delay|wait) of |(?=the next day))((?:until )?the next day|${DURATION})(?: (?:pass|go by|elapse|of time))?(?=,| and\\b| then\\b)`,
  'gi',
)

const GIFT = /^(?:an? |the )(?:[\p{L}-]+ ){0,3}(?:message|note|text|mail|e-?mail|tag|label)\b.*(?:«|\btag )/iu

/** "notify the team with the title «…» and the text «…»": of one notice. */
const TITLED = /\b(?:title|subject|headline|heading)\b.*«\d+»$/i
const TEXT = new RegExp(`^(?:with )?(?:the |an? )?${WORDS} ${QUOTE}$`, 'i')
/** "tell the team «…» and the customer «…»": each is told something of its own. */
const ADDRESSED = new RegExp(`^(?:(${TEAM})|(${PEOPLE}))(?: with| that)? (${QUOTE})$`, 'i')
const TELLS = new RegExp(`^(?:tell|notify|inform|send|message|write|text|warn|alert|email|mail)\\b.*${QUOTE}$`, 'i')
/** What the team is told is no gift to the customer. */
const TO_TEAM = new RegExp(`^(?:notify|alert|warn|inform|tell|message|send|give|mail|email)(?: an?(?: \\w+)? \\w+ to)? ${TEAM}\\b`, 'i')

const URLS = new RegExp(URL_MARK)

/** "tag them as well as warning the team" */
const BESIDES = new RegExp(`,? (?:as well as|in addition to|besides|apart from) (${GERUND})\\b`, 'gi')

/** @returns the steps in some words, apart */
export function stepTexts(told: string): string[] {
  // "the order number and the total must be sent to ‹0›" is one step.
  const text = (URLS.test(told) ? ordered(told) : told)
    .replaceAll(
      WHILE,
      (_all, before: string, while_: string) => `${before}wait ${/^(?:until )?the next day/i.test(while_) ? 'one day' : while_}`,
    )
    .replaceAll(BESIDES, (_all, deed: string) => ` and ${plainVerb(deed)}`)
  const parts = text.split(/(,\s*(?:(?:and|&)\s+)?(?:then\s+)?|\s+(?:and|&|plus),?\s+(?:then\s+)?|\s+then\s+|;\s*)/)
  const steps: string[] = []
  for (let at = 0; at < parts.length; at += 2) {
    const part = parts[at] as string
    // What is no step of its own belongs to the one before: "post the e-mail and the total to …".
    // "gets the tag vip and a message «…»": what is got is said once.
    const [, team, people, mark] = steps.length > 0 && TELLS.test(steps.at(-1) as string) ? (ADDRESSED.exec(part) ?? []) : []
    if (mark) steps.push(people ? `send them ${mark}` : `notify ${team} ${mark}`)
    else if (TITLED.test(steps.at(-1) ?? '') && TEXT.test(part)) steps[steps.length - 1] += `${parts[at - 1]}${part}`
    else if (steps.length > 0 && GIFT.test(part) && !TO_TEAM.test(steps.at(-1) as string) && !isStep(part) && isStep(`they get ${part}`))
      steps.push(`they get ${part}`)
    else if (steps.length > 0 && /^(?:also )?(?:gets?|receives?) /i.test(part) && !isStep(part) && isStep(`they ${part}`))
      steps.push(`they ${part}`)
    else if (steps.length > 0 && (!isStep(part) || IS_INPUT.test(part))) steps[steps.length - 1] += `${parts[at - 1]}${part}`
    else steps.push(part)
  }
  return steps.map(ordered).filter(each => each !== '')
}

/** "tag the customer, but only if …", "notify the team unless …" */
const NARROWED =
  /^(.+?)(,)?,? (?:and |but )?(?:(only)(?: ever)? )?(if|when|where|provided(?: that)?|as long as|in case|unless|except (?:if|when|where|for)|not (?:if|when|for)|for) (.+)$/i

interface Narrowed {
  deed: string
  conditions: Condition[]
  /** Of all that is done, rather than of the step before it. */
  isOfAll: boolean
}

function narrowed(draft: Draft, flow: Flow, text: string): Narrowed | undefined {
  const [, deed = '', comma, only, word = '', rest = ''] = NARROWED.exec(text) ?? []
  if (deed === '' || (/^for$/i.test(word) && !only)) return undefined
  const { conditions, left } = conditionsOf(rest, flow.trigger, draft.said)
  const isNegative = /^(?:unless|except|not)/i.test(word)
  const met = isNegative ? opposite(conditions) : conditions
  if (left !== '' || !met || met.length === 0 || /\b(?:not|no (?!smaller|less|more|lower|bigger)|never|nothing)\b/i.test(rest))
    return undefined
  return { deed, conditions: met, isOfAll: Boolean(comma ?? only) || isNegative }
}

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

function tag(draft: Draft, flow: Flow, told: string): boolean {
  const text = told
    .replace(/,? (?:instead|as well|too|also)$/i, '')
    // A contact is tagged, and nothing else.
    .replace(/^(tag|label|mark) it (?=\S)/i, flow.trigger.startsWith('contact.') ? '$1 them ' : '$&')
  const found =
    new RegExp(
      `^(?:(?:tag|label|mark|flag)(?: ${PEOPLE})?|make ${PEOPLE})(?: as| with(?: the tag)?| by)?(?: an?)? (${QUOTE}|[\\w-]+(?: [\\w-]+){0,2})$`,
      'i',
    ).exec(text) ??
    new RegExp(`^(?:add|give)(?: ${PEOPLE})? (?:the |a )?tag (?:called |named )?(${QUOTE}|[\\w-]+)(?: to ${PEOPLE})?$`, 'i').exec(text) ??
    new RegExp(`^(?:add|give)(?: ${PEOPLE})? the (${QUOTE}|[\\w-]+) tag(?: to ${PEOPLE})?$`, 'i').exec(text)
  const value = found?.[1]
  // "gold and silver" are two.
  const several = value?.includes(' and ') ? value.split(' and ') : []
  if (several.length > 1) {
    for (const each of several) addStep(draft, flow, { type: 'tag_contact', tag: each.replace(/^an? /i, '') })
    return true
  }
  if (!value || NO_TAG.test(value)) return false
  addStep(draft, flow, { type: 'tag_contact', tag: unquoted(draft, value) })
  return true
}

/** Those who are tagged, and not with what. */
const NO_TAG =
  /^(?:nobody|no ?one|none|nothing|only|just|always|it|them|him|her|people|everyone|everybody|(?:customer|buyer|client|contact|shopper)s)$/i

const READERS: Reader[] = [wait, call, tag, notify, mention, include, message, record]
