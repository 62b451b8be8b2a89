// Lists as people type them: a heading, and items below it behind marks or indented. What a list of fields is about is joined with its fields; the items of any
// other list are sentences of their own.

/** Before an item, at the beginning of a line or behind a mark: "1.", "2)", "-". */
const ITEM = '(?:\\(?\\d{1,2}[.)]|[-*•–—·])'
const LISTED = new RegExp(`(?:\\n[ \\t]*${ITEM}[ \\t]+[^\\n]+)+`, 'g')
const OF_FIELDS =
  '(?:with|have|has|details|settings?(?: (?:needed|required|we need|for (?:it|this app|the app)|are|of the app))?|(?:fields?|columns?)(?: (?:to|of|for) [^\\n:.,]{1,40})?)'

/** Lists without their marks: behind "with these fields:" the items are one sentence with it, elsewhere each is a sentence of its own. */
export const unlisted = (text: string): string =>
  `\n${text}`
    // "Do this: 1. keep …, 2. tag …" in one line
    .replaceAll(/(?:(?<=[.!?;:,])[ \t]+|\n[ \t]*)\(?\d{1,2}[.)][ \t]+(?=\p{L})/gu, '\n1. ')
    .replaceAll(/(?<=\S)[ \t]+\(?\d\)[ \t]+(?=\p{L})/gu, '\n1. ')
    .split('\n')
    .map((line, at, lines) => (isIndented(lines, at) ? `- ${line.trim()}` : line))
    .join('\n')
    .replaceAll(
      new RegExp(`(?<=\\b${OF_FIELDS}):[ \\t]*(${LISTED.source})`, 'gi'),
      (_all, items: string) => `: ${itemsIn(items).map(bracketed).join(', ')}\n`,
    )
    .replaceAll(
      new RegExp(`(?<=\\n)(?<head>[^\\n]{3,80}?)[.:]?[ \\t]*(?<list>${LISTED.source})`, 'g'),
      (all, head: string, items: string) => joined(head, itemsIn(items)) ?? all,
    )
    .replaceAll(LISTED, items => `\n${itemsIn(items).join('\n')}\n`)

/** An item that is set in below its heading, and has no mark. */
function isIndented(lines: readonly string[], at: number): boolean {
  const line = lines[at] as string
  if (!/^(?: {2,}|\t)\S/.test(line) || new RegExp(`^[ \\t]*${ITEM} `).test(line)) return false
  const head = lines.slice(0, at).findLast(each => each.trim() !== '' && !/^(?: {2,}|\t)/.test(each))
  return head !== undefined && (/:[ \t]*$/.test(head) || HEADING.test(head.trim()))
}

/** "region: north, south" and "name, text, required" are one item each. */
const bracketed = (item: string): string =>
  item.replace(
    /^([^(),:]{2,40})(?:, ?|: ?)([^()]*,[^()]*|(?:text|number|date|yes\/no|boolean|on\/off|required|mandatory|optional|secret)[^()]*)$/i,
    '$1 ($2)',
  )

const itemsIn = (list: string): string[] =>
  list
    .split('\n')
    .map(each => each.replace(new RegExp(`^[ \\t]*${ITEM}[ \\t]+`), '').replace(/[\s,;.]+$/, ''))
    .filter(each => each !== '')

/** What is kept, and no more is said of it. */
const HEADING =
  /^(?:(?:please |and |also )*(?:(?:i|we)(?:'d| would)? (?:(?:want|like|need)(?: to)? )?)?(?:keep|track|store|save|record|log|register|collect|resource|table|record type|list)(?: track of| called| named|:)? )?(?:(?:the|our|all|a list of) )?(?!(?:settings?|config\w*|options|fields|columns|steps?|flows?|automations?|rules|pages?|tabs?|tags?|knowledge|faqs?|facts|notes?|then|also|wishes|requirements|todo|to-do|please)\b)[\p{L}][\p{L}' -]{1,40}(?: \((?:per|for|of|one per) [^()]{3,30}\))?[.:]?$/iu
const NO_HEADING =
  /\b(?:app|tool|system|wish\w*|requirement\w*|following|want|need|do|this|these|things?|changes?|steps?|settings?|flows?|when|if|after|assistant|bot|know|should|must|is|are|has|have|with)\b/i

/** An item that names a field: few words, and none that says what is done. */
const isField = (item: string): boolean => {
  const plain = item
    .replaceAll(/\([^()]*\)/g, '')
    .replace(/[:=–-] .*$/, '')
    .trim()
  if (item.length > 100 || /[«‹.]/.test(item) || plain.split(' ').length > 6) return false
  if (/^(?:whether|if|how many|when|who|date|day|time)\b/i.test(plain)) return true
  return !/\b(?:has|have|is|are|be|belongs?|should|must|can|may|when|if|under|each|every|tab|tabs|page|dashboard|linked?|them|they|it|team|customer may|assistant|bot)\b|^(?:tag|notify|send|wait|call|warn|tell|keep|add|show|shown|display|list|let|make|put|create|remove|delete|rename|store|track|record|save|post|thank|ask|message)\s/i.test(
    plain,
  )
}

/** "Rentals", and its fields below it; what stands behind them is said of it. */
function joined(head: string, items: readonly string[]): string | undefined {
  const kind = head.trim().replace(/[.:]$/, '')
  if (/^(?:the |our )?(?:settings?|config(?:uration)?|options)$/i.test(kind)) return `Settings: ${items.map(bracketed).join(', ')}\n`
  const pages = items.map(item => /^([^‹«:]{2,40}?)(?:: ?| [-–—] | at | )(‹\d+›)$/.exec(item))
  if (/^(?:the |dashboard )?pages?$/i.test(kind) && pages.every(page => page !== null))
    return `${pages.map(page => `Add a page called ${page?.[1]} at ${page?.[2]}`).join('\n')}\n`
  if (
    /^(?:the )?(?:knowledge|faqs?|facts)(?: for the (?:assistant|bot))?$/i.test(kind) &&
    !items.some(item => /^[^:]{2,40}: |«/.test(item))
  )
    return `${items.map(item => `Knowledge: ${item}`).join('\n')}\n`
  const end = items.findIndex(item => !isField(item))
  const fields = end < 0 ? items : items.slice(0, end)
  if (
    fields.length < 2 ||
    !HEADING.test(head.trim()) ||
    NO_HEADING.test(head.replace(/^(?:please |and |also )*(?:i|we)(?:'d| would)? (?:want|like|need)(?: to)? /i, ''))
  )
    return undefined
  const name = kind.replace(/ \(([^()]*)\)$/, (_all, of: string) => ` ${of.replace(/^one /i, '')}`)
  return `${/^(?:keep|track|store|save|record|log|register|collect|i|we|please)\b/i.test(name) ? name : `keep ${name.replace(/^(?:resource|table|record type|list)(?: called| named|:)? /i, '')}`}: ${fields.map(bracketed).join(', ')}\n${items.slice(fields.length).join('\n')}\n`
}
