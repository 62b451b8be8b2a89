// Steps that tag the contact.
import type { Flow } from '../../apps/manifest/shape.ts'
import type { Draft } from './draft.ts'
import { addStep } from './drafted-flows.ts'
import { PEOPLE } from './sayings.ts'
import { QUOTE } from './sentences.ts'
import { unquoted } from './targets.ts'

export function tag(draft: Draft, flow: Flow, told: string): boolean {
  const text = told
    .replace(/,? (?:instead|as well|too|also)$/i, '')
    // A contact is tagged, and nothing else.
    .replace(/^(tag|label|mark) it (?=\S)/i, flow.trigger.startsWith('contact.') ? '$1 them ' : '$&')
  const found =
    new RegExp(
      `^(?:(?:tag|label|mark|flag)(?: ${PEOPLE})?|make ${PEOPLE})(?: as| with(?: the tag)?)?(?: an?)? (${QUOTE}|[\\w-]+(?: [\\w-]+){0,2})$`,
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
  /^(?:nobody|no ?one|none|nothing|only|just|always|it|them|him|her|people|everyone|everybody|(?:customer|buyer|client|contact|shopper)s|(?:the|this|that|our|each|every) (?:customer|contact|client|buyer|shopper|person|user|sender|guest|member)s?)$|^by | (?:and|or|but|if|when|for|with|to)$/i
