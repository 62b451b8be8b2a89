// When a received file is fetched, as long as it cannot be had: soon at first, for a platform has hiccups, then every hour for a day.
import { FETCH_EVERY_SECONDS, FETCH_FOR_SECONDS, FETCH_SCHEDULE_SECONDS } from '../limits/attachments.ts'

/**
 * @param receivedAt when the message came, and `now`: milliseconds since 1970
 * @returns seconds from now until the next attempt; undefined: there is none
 */
export function nextFetch(receivedAt: number, now: number): number | undefined {
  const passed = (now - receivedAt) / 1000
  const last = FETCH_SCHEDULE_SECONDS.at(-1) as number
  const hours = Math.floor((passed - last) / FETCH_EVERY_SECONDS) + 1
  const next = FETCH_SCHEDULE_SECONDS.find(at => at > passed) ?? last + hours * FETCH_EVERY_SECONDS
  return next > FETCH_FOR_SECONDS ? undefined : next - passed
}
