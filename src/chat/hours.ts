// The hours of a shop, such as `Mon-Fri 09:00-18:00, Sat 10:00-14:00`, in its own time zone: is the shop's staff there, and when does that change?

export interface Hours {
  away: boolean
  /** When `away` changes: ISO 8601; null where it never does. */
  changes_at: string | null
}

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const MINUTE_MS = 60_000
const DAY_MINUTES = 24 * 60
const WEEK_MINUTES = 7 * DAY_MINUTES

/** @param hours undefined: always there @param at milliseconds since 1970 */
export function hoursAt(hours: string | undefined, timeZone: string | undefined, at: number): Hours {
  const open = weekOf(hours ?? '')
  if (open.length === 0) return { away: false, changes_at: null }
  const isOpen = (time: number): boolean => isWithin(open, minuteOf(time, timeZone))
  const away = !isOpen(at)
  // A day is looked at again in its own time zone: on two days of the year a day has another length.
  const from = Math.floor(at / MINUTE_MS) * MINUTE_MS
  for (const time of edges(open, from, timeZone)) if (isOpen(time) === away) return { away, changes_at: new Date(time).toISOString() }
  return { away, changes_at: null }
}

type Span = [from: number, to: number]

/** Spans in minutes of the week, which begins on Monday. One that ends before it begins goes over midnight. */
function weekOf(hours: string): Span[] {
  return [...hours.matchAll(/(\w{3})(?:-(\w{3}))? (\d\d):(\d\d)-(\d\d):(\d\d)/g)].flatMap(([, first, last, ...times]) => {
    const [fromHour = 0, fromMinute = 0, toHour = 0, toMinute = 0] = times.map(Number)
    const [from, to] = [fromHour * 60 + fromMinute, toHour * 60 + toMinute]
    const length = to > from ? to - from : to + DAY_MINUTES - from
    return days(first as string, last ?? (first as string)).map(
      (day): Span => [day * DAY_MINUTES + from, day * DAY_MINUTES + from + length],
    )
  })
}

function days(first: string, last: string): number[] {
  const [from, to] = [DAYS.indexOf(first), DAYS.indexOf(last)]
  return Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, n) => (from + n) % 7)
}

const isWithin = (spans: Span[], minute: number): boolean =>
  spans.some(([from, to]) => (minute >= from && minute < to) || minute + WEEK_MINUTES < to)

// Making one takes longer than using it a hundred times. There are some six hundred time zones.
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const options = { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-GB', { timeZone, ...options })
  formats.set(timeZone, format)
  return format
}

/** The minute of the week at a moment, by the clocks of the time zone. */
function minuteOf(time: number, timeZone = 'UTC'): number {
  const found = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  )
  return DAYS.indexOf(found['weekday'] ?? '') * DAY_MINUTES + Number(found['hour']) * 60 + Number(found['minute'])
}

/** Moments of the coming eight days at which a span begins or ends, in order. */
function edges(spans: Span[], from: number, timeZone: string | undefined): number[] {
  const now = minuteOf(from, timeZone)
  const minutes = spans.flat().map(edge => (((edge - now) % WEEK_MINUTES) + WEEK_MINUTES) % WEEK_MINUTES || WEEK_MINUTES)
  // Clocks that are put forward or back move an edge by an hour at most.
  const shifts = [0, -60, 60, -30, 30]
  return [...new Set(minutes.flatMap(each => shifts.map(shift => from + (each + shift) * MINUTE_MS)))]
    .filter(each => each > from)
    .sort((a, b) => a - b)
}
