// JSON from outside, as a body or a row: no more of it than can be judged in a moment, and nothing in it that cannot be kept.
import { JSON_DEPTH, JSON_VALUES_MAX } from '../limits.ts'
import { type FieldError, fieldOf, invalid, Problem } from '../problems.ts'

/** What is wrong, wherever it is. */
export type Fault = Omit<FieldError, 'field'>

/**
 * What the bytes of a body say. Whether it can be kept is asked of `refuseUnstorable`.
 * @throws {Problem} 413 for more than so many values; 422 for what is not JSON
 */
export function parseJson(bytes: Buffer, maxValues: number): unknown {
  try {
    const text = utf8.decode(bytes)
    const excess = excessOf(text, maxValues)
    if (excess?.code === TOO_DEEP.code) throw invalid({ field: '', ...excess })
    if (excess) throw new Problem('payload-too-large', `The body ${excess.message}`, { max_values: maxValues })
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof Problem) throw error
    const reason =
      error instanceof SyntaxError
        ? error.message.replaceAll(/"[\s\S]*" is not valid JSON/g, 'the text is not valid JSON')
        : 'the bytes are not valid UTF-8'
    throw invalid({ field: '', code: 'malformed_json', message: `The body is not JSON: ${reason.slice(0, 200)}.` })
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * What a JSON text has too much of, told by its commas and brackets before anything is made of it: two bytes of text take up to sixty of
 * memory. A text shorter than so many values is not looked at; how deep it is `unstorable` says, and where.
 */
export function excessOf(text: string, maxValues = JSON_VALUES_MAX): Fault | undefined {
  if (text.length <= maxValues) return undefined
  let [values, depth] = [0, 0]
  for (let at = 0; at < text.length && values <= maxValues; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfText(text, at)
        break
      case COMMA:
        values++
        break
      case BRACKET:
      case BRACE:
        values++
        if (++depth > JSON_DEPTH) return TOO_DEEP
        break
      case BRACKET_END:
      case BRACE_END:
        depth--
    }
  }
  return values > maxValues ? { code: 'too_many_values', message: `holds more than ${maxValues} values.` } : undefined
}

function endOfText(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at
    if (code === BACKSLASH) at++
  }
  return text.length
}

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c]
const [BRACKET, BRACKET_END, BRACE, BRACE_END] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Of JSON a database can keep and every client can read what has no NUL, no lone surrogate, no number beyond a double, no `__proto__`, and no
 * depth that would exhaust a parser.
 * @throws {Problem} 422 naming the place
 */
export function refuseUnstorable(value: unknown): void {
  const errors = unstorable(value)
  if (errors.length > 0) throw invalid(errors)
}

/** What of a value cannot be kept: the first that is found. */
export function unstorable(value: unknown): FieldError[] {
  const found = faultIn(value, 0)
  return found ? [{ field: fieldOf(found.at), ...found.fault }] : []
}

interface Found {
  fault: Fault
  /** Names and indices from the outside in. Filled on the way back: most values have no fault, and a path for each would cost more than the look. */
  at: (string | number)[]
}

function faultIn(value: unknown, depth: number): Found | undefined {
  if (typeof value === 'string') return found(textFault(value))
  if (typeof value === 'number') return found(Number.isFinite(value) ? undefined : UNBOUNDED)
  if (typeof value !== 'object' || value === null) return undefined
  if (depth >= JSON_DEPTH) return found(TOO_DEEP)
  return Array.isArray(value) ? faultInList(value, depth + 1) : faultInMembers(value as Record<string, unknown>, depth + 1)
}

function faultInList(list: unknown[], depth: number): Found | undefined {
  for (let index = 0; index < list.length; index++) {
    const inner = faultIn(list[index], depth)
    if (inner) return within(index, inner)
  }
  return undefined
}

function faultInMembers(members: Record<string, unknown>, depth: number): Found | undefined {
  for (const name of Object.keys(members)) {
    if (name === '__proto__') return within(name, { fault: FORBIDDEN, at: [] })
    const misnamed = found(textFault(name))
    if (misnamed) return misnamed
    const inner = faultIn(members[name], depth)
    if (inner) return within(name, inner)
  }
  return undefined
}

const found = (fault: Fault | undefined): Found | undefined => fault && { fault, at: [] }

const within = (step: string | number, { fault, at }: Found): Found => ({ fault, at: [step, ...at] })

const UNBOUNDED = { code: 'out_of_range', message: 'is a number beyond every range.' }
const TOO_DEEP = { code: 'too_deep', message: `lies deeper than ${JSON_DEPTH} levels.` }
const FORBIDDEN = { code: 'unknown_field', message: 'is not a name allowed anywhere.' }

/** @throws {Problem} 422 */
export function refuseText(text: string, field: string): void {
  const fault = textFault(text)
  if (fault) throw invalid({ field, ...fault })
}

function textFault(text: string): Fault | undefined {
  if (text.includes('\0')) return { code: 'invalid_characters', message: 'holds a NUL character, which cannot be stored.' }
  if (!text.isWellFormed()) return { code: 'invalid_characters', message: 'holds half of a surrogate pair, which is not text.' }
  return undefined
}
