// Every statement by which orders find and count their customers.
import { type Fragment, part, type Queryable } from '../postgres/sql.ts'

/** How an order names its customer: at least one of contact_id, email and phone. */
export interface Customer {
  contact_id?: string
  name?: string
  email?: string
  phone?: string
}

/** What an order's snapshot of its customer needs of a contact. */
export interface Buyer {
  tenant: string
  id: string
  name: string | null
  email: string | null
  phone: string | null
}

export interface Asked {
  tenant: string
  customer: Customer
}

/** For each asked the contact with this id; without an id the one with this address, else the one with this number. `n` counts from one. */
export const findAll = (asked: Asked[]): Fragment => part`
  select a.n, a.tenant_id as tenant, c.id, c.name, c.email, c.phone
    from unnest(${asked.map(each => each.tenant)}::text[], ${asked.map(each => each.customer.contact_id ?? null)}::text[],
                ${asked.map(each => each.customer.email ?? null)}::text[], ${asked.map(each => each.customer.phone ?? null)}::text[])
         with ordinality as a (tenant_id, contact_id, email, phone, n),
         lateral (
           (select c.* from contacts c where a.contact_id is not null and c.tenant_id = a.tenant_id and c.id = a.contact_id)
           union all
           (select c.* from contacts c
             where a.contact_id is null and c.tenant_id = a.tenant_id and c.email is not null and lower(c.email) = lower(a.email))
           union all
           (select c.* from contacts c where a.contact_id is null and c.tenant_id = a.tenant_id and c.phone = a.phone)
           limit 1
         ) c`

export const find = (tx: Queryable, asked: Asked[]): Promise<(Buyer & { n: number })[]> => tx<(Buyer & { n: number })[]>`${findAll(asked)}`

/** Orders of one tenant wait for each other at its counter, so no two of them count the same contacts in different orders. */
export const countOrders = (counted: Buyer[]): Fragment => part`
  update contacts c set orders_count = c.orders_count + u.orders
    from (
      select tenant_id, id, count(*)::integer as orders
        from unnest(${counted.map(each => each.tenant)}::text[], ${counted.map(each => each.id)}::text[]) as u (tenant_id, id)
       group by tenant_id, id
    ) u
   where c.tenant_id = u.tenant_id and c.id = u.id`
