// A description, cut into sentences. What is quoted, and addresses, are taken out first: a full stop in them ends no sentence, and a word in them means
// nothing. In their place stands a mark.
import { DESCRIPTION_SENTENCE_CHARS } from '../../limits/builder.ts'
import { unlisted } from './lists.ts'
import { inFull } from './short-forms.ts'

export interface Description {
  sentences: string[]
  /** Too long to be one thought; they are not read. */
  unread: string[]
  /** @returns the quoted text of a mark */
  quote(mark: string): string
  /** @returns the address of a mark */
  url(mark: string): string
  /** The text with what its marks stand for. */
  restore(text: string): string
}

/** Patterns of the marks, each with its number. */
export const QUOTE = '«(\\d+)»'
export const URL_MARK = '‹(\\d+)›'

/** Markdown as it is read aloud: the first heading is the app's name, one of settings or fields belongs to the list behind it, and others say nothing. */
const unmarked = (text: string): string =>
  text
    .replaceAll(/\*\*|`([^`\n]*)`|`/g, (_all, code?: string) => (code === undefined ? '' : /^[\w.-]*$/.test(code) ? code : `"${code}"`))
    .replace(/^\s*# +([^\n]{1,60}?)[ \t#]*(?=\n|$)/, 'An app called $1\n')
    .replaceAll(/^#{1,6} +((?:[\w ]{1,30} )?(?:settings|configuration|fields|columns))[ \t:#]*$/gim, '$1:')
    .replaceAll(/^#{1,6} .*$/gm, '')

/** What is said, without quotation marks around it: "change the text to: …", "greet them with: …", "Title: …". */
const SAYS =
  /(?:^|[.!?»]\s+)(?:[-*•–] |\d{1,2}[.)] )?((?:[^.!?\n:]*?\b(?:says?|saying|reads?|reading|(?:the|this|that|following|new) (?:text|words?|wording|message|content|note)|greet (?:[^.:]{2,40} )?with|(?:reply|answer|welcome|respond)(?: [^.:]{2,40})? with)|(?:change|set|update|rewrite|replace)\b[^.!?\n:]*?\b(?:text|content|wording|message|title|body|description|knowledge|entry|answer|greeting|reminder|notification)\b[^.!?\n:]*? (?:to|with|by)|[^.!?\n:]*?\b(?:notify|tell|warn|message|ask|send|write|inform) (?:to )?(?:the |our |my )?(?:team|staff|us|them|customers?|him|her)|(?:add |please |new |an? |another )*(?:faq|knowledge)(?: (?:entry|article|text|item))?(?:,? (?:titled|called|named) (?:«\d+»|[\p{L} ]{2,40}?))?|(?:please |also )?(?:teach|tell) (?:the |our )?(?:ai assistant|assistant|chat ?bot|bot|ai)(?: (?:this|the following|that))?|(?:the |its |a )?(?:title|text|content|description|body)(?: (?:of|for) (?:the |it|this )?[\w ]{0,30}?)?)):[ \t]+/iu
/** A sentence that asks for something, so that it belongs to no text before it. */
const ASKS =
  /^(?:(?:and|also|then|please|finally) |when(?:ever)?\b|if\b|once\b|as soon as\b|after\b|every (?:time|order)\b|(?:the|our) (?:assistant|bot|ai|app|flow|team|message|title)\b|it (?:should|must|needs|has to|is)\b|(?:i|we) (?:want|need|would|also)\b|there\b|(?:add|keep|show|tag|notify|send|rename|remove|delete|change|set|make|let|put|wait|call|store|create|drop|give|link)\b|[\p{L} ]{1,30}:)/iu

/** What the assistant is taught. */
const OF_ASSISTANT = /\b(?:teach|tell) (?:the |our )?(?:ai assistant|assistant|chat ?bot|bot|ai)\b[^:]*:[ \t]+$/i

/** Texts that stand behind a colon, with a mark in their place: to the end of the line, or to where something else is asked for. */
const unquoted = (text: string, mark: (text: string) => string): string =>
  text
    .split('\n')
    .map(line => {
      const found = SAYS.exec(line)
      if (!found || line.slice(found.index + found[0].length).length < 2) return line
      const [before, rest] = [line.slice(0, found.index + found[0].length), line.slice(found.index + found[0].length)]
      const sentences = rest.split(/(?<=[.!?])\s+/)
      let end = 1
      while (end < sentences.length && !ASKS.test(sentences[end] as string)) end++
      const words = sentences.slice(0, end).join(' ')
      if (
        /[«»]/.test(words) ||
        !(/^[\p{Lu}\d]/u.test(words) || OF_ASSISTANT.test(before)) ||
        /\b(?:who|that|which) \w+ (?:to )?(?:us|me):[ \t]+$/.test(before)
      )
        return line
      const isTitle = /\b(?:title|name)\b[^:]*:[ \t]+$/i.test(before)
      const behind = sentences.slice(end).join(' ')
      return `${before}${mark(isTitle ? words.replace(/\.$/, '') : words.replace(/^\p{Ll}/u, first => first.toUpperCase()))}\n${behind === '' ? '' : unquoted(behind, mark)}`
    })
    .join('\n')

export function readDescription(text: string): Description {
  const quotes: string[] = []
  const urls: string[] = []
  const plain = text
    .replaceAll(/«([^«»]*)»/g, '"$1"')
    .replaceAll(/[«»‹›]/g, ' ')
    .replaceAll(/[“”„]/g, '"')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/(?<=\s|\w)(?:[:;]-?[)(DP]|<3|\^\^|\p{Extended_Pictographic}\uFE0F?)(?=\s|$)/gu, found =>
      /^[:;<^]/.test(found) ? '.\n' : found,
    )
    // "the window - morning, noon or evening."
    .replaceAll(
      /(?<=[\p{L}\d]) [-–—] ((?:[\p{L}\d]+(?: [\p{L}\d]+)?, ){1,8}[\p{L}\d]+(?: [\p{L}\d]+)? or [\p{L}\d]+(?: [\p{L}\d]+)?)(?=[.;\n]|$)/gu,
      ' ($1)',
    )
    // "colour - red, white or rosé - to the wines"
    .replaceAll(
      /(?<=[\p{L}\d]) [-–—] ((?:(?! and )[^-–—.:;()\n]){2,80}(?: or |, )(?:(?! and )[^-–—.:;(),\n]){1,40}) [-–—](?= |$)/gu,
      ' ($1)',
    )
    .replaceAll(/\s[-–—]\s(?=(?:with|giving|passing|including|and|but|only|except|unless)\b)/g, ' ')
    .replaceAll(/(?<=[a-z»]) & (?=[a-z])/g, ' and ')
    // "state = open / done"
    .replaceAll(/(?<=[\p{L})»]) = (?=[\p{L}«"'])/gu, ': ')
    .replaceAll(/(?<=\b(?:settings?|fields|columns|options)) [-–—] (?=\S)/gi, ': ')
    // "sewing machines - brand, model and number" is a list
    .replaceAll(/(?<=^|[.!?\n]\s*)([^.:!?\n]{3,80}?) [-–—] (?=[^.:!?\n-]{2,60}, [^.:!?\n]*)/g, '$1: ')
    .replaceAll(/https?:\/\/[^\s"<>]+/gi, found => {
      const url = found.replace(/[.,;:!?)'\]]+$/, '')
      return `‹${urls.push(url) - 1}›${found.slice(url.length)}`
    })
    // "the price service (https://…)"
    .replaceAll(/ \((?:at |see |url:? |address:? |endpoint:? )*(‹\d+›)\)/gi, ' at $1')
    .replaceAll(/"([^"]*)"|(?<=\s)'([^']{1,200})'(?=[\s.,;:!?]|$)/g, (_all, double?: string, single?: string) => {
      const quoted = restoreIn(double ?? single ?? '').trim()
      return `«${quotes.push(quoted) - 1}»`
    })
  // "a) tag them b) wait a day c) …"
  const lettered = plain.replaceAll(
    /[,:]? \(?a\) ([^\n]+? \(?b\) [^\n]+)/gi,
    (_all, steps: string) => `: ${steps.replaceAll(/[,;]? \(?[b-h]\) /gi, ', then ')}`,
  )
  const all = unlisted(unmarked(unquoted(inFull(lettered), text => `«${quotes.push(restoreIn(text)) - 1}»`)))
    .replaceAll(/(»)\s+(?=[A-Z])/g, '$1\n')
    .replaceAll(/\([^()]{0,400}\)/g, inner => inner.replaceAll(';', ','))
    // "has a plan, which can be monthly or yearly; a start date; and a note" is one list.
    .replaceAll(
      /;\s+(?=(?:and )?(?:an?|one|two|whether) (?:(?!(?<!if there )\b(?:is|are|should|must|when)\b)[^;.!?\n]){2,80}(?:[;.\n]|$))/gi,
      ', ',
    )
    // "Settings: a key (secret); retries (number)" is one list.
    .replaceAll(/(?<=^|[.!?\n]\s*)(?:the |our )?(?:settings?|fields|columns|config(?:uration)?): [^.!?\n]*/gi, list =>
      list.replaceAll(';', ','),
    )
    .replaceAll(/;\s+(?=(?:otherwise|or else|if not|else)\b)/gi, ', ')
    .replaceAll(/\b(they|we|you|these|those)'re\b/gi, '$1 are')
    // "Low stock? Call …" is an occasion.
    .replaceAll(
      /(?<=^|[.!?\n]\s*)(?!(?:can|could|would|will|is|are|do|does|how|what|why|who|where|when|may|should|shall|have|has|ok|right|please|if)\b)([^.!?\n«‹:,]{3,60})\?\s+(?:then )?(?=(?:call|tell|notify|warn|tag|send|post|message|write|let|alert|inform|create|save|wait)\b)/gi,
      '$1: ',
    )
    // "Two automations: on …": it says nothing of them.
    .replaceAll(
      /(?<=^|[.!?\n]\s*)(?:(?:these|the following|here are|i (?:want|need)|we (?:want|need)|add|make|create) )?(?:one|two|three|four|five|six|some|several|a few|these|the following|\d)(?: more| new| further)? (?:automations?|flows?|rules?|workflows?|triggers?|things|changes|edits|wishes|addresses|names|texts)(?: please| to (?:make|do|add|change)| (?:have|has) (?:now )?changed| (?:must|should|need to|have to) (?:be )?changed?)?: ?/gi,
      '',
    )
    // "active? and visit" goes on; "frame no. (required)" too.
    .split(
      /(?<=[.!;])(?<!\b(?:no|nr|approx|incl|excl|e\.g|i\.e|etc|ca|max|min|tel|avg|st)\.(?= ?[(a-z\d]))\s+|(?<=\?)\s+(?!(?:and|or) [a-z])|\n+/,
    )
    .map(each => each.trim().replace(/[.!?;\s]+$/, ''))
    .filter(each => each !== '')

  function restoreIn(part: string): string {
    return part.replaceAll(new RegExp(URL_MARK, 'g'), (_all, at) => urls[Number(at)] ?? '')
  }
  const numberOf = (mark: string): number => Number(/\d+/.exec(mark)?.[0] ?? -1)
  return {
    sentences: all.filter(each => each.length <= DESCRIPTION_SENTENCE_CHARS),
    unread: all.filter(each => each.length > DESCRIPTION_SENTENCE_CHARS),
    quote: mark => quotes[numberOf(mark)] ?? '',
    url: mark => urls[numberOf(mark)] ?? '',
    restore: part => restoreIn(part.replaceAll(new RegExp(QUOTE, 'g'), (_all, at) => `"${quotes[Number(at)] ?? ''}"`)),
  }
}
