// Sentences about pages and tabs that show an address.
import type { View } from '../../apps/manifest/shape.ts'
import { type Draft, notUnderstood } from './draft.ts'
import { show } from './drafted-resources.ts'
import { titleOf } from './names.ts'
import { type Description, QUOTE, URL_MARK } from './sentences.ts'

const TARGETS: [RegExp, View['target']][] = [
  [/\b(?:contacts?|customers?|clients?|buyers?)\b/i, 'contact.tabs'],
  [/\b(?:products?|articles?)\b/i, 'product.tabs'],
  [/\b(?:pages?|dashboard|screen|menu)\b/i, 'dashboard.page'],
]

/** "a page called Reports", 'the tab "Points"' */
function titleIn(said: Description, text: string): string | undefined {
  const found = new RegExp(
    `\\b(?:page|tab|panel|frame|screen|dashboard|menu(?: (?:item|entry))?)(?: (?:is|that is|which is))?(?:,? (?:called|named|titled|labell?ed|with (?:the |a )?(?:name|title)(?: of)?))?:? (${QUOTE})|\\b(?:called|named|titled|labell?ed|(?:name|title)(?: should be| is)?):? (${QUOTE})|\\b(?:called|named|titled|labell?ed) ([\\p{L}\\d][\\p{L}\\d '&-]{0,58}?)(?=,|$| (?:at|from|with|of|on|under|in|that|which|for|showing|to|and|as)\\b| ‹)`,
    'iu',
  ).exec(text)
  const [, plain] =
    /\b(?:page|tab|panel) ((?:\p{Lu}[\p{L}\d-]*)(?: \p{Lu}[\p{L}\d-]*){0,3})(?=,|$| (?:at|from|with|of|on|under|in|that|which|for|showing|to)\b| ‹)/u.exec(
      text,
    ) ?? []
  if (plain) return plain
  const [, named] = /\b(?:called|named|titled) (\p{Lu}[\p{L}\d '&-]{0,58})$/u.exec(text) ?? []
  if (named) return named
  const [, beside] =
    /\b(?:page|tab|panel)[^,‹«]{0,40}, (\p{Lu}[\p{L}\d]*(?: [\p{L}\d]+){0,3}), (?:which|that|showing|with|at)\b/u.exec(text) ?? []
  if (beside) return beside
  const quoted = found?.slice(1).find(part => part?.startsWith('«'))
  return quoted ? said.quote(quoted) : found?.at(-1)
}

/** What is said of one of several addresses: where all places stand before their addresses, the words before it; else those behind it. */
function partAround(sentence: string, marks: RegExpExecArray[], at: number): string {
  const [from, mark] = [marks[at - 1], marks[at] as RegExpExecArray]
  const isBefore = marks.every((each, place) => {
    const last = marks[place - 1]
    return TARGETS.some(([pattern]) => pattern.test(sentence.slice(last ? last.index + last[0].length : 0, each.index)))
  })
  if (isBefore) return sentence.slice(from ? from.index + from[0].length : 0, mark.index + mark[0].length)
  return sentence.slice(at === 0 ? 0 : mark.index, marks[at + 1]?.index)
}

/** What says where something is shown, and how. */
const PLACING =
  /\b(?:add|adds|put|puts|place|show|shows|showing|shown|display|displays|displayed|displaying|open|opens|opening|embed|embeds|embedded|load|loads|loading|see|have|has|there|should|must|be|is|are|can|will|want|need|we|i|it|you|our|my|us|page|pages|tab|tabs|panel|frame|iframe|screen|dashboard|menu|entry|item|card|profile|view|contacts?|customers?|clients?|buyers?|products?|articles?|each|every|all|any|the|an?|under|below|on|in|at|as|to|for|of|from|with|within|inside|beside|next|and|also|too|which|that|where|called|named|titled|labell?ed|name|title|own|its|their|one|new|please|team|staff|wants?|wanted|url|address|site|website|link|i'd|like)\b|'(?:s|d|ll|re|ve)\b/gi

/** @returns what of the words is neither a place nor the name of what is shown */
const without = (text: string, name: string): string =>
  text
    .replaceAll(new RegExp(`${URL_MARK}|${QUOTE}`, 'g'), ' ')
    .replace(name, ' ')
    .replaceAll(PLACING, ' ')
    .replaceAll(/[^\p{L}\d]+/gu, ' ')
    .trim()

/** "Show https://… as a page, and https://… under each contact." */
export function readFrames(draft: Draft, sentence: string): boolean {
  if (
    !new RegExp(URL_MARK).test(sentence) ||
    !/\b(?:show|shows|page|tab|panel|frame|embed|embeds|display|displays|open|opens|under|dashboard|put|place)\b/i.test(sentence)
  )
    return false
  const marks = [...sentence.matchAll(new RegExp(URL_MARK, 'g'))]
  let found = false
  for (const [at, mark] of marks.entries()) {
    const around = marks.length === 1 ? sentence : partAround(sentence, marks, at)
    const target = TARGETS.find(([pattern]) => pattern.test(around.replaceAll(new RegExp(URL_MARK, 'g'), ' ')))?.[1]
    if (!target) continue
    const [, described] =
      /\b(?:our|the|my|his|her) ([\p{L}][\p{L} -]{2,40}?)(?:,? (?:at|from|which is at|that is at|is at))? [(]?‹/iu.exec(
        around.replace(/\b(?:page|tab|panel|dashboard|url|address|site|website|link|service)\b/gi, ''),
      ) ?? []
    const name = titleIn(draft.said, around) ?? (described && titleOf(described)) ?? (target === 'dashboard.page' ? 'Page' : 'Tab')
    show(draft, `custom:${draft.said.url(mark[0])}`, target, name)
    const rest = without(around.replace(described ?? '', ' '), name)
    if (rest !== '') notUnderstood(draft, rest)
    found = true
  }
  return found
}
