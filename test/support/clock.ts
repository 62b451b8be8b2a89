// The time by which the verbs of this process decide, moved.
import { noteTime } from '../../src/clock.ts'

/** @param told milliseconds since 1970, as the database would say */
export function moveClock(told: number): void {
  const asked = performance.now()
  noteTime(asked, told, asked)
}
