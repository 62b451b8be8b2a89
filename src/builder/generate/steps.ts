// Steps as people tell them: "tag the customer as vip, wait two days and then notify the team".
import type { Flow } from '../../apps/manifest/shape.ts'
import { addStep, type Draft, note, notUnderstood, resourceNamed, skillAt } from './draft.ts'
import { idFor, pathFor } from './event-values.ts'
import { itemsOf } from './fields.ts'
import { bare, nameOf, sentenceOf } from './names.ts'
import { QUOTE, URL_MARK } from './sentences.ts'
import { recordValues } from './values.ts'

const PEOPLE = '(?:the |this |that |our )?(?:customer|contact|client|buyer|person|user|them|him|her)s?'
const TEAM = '(?:the |our |my )?(?:team|staff|admins?|us|me|everyone|everybody|colleagues|operators?|owner|support)'
const VERB =
  'tag|label|mark|call|post|ping|hit|request|invoke|send|message|write|tell|text|reply|answer|notify|alert|warn|inform|thank|create|add|save|record|store|keep|log|make|give|wait|pause|let|email|mail|register|remember'
const BEGINS = new RegExp(
  `^(?:also |then |please |afterwards? |finally |immediately |and )*(?:${VERB})\\b|^(?:after )?(?:an?|one|two|three|\\d+) (?:minute|hour|day|week)s? later`,
  'i',
)

/** Whether a sentence begins as a step does. */
export const isStep = (text: string): boolean => BEGINS.test(text.trim())

/** @returns the steps in some words, apart */
export function stepTexts(text: string): string[] {
  const parts = text.split(/(,\s*(?:and\s+)?(?:then\s+)?|\s+and\s+(?:then\s+)?|\s+then\s+|;\s*)/)
  const steps: string[] = []
  for (let at = 0; at < parts.length; at += 2) {
    const part = parts[at] as string
    // What is no step of its own belongs to the one before: "post the e-mail and the total to …".
    if (steps.length > 0 && !isStep(part)) steps[steps.length - 1] += `${parts[at - 1]}${part}`
    else steps.push(part)
  }
  return steps
    .map(each => each.trim().replace(/^(?:also|then|please|afterwards?|finally|immediately|and)\s+/i, ''))
    .filter(each => each !== '')
}

/** Adds what the words say to the flow; what is not understood is noted. */
export function readSteps(draft: Draft, flow: Flow, text: string): void {
  for (const part of stepTexts(text)) {
    const read = READERS.some(reader => reader(draft, flow, part))
    if (!read) notUnderstood(draft, part)
  }
}

/** @returns whether it was this kind of step, and is done with */
type Reader = (draft: Draft, flow: Flow, text: string) => boolean

const NUMBERS = new Map(['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'].map((word, at) => [word, at + 1]))
const UNITS: [RegExp, number][] = [
  [/^min/i, 1],
  [/^hour/i, 60],
  [/^day/i, 24 * 60],
  [/^week/i, 7 * 24 * 60],
]
/** The longest that a step waits, in minutes. */
const WAIT_MAX = 43_200

function wait(draft: Draft, flow: Flow, text: string): boolean {
  const found =
    /^(?:wait|pause)(?: for)? (half an?|an?|one|two|three|four|five|six|seven|eight|nine|ten|\d{1,5}) (minute|min|hour|day|week)s?\b/i.exec(
      text,
    ) ??
    /^(?:after )?(half an?|an?|one|two|three|four|five|six|seven|eight|nine|ten|\d{1,5}) (minute|hour|day|week)s? later,?\s*/i.exec(text)
  if (!found) return false
  const [all, count = '', unit = ''] = found
  const number = /^half/i.test(count) ? 0.5 : /^an?$/i.test(count) ? 1 : (NUMBERS.get(count.toLowerCase()) ?? Number(count))
  const minutes = Math.round(number * (UNITS.find(([pattern]) => pattern.test(unit))?.[1] ?? 1))
  if (minutes > WAIT_MAX) note(draft, `A step waits at most ${WAIT_MAX / 60 / 24} days, so "${text}" became that.`)
  addStep(draft, flow, { type: 'wait', minutes: Math.min(WAIT_MAX, Math.max(1, minutes)) })
  const rest = text.slice(all.length).replace(/^,?\s*/, '')
  if (rest !== '') readSteps(draft, flow, rest)
  return true
}

function call(draft: Draft, flow: Flow, text: string): boolean {
  const mark = new RegExp(URL_MARK).exec(text)?.[0]
  if (!mark) return false
  const said = inputsIn(text, mark)
  const inputs = said.map(each => ({ name: inputName(each), path: pathFor(inputName(each), flow.trigger) }))
  for (const [at, { path }] of inputs.entries()) if (path === undefined) notUnderstood(draft, said[at] as string)
  const known = inputs.filter((each): each is { name: string; path: string } => each.path !== undefined)
  const sent = known.length > 0 ? known : [idFor(flow.trigger)]
  const names = sent.map(({ name }) => name)
  const skill = skillAt(draft, draft.said.url(mark), names, `Call it when ${flow.trigger} happens.`)
  const input = Object.fromEntries(sent.map(({ name, path }) => [name, `{{${path}}}`]))
  if (skill) addStep(draft, flow, { type: 'call_skill', skill: skill.id, input })
  return true
}

// Before the address: "post the e-mail and the total to …"; behind it: "call … with the e-mail".
function inputsIn(text: string, mark: string): string[] {
  const [before = '', behind = ''] = text.split(mark)
  const [, first = ''] =
    /^(?:post|send|give|tell|report)\s+(.+?)\s+to(?: the (?:service|address|url|endpoint))?(?: at)?\s*$/i.exec(before) ?? []
  const [, second = ''] = /^,?\s*(?:with|giving|passing|sending|and (?:give|pass|send) it)\s+(.+)$/i.exec(behind) ?? []
  return itemsOf([first, second].filter(each => each !== '').join(', ')).filter(
    each => !/^(?:it|them|that|this|the order|the event|everything)$/i.test(each),
  )
}

/** "the customer's email" → email, "the order total" → total */
function inputName(text: string): string {
  const name = nameOf(text.replace(/^.*?'s? /, '').replace(/^(.*) of .*$/i, '$1'))
  return name.replace(/^(?:customer|contact|buyer)_(?=.)/, '').replace(/^order_(?=total|currency|items)/, '')
}

function tag(draft: Draft, flow: Flow, text: string): boolean {
  const found =
    new RegExp(
      `^(?:tag|label|mark|make)(?: ${PEOPLE})?(?: as| with(?: the tag)?| by)?(?: an?)? (${QUOTE}|[\\w-]+(?: [\\w-]+){0,2})$`,
      'i',
    ).exec(text) ??
    new RegExp(`^(?:add|give)(?: ${PEOPLE})? (?:the |a )?tag (?:called |named )?(${QUOTE}|[\\w-]+)(?: to ${PEOPLE})?$`, 'i').exec(text) ??
    new RegExp(`^(?:add|give)(?: ${PEOPLE})? the (${QUOTE}|[\\w-]+) tag(?: to ${PEOPLE})?$`, 'i').exec(text)
  const value = found?.[1]
  if (!value) return false
  addStep(draft, flow, { type: 'tag_contact', tag: value.startsWith('«') ? draft.said.quote(value) : value })
  return true
}

function notify(draft: Draft, flow: Flow, text: string): boolean {
  const found =
    new RegExp(
      `^(notify|alert|tell|inform|warn|message|email|mail|let|ping|write to|write)(?: ${TEAM})\\b(?: know)?[,:]?\\s*(?:that |about |with |of )?(.*)$`,
      'i',
    ).exec(text) ??
    new RegExp(
      `^(send)(?: a (?:notice|notification|note|warning|message))?(?: to)? ${TEAM}\\b(?: a (?:notice|notification|note|warning|message))?[,:]?\\s*(?:that |about |saying )?(.*)$`,
      'i',
    ).exec(text)
  if (!found) return false
  const [all, verb = '', rest = ''] = found
  const isWarning = /^warn$/i.test(verb) || /\bwarning\b/i.test(all) || /\burgent/i.test(all)
  const quoted = new RegExp(QUOTE).exec(rest)?.[0]
  const body = (quoted ? draft.said.quote(quoted) : sentenceOf(draft.said.restore(rest || flow.name))).slice(0, 1_000)
  addStep(draft, flow, {
    type: 'notify',
    title: flow.name,
    body: literal(body),
    ...(isWarning && { level: 'warning' as const }),
  })
  return true
}

/** Braces in a text of a person's are no template. */
const literal = (text: string): string => text.replaceAll('{{', '{ {')

function message(draft: Draft, flow: Flow, text: string): boolean {
  const quoted = new RegExp(QUOTE).exec(text)?.[0]
  const isToPeople = new RegExp(`\\b${PEOPLE}(?=[\\s,:]|$)`, 'i').test(text)
  if (!/^(?:send|write|message|tell|text|reply|answer|thank|email|mail|inform|notify|let|ask)\b/i.test(text)) return false
  if (!isToPeople && !quoted) return false
  const [, that] = new RegExp(`${PEOPLE}(?: know)?,? (?:that|to say that|saying that|saying) (.+)$`, 'i').exec(text) ?? []
  const words = quoted
    ? draft.said.quote(quoted)
    : that !== undefined
      ? sentenceOf(draft.said.restore(that))
      : /^thank/i.test(text)
        ? 'Thank you!'
        : undefined
  if (!words) return false
  addStep(draft, flow, { type: 'send_message', text: literal(words).slice(0, 4_000) })
  return true
}

function record(draft: Draft, flow: Flow, text: string): boolean {
  const [, rest] = /^(?:create|add|save|record|store|keep|log|make|write|register|remember|give)\s+(.+)$/i.exec(text) ?? []
  if (rest === undefined) return false
  const [, named = '', about = ''] =
    /^(.+?)(?:\s+(?:for|to) (?:the |this |that )?(?:customer|contact|order|product))?(?:[,:]?\s+(?:with|of|where|whose|having)\s+(.+))?$/i.exec(
      rest,
    ) ?? []
  const [, count, counted = ''] = /^(\d+(?:\.\d+)?) (.+)$/.exec(named) ?? []
  const resource = resourceNamed(draft, bare(count ? counted : named).replace(/ (?:record|entry)$/i, ''))
  if (!resource) return false
  const { values, missing, left } = recordValues(draft, resource, about, flow.trigger, count)
  for (const part of left) notUnderstood(draft, part)
  if (missing.length > 0) {
    note(draft, `Left out: "${draft.said.restore(text)}", for each of ${resource.id} needs ${missing.join(' and ')}; say what it is to be.`)
    return true
  }
  const others = flow.steps.filter(({ type }) => type === 'create_record').length
  addStep(draft, flow, {
    type: 'create_record',
    resource: resource.id,
    // The same event makes one record, however often it is run again.
    external_id: `{{trigger.id}}${others > 0 ? `-${others + 1}` : ''}`,
    values,
  })
  return true
}

const READERS: Reader[] = [wait, call, tag, notify, message, record]
