// The days of a time zone, of 23 to 25 hours, by the program's own tables of time zones. Pure, but for what it remembers.
import { DAYS_REMEMBERED, QUARTER_MS, ZONES_REMEMBERED } from '../limits/analytics.ts'
import { isTimeZone } from '../tenants/time-zone.ts'
import { quarterOf } from './quarter.ts'

export interface Day {
  /** As the calendar there says: 2026-11-23. */
  date: string
  /** Its first moment, in milliseconds since 1970. */
  from: number
  /** The first moment of the next one. */
  to: number
}

/**
 * So many days up to the one that has this moment, the first one first. A date that a zone left out, as Samoa did on its way over the date line, is no day.
 * @param now in milliseconds since 1970
 */
export function localDays(zone: string, now: number, count: number): Day[] {
  const days = [dayOf(zone, now)]
  while (days.length < count) days.push(dayOf(zone, (days.at(-1) as Day).from - 1))
  return days.reverse()
}

/** The day that has this moment. @param at in milliseconds since 1970 */
export function dayOf(zone: string, at: number): Day {
  const quarter = quarterOf(at)
  return remember(days, DAYS_REMEMBERED, `${zone} ${quarter}`, () => {
    const date = dateOf(zone, quarter)
    return {
      date,
      from: firstAfter(quarter - LONGEST_DAY_MS, quarter, each => dateOf(zone, each) >= date),
      to: firstAfter(quarter, quarter + LONGEST_DAY_MS, each => dateOf(zone, each) > date),
    }
  })
}

const LONGEST_DAY_MS = 26 * 3_600_000

/** The first quarter hour after `out` that is as asked, as are all from there to `within`. */
function firstAfter(out: number, within: number, isSo: (quarter: number) => boolean): number {
  let [before, first] = [out, within]
  while (first - before > QUARTER_MS) {
    const middle = quarterOf((before + first) / 2)
    if (isSo(middle)) first = middle
    else before = middle
  }
  return first
}

function dateOf(zone: string, at: number): string {
  const parts = formatOf(zone).formatToParts(at)
  const partOf = (type: Intl.DateTimeFormatPartTypes): string => parts.find(each => each.type === type)?.value ?? ''
  return `${partOf('year').padStart(4, '0')}-${partOf('month')}-${partOf('day')}`
}

// A zone that an older program knew, and this one does not, must not stop all folding.
const formatOf = (zone: string): Intl.DateTimeFormat =>
  remember(
    formats,
    ZONES_REMEMBERED,
    zone,
    () =>
      new Intl.DateTimeFormat('en', {
        timeZone: isTimeZone(zone) ? zone : 'UTC',
        calendar: 'iso8601',
        year: 'numeric',
        month: '2-digit',
        day: '2-digit',
      }),
  )

const days = new Map<string, Day>()
const formats = new Map<string, Intl.DateTimeFormat>()

/** Where there is no more room, all is forgotten: a caller that asks for many at once asks once. */
function remember<T>(known: Map<string, T>, most: number, key: string, make: () => T): T {
  const found = known.get(key)
  if (found !== undefined) return found
  if (known.size >= most) known.clear()
  const made = make()
  known.set(key, made)
  return made
}
