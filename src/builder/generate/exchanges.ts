// Edits that put one thing in the place of another within flows: another tag, amount, word, while or limit.
import type { Condition, Step } from '../../apps/manifest/shape.ts'
import { comparisonIn } from './amounts.ts'
import { conditionsOf } from './conditions.ts'
import type { Draft } from './draft.ts'
import { minutesIn } from './durations.ts'
import { flowMeant } from './flow-edits.ts'
import { bare } from './names.ts'
import { PEOPLE } from './sayings.ts'
import { QUOTE } from './sentences.ts'
import { speakOf, targetOf } from './targets.ts'

const OLD_AND_NEW = [
  /^(?:the )?(?:tag|word|keyword) (?<old>«\d+»|[\w-]+) (?:should|must|has to|shall) (?:now )?(?:be|become) (?<fresh>.{1,60})$/i,
  /^(?:change|replace|swap|switch|raise|lower|increase|reduce) (?<of>(?:the )?.{2,60}?) from (?<old>.{1,40}?) (?:to|into) (?<fresh>.{1,60})$/i,
  new RegExp(
    `^(?:(?:make|use|take|give|set|tag|send|wait|award|put|write|have|save|create|record|store|add|keep|look for|search for|check for|react to|listen for|listen to|watch for)(?: it| (?:the )?(?:amount|tag|wait)| ${PEOPLE})?(?: as| with| for| be)? )?(?<fresh>.{1,60}?),? (?:instead of|rather than|in place of|not|and not) (?<old>.{1,60})$`,
    'i',
  ),
  /^(?:change|replace|swap|switch|raise|lower|increase|reduce) (?:(?<of>(?:the )?.{2,60}?) )??(?:from )?(?<old>«\d+»|[\w€$£.,-]+(?: [\w€$£.,-]+){0,3}) (?:to|with|for|by|into) (?<fresh>.{1,60})$/i,
  new RegExp(
    `^(?<of>.{2,60}?) (?:should|must|shall|has to|is to) (?:now |only |rather )*(?:look for|react to|search for|listen for|listen to|wait for|use|say|contain|be about|match|check for|be|start at|begin at|start with|have|get|tag(?: ${PEOPLE})?(?: with| as)?)(?: the (?:word|tag|text))? (?<fresh>.{1,60}?),? (?:instead of|rather than|in place of|not|and not) (?<old>.{1,60})$`,
    'i',
  ),
  /^.{2,60}? (?:should|must|shall|has to|have to|is to|are to) (?:now )?be (?:tagged|labell?ed|marked)(?: as| with)?(?: the tag)? (?<fresh>«\d+»|[\w-]+),? (?:instead of|rather than|in place of|not|and not)(?: as| with)? (?<old>«\d+»|[\w-]+)$/i,
]
/** "raise the limit to 300": of what only one is there. */
const LIMIT_IS =
  /^(?:the )?(?:limit|threshold|minimum|maximum|border)(?: (?:of|for|in|on) (?<of>.{2,60}?))? (?:should|must|shall|has to|is to) (?:now )?be (?<fresh>.{1,40}?)(?: now)?$/i
const LIMIT =
  /^(?:change|set|raise|lower|increase|reduce|make|put|bump|move|push|bring) (?:the )?(?:limit|threshold|minimum|amount|maximum|border|bar|value|level)(?: (?:of|for|in|on) (?<of>.{2,60}?))?(?: from (?<was>.{1,30}?))? (?:to|at) (?<fresh>.{1,40})$|^(?<flow>.{2,60}?) (?:(?:should|must|shall|has to|is to) )?(?:now |only |also |already )*(?:(?:starts?|begins?|apply|applies|counts?|runs?|works?) (?:at|from|with)|means?|(?:is|are|be) (?:from|those (?:over|above|from))) (?<start>.{1,40}?)(?:,? (?:and |or )?(?:on(?:wards)?|up(?:wards)?|more|above|over))?(?: now)?(?: instead)?$/i

/** Words that say nothing of what a rule is about. */
const OF_ANY_RULE =
  /^(?:within|after|before|until|during|from|with|over|under|only|about|least|most|more|less|than|have|been|must|should|will|shall|takes?|possible|allowed|accepted)$/

/** "Returns are accepted within 30 days, not 14": of the one entry that speaks of it with the old number. */
function changeKnownNumber(draft: Draft, text: string): boolean {
  const [, topic = '', is = '', was = ''] =
    /^(.{3,80}?) (\d+)(?: [\p{L}]+)?,? (?:not|instead of|rather than|and not|no longer) (\d+)(?: [\p{L}]+)?(?: any ?more)?$/iu.exec(text) ??
    (draft.isEdit ? /^(.{3,80}?) (\d+) [\p{L}]+()$/iu.exec(text) : null) ??
    []
  const words = (topic.toLowerCase().match(/[\p{L}]{4,}/gu) ?? []).filter(word => !OF_ANY_RULE.test(word))
  // Where it is not said what it was, the entry has one number alone.
  const old = was === '' ? /\d+/ : new RegExp(`\\b${was}\\b`)
  const found = draft.manifest.knowledge.filter(({ title, content }) => {
    const own = `${title} ${content}`.toLowerCase()
    const isSaid = (word: string): boolean => own.includes(word.replace(/(?:ed|s)$/, ''))
    return content.split(old).length === 2 && (was === '' ? words.length > 0 && words.every(isSaid) : words.some(isSaid))
  })
  const [entry] = found
  if (is === '' || !entry || found.length > 1) return false
  entry.content = entry.content.replace(old, is)
  return true
}

/** "Give 20 points rather than 10.", "Change member to gold.", "It should look for torte instead of cake." */
export function exchange(draft: Draft, text: string): boolean {
  // "Change returns from 14 to 30 days": a number in what the assistant knows.
  const {
    name = '',
    was = '',
    is = '',
  } = /^(?:change|update|set|raise|lower|extend|shorten|correct) (?:the )?(?<name>.{2,40}?) from (?<was>\d+)(?: \w+)? to (?<is>\d+)(?: \w+)?$/i.exec(
    text,
  )?.groups ?? {}
  const known = name === '' ? undefined : targetOf(draft, name, ['knowledge'])
  if (known?.kind === 'knowledge' && known.entry.content.split(new RegExp(`\\b${was}\\b`)).length === 2) {
    known.entry.content = known.entry.content.replace(new RegExp(`\\b${was}\\b`), is)
    return true
  }
  if (changeLimit(draft, text) || changeKnownNumber(draft, text)) return true
  for (const pattern of OLD_AND_NEW) {
    const { fresh = '', old = '', of } = pattern.exec(text)?.groups ?? {}
    const before = plain(draft, old)
    // "tag big spenders «gold»": those who are tagged stand before the tag.
    const after = plain(draft, /^(?:tag|label|mark)\b/i.test(text) ? fresh.replace(/^[^«]* (?=«\d+»$)/, '') : fresh)
    // "the flow should tag aquarist" is no tag.
    if (before === '' || after === '' || / (?:should|must|shall|has to|is to) /i.test(after)) continue
    const target = of === undefined ? undefined : targetOf(draft, of.replace(/ (?:from|tag|word)$/i, ''), ['flow'])
    if (target) speakOf(draft, target)
    const flows = target?.kind === 'flow' ? [target.flow] : draft.manifest.flows
    // Money is asked for by a condition.
    const isLimit =
      /\b(?:order|minimum|maximum|limit|threshold|total|price)\b/i.test(of ?? '') ||
      /[€$£₴]|\b(?:euros?|eur|dollars?|usd|pounds?|gbp)\b/i.test(fresh)
    const isInLimit =
      isLimit &&
      flows
        .flatMap(({ conditions = [] }) => conditions)
        .map(each => exchangeValue(each, before, after, comparisonIn(fresh)))
        .includes(true)
    const inSteps = isInLimit ? [] : flows.flatMap(({ steps }) => steps).map(step => exchangeIn(step, before, after))
    const inConditions =
      inSteps.includes(true) || isInLimit
        ? [isInLimit]
        : flows
            .flatMap(({ conditions = [], steps }) => [...conditions, ...steps.flatMap(step => step.conditions ?? [])])
            .map(each => exchangeValue(each, before, after, comparisonIn(fresh)))
    if (!inSteps.includes(true) && !inConditions.includes(true)) continue
    // What is said next is of the flow in which it was.
    const changed = flows.flatMap(({ steps }) => steps)[inSteps.indexOf(true)]
    const flow = changed && flows.find(({ steps }) => steps.includes(changed))
    if (flow) speakOf(draft, { kind: 'flow', flow })
    return true
  }
  return false
}

function changeLimit(draft: Draft, text: string): boolean {
  const { of, fresh, was, flow: named, start } = (LIMIT_IS.exec(text) ?? LIMIT.exec(text))?.groups ?? {}
  const said = fresh ?? start
  const flow = said === undefined ? undefined : flowMeant(draft, of ?? named ?? '')
  const limit = flow?.conditions?.filter(({ op }) => /^[gl]te?$/.test(op)) ?? []
  const [one] = limit
  if (!flow || !one || limit.length > 1 || said === undefined) return false
  const { conditions, left } = conditionsOf(`over ${said}`, flow.trigger, draft.said)
  const [read] = conditions
  if (!read || left !== '' || read.field !== one.field) return false
  // What it is said to have been is what it was.
  const before = was === undefined ? undefined : conditionsOf(`over ${was}`, flow.trigger, draft.said).conditions[0]
  if (before && before.value !== one.value) return false
  one.value = read.value
  const money = conditions.find(({ field }) => field.endsWith('.currency'))
  const currency = flow.conditions?.find(({ field }) => field === money?.field)
  if (money && currency) currency.value = money.value
  return true
}

/** Amounts are said in whole units, and kept in hundredths. */
function exchangeValue(condition: Condition, before: string, after: string, op = condition.op): boolean {
  const { value } = condition
  if (typeof value === 'string' && value.toLowerCase() === before.toLowerCase()) {
    condition.value = after
    return true
  }
  const [was, is] = [before, after].map(text => Number(/\d[\d.]*/.exec(text.replaceAll(',', ''))?.[0] ?? Number.NaN))
  if (typeof value !== 'number' || was === undefined || is === undefined || Number.isNaN(was) || Number.isNaN(is)) return false
  const unit = /amount$/.test(condition.field) ? 100 : 1
  if (value !== was * unit) return false
  condition.value = Math.round(is * unit)
  condition.op = op
  return true
}

const plain = (draft: Draft, text: string): string => {
  const said = bare(text)
    .replace(/^(?:tag|label|word|keyword|phrase|value|text) (?=\S)/i, '')
    .replace(/ as (?:the|an?|its|our) (?:tag|label|word|keyword|phrase|value|text|trigger)$/i, '')
  if (new RegExp(`^${QUOTE}$`).test(said)) return draft.said.quote(said)
  return new RegExp(QUOTE).test(said) ? '' : said
}

function exchangeIn(step: Step, before: string, after: string): boolean {
  if (step.type === 'tag_contact' && step.tag.toLowerCase() === before.toLowerCase()) {
    // "buyers with gold" is said of a tag, and is none.
    if (/ (?:with|as|to|and) /i.test(after)) return false
    step.tag = after.replace(/^tag /i, '')
    return true
  }
  const [was, is] = [minutesIn(before), minutesIn(after)]
  if (step.type === 'wait' && is !== undefined && step.minutes === was) {
    step.minutes = is
    return true
  }
  if (!('values' in step)) return false
  let found = false
  for (const [name, value] of Object.entries(step.values)) {
    const number =
      typeof value === 'number' && value === Number(/^-?[\d.]+/.exec(before)?.[0]) ? Number(/^-?[\d.]+/.exec(after)?.[0]) : undefined
    const next = number !== undefined && Number.isFinite(number) ? number : value === before ? after : undefined
    if (next === undefined) continue
    step.values[name] = next
    found = true
  }
  return found
}
