// The values of one of a few, as people list them, and whether they can be meant as values at all.
import { bare } from './names.ts'

/** The longest value that is a value rather than a sentence. */
const VALUE_CHARS = 60

export function valuesOf(text: string): string[] {
  const values = text
    .replace(/^\s*(?:enum|choice|choose|select|selection|dropdown|options?|values?|one of|either)(?: of| from)?\s*:\s*/i, '')
    .split(/\s*,\s*(?:or\s+)?|\s+or\s+|\s*[|/]\s*/)
    .map(each => bare(each.replace(/^(?:either|one of)\s+/i, '')))
    .filter(each => each !== '' && each.length <= VALUE_CHARS)
  return [...new Set(values)]
}

/** What no value is: a list within it, a dash around it, a word for a type or for what must be there, a question's answer behind its name. */
const IMPLAUSIBLE =
  /\D:|:\D|[;()]|^[-–—]|\s[-–—]\s|[-–—]$|\S\s(?:yes|no|yes\/no)$|\b(?:required|mandatory|optional)\b.*\s|\s.*\b(?:required|mandatory|optional)\b|\b(?:as|is) (?:an? )?(?:number|text|string|date|boolean|flag)$/i

export const isPlausibleValue = (value: string): boolean => !IMPLAUSIBLE.test(value)
