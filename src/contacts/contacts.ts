// Customers: found by what identifies them, or made.
import { newId } from '../ids.ts'
import type { Caller } from '../postgres/audit.ts'
import type { Fragment, Tx } from '../postgres/sql.ts'
import { invalid } from '../problems.ts'
import { currencyOf } from '../tenants/tenants.ts'
import type { Contact } from './schema.ts'
import * as store from './store.ts'

/** How an order names its customer: at least one of contact_id, email and phone. */
export interface Customer {
  contact_id?: string
  name?: string
  email?: string
  phone?: string
}

/** What an order's snapshot of its customer needs of a contact. */
export interface Known {
  id: string
  name: string | null
  email: string | null
  phone: string | null
}

/** The contact an order speaks of, as a part of a statement: the one named, else the one with this address, else with this number. */
export const findPart = (caller: Caller, customer: Customer): Fragment =>
  customer.contact_id === undefined ? store.find(caller.tenant, customer) : store.byId(caller.tenant, customer.contact_id)

/**
 * What `findPart` found.
 * @returns undefined when the contact has yet to be made
 * @throws {Problem} 422 for a contact_id that names nobody
 */
export function found(customer: Customer, [contact]: Known[]): Known | undefined {
  if (contact || customer.contact_id === undefined) return contact
  throw invalid({ field: 'customer.contact_id', code: 'unknown_contact', message: 'names no contact.' })
}

/** Counts one more order of a contact, as a part of a statement. */
export const countPart = (caller: Caller, contact: Known): Fragment => store.countOrder(caller.tenant, contact.id)

/** Makes the contact, unless somebody just did. Its order has yet to be counted. */
export async function findOrMake(tx: Tx, caller: Caller, customer: Customer): Promise<Known> {
  const contact = await make(tx, caller, customer)
  if (await store.insert(tx, caller.tenant, contact)) return contact
  // Somebody made the same contact meanwhile: it is committed by now, so the second look finds it.
  const [other] = await tx<Known[]>`${findPart(caller, customer)}`
  return other ?? findOrMake(tx, caller, customer)
}

async function make(tx: Tx, caller: Caller, { name, email, phone }: Customer): Promise<Contact> {
  const at = new Date().toISOString()
  return {
    object: 'contact',
    id: newId('con'),
    name: name ?? null,
    email: email ?? null,
    phone: phone ?? null,
    language: null,
    avatar_url: null,
    channels: [],
    tags: [],
    summary: null,
    summary_updated_at: null,
    currency: await currencyOf(tx, caller.tenant),
    last_message_at: null,
    blocked: false,
    external_id: null,
    attributes: {},
    version: 1,
    created_at: at,
    updated_at: at,
  }
}
