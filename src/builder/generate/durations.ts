// Whiles as people say them: "three days", "half an hour", "the next day".

const COUNT = 'half an?|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fourteen|twenty|thirty|\\d{1,5}'
export const DURATION = `(?:${COUNT})(?: more| full)?[ -]?(?:minute|min|hour|hr|h|day|week|fortnight|month)s?`
export const LATER = `(?:after )?${DURATION} later|after ${DURATION}(?=,| )|(?:the )?(?:next|following) (?:day|week)`

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
    twelve: 12,
    fourteen: 14,
    twenty: 20,
    thirty: 30,
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
  if (/^(?:the )?(?:next|following) (?:day|week)/i.test(text)) return /week/i.test(text) ? 7 * 24 * 60 : 24 * 60
  const [, count = '', unit = ''] =
    new RegExp(`(${COUNT})(?: more| full)?[ -]?(minute|min|hour|hr|h|day|week|fortnight|month)s?`, 'i').exec(text) ?? []
  if (unit === '') return undefined
  const number = /^half/i.test(count) ? 0.5 : /^an?$/i.test(count) ? 1 : (NUMBERS.get(count.toLowerCase()) ?? Number(count))
  return Math.round(number * (UNITS.find(([pattern]) => pattern.test(unit))?.[1] ?? 1))
}
