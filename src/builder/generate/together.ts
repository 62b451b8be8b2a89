// Sentences that are one thought: a skill and the address behind it, a heading and its list.
import { ASSISTANT, titleOf } from './names.ts'
import { URL_MARK } from './sentences.ts'
import { isStep } from './step-texts.ts'
import { isOccasion } from './tellings.ts'

const ADDRESS = new RegExp(
  `^(?:(?:the|its|that|this|our|use|call|and) )*(?:address|url|endpoint|link|service|server|api|it|that|this|one|page)?(?: (?:for|of|to) (?:that|it|this|the \\w+))?(?: (?:is|lives|runs|sits|listens|can be found|can be reached|is reached|is available|stands|answers))?(?: (?:at|under|here))?:? ?(${URL_MARK})$`,
  'i',
)
/** "Steps after an order is paid:", before a list of them. */
const STEPS =
  /^(?:do (?:this|these|the following) |what happens |(?:the |these |all )?(?:steps|things to do|workflow|process|routine|procedure|to-?dos?)(?: to (?:do|take|follow))? )?(\S.{3,120}):$/i
const FIELDS = /^(?:(?:the|its|their|with(?: the| these)?) )?(?:fields?|columns?|details)(?: (?:are|needed|it has))?:\s*(.+)$/i
const HEADING = /^[\p{L}][\p{L}\d' -]{1,60}$/u
const VERBS = /\b(?:keep|store|track|save|record|log|want|need|when|show|add|have|has|is|are|can|should|please)\b/i

const TITLE =
  /^(?:(?:(?:can|could|would|will) you )?(?:please )?(?:build|make|create|write|set up)(?: me| us)? |(?:i|we)(?:'d| would)? (?:want|need|like) |here is |this is )?(?:an?|the|our|my) (?:(?:small|simple|little|new) )*(?:[\p{L}-]+ ){0,3}(?:app|application|tool|log|book|card|calendar|scheme|program|programme|service|system|tracker|planner|register|diary|manager|organi[sz]er|automations?|flows?)(?: (?:for|of) (?:(?:an?|the|our|my|your) )?[\p{L}' -]{2,50})?(?: please)?$/iu
/** "Tea shop subscriptions:" above a list of what they are. */
const HEADED = /^(?!.*\b(?:i|we|when|if|after|once|fields?|settings?|columns?|steps?|do|show|keep|store|add)\b)[\p{L}][\p{L}' -]{2,50}:$/iu
/** "We record tyres." before the list of what they have. */
const ARE_KEPT = /^(?:(?:i|we) )(?:record|keep|store|track|save|log|register|note) (?:(?:all|our|the) )?([\p{L}][\p{L} -]{1,40})$/iu

const ENTRIES = new RegExp(
  `^(?:${ASSISTANT} (?:should|must|ought to|needs to|has to|is to) (?:also )?know (?:about )?(?:these|the following|some|a few|two|three|several)(?: \\w+){0,2}|(?:some |add |these )*(?:knowledge|facts|faqs?)(?: entries)?(?: (?:for|of|about) .{3,40})?):?$`,
  'i',
)
const TOPIC = /^\p{Lu}[\p{L}' -]{2,40}: (?!«).{5,}/u

/** What is known stands behind a colon, without quotation marks. */
const KNOWN_FACTS = new RegExp(
  `^(?:${ASSISTANT} (?:(?:should|must|needs? to|has to|ought to) (?:also )?know|knows)(?: this| that| the following)?|(?:knowledge|facts|faqs?)(?: for ${ASSISTANT})?|tell ${ASSISTANT}(?: this| the following)?): ?[^«‹]+$`,
  'i',
)
const IS_FACT =
  /^(?!(?:i|you|they|he|she|it|this|that)\b)\p{Lu}[^:«‹]*\b(?:is|are|can|cannot|can't|will|has|have|go|goes|takes?|costs?|lasts?|comes?|apply|applies|include|includes|ships?|deliver|delivers|open|opens|close|closes|offer|offers|accept|accepts|do not|don't|does not|doesn't|must)\b/u
const ASKS_FOR = new RegExp(
  `\\b(?:${ASSISTANT}|when(?:ever)?|once|if|tag|notify|warn|settings?|fields?|tabs?|pages?|dashboard|records?|should|add|keep|store|track|save|show|send|call|please|rename|remove|want|need|would like)\\b`,
  'i',
)
const ALSO_KNOWN = 'The assistant should know that: '

/** "Add something to the assistant's knowledge.", before its title and its text. */
const TO_KNOWLEDGE =
  /^(?:(?:please|also|and|then),? )*(?:add|put|write|store|save|there (?:is|should be)|(?:i|we) (?:have|want|need))(?: (?:something|this|these|the following|an?|one|another|new|more|entry|entries|article|fact|faq|text|to|into|in|for|the|our|assistant|bot|ai|knowledge|base)(?:'s)?)+$/i

/** @returns the sentences, joined where one says what another is about, and what the app is called before them */
export function together(sentences: readonly string[]): { sentences: string[]; title: string } {
  const joined: string[] = []
  let title = ''
  let steps = false
  let entries = false
  let facts = false
  for (const sentence of sentences) {
    const before = joined.at(-1)
    // "An app for a bike workshop." says nothing of what it does, where the rest does.
    if (before !== undefined && joined.length === 1 && (TITLE.test(before) || HEADED.test(before)))
      title = titleOf((joined.pop() as string).replace(/:$/, ''))
    // "The bot needs to know: A. B.": what follows is known too, as long as it asks for nothing.
    facts = KNOWN_FACTS.test(before ?? '') || (facts && before?.startsWith(ALSO_KNOWN) === true)
    if (facts && IS_FACT.test(sentence) && !ASKS_FOR.test(sentence)) {
      joined.push(`${ALSO_KNOWN}${sentence}`)
      continue
    }
    const [, kept] = ARE_KEPT.exec(before ?? '') ?? []
    const [, occasion = ''] = STEPS.exec(before ?? '') ?? []
    if ((isOccasion(occasion) || steps) && isStep(sentence) && !isOccasion(sentence)) {
      joined[joined.length - 1] = steps ? `${before}, then ${sentence}` : `${occasion}: ${sentence}`
      steps = true
      continue
    }
    steps = false
    // "The assistant should know these two things. Parking: …", each with its title.
    entries = entries ? TOPIC.test(sentence) : ENTRIES.test(before ?? '') && TOPIC.test(sentence)
    if (entries) {
      if (ENTRIES.test(before ?? '')) joined.pop()
      joined.push(`add knowledge titled ${sentence}`)
      continue
    }
    // "Add something to the knowledge. Title: … Text: …"
    const [, heading] = /^(?:with (?:the )?)?titled?: ?(«\d+»)$/i.exec(before ?? '') ?? []
    const [, text] = /^(?:with (?:the )?|and (?:the )?)?(?:text|content|body): ?(«\d+»)$/i.exec(sentence) ?? []
    if (heading && text) {
      joined.pop()
      if (TO_KNOWLEDGE.test(joined.at(-1) ?? '')) joined.pop()
      joined.push(`add knowledge titled ${heading}: ${text}`)
      continue
    }
    // "allergen sheets for the bakery. each product has one."
    const [, owner] =
      /^(?:each|every|one per|one for each|one for every) (product|customer|contact|client|order)(?: (?:has|gets|can have|may have) (?:one|several|many|some|exactly one))?$/i.exec(
        sentence,
      ) ?? []
    if (owner && before !== undefined && HEADING.test(before) && !VERBS.test(before)) {
      joined[joined.length - 1] = `keep ${before.replace(/ (?:for|of|in) (?:the|our|my) .*$/i, '')} for every ${owner}`
      continue
    }
    // "The customer should get a message after payment. The message: «…»"
    const [, wording] =
      /^(?:the |its |their )?(?:message|text|wording)(?: is| reads| says| should be| should say)?: ?(«\d+»)$/i.exec(sentence) ?? []
    if (wording && before !== undefined && /\b(?:message|text|note|write|thank|ask|remind|greet)\b/i.test(before) && !/[«:]/.test(before)) {
      joined[joined.length - 1] = `${before}: ${wording}`
      continue
    }
    const [, address] = ADDRESS.exec(sentence) ?? []
    const [, fields] = FIELDS.exec(sentence) ?? []
    if (before !== undefined && address && !new RegExp(URL_MARK).test(before)) joined[joined.length - 1] = `${before} at ${address}`
    else if (before !== undefined && fields && HEADING.test(before) && !VERBS.test(before))
      joined[joined.length - 1] = `${before}: ${fields}`
    else if (kept && fields) joined[joined.length - 1] = `keep ${kept}: ${fields}`
    else joined.push(sentence)
  }
  return { sentences: joined, title }
}
