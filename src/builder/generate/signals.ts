// What some words ask for, whatever stands around them: a clause with "secret" makes or changes a secret, one with a number changes a number. A reading that did
// not is one that took the words for something else, however well it covers them.
import { DURATION } from './durations.ts'
import { QUOTE, URL_MARK } from './sentences.ts'

/** The words, and what is found in the changes, as JSON, where they were heeded. */
const SIGNALS: [RegExp, RegExp][] = [
  [/(?<!\b(?:not|longer|never|and|or|n't) )\b(?:required|mandatory|compulsory|obligatory)\b/i, /"required"/],
  [/\bmust be (?:filled|given|entered|there|provided)\b/i, /"required"/],
  [/\b(?:an? |the |in )tabs?\b/i, /\.tabs"|tabs?\b/],
  [/\bsettings?\b/i, /"key"|config\.|enumValues/],
  [/(?:^|\s)(?:yes\/no|true\/false|tick ?box|check ?box)\b/i, /"boolean"|"enum"/],
  [/\bas a warning\b|\bwarn\b|\bwarning\b/i, /"warning"|"info"/],
  [new RegExp(`\\b(?:wait|pause) (?:for )?${DURATION}`, 'i'), /"minutes"/],
  [
    /\b(?:unless|except|only (?:if|when|where)|as long as|provided that|but not)\b/i,
    /"op"|"enabled"|"required"|exposeToAi|allowAiWrite|"description"|"content"/,
  ],
]

const NUMBER = /(?<![\p{L}\d.,-])\d{1,9}(?:[.,]\d{3})*(?:\.\d{1,2})?(?![\d\p{L}.]*[\d\p{L}])/gu
/** What a number may have become: hundredths of a currency, minutes. */
const SCALES = [1, 100, 60, 1_440, 10_080, 20_160, 43_200]
/** Numbers that tell how many things follow, or between which a number lies. */
const IDLE_NUMBERS =
  /\b\d+ (?:new |more |further )?(?:fields?|things?|settings?|lists?|values?|steps?|flows?|pages?|characters)\b|\b\d+ ?(?:-|–|to|and) ?\d+\b|\b\d+ ?(?:%|percent)|\bout of \d+/gi

/** @returns what was asked for and is not in the changes */
export function unheeded(clause: string, changed: string, url: (mark: string) => string): string[] {
  const marks = [...clause.matchAll(new RegExp(URL_MARK, 'g'))].map(([mark]) => mark).filter(mark => !changed.includes(url(mark)))
  const plain = clause.replaceAll(new RegExp(`${URL_MARK}|${QUOTE}`, 'g'), ' ')
  const words = SIGNALS.flatMap(([said, done]) => (said.test(plain) && !done.test(changed) ? [said.exec(plain)?.[0].trim() ?? ''] : []))
  const numbers = [...plain.replaceAll(IDLE_NUMBERS, ' ').matchAll(NUMBER)].map(([number]) => number)
  const held = new Set((changed.match(/\d+(?:\.\d+)?/g) ?? []).map(Number))
  const lost = numbers.filter(number => {
    const value = Number(number.replaceAll(/[.,](?=\d{3})/g, ''))
    return !SCALES.some(scale => held.has(Math.round(value * scale * 100) / 100)) && !changed.includes(number)
  })
  return [...marks, ...words, ...lost]
}
