// Numbers that are written in two ways: platforms and people use both, and both are one number.

/**
 * The spelling under which a number is known (`contacts.phone_key`), for the three countries that have two: Brazil's mobile numbers with
 * their ninth digit, Mexico's without the 1 of old, Argentina's without the 9 of mobiles. Any other number is its own. sql/ has the same
 * rule for rows that are older than it.
 * @param phone E.164
 */
export function phoneKey(phone: string): string {
  for (const [spelling, key] of SPELLINGS) if (spelling.test(phone)) return phone.replace(spelling, key)
  return phone
}

/** A number as people write it, `+38 (044) 123-45-67` or `+44 (0)20 7946 0018`, as E.164. @returns any other text as it is */
export const dialled = (text: string): string => (WRITTEN.test(text) ? `+${text.replace(TRUNK, '$1').replaceAll(/\D/g, '')}` : text)

/** The zero that is dialled inside the country alone. Italy's belongs to the number. */
const TRUNK = /^(\+(?!39\D)\d{1,3}[\s./\u2010-\u2015-]*)\(0\)/
const WRITTEN = /^\+[\d\s()./\u2010-\u2015-]+$/

const SPELLINGS: [RegExp, string][] = [
  [/^\+55([1-9][1-9])([6-9][0-9]{7})$/, '+55$19$2'],
  [/^\+521([0-9]{10})$/, '+52$1'],
  [/^\+549([1-8][0-9]{9})$/, '+54$1'],
]

const OTHERS: [RegExp, string][] = [
  [/^\+55([1-9][1-9])9([6-9][0-9]{7})$/, '+55$1$2'],
  [/^\+52([0-9]{10})$/, '+521$1'],
  [/^\+54([1-8][0-9]{9})$/, '+549$1'],
]

/** Both spellings of a number, its key first; or the number alone. @param phone E.164 */
export function spellings(phone: string): string[] {
  const key = phoneKey(phone)
  for (const [spelling, other] of OTHERS) if (spelling.test(key)) return [key, key.replace(spelling, other)]
  return [key]
}
