// The customers of orders: found by what identifies them, or made. Of many orders at once, in order: the second finds whom the first made.
import type { Fragment, Tx } from '../postgres/sql.ts'
import { invalid } from '../problems.ts'
import type { Asked, Buyer, Customer } from './buyers-store.ts'
import * as store from './buyers-store.ts'
import { newContact } from './contact.ts'
import type { Contact } from './schema.ts'
import { insertAll } from './store.ts'

export type { Asked, Buyer, Customer } from './buyers-store.ts'

/** The contacts that orders speak of, as a part of a statement: the one named, else the one with this address, else with this number. */
export const findPart = (asked: Asked[]): Fragment => store.findAll(asked)

export interface Buyers {
  /**
   * The contact of one order; where there is none yet, it is made by `make`, and who it is stands after that.
   * @param index of the order in what was asked
   * @throws {Problem} 422 for a contact_id that names nobody
   */
  of(index: number, currency: string): Buyer
  /** Makes who is missing. */
  make(tx: Tx): Promise<void>
}

/** @param found the rows of `findPart` */
export function buyers(asked: Asked[], found: (Buyer & { n: number })[]): Buyers {
  const byIndex = new Map(found.map(({ n, ...each }) => [n - 1, each]))
  const made: { buyer: Buyer; customer: Customer; contact: Contact }[] = []
  const madeBy = new Map<string, Buyer>()

  return {
    of(index, currency) {
      const { tenant, customer } = asked[index] as Asked
      const known = byIndex.get(index)
      if (customer.contact_id !== undefined) {
        if (known) return known
        throw invalid({ field: 'customer.contact_id', code: 'unknown_contact', message: 'names no contact.' })
      }
      const [byEmail, byPhone] = [identity(tenant, customer.email?.toLowerCase()), identity(tenant, customer.phone)]
      // As the database would find them, were they there already: an address counts more than a number.
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
        // Somebody made the same contacts meanwhile: they are committed by now, so a second look finds them.
        const others = await store.find(
          tx,
          missing.map(each => ({ tenant: each.buyer.tenant, customer: each.customer })),
        )
        for (const { n, ...other } of others) Object.assign((missing[n - 1] as (typeof missing)[number]).buyer, other)
        const seen = new Set(others.map(each => each.n - 1))
        missing = missing.filter((_, index) => !seen.has(index))
      }
    },
  }
}

const identity = (tenant: string, value: string | undefined): string => `${tenant} ${value ?? ''}`

/** Counts one more order of each, as a part of a statement. A contact may be named several times. */
export const countPart = (counted: Buyer[]): Fragment => store.countOrders(counted)
