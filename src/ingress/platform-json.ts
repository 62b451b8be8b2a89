// The JSON of a callback. Whoever sent it will send it again until it is taken, so what can be mended is mended: only what is no JSON object, or is
// made to exhaust a parser, is refused.
import { BULK_VALUES_MAX } from '../limits.ts'
import { invalid } from '../problems.ts'
import { decoded, openScan, parsed, refuseExcess } from './json.ts'

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
  refuseExcess(openScan(raw, BULK_VALUES_MAX)(raw.length), BULK_VALUES_MAX)
  const text = decoded(raw)
  const value = parsed(text)
  if (!isObject(value)) throw invalid({ field: '', code: 'invalid_type', message: 'The body must be a JSON object.' })
  return { text, value: mended(value) as JsonObject }
}

/** The value of a text that `readPlatformJson` has taken. */
export const readAgain = (text: string): JsonObject => mended(JSON.parse(text)) as JsonObject

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

// In place: NUL and halves of surrogate pairs become the replacement character, a number beyond a double becomes null, and a member whose name cannot
// be stored is dropped.
function mended(value: unknown): unknown {
  if (typeof value === 'string') return mendedText(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) value[index] = mended(value[index])
    return value
  }
  const members = value as JsonObject
  for (const name of Object.keys(members)) {
    if (name === '__proto__' || mendedText(name) !== name) delete members[name]
    else members[name] = mended(members[name])
  }
  return members
}

const mendedText = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed()
