// The ways in which people tell what is to be done when: the occasion first or last, as a subject, in an order for every one of a kind. Each is put as an
// occasion and its steps; which of them is meant is seen by whether the occasion is one.
import { DURATION } from './durations.ts'
import { asDone } from './occasions.ts'
import { PASSIVES } from './passives.ts'
import { URL_MARK } from './sentences.ts'
import { isStep, ordered } from './step-texts.ts'

export const WHEN =
  '(?:when(?:ever)?|once|(?:right |straight |immediately |directly )?after|if|as soon as|as|every time(?: that)?|each time(?: that)?|any ?time(?: that)?|the (?:moment|minute|instant)(?: that)?|on|upon|in (?:the )?case(?: that)?|in the event(?: that)?|should|where)'

/** Whether a sentence begins with what has to happen first. */
export const isOccasion = (text: string): boolean => new RegExp(`^(?:(?:about |around )?${DURATION} )?${WHEN}\\s`, 'i').test(text)

interface Reading {
  occasion: string
  steps: string
}

export function* readings(text: string): Generator<Reading> {
  yield* first(text)
  yield* ofTopic(text)
  yield* headed(text)
  yield* last(text)
  yield* asSubject(text)
  yield* ofEach(text)
  yield* recordOfEach(text)
}

// "Orders of at least 500: as soon as they are paid, …", "Orders over 1,000 should be flagged to the team the moment they are paid": what happens to what is
// named before.
function* ofTopic(text: string): Generator<Reading> {
  const [all, topic = '', pronoun, deed = ''] =
    new RegExp(
      `^([^:]{3,120}?)[:,] +(?:${WHEN})\\s+(?:(they|it|these|this|one)(?:'s|'re)?(?: (?:is|are|was|were|gets?|has been|have been))? )?`,
      'i',
    ).exec(`${text}`) ?? []
  if (all !== undefined && !isOccasion(topic)) {
    const rest = deed + text.slice(all.length)
    for (const cut of cuts(rest)) {
      const steps = rest.slice(cut).replace(/^[\s,:]*(?:then\s+)?/i, '')
      if (!isStep(steps)) continue
      const what = topic.replace(/ (?:which|that|who) (?=\S)/i, ' ')
      const done = asDone(rest.slice(0, cut).replace(/^(?:the |their )/i, ''))
      if (done !== undefined) {
        yield { occasion: `${what} are ${done}`, steps }
        continue
      }
      yield { occasion: `${what} ${pronoun || /^\w+(?:ed|en|id|aid)\b/i.test(rest) ? 'are ' : ''}${rest.slice(0, cut)}`, steps }
    }
  }
  const [, what = '', then = ''] =
    new RegExp(
      `^(.{5,200}?),? (?:${WHEN}) (?:they|it|these) (?:(?:is|are|was|were|gets?|has been|have been) )?([\\p{L}]+(?: (?:in|out))?)$`,
      'iu',
    ).exec(text) ?? []
  if (what !== '' && !isOccasion(what))
    for (const { occasion, steps } of asSubject(what)) yield { occasion: `${occasion} are ${then}`, steps }
}

const ARROW = /\s*(?:-+>|=+>|→|⇒)\s*/

// "When …, …", "three days after …, …", "low stock -> …": the steps begin behind a comma or a colon, or where a step begins.
function* first(text: string): Generator<Reading> {
  const [all, duration] =
    new RegExp(`^(?:(?:about |around |exactly )?(${DURATION}) )?(?:${WHEN}|(?:for|with|from)(?= ))\\s+`, 'i').exec(text) ?? []
  const isArrow = ARROW.test(text)
  if (all === undefined && !isArrow) return
  const words = text
    .slice(all?.length ?? 0)
    .replace(ARROW, ': ')
    .replaceAll(new RegExp(ARROW, 'g'), ', then ')
  for (const cut of cuts(words)) {
    const steps = words.slice(cut).replace(/^[\s,:]*(?:then\s+)?/i, '')
    if (isStep(steps)) yield { occasion: words.slice(0, cut), steps: waited(duration, steps) }
  }
  // No step that is known: it is told, and not taken for a part of the occasion.
  const at = words.search(/[,:]\s/)
  if (at > 0) yield { occasion: words.slice(0, at), steps: waited(duration, words.slice(at).replace(/^[\s,:]*(?:then\s+)?/i, '')) }
}

// "New contacts: tag them …"
function* headed(text: string): Generator<Reading> {
  const [all, head = ''] = /^([^:]{3,80}): +/.exec(text) ?? []
  const steps = text.slice(all?.length ?? 0)
  if (all !== undefined && !isOccasion(head) && isStep(steps)) yield { occasion: head, steps }
}

const waited = (duration: string | undefined, steps: string): string => (duration ? `wait ${duration}, ${steps}` : steps)

function* cuts(text: string): Generator<number> {
  for (const found of text.matchAll(/[,:]\s|\s+then\s+/g)) yield found.index
  // "… and the customer is tagged vip, …" is so already, and nothing that is to be done.
  for (const found of text.matchAll(
    /\s(?!(?:and |(?<=\band (?:(?:the|an?|their|his|her) )?))(?:(?:the |an? |their )?[\w-]+|they|he|she) (?:is|are|was|has|have) (?:tagged|labell?ed|marked|flagged|an? |the )|and (?:they|he|she|(?:the |an? |their )?[\w-]+) (?:is|are|was|has|have)\b)(?=[a-z«])/gi,
  ))
    yield found.index
}

// "Tag the customer when an order is paid", "ask them … three days after …", "tell us about new orders"
function* last(text: string): Generator<Reading> {
  if (!isStep(text)) return
  // "Cash on delivery" is no occasion.
  for (const found of [...text.matchAll(new RegExp(`(?:[\\s,]+(?:about |around )?(${DURATION}))?[\\s,]+${WHEN}\\s+`, 'gi'))].reverse())
    if (!/\bcash on $/i.test(text.slice(0, found.index + found[0].length)))
      yield* withInputs(text.slice(found.index + found[0].length), waited(found[1], text.slice(0, found.index)))
  for (const found of [
    ...text.matchAll(
      / (?:about|of|on|for|with) (?=(?:an? |the )?(?:each|every|any|all|new|paid|shipped|cancell?ed|refunded|returned|low|refunds|returns|cancell?ations|disputes|orders)\b)/gi,
    ),
  ].reverse())
    yield { occasion: text.slice(found.index + found[0].length), steps: text.slice(0, found.index) }
}

// "… whenever an order is paid, giving the order number": what a service is told stands behind the occasion.
function* withInputs(occasion: string, steps: string): Generator<Reading> {
  // "thank them when an order is paid with «…»"
  const [, begins, text] =
    /^(.{5,100}?)(?:,? (?:with|by (?:saying|writing)|saying)(?: the (?:text|message|words))?|:|,) («\d+»)$/i.exec(occasion) ?? []
  if (
    begins !== undefined &&
    /^(?:wait [^,]+, )?(?:(?:send|thank|message|write|tell|ask|greet|welcome|notify|remind|inform|warn)\b|(?:the |our |each |every )?(?:customers?|buyers?|clients?|they) (?:(?:should|must|shall|will) )?(?:get|receive)s? an? (?:message|text|note)\b)[^«]*$/i.test(
      ordered(steps),
    )
  )
    yield* withInputs(begins, `${steps} ${text}`)
  // "…, an hour later"
  const [, earlier = '', later] = new RegExp(`^(.+?),? (?:about )?(${DURATION}) (?:later|afterwards|after that)$`, 'i').exec(occasion) ?? []
  if (later !== undefined) yield { occasion: earlier, steps: waited(later, steps) }
  // "thank them when an order is paid, then a week later ask for a review"
  const [, happens, then] = /^(.{5,80}?),? (?:and )?then,? (.{3,200})$/i.exec(occasion) ?? []
  if (happens !== undefined && then !== undefined && isStep(then)) yield { occasion: happens, steps: `${steps}, then ${then}` }
  const [, begun, as] = /^tag\b(?:(?! as | with ).)*$/i.test(steps)
    ? (/^(.+?) ((?:as|with) (?:an? |the tag )?(?:«\d+»|[\w-]+))$/i.exec(occasion) ?? [])
    : []
  if (begun !== undefined && as !== undefined) yield { occasion: begun, steps: `${steps} ${as}` }
  // "tell us when an order is cancelled, and tag the customer": no more of what happens, unless it is so already.
  const [, occurs, also] = /^(.{5,120}?),? and (?:also )?(.{3,200})$/i.exec(occasion) ?? []
  if (occurs !== undefined && also !== undefined && isStep(also) && !IS_SO.test(also))
    yield { occasion: occurs, steps: `${steps} and ${also}` }
  const [, before, inputs] =
    /^(.+?),? (?:giving|passing|sending|including|mentioning|together with|along with|(?<=, )with) (?:it )?(.+)$/i.exec(occasion) ?? []
  if (
    before !== undefined &&
    (new RegExp(`${URL_MARK}$`).test(steps) || /^(?:notify|warn|tell|inform|alert|let) \S+(?: \w+)?(?: know)?$/i.test(ordered(steps)))
  )
    yield { occasion: before, steps: `${steps} with ${inputs}` }
  yield { occasion, steps }
}

const IS_SO = /^(?:it|they|(?:the|an?|their|its|his|her) [\w-]+) (?:is|are|was|were|has|have|had|contains?|mentions?)\b/i

// "New customers should get …", "Orders over 1000 must be flagged to the staff"
function* asSubject(text: string): Generator<Reading> {
  for (const [pattern, verb] of PASSIVES) {
    const found = pattern.exec(text)
    if (found && found.index > 0 && !isState(text, found))
      yield { occasion: text.slice(0, found.index), steps: verb + text.slice(found.index + found[0].length) }
  }
}

/** "When an order is paid and the customer is tagged vip, …": what is so already, and no step. */
const isState = (text: string, { index, 0: verb }: RegExpExecArray): boolean =>
  isOccasion(text) &&
  / and [^,]{1,60} (?:is|are)$/i.test(text.slice(0, index)) &&
  isStep(/,\s+(.*)$/.exec(text.slice(index + verb.length))?.[1] ?? '')

const VERBS =
  'send|post|forward|push|pass|report|submit|export|sync|copy|hand|give|tag|label|mark|thank|message|text|email|write to|tell|ask|greet|welcome|notify|remind'

// "Record each chargeback in a table called disputes with the amount"
function* recordOfEach(text: string): Generator<Reading> {
  const [, occasion, where] =
    /^(?:record|keep|log|save|store|note|register) ((?:each|every|any|all) .{3,60}?) ((?:in|into) .{3,300})$/i.exec(text) ?? []
  if (occasion !== undefined) yield { occasion, steps: `create a record ${where}` }
  // "Save each shipped order as a parcel with the carrier"
  const [, each, as] =
    /^(?:record|keep|log|save|store|note|register) ((?:each|every|any|all) .{3,60}?) as ((?:an? )?[\p{L}][\p{L} -]{1,30} with .{3,200})$/iu.exec(
      text,
    ) ?? []
  if (each !== undefined) yield { occasion: each, steps: `create ${as}` }
  // "Log each refund as a record in «payouts» with …"
  const [, one, within] =
    /^(?:record|keep|log|save|store|note|register) ((?:each|every|any|all) .{3,60}?) as (?:an? )?(?:record|entry|row|line|item) ((?:in|into|of) .{3,300})$/i.exec(
      text,
    ) ?? []
  if (one !== undefined) yield { occasion: one, steps: `create a record ${within}` }
  const [, of, list] =
    /^(?:create|make|add|keep|save) (?:an? )?records? (?:of|for) ((?:each|every|any|all) [^:]{3,60}?)(?:: | with )(.{3,300})$/i.exec(
      text,
    ) ?? []
  if (of !== undefined) yield { occasion: of, steps: `create a record in ${of.replace(/^\w+ /, '').replace(/s?$/, 's')} with ${list}` }
}

// "Send every new order to https://…", "Tag customers who spend over 500 as vip"
function* ofEach(text: string): Generator<Reading> {
  const address = new RegExp(
    `^(?:${VERBS}) ((?:each|every|any|all|new|the|paid|shipped|cancell?ed|refunded|returned|delivered|confirmed) .{3,100}?) (?:on |over |off )?to (?:our \\w+ (?:at )?)?(${URL_MARK}.*)$`,
    'i',
  ).exec(text)
  if (address) yield { occasion: address[1] as string, steps: `call ${address[2]}` }
  const [, greeting, newcomers, rest = ''] =
    new RegExp(
      `^(${VERBS}) ((?:each |every |all |any |the )*new (?:customers?|clients?|contacts?|visitors?|chats?|conversations?|messages?))\\b(.*)$`,
      'i',
    ).exec(text) ?? []
  if (newcomers !== undefined) yield { occasion: newcomers.replace(/^(?:each|every|all|any|the) /i, ''), steps: `${greeting} them${rest}` }
  const [, said, whom] =
    new RegExp(
      `^((?:${VERBS}) .{1,60}?) to ((?:everyone|anyone|everybody|anybody|people|whoever|(?:the |all |any )?(?:customers|clients|buyers)) .{3,100})$`,
      'i',
    ).exec(text) ?? []
  if (said !== undefined && whom !== undefined) yield { occasion: whom.replace(/^whoever/i, 'anyone'), steps: said }
  const [, verb, who] =
    new RegExp(
      `^(${VERBS}) ((?:everyone|anyone|everybody|anybody|people|(?:the |all |any )?(?:customers|clients|buyers|contacts)|each customer|every customer) (?:who|that) .{3,100})$`,
      'i',
    ).exec(text) ?? []
  if (verb === undefined || who === undefined) return
  for (const found of [...who.matchAll(/ (?=(?:as|with|to|a|an|the tag|for)\b|«)/gi)].reverse())
    yield { occasion: who.slice(0, found.index), steps: `${verb} them ${who.slice(found.index + 1)}` }
  yield { occasion: who, steps: `${verb} them` }
}
