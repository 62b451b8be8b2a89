// The form of an e-mail address, and of the name beside it.
import { isBlank } from '../blank.ts'
import { EMAIL_CHARS, PERSON_NAME_CHARS } from '../limits/tenants.ts'

/** @returns the address without blanks around it; undefined where it is none */
export function emailOf(text: string): string | undefined {
  const trimmed = text.trim()
  return trimmed.length <= EMAIL_CHARS && trimmed.isWellFormed() && FORM.test(trimmed) ? trimmed : undefined
}

/** @returns the name without blanks around it; undefined where it is empty, too long or has what is not shown */
export function nameOf(text: string): string | undefined {
  const trimmed = text.trim()
  return !isBlank(trimmed) && trimmed.length <= PERSON_NAME_CHARS && trimmed.isWellFormed() && !TURNS.test(trimmed) ? trimmed : undefined
}

// Addresses go into the head of mails and into links, and stand on pages beside others: what is not shown would make two look alike.
const PART = /[^\s@<>()",;:\\[\]\p{Cc}\p{Cf}.]+/u.source
const FORM = new RegExp(`^${PART}(\\.${PART})*@(?!-)${PART}(?<!-)(\\.(?!-)${PART}(?<!-))+$`, 'u')

/** Controls, ends of lines, and what turns the direction of the text that follows: a name would change how the words beside it read. */
const TURNS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u
