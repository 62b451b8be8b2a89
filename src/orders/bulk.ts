// Several orders of one tenant in one request: changes are made first, each by itself, then the new orders are placed together.
import type { Caller } from '../caller.ts'
import type { BulkWrite } from '../ingress/bulk.ts'
import type { Done } from '../ingress/bulk-answer.ts'
import { savepoint, type Tx } from '../postgres/sql.ts'
import { Problem } from '../problems.ts'
import * as stock from '../products/stock.ts'
import { change } from './orders.ts'
import { placeAll } from './place.ts'
import type { NewOrder, Order, OrderChange } from './schema.ts'
import * as store from './store.ts'

type Write = BulkWrite<NewOrder, OrderChange>
type Change = Extract<Write, { change: OrderChange }>

/** If it throws, its changes are undone. @returns for each, in the order given, its public JSON or why it was refused, as `change` and `placeAll` say */
export const writeAll = (tx: Tx, caller: Caller, writes: Write[]): Promise<(Done | Problem)[]> =>
  savepoint(tx, inner => write(inner, caller, writes))

async function write(tx: Tx, caller: Caller, writes: Write[]): Promise<(Done | Problem)[]> {
  const changes = writes.filter((each): each is Change => 'change' in each)
  await lockAll(tx, caller, changes)
  const changed = new Map<Write, Done | Problem>()
  for (const each of changes) changed.set(each, await changeOne(tx, caller, each))
  const placed = await placeAll(
    tx,
    writes.flatMap(each => ('create' in each ? [{ caller, input: each.create }] : [])),
  )
  return writes.map(each => changed.get(each) ?? asDone(placed.shift() as (typeof placed)[number]))
}

// Locks all rows of the changes in the common order: two requests that locked them one by one could deadlock.
async function lockAll(tx: Tx, { tenant }: Caller, changes: Change[]): Promise<void> {
  if (changes.length < 2) return
  const texts = await store.lockAll(
    tx,
    tenant,
    changes.map(each => each.id),
  )
  const moving = new Set(changes.filter(each => each.change.status !== undefined).map(each => each.id))
  const orders = texts.map(text => JSON.parse(text) as Order).filter(order => moving.has(order.id))
  const products = orders.flatMap(({ items }) =>
    items.flatMap(({ product_id, variant_id }) => (product_id ? [{ tenant, product_id, variant_id }] : [])),
  )
  const lock = stock.lockPart(products)
  if (lock) await tx`${lock}`
}

async function changeOne(tx: Tx, caller: Caller, { id, change: input }: Change): Promise<Done | Problem> {
  try {
    return { json: await savepoint(tx, inner => change(inner, caller, id, input, () => {})) }
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

const asDone = (outcome: Awaited<ReturnType<typeof placeAll>>[number]): Done | Problem =>
  outcome instanceof Problem ? outcome : { json: outcome.text }
