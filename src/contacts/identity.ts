// What identifies a contact: its external id, its e-mail address, its phone number. No two contacts of a tenant share one.
//
// An address that a visitor typed (`email_claimed`) identifies no contact: none is found by it, and it gives way to whatever proves the same address for
// another contact. Of two who claim it the first keeps it.
import { Problem } from '../problems.ts'
import { phoneKey } from './phone.ts'

/** The first that matches decides. */
const IDENTIFIERS = ['external_id', 'email', 'phone'] as const
export type Identifier = (typeof IDENTIFIERS)[number]

export type Identifiers = { [I in Identifier]?: string | null }
type Claiming = Identifiers & { email_claimed?: boolean }

/** A contact, as far as its identifiers go. */
export interface Owner {
  contact: Identifiers & { id: string; email_claimed?: boolean }
}

/** Which contact of one set owns which identifier. */
export interface IdentifierIndex<O extends Owner> {
  add(owner: O): void
  /** The contact that an input matches: by external id, else by address, else by number. */
  match(input: Identifiers): O | undefined
  /** The conflict where a contact other than `self` owns an identifier of `contact`. One that only claims an address is no conflict for its proof. */
  conflictOf(contact: Claiming, self?: O): Problem | undefined
  /** The contact other than `self` that only claims the address, which `contact` has by proof. */
  claimantOf(contact: Claiming, self?: O): O | undefined
  /** Whether a contact has one of these identifiers, be it by a claim. */
  isTaken(identifiers: Identifiers): boolean
}

export function identifierIndex<O extends Owner>(initial: O[]): IdentifierIndex<O> {
  const owners = new Map<string, O>()
  const ownerOf = (field: Identifier, contact: Identifiers): O | undefined => {
    const value = contact[field]
    return value == null ? undefined : owners.get(keyOf(field, value))
  }
  /** The owner that the field identifies. */
  const ownerBy = (field: Identifier, contact: Identifiers): O | undefined => {
    const owner = ownerOf(field, contact)
    return owner && isClaim(field, owner.contact) ? undefined : owner
  }
  const add = (owner: O): void => {
    for (const field of IDENTIFIERS) {
      const value = owner.contact[field]
      if (value != null) owners.set(keyOf(field, value), owner)
    }
  }
  for (const owner of initial) add(owner)
  return {
    add,
    match(input) {
      const owner = IDENTIFIERS.map(field => ownerBy(field, input)).find(each => each !== undefined)
      const { external_id } = owner?.contact ?? {}
      // One address with two external ids is two people in the other system, so they are not made one here.
      return input.external_id != null && external_id != null && external_id !== input.external_id ? undefined : owner
    },
    conflictOf(contact, self) {
      for (const field of IDENTIFIERS) {
        const owner = isClaim(field, contact) ? ownerOf(field, contact) : ownerBy(field, contact)
        if (owner !== undefined && owner !== self) return conflict(field, owner.contact.id)
      }
      return undefined
    },
    claimantOf(contact, self) {
      const owner = ownerOf('email', contact)
      return owner !== self && owner?.contact.email_claimed && !contact.email_claimed ? owner : undefined
    },
    isTaken: identifiers => IDENTIFIERS.some(field => ownerOf(field, identifiers) !== undefined),
  }
}

const isClaim = (field: Identifier, { email_claimed }: Claiming): boolean => field === 'email' && email_claimed === true

/** Equal for identifiers that count as the same: addresses do in any case, numbers in either spelling. */
const keyOf = (field: Identifier, value: string): string => `${field} ${NORMAL[field](value)}`

const NORMAL: { [I in Identifier]: (value: string) => string } = {
  external_id: value => value,
  email: value => value.toLowerCase(),
  phone: phoneKey,
}

/** That another contact has the identifier. @param id of that contact, where it is known */
export const conflict = (field: Identifier, id?: string): Problem =>
  new Problem(
    'conflict',
    `Another contact has this ${field}.`,
    { code: `duplicate_${field}`, ...(id !== undefined && { contact_id: id }) },
    id === undefined ? {} : { Location: `/api/v1/contacts/${id}` },
  )
