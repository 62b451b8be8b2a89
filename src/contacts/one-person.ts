// Whether two contacts that are proven to be one person may become one.
import type { Identifier } from './identity.ts'
import { phoneKey } from './phone.ts'
import type { Contact } from './schema.ts'

/** Not where the shop knows them as two. What one of them typed says nothing. */
export const areOne = (a: Contact, b: Contact): boolean =>
  IDENTIFIERS.every(([field, same]) => {
    const [one, other] = [known(a, field), known(b, field)]
    return one === null || other === null || same(one, other)
  })

const known = (contact: Contact, field: Identifier): string | null => (field === 'email' && contact.email_claimed ? null : contact[field])

const IDENTIFIERS: [Identifier, (a: string, b: string) => boolean][] = [
  ['external_id', (a, b) => a === b],
  ['email', (a, b) => a.toLowerCase() === b.toLowerCase()],
  ['phone', (a, b) => phoneKey(a) === phoneKey(b)],
]
