// Whiles as people say them: "three days", "half an hour", "the next day".

const COUNT =
  'half an?|an?|another|one and a half|one|two|a couple of|three|a few|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|twenty[- ]four|twenty[- ]one|twenty|thirty|forty[- ]five|forty[- ]eight|forty|sixty|ninety|\\d{1,5}(?:[.,]5)?'
export const DURATION = `(?:${COUNT})(?: more| full| whole| working| business)?[ -]?(?:minute|min|hour|hr|h|day|week|fortnight|month)s?`
export const LATER = `(?:after )?${DURATION} (?:later|after (?:that|this|it)|afterwards|thereafter)|after ${DURATION}(?=,| )|(?:on )?(?:the )?(?:next|following) (?:day|week)|(?:the )?day after(?=,| )`

const NUMBERS = new Map(
  Object.entries({
    one: 1,
    two: 2,
    three: 3,
    four: 4,
    five: 5,
    six: 6,
    seven: 7,
    eight: 8,
    nine: 9,
    ten: 10,
    another: 1,
    'a couple of': 2,
    'a few': 3,
    'one and a half': 1.5,
    eleven: 11,
    twelve: 12,
    thirteen: 13,
    fourteen: 14,
    fifteen: 15,
    twenty: 20,
    'twenty one': 21,
    'twenty four': 24,
    thirty: 30,
    forty: 40,
    'forty five': 45,
    'forty eight': 48,
    sixty: 60,
    ninety: 90,
  }),
)
const UNITS: [RegExp, number][] = [
  [/^min/i, 1],
  [/^h/i, 60],
  [/^day/i, 24 * 60],
  [/^week/i, 7 * 24 * 60],
  [/^fortnight/i, 14 * 24 * 60],
  [/^month/i, 30 * 24 * 60],
]

/** @returns undefined where it is no while */
export function minutesIn(text: string): number | undefined {
  if (/^(?:on )?(?:the )?(?:(?:next|following) (?:day|week)|day after)/i.test(text)) return /week/i.test(text) ? 7 * 24 * 60 : 24 * 60
  const [, count = '', unit = ''] =
    new RegExp(`(${COUNT})(?: more| full| whole| working| business)?[ -]?(minute|min|hour|hr|h|day|week|fortnight|month)s?`, 'i').exec(
      text,
    ) ?? []
  if (unit === '') return undefined
  const number = /^half/i.test(count)
    ? 0.5
    : /^an?$/i.test(count)
      ? 1
      : (NUMBERS.get(count.toLowerCase().replace('-', ' ')) ?? Number(count.replace(',', '.')))
  return Math.round(number * (UNITS.find(([pattern]) => pattern.test(unit))?.[1] ?? 1))
}
