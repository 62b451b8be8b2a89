// What identifies a contact: its external id, its e-mail address, its phone number. No two contacts of a tenant share one.
import { Problem } from '../problems.ts'
import { phoneKey } from './phone.ts'

/** The first that matches decides. */
const IDENTIFIERS = ['external_id', 'email', 'phone'] as const
export type Identifier = (typeof IDENTIFIERS)[number]

export type Identifiers = { [I in Identifier]?: string | null }

/** A contact, as far as its identifiers go. */
export interface Owner {
  contact: Identifiers & { id: string }
}

/** Which contact of one set owns which identifier. */
export interface IdentifierIndex<O extends Owner> {
  add(owner: O): void
  /** The contact that an input matches: by external id, else by address, else by number. */
  match(input: Identifiers): O | undefined
  /** The conflict where a contact other than `self` owns an identifier of `contact`. */
  conflictOf(contact: Identifiers, self?: O): Problem | undefined
}

export function identifierIndex<O extends Owner>(initial: O[]): IdentifierIndex<O> {
  const owners = new Map<string, O>()
  const ownerOf = (field: Identifier, contact: Identifiers): O | undefined => {
    const value = contact[field]
    return value == null ? undefined : owners.get(keyOf(field, value))
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
      const owner = IDENTIFIERS.map(field => ownerOf(field, input)).find(each => each !== undefined)
      const { external_id } = owner?.contact ?? {}
      // One address with two external ids is two people in the other system, so they are not made one here.
      return input.external_id != null && external_id != null && external_id !== input.external_id ? undefined : owner
    },
    conflictOf(contact, self) {
      for (const field of IDENTIFIERS) {
        const owner = ownerOf(field, contact)
        if (owner !== undefined && owner !== self) return conflict(field, owner.contact.id)
      }
      return undefined
    },
  }
}

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
