// What a model is shown of a thing: without characters that people cannot see, and with its longest texts and lists cut, so that a page fits into
// the model's attention. What was cut says so: `truncated` stands beside it.
import { MCP_ITEM_CHARS, MCP_TEXT_CHARS, MCP_TEXT_CHARS_DETAILED } from '../../limits/mcp.ts'

/** Tags, supplementary variation selectors, bidi controls, and controls but line feed and tab: a model reads them, and a person does not see them. */
const UNSEEN = /[\u{e0000}-\u{e007f}]|[\u{e0100}-\u{e01ef}]|[\u202a-\u202e]|[\u2066-\u2069]|(?![\n\t])\p{Cc}/gu

/** Most texts hold nothing else, which is told several times faster. */
const PLAIN = /^[ -~]*$/

export const seen = (text: string): string => (PLAIN.test(text) ? text : text.replace(UNSEEN, ''))

interface Bounds {
  chars: number
  members: number
}

/** Each step is tried where the one before has left too much. The last one makes anything fit that a resource can hold. */
const STEPS: readonly Bounds[] = [
  { chars: MCP_TEXT_CHARS_DETAILED, members: Number.POSITIVE_INFINITY },
  { chars: MCP_TEXT_CHARS, members: Number.POSITIVE_INFINITY },
  { chars: 500, members: 50 },
  { chars: 200, members: 20 },
  { chars: 100, members: 10 },
]

/** Whether a person sees every character of the text, and of the characters that its escapes stand for. */
const isSeen = (json: string): boolean => ALL_SEEN.test(json) && !/\\[bfru]/.test(json)
const ALL_SEEN = /^[ -~\u00a0-\u2029\u202f-\u2065\u206a-\ud7ff\ue000-\uffff]*$/

/** The JSON text of a thing, as it is shown: of at most MCP_ITEM_CHARS characters. */
export function shown(thing: object, isDetailed: boolean): string {
  let text = JSON.stringify(thing)
  // As most are: no text in it can be too long, and copying it to look at each would be half of what showing it costs.
  if (text.length <= MCP_TEXT_CHARS && isSeen(text)) return text
  for (const bounds of isDetailed ? STEPS : STEPS.slice(1)) {
    text = JSON.stringify(within(thing, bounds))
    if (text.length <= MCP_ITEM_CHARS) break
  }
  return text
}

function within(value: unknown, bounds: Bounds): unknown {
  if (typeof value === 'string') return cut(seen(value), bounds.chars)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.slice(0, bounds.members).map(each => within(each, bounds))
  const result: Record<string, unknown> = {}
  let isCut = false
  const names = Object.keys(value)
  for (const name of names.slice(0, bounds.members)) {
    const inner = (value as Record<string, unknown>)[name]
    const kept = within(inner, bounds)
    if (isShorter(inner, kept, bounds)) isCut = true
    set(result, seen(name), kept)
  }
  if (isCut || names.length > bounds.members) result['truncated'] = true
  return result
}

// A customer's attribute may have any name, and `__proto__` set plainly would be no member.
function set(result: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(result, name, { value, enumerable: true, configurable: true, writable: true })
  else result[name] = value
}

function isShorter(before: unknown, after: unknown, { chars, members }: Bounds): boolean {
  if (typeof before === 'string') return before.length > chars && (after as string).length < seen(before).length
  if (!Array.isArray(before)) return false
  return before.length > members || before.some((each, index) => isShorter(each, (after as unknown[])[index], { chars, members }))
}

/** By UTF-16 units, and never through the middle of a character. */
function cut(text: string, chars: number): string {
  if (text.length <= chars) return text
  return text.slice(0, chars).replace(/[\ud800-\udbff]$/, '')
}

/** An argument, or its name, as errors repeat it: its beginning. */
export const beginningOf = (text: string): string => cut(seen(text.slice(0, 200)).toWellFormed(), 100)
export const quoted = (text: string): string => JSON.stringify(beginningOf(text))
