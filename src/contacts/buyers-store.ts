// Every statement that finds and counts the customers of orders.
import { columns } from '../postgres/row-set.ts'
import { type Fragment, part, type Queryable } from '../postgres/sql.ts'
import { phoneKey } from './phone.ts'
import { keptSum } from './spent.ts'

/** How an order names its customer: at least one of contact_id, email and phone. */
export interface Customer {
  contact_id?: string
  name?: string
  email?: string
  phone?: string
}

/** The fields of a contact that an order's snapshot of its customer takes. */
export interface Buyer {
  tenant: string
  id: string
  name: string | null
  email: string | null
  phone: string | null
}

/** A contact that was found. */
export interface Found extends Buyer {
  /** Counts from one. */
  n: number
  merged_into: string | null
}

/** A customer to be found. */
export interface Lookup {
  tenant: string
  customer: Customer
}

/**
 * For each lookup the contact with this id; without an id the one with this address, else the one with this number. An address that is only claimed
 * finds no contact. `n` counts from one.
 */
export const findAll = (lookups: Lookup[]): Fragment => part`
  select r.n, r.tenant, c.id, c.name, c.email, c.phone, c.merged_into
    from ${LOOKUP.numbered(lookups.map(lookupRow))},
         lateral (
           (select c.* from contacts c where r.contact_id is not null and c.tenant_id = r.tenant and c.id = r.contact_id)
           union all
           (select c.* from contacts c
             where r.contact_id is null and c.tenant_id = r.tenant and c.email is not null and lower(c.email) = lower(r.email)
               and not c.email_claimed)
           union all
           (select c.* from contacts c where r.contact_id is null and c.tenant_id = r.tenant and c.phone_key = r.phone_key)
           limit 1
         ) c`

const LOOKUP = columns({ tenant: 'text', contact_id: 'text', email: 'text', phone_key: 'text' })

const lookupRow = ({ tenant, customer: { contact_id, email, phone } }: Lookup) => ({
  tenant,
  contact_id: contact_id ?? null,
  email: email ?? null,
  phone_key: phone === undefined ? null : phoneKey(phone),
})

export const find = (tx: Queryable, lookups: Lookup[]): Promise<Found[]> => tx<Found[]>`${findAll(lookups)}`

/** Counts orders. Orders of one tenant wait for each other at its counter, so no two of them lock the same contacts in different orders. */
export const countOrders = (counted: Buyer[]): Fragment => part`
  update contacts c set orders_count = c.orders_count + u.orders
    from (
      select r.tenant, r.id, count(*)::integer as orders
        from ${BUYER.few(counted)}
       group by r.tenant, r.id
    ) u
   where c.tenant_id = u.tenant and c.id = u.id`

const BUYER = columns({ tenant: 'text', id: 'text' })

/** What a contact has spent more, in minor units; less, where it is negative. */
export interface Spending {
  tenant: string
  id: string
  currency: string
  amount: number
}

/** Locks contacts by tenant and id, so that two sets cannot deadlock. */
export const spend = (spendings: Spending[]): Fragment => part`
  update contacts c set total_spent_amount = ${keptSum(part`c.total_spent_amount + u.amount`)}
    from (
      select l.tenant_id, l.id, s.amount
        from (
          select r.tenant, r.id, r.currency, sum(r.amount) as amount
            from ${SPENDING.of(spendings as (Spending & Record<string, string | number>)[])}
           group by r.tenant, r.id, r.currency
        ) s
        join contacts l on l.tenant_id = s.tenant and l.id = s.id and l.doc::json ->> 'currency' = s.currency
       order by l.tenant_id, l.id
         for no key update of l
    ) u
   where c.tenant_id = u.tenant_id and c.id = u.id`

const SPENDING = columns({ tenant: 'text', id: 'text', currency: 'text', amount: 'bigint' })
