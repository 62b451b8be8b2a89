// Steps apart: where in some words one step ends and the next begins, each put as an order.
import { DURATION, LATER } from './durations.ts'
import { asImperative } from './imperatives.ts'
import { PEOPLE, TEAM, WORDS } from './sayings.ts'
import { QUOTE, URL_MARK } from './sentences.ts'
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

/** Who is to do it, and that it is wished for: "we'd like to give them the tag", "the app should send them …". */
const WISHED = new RegExp(
  `^(?:(?:i|we)(?:'d| would| do)?(?: also| really| just)* (?:like|love|want|need|wish|prefer)(?: (?:you|it|the app|the system))?(?: also)? to|(?:you|the app|the system|your app) (?:should|must|can|could|shall|will|may|has to|have to|needs? to|ought to)(?: also| then)?|(?:feel free|remember|be sure|make sure|don't forget|do not forget|go ahead and) to) (?=(?:${VERB})\\b)`,
  'i',
)

export const ordered = (text: string): string =>
  asImperative(
    text
      .trim()
      .replace(/^(?:do )?nothing (?:except|but|other than) (?:to )?/i, '')
      .replace(BEFORE, '')
      .replace(WISHED, ''),
  )

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

/** A case, before what is done in it. */
const OPENS = /^(?:but )?(?:only )?(?:if|unless|provided(?: that)?|as long as|in case) /i

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
  let opening = ''
  for (let at = 0; at < parts.length; at += 2) {
    // "wait three days, if it was over 80, ask them …": said before what it is of, and of all that follows.
    const isOpening =
      steps.length > 0 && OPENS.test(parts[at] as string) && /^,\s*$/.test(parts[at + 1] ?? '') && isStep(parts[at + 2] ?? '')
    if (isOpening) {
      opening = ` ${parts[at]}`
      continue
    }
    const part = `${parts[at]}${isStep(parts[at] as string) ? opening : ''}`
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
