// What identifies a contact: its external id, its e-mail address, its phone number. Each is one contact's alone.
import { Problem } from '../problems.ts'

/** In the order in which they are believed. */
const IDENTIFIERS = ['external_id', 'email', 'phone'] as const
export type Identifier = (typeof IDENTIFIERS)[number]

export type Identified = { [I in Identifier]?: string | null }

/** Whoever has identifiers. */
export interface Holder {
  contact: Identified & { id: string }
}

/** Who has which identifier, as far as one set of contacts goes. */
export interface Register<H extends Holder> {
  enter(holder: H): void
  /** Whom an input means: the one with this external id, else with this address, else with this number. */
  meant(input: Identified): H | undefined
  /** That an identifier of `contact` is another's than `own`. */
  refusal(contact: Identified, own?: H): Problem | undefined
}

export function register<H extends Holder>(entered: H[]): Register<H> {
  const holders = new Map<string, H>()
  const holderOf = (field: Identifier, contact: Identified): H | undefined => {
    const value = contact[field]
    return value == null ? undefined : holders.get(keyOf(field, value))
  }
  const enter = (holder: H): void => {
    for (const field of IDENTIFIERS) {
      const value = holder.contact[field]
      if (value != null) holders.set(keyOf(field, value), holder)
    }
  }
  for (const holder of entered) enter(holder)
  return {
    enter,
    meant(input) {
      const holder = IDENTIFIERS.map(field => holderOf(field, input)).find(each => each !== undefined)
      const { external_id } = holder?.contact ?? {}
      // One address and two external ids: in somebody's system these are two people, so they are not made one here.
      return input.external_id != null && external_id != null && external_id !== input.external_id ? undefined : holder
    },
    refusal(contact, own) {
      for (const field of IDENTIFIERS) {
        const holder = holderOf(field, contact)
        if (holder !== undefined && holder !== own) return taken(field, holder.contact.id)
      }
      return undefined
    },
  }
}

/** One text for what counts as the same: addresses do in any case. */
const keyOf = (field: Identifier, value: string): string => `${field} ${field === 'email' ? value.toLowerCase() : value}`

/** That an identifier is another contact's, and whose, where that is known. */
export const taken = (field: Identifier, id?: string): Problem =>
  new Problem(
    'conflict',
    `Another contact has this ${field}.`,
    { code: `duplicate_${field}`, ...(id !== undefined && { contact_id: id }) },
    id === undefined ? {} : { Location: `/api/v1/contacts/${id}` },
  )
