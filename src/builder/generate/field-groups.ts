// What is said of several fields at once: "both required", "(all in cm)", "start and end dates".
import { UNITS } from './field-types.ts'
import { TYPE_WORDS } from './items.ts'

export const ALL_OF = new RegExp(
  `\\s*(?:\\(|[-–,] )(both|all|each)(?: are| of them| of these)?(?: an?)? (${TYPE_WORDS})s?(?:,? (?:in )?(?:${UNITS}))?(?:,? (?:and )?(?:all )?(?:(required|mandatory)|optional))?\\)?$`,
  'i',
)
/** "text and author, both required" */
export const ALL_ARE = new RegExp(
  `^(both|all|each)(?: (?:two|three|four|five|six|\\d))?(?: are| of them(?: are)?| being)?(?: an?)? (?:(required|mandatory|compulsory|needed)|optional|(${TYPE_WORDS})s?|(?:measured |given )?(in) (?:${UNITS}))$`,
  'i',
)

/** "all three": the last three. */
export function countOf(text: string): number | undefined {
  const [, word = ''] = /^(?:all|each)(?: of the)? (two|three|four|five|six|\d)\b/i.exec(text) ?? []
  const count = ['two', 'three', 'four', 'five', 'six'].indexOf(word.toLowerCase())
  return word === '' ? undefined : -(count < 0 ? Number(word) : count + 2)
}

/** "start and end dates": two, of which each is one. */
export const ENDS =
  /\b(start|begin|arrival|pick-?up|check-?in|first|opening|departure|minimum|maximum) and (end|finish|departure|drop-?off|return|check-?out|last|closing|arrival|maximum|minimum) (date|time|day|price)s\b/gi

export const TYPES_OF_ALL = / \((?:all |both |each )?(number|date|text|boolean)s\)(?=$|,| and )/gi

/** "chest, waist, hips (all in cm)" */
export const MEASURED = new RegExp(` \\((?:all|each)(?: of them| are)? (?:measured |given )?in (${UNITS})\\)`, 'gi')
