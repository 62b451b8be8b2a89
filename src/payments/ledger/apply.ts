// Updates of one provider, applied as a set, in any order: the same set ends in the same state. What comes before its time waits for what it is about.
import type { Caller } from '../../caller.ts'
import { now } from '../../clock.ts'
import type { Ref } from '../../ids.ts'
import { AWAITED_TOGETHER, AWAITING_ONE_MAX } from '../../limits/payments.ts'
import { begin, type Sql, type Tx } from '../../postgres/sql.ts'
import { lockKind } from '../providers/providers.ts'
import type { PaymentUpdate } from '../reading/update.ts'
import { closeLedger, type Ledger, openLedger, type Source } from './ledger.ts'
import { APPLIED, type Of, type Taken } from './outcome.ts'
import type { Entry } from './payment.ts'
import { AWAITS_ROOM, annul, isFailureOf } from './refund.ts'
import { take } from './take.ts'
import type { Waiting } from './waiting-store.ts'
import * as waits from './waiting-store.ts'

export type Outcome = { status: 'applied' } | { status: 'ignored'; reason: string }

/** @returns an outcome for each, in their order; one that waits for another is applied for now */
export async function applyAll(tx: Tx, caller: Caller, source: Source, updates: PaymentUpdate[]): Promise<Outcome[]> {
  const fresh = await waits.take(tx, caller.tenant, source.id, updates.flatMap(namesOf))
  // A set may hold an event twice.
  const asked = updates.filter(update => namesOf(update).every(each => fresh.delete(each)))
  const known = await waits.lockOfKeys(tx, caller.tenant, source.id, asked, AWAITING_ONE_MAX)
  const taken = await takeAll(tx, caller, source, { asked, known, overdue: [] })
  return updates.map(update => {
    const outcome = taken.get(update)
    if (outcome === undefined) return { status: 'ignored', reason: 'It was taken before.' }
    return outcome.status === 'waits' ? { status: 'applied' } : outcome
  })
}

/** What tells an event from others. */
const namesOf = ({ event_id, same }: PaymentUpdate): string[] => (same === undefined ? [event_id] : [event_id, same])

/**
 * Takes what has waited for too long as things are. To be called now and then.
 * @throws the first error, once the other providers have had their turn
 */
export async function endWaits(sql: Sql): Promise<void> {
  const errors: unknown[] = []
  // Another process may have one under way, or a transaction may hold its row: the next look finds what is left, and others do not wait for it.
  const passed: string[] = []
  for (;;) {
    const source = await waits.nextOverdue(sql, passed)
    if (!source) break
    const count = await endWaitsOf(sql, source).catch(error => {
      errors.push(error)
      return 0
    })
    if (count === 0) passed.push(source.id)
    if (passed.length === PASSED_MAX) break
  }
  if (errors.length > 0) throw errors[0]
}

/** Providers whose overdue updates a look leaves to the next one, at most: each may have cost it the limit for a lock. */
const PASSED_MAX = 10

/** @returns how many were overdue; none where another transaction takes them at this moment */
function endWaitsOf(sql: Sql, { tenant, id }: Ref): Promise<number> {
  return begin(sql, async tx => {
    const provider = await lockKind(tx, tenant, id)
    const overdue = await waits.lockOverdue(tx, tenant, id, AWAITED_TOGETHER)
    if (overdue.length === 0) return 0
    const names = overdue.map(each => each.update)
    const beside = await waits.lockOfKeys(tx, tenant, id, names, AWAITING_ONE_MAX)
    const known = beside.filter(each => !names.some(({ event_id }) => event_id === each.update.event_id))
    const caller: Caller = { tenant, actor: { type: 'system', id } }
    await takeAll(tx, caller, { tenant, id, provider }, { asked: [], known, overdue })
    return overdue.length
  })
}

interface Lot {
  asked: PaymentUpdate[]
  known: Waiting[]
  overdue: Waiting[]
}

async function takeAll(tx: Tx, caller: Caller, source: Source, { asked, known, overdue }: Lot): Promise<Map<PaymentUpdate, Taken>> {
  const taken = new Map<PaymentUpdate, Taken>()
  const waitedFor = [...known, ...overdue]
  const all = [...asked, ...waitedFor.map(each => each.update)]
  if (all.length === 0) return taken
  const ledger = await openLedger(tx, caller, source, all)
  const turns = { ledger, waiting: new Set(known.map(each => each.update)), taken }
  await takeInTurn(turns, asked)
  // One by one: what is taken as things are finds all settled that waited for those before it.
  for (const update of overdue.map(each => each.update).sort(byTime)) await takeInTurn(turns, [update], true)
  await closeLedger(ledger)
  await noteWaits(tx, caller.tenant, source, waitedFor, taken, all)
  return taken
}

interface Turns {
  ledger: Ledger
  waiting: Set<PaymentUpdate>
  /** What became of each that had a turn. */
  taken: Map<PaymentUpdate, Taken>
}

/**
 * Takes updates, and then by rounds what waits for payments that they have changed, for its turn may have come. By rounds, and not behind each one: where a
 * thousand wait for one payment and half of them come to their turn, each would have been looked at again behind each of these.
 */
async function takeInTurn({ ledger, waiting, taken }: Turns, updates: PaymentUpdate[], areOverdue = false): Promise<void> {
  let [due, isOverdue] = [updates, areOverdue]
  while (due.length > 0) {
    const changed = new Set<Entry | undefined>()
    const again = new Set<PaymentUpdate>()
    for (const update of due.toSorted(byTime)) {
      // It was settled beside another one of this round.
      if (taken.get(update)?.status === 'applied') continue
      waiting.delete(update)
      const outcome = await take(ledger, update, isOverdue)
      taken.set(update, outcome)
      if (outcome.status === 'applied') changed.add(ledger.find(update))
      if (outcome.status !== 'waits') continue
      waiting.add(update)
      const half = otherHalf(update, { ledger, waiting })
      if (half && update.kind === 'refund_failed') again.add(half)
      else if (half?.kind === 'refund_failed' && outcome === AWAITS_ROOM) settleBoth(update, half, { ledger, waiting, taken })
    }
    due = [...waiting.values().filter(each => again.has(each) || changed.has(ledger.find(each)))]
    isOverdue = false
  }
}

/** The refund that a failure is of, or the failure of a refund, where that waits. */
const otherHalf = (half: PaymentUpdate, { ledger, waiting }: Omit<Turns, 'taken'>): PaymentUpdate | undefined =>
  waiting.values().find(each => (isFailureOf(half, each) || isFailureOf(each, half)) && ledger.find(each) === ledger.find(half))

// A refund that waits for room and its own failure, which waits for it, are what each other waits for.
function settleBoth(refund: PaymentUpdate, failure: Of<'refund_failed'>, { ledger, waiting, taken }: Turns): void {
  annul(ledger, failure)
  for (const each of [refund, failure]) {
    waiting.delete(each)
    taken.set(each, APPLIED)
  }
}

const byTime = (a: PaymentUpdate, b: PaymentUpdate): number => Number(a.at > b.at) - Number(a.at < b.at)

async function noteWaits(
  tx: Tx,
  tenant: string,
  { id }: Source,
  before: Waiting[],
  taken: Map<PaymentUpdate, Taken>,
  all: PaymentUpdate[],
): Promise<void> {
  const untilOf = new Map(before.map(each => [each.update, each.until]))
  const kept: Waiting[] = []
  const over: string[] = []
  for (const update of all) {
    const outcome = taken.get(update)
    if (outcome?.status === 'waits') {
      const until = new Date(now() + outcome.forMs).toISOString()
      const known = untilOf.get(update)
      kept.push({ update, until: known !== undefined && known < until ? known : until })
    } else if (outcome !== undefined && untilOf.has(update)) over.push(update.event_id)
  }
  if (kept.length > 0) await waits.keepAll(tx, tenant, id, kept)
  if (over.length > 0) await tx`${waits.dropAll(tenant, id, over)}`
}
