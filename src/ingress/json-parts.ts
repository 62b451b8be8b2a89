// Parses a long body in parts, and lets other requests run in between. The parts are the elements of the body's list, or of the lists in it. The
// body stays bytes: a text of all of it would fill the heap, and a body with too many values is refused before any text is made.
import { JSON_SLICE_BYTES, JSON_VALUES_MAX } from '../limits/bodies.ts'
import {
  BRACE,
  BRACKET,
  BRACKET_END,
  COMMA,
  decoded,
  decodedPart,
  openScan,
  parsed,
  refuseExcess,
  refuseUnstorable,
  tooManyValues,
} from './json.ts'
import type { OthersFirst } from './yielding.ts'

/**
 * The value of a JSON text that can be stored. One element may have as many values as a body parsed at once, and so may the text outside of
 * elements.
 * @throws {Problem} as `parseJson`
 */
export async function parseInParts(text: Buffer, maxValues: number, othersFirst: OthersFirst): Promise<unknown> {
  const { frame, parts } = await split(text, maxValues, othersFirst)
  await othersFirst()
  const whole = parsed(frame)
  await othersFirst()
  const values: unknown[] = []
  // A list whose name occurs again is dropped from the body, yet it has to be JSON.
  for (const part of parts) {
    values.push(parsed(decodedPart(part)))
    await othersFirst()
  }
  refuseUnstorable(whole)
  await othersFirst()
  for (const { list, at } of listsOf(whole))
    for (let index = 0; index < list.length; index++) {
      list[index] = values[list[index] as number]
      refuseUnstorable(list[index], [...at, index])
      await othersFirst()
    }
  return whole
}

function listsOf(whole: unknown): { list: unknown[]; at: string[] }[] {
  if (Array.isArray(whole)) return [{ list: whole, at: [] }]
  const members = typeof whole === 'object' && whole !== null ? Object.entries(whole) : []
  return members.flatMap(([name, member]) => (Array.isArray(member) ? [{ list: member, at: [name] }] : []))
}

/** The frame is the text with the number of its part in place of each element: if frame and parts are JSON, so is the text. */
async function split(text: Buffer, maxValues: number, othersFirst: OthersFirst): Promise<{ frame: string; parts: Buffer[] }> {
  const parts: Buffer[] = []
  let [frame, copied] = ['', 0]
  // The open list: its depth, its number of elements, and where the next element begins.
  let [list, elements, from] = [0, 0, 0]
  let isObject = false
  // The number of values before the element, in all elements, and in all.
  let [before, inside, met] = [0, 0, 0]
  const scan = openScan(text, maxValues, (code, at, depth, values) => {
    met = values
    if (depth === 1 && code === BRACE) isObject = true
    if (code === BRACKET && depth === (isObject ? 2 : 1)) [list, elements, from, before] = [depth, 0, at + 1, values]
    else if (depth === list && (code === COMMA || code === BRACKET_END)) {
      take(at, code === COMMA ? values - 1 : values)
      ;[from, before] = [at + 1, values]
      if (code === BRACKET_END) list = 0
    }
  })
  for (let end = 0; end < text.length; ) {
    await othersFirst()
    end = Math.min(end + JSON_SLICE_BYTES, text.length)
    refuseExcess(scan(end), maxValues)
  }
  if (met - inside > JSON_VALUES_MAX) throw tooManyValues(JSON_VALUES_MAX)
  return { frame: frame + decoded(text.subarray(copied)), parts }

  function take(to: number, values: number): void {
    if (values - before > JSON_VALUES_MAX) throw tooManyValues(JSON_VALUES_MAX)
    const part = text.subarray(from, to)
    // An empty list has no element.
    if (elements++ === 0 && text[to] === BRACKET_END && part.every(isBlank)) return
    inside += values - before
    frame += `${decoded(text.subarray(copied, from))}${parts.length}`
    parts.push(part)
    copied = to
  }
}

const isBlank = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d)
