// How long a receiver asks to be left alone.
import type { Answer } from './outcome.ts'

/** @returns milliseconds from `now`, undefined where the answer does not say, or says it in no way that HTTP has */
export function retryAfterMs({ headers }: Pick<Answer, 'headers'>, now: number): number | undefined {
  const text = [headers['retry-after']].flat()[0]
  if (text === undefined) return undefined
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
