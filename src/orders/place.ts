// Placing orders: stock reserved, the contact found or made, totalled, numbered, order.created emitted. Many at once cost as many statements
// as one does, whichever tenants they belong to; whoever is refused leaves no trace and disturbs nobody.
import type { Caller } from '../caller.ts'
import { type Buyer, type Buyers, buyers, type Customer, countPart, findPart } from '../contacts/buyers.ts'
import { emitAll } from '../events/emit.ts'
import { newId } from '../ids.ts'
import { auditPart } from '../postgres/audit.ts'
import { combine, statements } from '../postgres/combine.ts'
import type { Fragment, Tx } from '../postgres/sql.ts'
import { attempt, Problem } from '../problems.ts'
import * as stock from '../products/stock.ts'
import { currenciesPart } from '../tenants/tenants.ts'
import { OrderCreated } from './events.ts'
import { fromCatalogue, priced, refuseMixed } from './lines.ts'
import { fullAddress, type Item, type NewOrder, type Order } from './schema.ts'
import * as store from './store.ts'
import { type Totals, totals } from './total.ts'

export interface Asked {
  caller: Caller
  input: NewOrder
}

export interface Placed {
  order: Order
  /** Its public JSON. */
  text: string
}

/**
 * Places orders, in the order given.
 * @returns for each what was placed, or why not: 422 for a line or contact that names nothing; 409 for short stock or a taken external_id
 * The first statement locks and counts, and what emits is the last: see `beginBriefly`.
 */
export async function placeAll(tx: Tx, asked: Asked[]): Promise<(Placed | Problem)[]> {
  const outcomes: (Placed | Problem | undefined)[] = []
  const wishes: Wish[] = []
  for (const [index, each] of asked.entries()) {
    const wish = attempt(() => asWish(each, index))
    if (wish instanceof Problem) outcomes[index] = wish
    else wishes.push(wish)
  }
  const named = await stock.identify(
    tx,
    wishes.flatMap(each => each.lines),
  )
  if (wishes.length === 0) return outcomes as Problem[]
  const counts = countBy(wishes)
  // What several nouns have to say shares a statement, so orders cost two round trips, of which the last commits.
  const read = await combine(tx, {
    reads: {
      // First, for orders of one tenant wait here for each other: none of them makes what another has to wait for.
      numbers: store.nextNumbers(counts),
      currencies: currenciesPart(wishes.map(each => each.tenant)),
      locked: stock.lockPart(named),
      contacts: findPart(wishes),
    },
  })
  // Now that the counters are ours: whoever took an external_id meanwhile held one, so has committed.
  const { taken } = await combine(tx, { reads: { taken: takenPart(wishes) } })
  const scene: Scene = {
    currencies: new Map(read.currencies.map(each => [each.tenant, each.currency])),
    shelf: await stock.shelf(tx, named, read.locked),
    who: buyers(wishes, read.contacts),
    taken: new Map(taken.map(each => [externalKey(each.tenant, each.external_id), each.id])),
  }
  const accepted: Accepted[] = []
  for (const [index, wish] of wishes.entries()) {
    const decided = attempt(() => accept(scene, wish, index, named.splice(0, wish.lines.length)))
    if (decided instanceof Problem) outcomes[wish.place] = decided
    else accepted.push(decided)
  }
  const used = countBy(accepted.map(each => each.wish))
  const unused = store.giveBackNumbers(new Map([...counts].map(([tenant, count]) => [tenant, count - (used.get(tenant) ?? 0)])))
  const numbers = new Map(read.numbers.map(each => [each.tenant, each.last_number - (counts.get(each.tenant) as number)]))
  if (accepted.length === 0) await combine(tx, { writes: unused })
  else for (const [place, placed] of await write(tx, scene, accepted, { numbers, unused })) outcomes[place] = placed
  return outcomes as (Placed | Problem)[]
}

/** One order, as `placeAll`. @throws {Problem} why not */
export async function place(tx: Tx, caller: Caller, input: NewOrder): Promise<Placed> {
  const [placed] = await placeAll(tx, [{ caller, input }])
  if (placed instanceof Problem) throw placed
  return placed as Placed
}

interface Wish extends Asked {
  /** Among what was asked. */
  place: number
  tenant: string
  customer: Customer
  lines: stock.Wanted[]
}

function asWish({ caller, input }: Asked, place: number): Wish {
  const { tenant } = caller
  refuseMixed(input.items)
  return { caller, input, place, tenant, customer: input.customer, lines: fromCatalogue(input.items).map(line => ({ ...line, tenant })) }
}

/** What orders are decided upon: read and locked once, and told of each that is accepted. */
interface Scene {
  currencies: Map<string, string>
  shelf: stock.Shelf
  who: Buyers
  /** The order that has an external id. */
  taken: Map<string, string>
}

interface Accepted {
  wish: Wish
  id: string
  currency: string
  items: Item[]
  sums: Totals
  buyer: Buyer
}

// Refused before anything is kept, so that it leaves the scene as it was.
function accept({ currencies, shelf, who, taken }: Scene, wish: Wish, index: number, named: stock.Named[]): Accepted {
  const { tenant, input, lines } = wish
  const external = input.external_id == null ? undefined : externalKey(tenant, input.external_id)
  if (external !== undefined) refuseTaken(taken.get(external))
  const own = currencies.get(tenant) as string
  const currency = input.currency ?? own
  const sold = shelf.sell(lines, named)
  const items = priced(input.items, new Map(lines.map((line, at) => [line.field, sold[at] as stock.Sold])), currency)
  const sums = totals(items, input.discount_amount ?? 0, input.shipping_amount ?? 0)
  const buyer = who.of(index, own)
  shelf.reserve(lines, sold)
  const id = newId('ord')
  if (external !== undefined) taken.set(external, id)
  return { wish, id, currency, items, sums, buyer }
}

interface Numbers {
  /** The last before these, by tenant. */
  numbers: Map<string, number>
  /** Give back what was refused. */
  unused: Fragment[]
}

async function write(
  tx: Tx,
  { who, shelf }: Scene,
  accepted: Accepted[],
  { numbers, unused }: Numbers,
): Promise<[place: number, Placed][]> {
  await who.make(tx)
  const at = new Date().toISOString()
  const placed = accepted.map(each => {
    const { caller, place, tenant } = each.wish
    const number = (numbers.get(tenant) as number) + 1
    numbers.set(tenant, number)
    const order = render(each, number, at)
    return { caller, place, tenant, order, text: JSON.stringify(order) }
  })
  const moved = [countPart(accepted.map(each => each.buyer)), ...shelf.parts(), ...unused]
  const slices = statements(placed)
  for (const [index, some] of slices.entries())
    await emitAll(
      tx,
      some.map(({ caller, order, text }) => ({ caller, type: OrderCreated, text: `{"order_id":"${order.id}","order":${text}}` })),
      [
        ...(index === 0 ? moved : []),
        store.insertAll(some),
        auditPart(some.map(({ caller, order }) => ({ caller, action: 'order.place', subject: order.id }))),
      ],
      { isLast: index === slices.length - 1 },
    )
  return placed.map(({ place, order, text }) => [place, { order, text }])
}

function render({ wish: { input }, id, currency, items, sums, buyer }: Accepted, number: number, at: string): Order {
  return {
    object: 'order',
    id,
    number,
    external_id: input.external_id ?? null,
    source: (input.source ?? 'api') as Order['source'],
    status: 'pending',
    payment_status: 'unpaid',
    fulfillment_status: 'unfulfilled',
    currency,
    ...sums,
    paid_amount: 0,
    refunded_amount: 0,
    customer: {
      contact_id: buyer.id,
      name: input.customer.name ?? buyer.name,
      email: input.customer.email ?? buyer.email,
      phone: input.customer.phone ?? buyer.phone,
    },
    items,
    shipping_address: input.shipping_address ? fullAddress(input.shipping_address) : null,
    payment: input.payment ? { method: input.payment.method as 'card', provider: null, reference: null, paid_at: null } : null,
    fulfillment: null,
    conversation_id: null,
    note: input.note ?? null,
    cancel_reason: null,
    tags: input.tags ?? [],
    metadata: input.metadata ?? {},
    version: 1,
    created_at: at,
    updated_at: at,
    confirmed_at: null,
    paid_at: null,
    shipped_at: null,
    delivered_at: null,
    cancelled_at: null,
    refunded_at: null,
  }
}

function takenPart(wishes: Wish[]) {
  const asked = wishes.flatMap(({ tenant, input: { external_id } }) => (external_id == null ? [] : [{ tenant, external_id }]))
  return asked.length > 0 ? store.withExternalIds(asked) : undefined
}

const externalKey = (tenant: string, externalId: string): string => `${tenant} ${externalId}`

function refuseTaken(id: string | undefined): void {
  if (id !== undefined)
    throw new Problem(
      'conflict',
      'An order with this external_id exists.',
      { code: 'duplicate_external_id', order_id: id },
      { Location: `/api/v1/orders/${id}` },
    )
}

function countBy(wishes: Wish[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { tenant } of wishes) counts.set(tenant, (counts.get(tenant) ?? 0) + 1)
  return counts
}
