// Clauses that say something of their own about what was said before them, and titles that stand before a sentence.
import { ASSISTANT, titleOf } from './names.ts'
import { SAME_AGAIN } from './same.ts'
import { QUOTE, URL_MARK } from './sentences.ts'
import { isStep, stepTexts } from './step-texts.ts'
import { isOccasion, WHEN } from './tellings.ts'

/** "Birthday club: remember …", "Make a loyalty app: …" */
const TITLE =
  /^(?!(?:add (?:an? |this )?)?(?:knowledge|faqs?|facts?|information|skill|remember|note|something|add to)\b|[^:]*\b(?:assistant|bot|know|about)\b|(?:the |its |these )?(?:fields?|columns?|settings?|config(?:uration)?|details|options|for|from|with|orders?|customers?|products?|low|new|(?:the |our )?(?:assistant|bot|chat ?bot|ai))\b)(?:(?:make|build|create|set up|write)(?: me| us)? )?(?:an? |the |our |my )?[\p{L}\d' -]{2,40}: +(?=(?:remember|keep|store|track|save|record|log|when(?! \()|whenever|if|after|we|i|they|people|customers? (?!name)|show|send|tag|notify|let|allow)\b)/iu

/** "Cakes for more than 20 persons: notify the team": for whom something is done is no title. */
const titled = (title: string, at: number, whole: string): string =>
  (/\d|\b(?:more|less|fewer|over|under|above|below|who|whose|that|which|not|without|only|except)\b/i.test(title) ||
    /^(?:tag|notify|send)\b/i.test(whole.slice(at + title.length))) &&
  !/\b(?:app|flow|automation)\b/i.test(title)
    ? title
    : ''

const OWN = new RegExp(
  `,?\\s+and\\s+(?=(?:(?:show|display|list) (?:them|it|these)\\b|(?:i|we)(?:'d| would)?(?: also)? (?:want|like|need)\\b|(?:they|these|both) (?:should|must|are|show|appear|belong|get)\\b|(?:let|allow) ${ASSISTANT}\\b|${ASSISTANT} (?:can|may|should|must)\\b))`,
  'i',
)

/** "Delete all flows and add a flow: when …": before the colon stands a clause, and no title. */
const EDIT =
  /^(?:please )?((?:remove|delete|drop|rename|change|turn|switch|disable|enable|replace|stop|get rid of|make the|make all)\b[^:«‹]{2,80}?)(?<!\b(?:fields?|columns?|values?|choices?|options?|settings?|these|following))(?: and (?:add|make|create|write) (?:an?|one|this)(?: new| other)? (?:flow|one))?: +(?=\w)/i

const IS_EDIT = /^(?:please )?(?:remove|delete|drop|rename|add)\b/i
/** "Remove the reason and add a comment", but not "… and add": each change has something of its own that is changed. */
const NEXT_EDIT = /,?\s+and\s+(?:then\s+)?(?=(?:add|remove|delete|drop|rename)\s+\S)/i

/** "…, and if that fails, …": for that case alone. */
const FAILING =
  /(?<!\beven),? (?:and |but )?(?:then )?(?=(?:if|when|should|in case) (?:it|that|this|(?:the|that|this) (?:call|service|request|server|address)) (?:call |request )?(?:fails?|does not (?:work|answer)|doesn't (?:work|answer)|goes wrong|is down)\b)/i

/** "tag them, and if it is over 50, warn the team": of what follows it alone. */
const FOLLOWING =
  /,? (?:and|but),? (?=if (?:it|its|they|their|the (?:order|refund|total|amount|customer|message|payment|product|value|stock|conversation)(?:'s)?)\b[^,]{2,80}, (?:then |also )*[a-z]+ )/i

/** "Birthday club: remember …": what the app may be called. */
export const titleIn = (sentence: string): string => {
  const [title = ''] = isOccasion(sentence) ? [] : (TITLE.exec(sentence) ?? [])
  return title === '' || titled(title, 0, sentence) !== '' ? '' : titleOf(title.replace(/: *$/, ''))
}

/** @returns the parts of a sentence that are read one by one; one that says when something is done stays whole. "Every refund: tell us" has no title. */
export function clausesOf(sentence: string, isHappening: (words: string) => boolean): string[] {
  const failing = sentence.split(FAILING)
  if (failing.length > 1 && isOccasion(sentence)) return failing.flatMap(each => clausesOf(each, isHappening))
  const [once = '', twice] = sentence.split(ONCE_MORE)
  if (twice !== undefined && !isStep(twice.replace(/^.*?, /, '')))
    return [...clausesOf(once, isHappening), `the same ${ofThing(twice, once)}`]
  const again = sentence.split(SAME_AGAIN)
  if (again.length > 1) return again.flatMap(each => clausesOf(each, isHappening))
  const [before = '', following] = isOccasion(sentence) ? sentence.split(FOLLOWING) : []
  if (following !== undefined && /[,:] /.test(before)) return [before, following].flatMap(part => clausesOf(part, isHappening))
  const each = spread(sentence)
  if (each.length > 1) return each.flatMap(one => clausesOf(one, isHappening))
  const placed = placesApart(sentence)
  if (placed[0] !== sentence) return placed.flatMap(each => clausesOf(each, isHappening))
  const [edit, first] = EDIT.exec(sentence) ?? []
  if (edit !== undefined && first !== undefined && !/ and (?:add|create|write) /i.test(first))
    return [first, ...clausesOf(sentence.slice(edit.length), isHappening)]
  const isTitled = !isOccasion(sentence) && !isHappening(/^[^:]*/.exec(sentence)?.[0] ?? '')
  const text = isTitled ? sentence.replace(TITLE, titled) : sentence
  const [only = '', more = ''] =
    /^((?:(?:run|do|use|start) .{2,40} )?only (?:for|if|when|where) .{3,100}?),? and ((?:award|give|tag|send|notify|tell|wait|call|make|set|add|rename|remove|show)\b.+)$/i
      .exec(text)
      ?.slice(1) ?? []
  if (only !== '') return [only, ...clausesOf(more, isHappening)]
  if (isOccasion(text)) return flowsIn(text, isHappening)
  const parts = IS_EDIT.test(text) ? text.split(NEXT_EDIT).flatMap(addedIn) : [text]
  return parts.flatMap(each => apart(each)).filter(each => each.trim() !== '')
}

/** "Tell us when it is paused, and again when it goes on" */
const ONCE_MORE = /,? and (?:then )?(?:once )?(?:again|once more|another time) (?=(?:when(?:ever)?|if|once|after|as soon as) )/i

/** What "it" is, which is said before. */
const ofThing = (text: string, before: string): string => {
  const [, thing] =
    /\b(?:when(?:ever)?|every time|each time|once|if|as soon as|after) ((?:an? |the |our )?[\p{L}]+) (?:is|are|was|gets?|has|starts?|stops?)\b/iu.exec(
      before,
    ) ?? []
  return thing === undefined ? text : text.replace(/^(\S+(?: soon as)?) (?:it|they) /i, `$1 ${thing} `)
}

const ANY = '(?:everybody|everyone|anybody|anyone|every|each|any|all)'

/** "Tell us about every A and about every B", "tag everybody who A with X and everybody who B with Y": the verb is of both. */
function spread(sentence: string): string[] {
  const [, deed = '', link = '', first = '', second = ''] =
    new RegExp(
      `^([a-z]+ (?:the |our )?[a-z]+) (about|of|on|for) (${ANY} [^,]{3,80}?),? and (?:also )?(?:about |of |on |for )?(${ANY} .{3,120})$`,
      'i',
    ).exec(sentence) ?? []
  if (deed !== '' && !/^(?:keep|store|add|save)\b/i.test(deed)) return [`${deed} ${link} ${first}`, `${deed} ${link} ${second}`]
  const [, verb = '', one = '', other = ''] =
    new RegExp(
      `^(tag|label|greet|message|thank|notify|tell) (${ANY} (?:who|that) .{3,120}?),? and (${ANY} (?:who|that) .{3,120})$`,
      'i',
    ).exec(sentence) ?? []
  return verb === '' ? [sentence] : [`${verb} ${one}`, `${verb} ${other}`]
}

const OF_ASSISTANT = new RegExp(`\\b${ASSISTANT}\\b`, 'i')

/** What is said of "it" behind the assistant is said of the assistant. */
function apart(text: string): string[] {
  const [first = '', ...others] = text
    .split(OWN)
    .flatMap(each =>
      OF_ASSISTANT.test(each)
        ? each.split(
            /,?\s+(?:and|but)\s+(?=it (?:can|may|should|must|can ?not|mustn't)(?: not| never| also)* (?:read|see|look|write|know|change|add|edit|create|touch|delete)\b)/i,
          )
        : [each],
    )
  return [first, ...others.map(each => (OF_ASSISTANT.test(first) ? each.replace(/^it (?=can|may|should|must)/i, 'the assistant ') : each))]
}

/** "When a conversation is started, …, and when it is closed, …": the conversation is. */
const withThing = (text: string): string => {
  const [, thing] =
    new RegExp(`^${WHEN} (an? (?:[\\p{L}-]+ )?(?:order|conversation|chat|product|payment|message|contact|customer)) `, 'iu').exec(text) ??
    []
  return thing === undefined
    ? text
    : text.replace(new RegExp(`(, (?:and|but)(?: also)? ${WHEN}) it (?=(?:is|has|gets|was) )`, 'i'), `$1 ${thing} `)
}

/** "When A, do this, and when B, do that" are two. */
function flowsIn(told: string, isHappening: (words: string) => boolean): string[] {
  const text = withThing(told)
  for (const { index, 0: and } of text.matchAll(new RegExp(`[,;]? (?:and|but)(?: also)? (?=${WHEN} )`, 'gi'))) {
    const rest = text.slice(index + and.length)
    const words = rest.replace(new RegExp(`^${WHEN} `, 'i'), '')
    const ends = [...words.slice(0, 120).matchAll(/[,:]? /g)].map(found => found.index)
    if (
      ends.some(
        end =>
          isHappening(words.slice(0, end)) &&
          stepTexts(words.slice(end).replace(/^[,: ]+/, '')).length > 0 &&
          isStep(words.slice(end).replace(/^[,: ]+(?:then )?/, '')),
      )
    )
      return [text.slice(0, index), ...flowsIn(rest, isHappening)]
  }
  return [text]
}

const PART = '(?:settings?|secrets?|(?:dashboard )?pages?|tabs?|knowledge|resources?|tables?)'
/** "Add a page at ‹0› and a required setting called key": each is of a kind of its own. */
function addedIn(edit: string): string[] {
  const [first = '', ...others] = /^(?:please |also )*add /i.test(edit)
    ? edit.split(new RegExp(`,? and (?=(?:an? |the |some )?(?:[\\w/-]+ ){0,3}${PART}\\b)`, 'i'))
    : [edit]
  return others.length > 0 && new RegExp(`${PART}|${URL_MARK}|\\bfield`, 'i').test(first)
    ? [first, ...others.map(each => `add ${each}`)]
    : [edit]
}

const SHOWS =
  '(?:also |please )?(?:(?:(?:i|we) (?:want|need|would like) to )?see|show|list|display|put) (?:them|it|these|those|(?:the |all |our )?[\\p{L}-]+(?: (?!on|in|as|under)[\\p{L}-]+)?)'
const ON_EACH = '(?:on|under|for|at) (?:each|every|the|all|our) (?:product|contact|customer|client)s?'

/** "Show them in a tab on A and in a tab on B", "…, plus a chart", "on each product show ‹0›, on each contact show ‹1›": one may be done where another is not. */
function placesApart(sentence: string): string[] {
  const [, shows = '', first = '', second = ''] =
    new RegExp(`^(${SHOWS}) ((?:in|on|as|under) .{2,80}?),? (?:and|as well as|plus) (?:also )?((?:in|on|as|under) .{2,80})$`, 'iu').exec(
      sentence,
    ) ?? []
  if (shows !== '' && !URLS.test(sentence)) return [`${shows} ${first}`, `${shows} ${second}`]
  // "Show both in tabs on the contact, and loans under each product too"
  const [, one = '', other = ''] =
    /^((?:show|list|display|put) [^,]{2,40}? (?:in|on|under) [^,]{2,60}?),? and ((?!(?:in|on|as|under|show|list|display|put|add|tag|notify|send|make)\b)(?:[\p{L}-]+ ){1,3}(?:under|on|in) (?:an? (?:dashboard )?(?:tab|page|panel)\b|each\b|every\b|the dashboard\b|its own\b)[^,]{0,60})$/iu.exec(
      sentence,
    ) ?? []
  if (one !== '' && !URLS.test(sentence)) return [one, `show ${other}`]
  const [, shown = '', more = ''] =
    new RegExp(`^(${SHOWS} .{2,80}?),? (?:plus|as well as|and also) (an? .{2,200})$`, 'i').exec(sentence) ?? []
  if (shown !== '') return [shown, more]
  if (!new RegExp(`^${ON_EACH}\\b.*${URL_MARK}`, 'i').test(sentence)) return [sentence]
  const frames = sentence.split(new RegExp(`,? (?:and )?(?=${ON_EACH}\\b.*‹\\d+›)`, 'i'))
  const turned = frames.map(each =>
    each.replace(
      new RegExp(
        `^(${ON_EACH})(?:'s?)?(?: (?:page|card|profile))?,? (?:show|display|open|embed|put|have|add|there (?:should be|is|must be))(?: an? (?:tab|panel)(?:,? (?:called|named|titled))?(?<title> ${QUOTE})?(?:,? (?:with|for|showing|that|which|shows?|opens?|leads? to|is))+)? (?<url>${URL_MARK})(?: (?:as|in) an? (?:tab|panel))?$`,
        'i',
      ),
      'show $<url> as a tab$<title> $1',
    ),
  )
  return turned.length > 1 || turned[0] !== sentence ? turned : [sentence]
}

const URLS = new RegExp(URL_MARK)
