// Placing orders: stock is reserved, the contact found or created, the order totalled and numbered, order.created emitted. Many orders at once, of
// whatever tenants, cost as many statements as one does; a refused order leaves no trace and does not affect the others.
import { counted } from '../analytics/counting.ts'
import type { Caller } from '../caller.ts'
import { now } from '../clock.ts'
import { type Buyers, buyers, type Customer, countPart, findPart } from '../contacts/buyers.ts'
import { emitAll } from '../events/emit.ts'
import { newId } from '../ids.ts'
import { auditPart } from '../postgres/audit.ts'
import { combine, statements } from '../postgres/combine.ts'
import type { Fragment, Tx } from '../postgres/sql.ts'
import { attempt, Problem } from '../problems.ts'
import * as stock from '../products/stock.ts'
import { currenciesPart } from '../tenants/tenants.ts'
import { orderCounted } from './counted.ts'
import { OrderCreated } from './events.ts'
import { fromCatalogue, priced, refuseMixed } from './lines.ts'
import { type Decided, newOrder } from './new-order.ts'
import type { NewOrder, Order } from './schema.ts'
import * as store from './store.ts'
import { totals } from './total.ts'

export interface OrderRequest {
  caller: Caller
  input: NewOrder
}

export interface Placed {
  order: Order
  /** Its public JSON. */
  text: string
}

/**
 * Places orders, in the order given. The first statement locks and counts, and what emits is the last: see `beginBriefly`.
 * @returns for each what was placed, or why not: 422 for a line or contact that names nothing; 409 for short stock or a taken external_id
 */
export async function placeAll(tx: Tx, requests: OrderRequest[]): Promise<(Placed | Problem)[]> {
  const outcomes: (Placed | Problem | undefined)[] = []
  const candidates: Candidate[] = []
  for (const [index, request] of requests.entries()) {
    const candidate = attempt(() => asCandidate(request, index))
    if (candidate instanceof Problem) outcomes[index] = candidate
    else candidates.push(candidate)
  }
  if (candidates.length === 0) return outcomes as Problem[]
  const identified = await stock.identify(
    tx,
    candidates.flatMap(each => each.lines),
  )
  const counts = countBy(candidates)
  // Several nouns share a statement, so orders cost two round trips, the last of which commits.
  const read = await combine(tx, {
    reads: {
      // First, for orders of one tenant wait here for each other, before any of them writes a row that another would have to wait for.
      numbers: store.nextNumbers(counts),
      currencies: currenciesPart(candidates.map(each => each.tenant)),
      locked: stock.lockPart(identified),
      contacts: findPart(candidates),
    },
  })
  // Read after the counters are ours: an order that took an external_id meanwhile held its tenant's counter, so it has committed.
  const { existing } = await combine(tx, { reads: { existing: withExternalIdsPart(candidates) } })
  const context: PlacingContext = {
    currencies: new Map(read.currencies.map(each => [each.tenant, each.currency])),
    ledger: await stock.stockLedger(tx, identified, read.locked),
    buyers: buyers(candidates, read.contacts),
    orderIds: new Map(existing.map(each => [externalKey(each.tenant, each.external_id), each.id])),
  }
  const accepted: Accepted[] = []
  for (const [position, candidate] of candidates.entries()) {
    const decided = attempt(() => accept(context, candidate, position, identified.splice(0, candidate.lines.length)))
    if (decided instanceof Problem) outcomes[candidate.index] = decided
    else accepted.push(decided)
  }
  const used = countBy(accepted.map(each => each.candidate))
  const unused = store.giveBackNumbers(new Map([...counts].map(([tenant, count]) => [tenant, count - (used.get(tenant) ?? 0)])))
  const lastNumbers = new Map(read.numbers.map(each => [each.tenant, each.last_number - (counts.get(each.tenant) as number)]))
  if (accepted.length === 0) await combine(tx, { writes: unused })
  else for (const [index, placed] of await write(tx, context, accepted, { lastNumbers, unused })) outcomes[index] = placed
  return outcomes as (Placed | Problem)[]
}

/** One order, as `placeAll`. @throws {Problem} why not */
export async function place(tx: Tx, caller: Caller, input: NewOrder): Promise<Placed> {
  const [placed] = await placeAll(tx, [{ caller, input }])
  if (placed instanceof Problem) throw placed
  return placed as Placed
}

/** A request that is valid in itself. */
interface Candidate extends OrderRequest {
  /** The index of its request among all requests. */
  index: number
  tenant: string
  customer: Customer
  lines: stock.CatalogueLine[]
}

function asCandidate({ caller, input }: OrderRequest, index: number): Candidate {
  const { tenant } = caller
  refuseMixed(input.items)
  return { caller, input, index, tenant, customer: input.customer, lines: fromCatalogue(input.items).map(line => ({ ...line, tenant })) }
}

/** What orders are decided by: read and locked once, and updated with each accepted order. */
interface PlacingContext {
  currencies: Map<string, string>
  ledger: stock.StockLedger
  buyers: Buyers
  /** The order with an external id, by tenant and external id. */
  orderIds: Map<string, string>
}

interface Accepted extends Decided {
  candidate: Candidate
}

// A refusal is thrown before the context changes, so it leaves the context as it was.
function accept(
  { currencies, ledger, buyers, orderIds }: PlacingContext,
  candidate: Candidate,
  position: number,
  identified: stock.Identified[],
): Accepted {
  const { caller, tenant, input, lines } = candidate
  const external = input.external_id == null ? undefined : externalKey(tenant, input.external_id)
  if (external !== undefined) refuseTaken(orderIds.get(external))
  const own = currencies.get(tenant) as string
  const currency = input.currency ?? own
  const sellables = ledger.price(lines, identified)
  const items = priced(input.items, new Map(lines.map((line, at) => [line.field, sellables[at] as stock.Sellable])), currency)
  const sums = totals(items, input.discount_amount ?? 0, input.shipping_amount ?? 0)
  const buyer = buyers.of(position, own)
  ledger.reserve(caller, lines, sellables)
  const id = newId('ord')
  if (external !== undefined) orderIds.set(external, id)
  return { candidate, id, currency, items, sums, buyer }
}

interface Numbering {
  /** The last number before these orders, by tenant. */
  lastNumbers: Map<string, number>
  /** Give back the numbers of refused orders. */
  unused: Fragment[]
}

async function write(
  tx: Tx,
  { buyers, ledger }: PlacingContext,
  accepted: Accepted[],
  { lastNumbers, unused }: Numbering,
): Promise<[index: number, Placed][]> {
  await buyers.make(tx)
  const at = new Date(now()).toISOString()
  const placed = accepted.map(each => {
    const { caller, index, tenant, input } = each.candidate
    const number = (lastNumbers.get(tenant) as number) + 1
    lastNumbers.set(tenant, number)
    const order = newOrder(input, each, number, at)
    return { caller, index, tenant, order, text: JSON.stringify(order) }
  })
  const moved = [
    countPart(accepted.map(each => each.buyer)),
    ...ledger.parts(),
    ...unused,
    ...counted(placed.map(({ tenant, order }) => orderCounted(tenant, order))),
  ]
  const fallen = await ledger.fallen(tx)
  const slices = statements(placed)
  for (const [position, some] of slices.entries())
    await emitAll(
      tx,
      [
        ...some.map(({ caller, order, text }) => ({ caller, type: OrderCreated, text: `{"order_id":"${order.id}","order":${text}}` })),
        ...(position === slices.length - 1 ? fallen : []),
      ],
      [
        ...(position === 0 ? moved : []),
        store.insertAll(some),
        auditPart(some.map(({ caller, order }) => ({ caller, action: 'order.place', subject: order.id }))),
      ],
      { isLast: position === slices.length - 1 },
    )
  return placed.map(({ index, order, text }) => [index, { order, text }])
}

function withExternalIdsPart(candidates: Candidate[]) {
  const wanted = candidates.flatMap(({ tenant, input: { external_id } }) => (external_id == null ? [] : [{ tenant, external_id }]))
  return wanted.length > 0 ? store.withExternalIds(wanted) : undefined
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

function countBy(candidates: Candidate[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { tenant } of candidates) counts.set(tenant, (counts.get(tenant) ?? 0) + 1)
  return counts
}
