// What it may take to hold a value against a schema of an app's, judged before it is done: each of its values meets each part of the schema at most.
import { isJsonObject } from '../json.ts'
import { APP_CHECK_STEPS } from '../limits/skills.ts'

/** How much there is to a schema, with every reference written out in its place. */
export interface Size {
  parts: number
  /** Steps for each value, about: a part is one. */
  effort: number
  /** The states of all its patterns together. */
  states: number
}

// Measured, by what takes as long as a part that fails: of choices fifty characters, of items that are compared each with each five, …
const CHOICE_CHARS = 50
const COMPARED_ITEMS = 5
/** … a pattern for names thrice, … */
const NAME_PATTERN = 2
/** … and of a pattern’s states, for each character, sixty. */
const STATES = 60

/** The effort of one part, without those inside. */
export function effortOf({ enum: choices, const: only, uniqueItems, maxItems, patternProperties }: Record<string, unknown>): number {
  const choice = [choices, only].map(each => (each === undefined ? 0 : JSON.stringify(each).length)).reduce((sum, each) => sum + each)
  const compared = uniqueItems === true && typeof maxItems === 'number' ? maxItems / COMPARED_ITEMS : 0
  const names = isJsonObject(patternProperties) ? Object.keys(patternProperties).length * NAME_PATTERN : 0
  return 1 + choice / CHOICE_CHARS + compared + names
}

/** @param value JSON */
export function isTooMuch({ effort, states }: Size, value: unknown): boolean {
  const left = [value]
  let [values, characters] = [0, 0]
  for (let each = left.pop(); each !== undefined; each = left.pop()) {
    values++
    if (typeof each === 'string') characters += each.length
    else if (Array.isArray(each)) for (const inner of each) left.push(inner)
    else if (isJsonObject(each))
      for (const [name, inner] of Object.entries(each)) {
        characters += name.length
        left.push(inner)
      }
  }
  return values * effort + (characters * states) / STATES > APP_CHECK_STEPS
}
