// Customers: found by what identifies them, or made.
import { newId } from '../ids.ts'
import type { Caller } from '../postgres/audit.ts'
import type { Tx } from '../postgres/sql.ts'
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

/**
 * The contact an order speaks of: the one named, else the one with this address, else with this number.
 * @returns undefined when it has yet to be made
 * @throws {Problem} 422 for a contact_id that names nobody
 */
export async function find(tx: Tx, caller: Caller, customer: Customer): Promise<Known | undefined> {
  const id = customer.contact_id
  if (id === undefined) return store.find(tx, caller.tenant, customer)
  const named = await store.byId(tx, caller.tenant, id)
  if (named) return named
  throw invalid({ field: 'customer.contact_id', code: 'unknown_contact', message: 'names no contact.' })
}

/** Counts an order of the contact that `find` found, or makes the contact. */
export async function countOrder(tx: Tx, caller: Caller, found: Known | undefined, customer: Customer): Promise<Known> {
  if (found !== undefined) {
    await store.countOrder(tx, caller.tenant, found.id)
    return found
  }
  const contact = await make(tx, caller, customer)
  if (await store.insert(tx, caller.tenant, contact, 1)) return contact
  // Somebody made the same contact meanwhile: it is committed by now, so the second look finds it.
  return countOrder(tx, caller, await find(tx, caller, customer), customer)
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
