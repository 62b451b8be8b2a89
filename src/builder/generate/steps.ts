// Steps as people tell them: "tag the customer as vip, wait two days and then notify the team".
import type { Flow } from '../../apps/manifest/shape.ts'
import { addStep, type Draft, disable, note, notUnderstood, resourceNamed, skillAt } from './draft.ts'
import { DURATION, LATER, minutesIn } from './durations.ts'
import { idFor, pathFor } from './event-values.ts'
import { itemsOf } from './fields.ts'
import { bare, nameOf } from './names.ts'
import { lookAtRest, message, notify, PEOPLE, TEAM } from './sayings.ts'
import { QUOTE, URL_MARK } from './sentences.ts'
import { recordValues } from './values.ts'

const VERB =
  'tag|label|mark|flag|call|post|ping|hit|request|invoke|send|message|write|tell|text|reply|answer|notify|alert|warn|inform|thank|create|open|add|save|record|store|keep|log|make|give|wait|pause|let|email|mail|register|remember|say|start|award|credit|grant|ask|remind|greet|welcome|wish|show|forward'
const SOON = '(?:(?:also|then|please|afterwards?|finally|immediately|automatically|just|and|always|simply)[, ]+)*'
const PASSIVE_TEAM = new RegExp(
  `^${TEAM} (?:should |must |will |needs to |has to )?(?:(?:is|are|be|get|gets) (?:told|notified|informed|alerted|warned)|(?:gets?|receives?|hears?)(?: an?| the)? ?(?:message|note|notice|notification|alert|warning|word)?)\\b`,
  'i',
)
const BEGINS = new RegExp(`^${SOON}(?:(?:${VERB})\\b|(?:${LATER})\\b|${PASSIVE_TEAM.source.slice(1)})`, 'i')

/** Whether a sentence begins as a step does. */
export const isStep = (text: string): boolean => BEGINS.test(text.trim())

/** "with the order id, email and total": a word alone is what is told. */
const IS_INPUT = /^(?:e-?mail|mail|text|message)$/i

/** @returns the steps in some words, apart */
export function stepTexts(text: string): string[] {
  const parts = text.split(/(,\s*(?:(?:and|&)\s+)?(?:then\s+)?|\s+(?:and|&|plus)\s+(?:then\s+)?|\s+then\s+|;\s*)/)
  const steps: string[] = []
  for (let at = 0; at < parts.length; at += 2) {
    const part = parts[at] as string
    // What is no step of its own belongs to the one before: "post the e-mail and the total to …".
    if (steps.length > 0 && (!isStep(part) || IS_INPUT.test(part))) steps[steps.length - 1] += `${parts[at - 1]}${part}`
    else steps.push(part)
  }
  return steps
    .map(each =>
      each
        .trim()
        .replace(new RegExp(`^${SOON}`, 'i'), '')
        .replace(PASSIVE_TEAM, 'notify the team'),
    )
    .filter(each => each !== '')
}

/** Adds what the words say to the flow; what is not understood is noted. */
export function readSteps(draft: Draft, flow: Flow, text: string): void {
  for (const part of stepTexts(text)) {
    const read = READERS.some(reader => reader(draft, flow, part))
    // A wait that is lost makes what follows come too early.
    if (!read && /^(?:wait|pause|after|until)\b|\blater\b/i.test(part)) disable(draft, flow, part)
    else if (!read) notUnderstood(draft, part)
  }
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
  if (minutes > WAIT_MAX) note(draft, `A step waits at most ${WAIT_MAX / 60 / 24} days, so "${text}" became that.`)
  addStep(draft, flow, { type: 'wait', minutes: Math.min(WAIT_MAX, Math.max(1, minutes)) })
  const rest = text.slice(all.length).replace(/^,?\s*(?:before (?:you |we )?(?=\w+ing)|(?:and|&|then|to) )?/i, '')
  if (rest !== '') readSteps(draft, flow, rest)
  return true
}

function call(draft: Draft, flow: Flow, text: string): boolean {
  const mark = new RegExp(URL_MARK).exec(text)?.[0]
  if (!mark) return false
  const said = inputsIn(text, mark)
  const behind = text.split(mark)[1] ?? ''
  if (said.length === 0 || !INPUTS.test(behind)) lookAtRest(draft, flow, behind)
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

const INPUTS = /^,?\s*(?:with|giving|passing|sending|including|and (?:give|pass|send|tell) it)\s+(.+)$/i

// Before the address: "post the e-mail and the total to …"; behind it: "call … with the e-mail".
function inputsIn(text: string, mark: string): string[] {
  const [before = '', behind = ''] = text.split(mark)
  const [, first = ''] =
    /^(?:post|send|give|tell|report)\s+(.+?)\s+to(?: the (?:service|address|url|endpoint))?(?: at)?\s*$/i.exec(before) ?? []
  const [, second = ''] = INPUTS.exec(behind) ?? []
  return itemsOf([first, second].filter(each => each !== '').join(', ')).filter(
    each => !/^(?:it|them|that|this|the order|the event|everything)$/i.test(each),
  )
}

/** "the customer's email" → email, "the order total" → total */
export function inputName(text: string): string {
  const name = nameOf(text.replace(/^.*?'s? /, '').replace(/^(.*) of .*$/i, '$1'))
  return name.replace(/^(?:customer|contact|buyer)_(?=.)/, '').replace(/^order_(?=total|currency|items)/, '')
}

function tag(draft: Draft, flow: Flow, text: string): boolean {
  const found =
    new RegExp(
      `^(?:(?:tag|label|mark|flag)(?: ${PEOPLE})?|make ${PEOPLE})(?: as| with(?: the tag)?| by)?(?: an?)? (${QUOTE}|[\\w-]+(?: [\\w-]+){0,2})$`,
      'i',
    ).exec(text) ??
    new RegExp(`^(?:add|give)(?: ${PEOPLE})? (?:the |a )?tag (?:called |named )?(${QUOTE}|[\\w-]+)(?: to ${PEOPLE})?$`, 'i').exec(text) ??
    new RegExp(`^(?:add|give)(?: ${PEOPLE})? the (${QUOTE}|[\\w-]+) tag(?: to ${PEOPLE})?$`, 'i').exec(text)
  const value = found?.[1]
  if (!value) return false
  addStep(draft, flow, { type: 'tag_contact', tag: value.startsWith('«') ? draft.said.quote(value) : value })
  return true
}

function record(draft: Draft, flow: Flow, text: string): boolean {
  const [, credited] =
    /^(?:add|give|award|credit|grant) (\d+(?:\.\d+)?) to (?:their|his|her|the customer's|the contact's) (?:\w+ of )?/i.exec(text) ?? []
  const counting = credited
    ? text.replace(/^.*? to (?:their|his|her|the \w+'s) /i, `add ${credited} `)
    : text.replace(new RegExp(`^(?:give|award|credit|grant)(?: to)? ${PEOPLE} (?=\\d)`, 'i'), 'add ')
  const [, rest] =
    /^(?:create|open|add|save|record|store|keep|log|make|write|register|remember|give|say|start|award|credit|grant)\s+(.+)$/i.exec(
      counting,
    ) ?? []
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
