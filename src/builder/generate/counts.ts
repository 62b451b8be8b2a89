// Numbers as people write them in words: "five hundred", "two dozen".

const ONES =
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ')
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const VALUES = new Map([...ONES.map((word, at) => [word, at + 1] as const), ...TENS.map((word, at) => [word, (at + 2) * 10] as const)])
const WORD = [...VALUES.keys()].join('|')
const SCALES: Record<string, number> = { dozen: 12, hundred: 100, thousand: 1_000, million: 1_000_000 }
const NUMBER = new RegExp(
  `\\b(?:(?:an?|half an?|${WORD}|\\d{1,6}(?:\\.\\d)?)[ -](?:dozen|hundred|thousand|million)|(?!one\\b)(?:${WORD}))(?:(?:[ -]and)?[ -](?:${WORD}|hundred|thousand))*\\b`,
  'gi',
)

/** `five hundred euros` → `500 euros`, and back. */
export function inDigits(text: string): { digits: string; spoken(part: string): string } {
  const words = new Map<string, string>()
  const kept = (said: string, value: number): string => {
    words.set(String(value), said)
    return String(value)
  }
  const digits = text
    .replaceAll(NUMBER, said => kept(said, countOf(said)))
    .replaceAll(/\b(\d+(?:\.\d)?) ?k\b/gi, (said, thousands: string) => kept(said, Number(thousands) * 1_000))
  return { digits, spoken: part => part.replaceAll(/\b\d+\b/g, number => words.get(number) ?? number) }
}

function countOf(words: string): number {
  let [whole, part] = [0, 0]
  for (const word of words.toLowerCase().split(/[ -]+/)) {
    const scale = SCALES[word]
    if (word === 'half') part = 0.5
    else if (/^\d/.test(word)) part += Number(word)
    else if (scale === undefined) part += VALUES.get(word) ?? (/^an?$/.test(word) && part === 0 ? 1 : 0)
    else if (scale < 1_000) part = (part || 1) * scale
    else {
      whole += (part || 1) * scale
      part = 0
    }
  }
  return whole + part
}
