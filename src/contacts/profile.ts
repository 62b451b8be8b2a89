// What a channel tells of a person, as far as a contact can hold it: a platform's texts are not ours, so what does not fit is left out.
import { prepare } from '../ingress/validate.ts'
import type { Identifiers } from './identity.ts'
import type { Person } from './person.ts'
import { Contact, type Learnt, type Contact as Stored } from './schema.ts'

/** What is told, in the fields of a contact. */
export interface Profile {
  /** As the platform has it, and may have it otherwise tomorrow. */
  name?: string
  language?: string
  page?: string
  /** Vouched for by the platform, or signed by the shop. */
  proven: Identifiers
  /** Typed by the person. */
  claimed: { name?: string; email?: string }
}

export function profileOf({ name, language, page, proven = {}, claimed = {} }: Person): Profile {
  return {
    ...fitting('name', name),
    ...fitting('language', language),
    ...(page !== undefined && { page: page.slice(0, PAGE_CHARS).toWellFormed() }),
    proven: { ...fitting('external_id', proven.external_id), ...fitting('email', proven.email), ...fitting('phone', proven.phone) },
    claimed: { ...fitting('name', claimed.name), ...fitting('email', claimed.email) },
  }
}

/** The attribute. */
export const PAGE = 'last_page'

type Field = 'name' | 'language' | 'email' | 'phone' | 'external_id'

const { properties } = Contact
const NAME_CHARS = 300
/** As long as the value of an attribute may be; longer addresses are cut. */
const PAGE_CHARS = 500
/** White space, and control characters. */
const BLANKS = /[\p{Cc}\s]+/gu

function fitting<F extends Field>(field: F, value: string | undefined): { [f in F]?: string } {
  if (value === undefined) return {}
  const text = value.replaceAll(BLANKS, ' ').trim().toWellFormed()
  const kept = field === 'name' ? [...text].slice(0, NAME_CHARS).join('') : text
  return kept !== '' && prepare(properties[field])(kept) ? ({ [field]: kept } as { [f in F]: string }) : {}
}

/** What a contact lacks and is told: a claim counts for less than a proof, and a name that staff wrote stays. @param nameTold whether a platform told its name */
export function lacking(contact: Stored, nameTold: boolean, { name, language, page, proven, claimed }: Profile): Learnt {
  const named = contact.name === null || nameTold ? (name ?? (contact.name === null ? claimed.name : undefined)) : undefined
  return {
    ...(named !== undefined && named !== contact.name && { name: named }),
    ...(page !== undefined && page !== contact.attributes[PAGE] && { attributes: { ...contact.attributes, [PAGE]: page } }),
    ...(contact.language === null && language !== undefined && { language }),
    ...(contact.external_id === null && proven.external_id != null && { external_id: proven.external_id }),
    ...(contact.phone === null && proven.phone != null && { phone: proven.phone }),
    ...address(contact, proven.email, claimed.email),
  }
}

/** A proof takes the place of a claim, also of the same address. What a person typed last counts, for they may have mistyped it before. */
function address({ email, email_claimed }: Stored, proven: string | null | undefined, claimed: string | undefined): Learnt {
  if (email !== null && !email_claimed) return {}
  if (proven != null) return { email: proven }
  return claimed !== undefined && claimed !== email ? { email: claimed, email_claimed: true } : {}
}
