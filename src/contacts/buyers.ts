// The customers of orders: found by their identifiers, or created. Many orders at once go in order: the second finds the contact that the first created.
import type { Fragment, Tx } from '../postgres/sql.ts'
import { invalid } from '../problems.ts'
import type { Buyer, Customer, Found, Lookup } from './buyers-store.ts'
import * as store from './buyers-store.ts'
import { newContact } from './contact.ts'
import { freed } from './drafts.ts'
import { phoneKey } from './phone.ts'
import type { Contact } from './schema.ts'
import { insertAll } from './store.ts'

export type { Buyer, Customer, Found, Lookup } from './buyers-store.ts'

/** The contacts of orders, as a part of a statement: the one with the given id, else the one with this address, else with this number. */
export const findPart = (lookups: Lookup[]): Fragment => store.findAll(lookups)

export interface Buyers {
  /**
   * The contact of one order. `make` creates the one that does not exist yet; its id is settled after that.
   * @param index of the order among the lookups
   * @throws {Problem} 422 for a contact_id that names no contact
   */
  of(index: number, currency: string): Buyer
  /** Creates the missing contacts. */
  make(tx: Tx): Promise<void>
}

/** @param found the rows of `findPart` */
export function buyers(lookups: Lookup[], found: Found[]): Buyers {
  const byIndex = new Map(found.map(({ n, ...each }) => [n - 1, each]))
  const made: { buyer: Buyer; customer: Customer; contact: Contact }[] = []
  const madeBy = new Map<string, Buyer>()

  return {
    of(index, currency) {
      const { tenant, customer } = lookups[index] as Lookup
      const known = byIndex.get(index)
      if (customer.contact_id !== undefined) {
        if (known?.merged_into)
          throw invalid({
            field: 'customer.contact_id',
            code: 'unknown_contact',
            message: `was merged into ${known.merged_into}: give that one.`,
          })
        if (known) return known
        throw invalid({ field: 'customer.contact_id', code: 'unknown_contact', message: 'names no contact.' })
      }
      const [byEmail, byPhone] = [
        identity(tenant, customer.email?.toLowerCase()),
        identity(tenant, customer.phone && phoneKey(customer.phone)),
      ]
      // The order in which the database would find them: an address counts more than a number.
      const found = madeBy.get(byEmail) ?? known ?? madeBy.get(byPhone)
      if (found) return found
      const contact = newContact(customer, currency)
      const { id, name, email, phone } = contact
      const buyer = { tenant, id, name, email, phone }
      made.push({ buyer, customer, contact })
      if (email !== null) madeBy.set(byEmail, buyer)
      if (phone !== null) madeBy.set(byPhone, buyer)
      return buyer
    },
    async make(tx) {
      for (let missing = made; missing.length > 0; ) {
        const inserted = new Set(
          await insertAll(
            tx,
            missing.map(each => ({ tenant: each.buyer.tenant, contact: each.contact })),
          ),
        )
        missing = missing.filter(each => !inserted.has(each.contact.id))
        if (missing.length === 0) return
        // A visitor of web chat has typed an address that is a customer's: see identity.ts.
        if (await freedOf(tx, missing)) continue
        // Another transaction created the same contacts meanwhile and has committed, so a second read finds them.
        const others = await store.find(
          tx,
          missing.map(each => ({ tenant: each.buyer.tenant, customer: each.customer })),
        )
        for (const { n, merged_into: _, ...other } of others) Object.assign((missing[n - 1] as (typeof missing)[number]).buyer, other)
        const seen = new Set(others.map(each => each.n - 1))
        missing = missing.filter((_, index) => !seen.has(index))
      }
    },
  }
}

async function freedOf(tx: Tx, missing: { buyer: Buyer; contact: Contact }[]): Promise<boolean> {
  let free = false
  for (const [tenant, all] of Map.groupBy(missing, each => each.buyer.tenant))
    free =
      (await freed(
        tx,
        tenant,
        all.map(each => each.contact),
      )) || free
  return free
}

const identity = (tenant: string, value: string | undefined): string => `${tenant} ${value ?? ''}`

/** Counts one more order for each contact, as a part of a statement. A contact may be given several times. */
export const countPart = (counted: Buyer[]): Fragment => store.countOrders(counted)

/** Adds to what contacts have spent, or takes from it, as a part of a statement; amounts in another currency than the contact's are not counted. */
export const spentPart = (spendings: store.Spending[]): Fragment => store.spend(spendings)
