// The JSON of a callback. The platform will send it again until it is taken, so what can be mended is mended: only what is no JSON object, or is
// made to exhaust a parser, is refused.
import { isJsonObject, mended } from '../json.ts'
import { BULK_VALUES_MAX, JSON_BREADTH, JSON_DEPTH } from '../limits/bodies.ts'
import { invalid } from '../problems.ts'
import { BRACE, BRACKET, decoded, openScan, parsed, refuseExcess } from './json.ts'

export type JsonObject = Record<string, unknown>

/** A text from outside that is known to be JSON, with its value. */
export interface PlatformJson {
  text: string
  value: JsonObject
}

/**
 * Its depth and the number of its values are judged before it is parsed.
 * @throws {Problem} 413 for too many values, 422 for what is too deep, no JSON, or no object
 */
export function readPlatformJson(raw: Buffer): PlatformJson {
  if (!isPlainlySmall(raw)) refuseExcess(openScan(raw, BULK_VALUES_MAX)(raw.length), BULK_VALUES_MAX)
  const text = decoded(raw)
  const value = parsed(text)
  if (!isJsonObject(value)) throw invalid({ field: '', code: 'invalid_type', message: 'The body must be a JSON object.' })
  return { text, value: mended(text, value) }
}

/** The value of a text that `readPlatformJson` has taken. */
export const readAgain = (text: string): JsonObject => mended(text, JSON.parse(text) as JsonObject)

// Most bodies are: too short for too many values, with fewer brackets than make too many levels. Native code finds those sooner than a scan.
function isPlainlySmall(raw: Buffer): boolean {
  if (raw.length >= JSON_BREADTH) return false
  let brackets = 0
  for (const mark of OPENING)
    for (let at = raw.indexOf(mark); at >= 0; at = raw.indexOf(mark, at + 1)) if (++brackets > JSON_DEPTH) return false
  return true
}

const OPENING = [BRACE, BRACKET]
