// Updates of one provider, applied as a set, in any order: the same set ends in the same state. What comes before its time waits for what it is about.
import type { Caller } from '../../caller.ts'
import { now } from '../../clock.ts'
import { AWAITED_TOGETHER, AWAITING_ONE_MAX } from '../../limits/payments.ts'
import { begin, type Sql, type Tx } from '../../postgres/sql.ts'
import { lockKind } from '../providers/providers.ts'
import type { PaymentUpdate } from '../reading/update.ts'
import { closeLedger, type Ledger, openLedger, type Source } from './ledger.ts'
import { APPLIED, type Taken } from './outcome.ts'
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

/** Takes what has waited for too long as things are. To be called now and then. */
export async function endWaits(sql: Sql): Promise<void> {
  for (let source = await waits.nextOverdue(sql); source; ) {
    const { tenant, id } = source
    const count = await begin(sql, async tx => {
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
    // Another process may have it under way: the next look finds what is left.
    if (count === 0) return
    source = await waits.nextOverdue(sql)
  }
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
  const waiting = known.map(each => each.update)
  for (const update of asked.toSorted(byTime)) await takeOne(ledger, update, waiting, taken, false)
  for (const { update } of overdue.toSorted((a, b) => byTime(a.update, b.update))) await takeOne(ledger, update, waiting, taken, true)
  await closeLedger(ledger)
  await noteWaits(tx, caller.tenant, source, waitedFor, taken, all)
  return taken
}

async function takeOne(
  ledger: Ledger,
  update: PaymentUpdate,
  waiting: PaymentUpdate[],
  taken: Map<PaymentUpdate, Taken>,
  isOverdue: boolean,
): Promise<void> {
  const outcome = await take(ledger, update, isOverdue)
  taken.set(update, outcome)
  if (outcome.status === 'waits') await wait(ledger, update, outcome, waiting, taken)
  if (outcome.status !== 'applied') return
  // What waited for this may have its turn now, and may be what others wait for.
  const entry = ledger.find(update)
  const next = waiting.filter(each => ledger.find(each) === entry).sort(byTime)
  for (const each of next) {
    if (!waiting.includes(each)) continue
    waiting.splice(waiting.indexOf(each), 1)
    await takeOne(ledger, each, waiting, taken, false)
  }
}

// A refund that waits for room and its own failure, which waits for it, are what each other waits for.
async function wait(
  ledger: Ledger,
  update: PaymentUpdate,
  outcome: Taken,
  waiting: PaymentUpdate[],
  taken: Map<PaymentUpdate, Taken>,
): Promise<void> {
  const refund = waiting.find(each => isFailureOf(update, each) && ledger.find(each) === ledger.find(update))
  waiting.push(update)
  if (refund) {
    waiting.splice(waiting.indexOf(refund), 1)
    return takeOne(ledger, refund, waiting, taken, false)
  }
  const failure = waiting.find(each => isFailureOf(each, update) && ledger.find(each) === ledger.find(update))
  if (outcome !== AWAITS_ROOM || !failure || !isFailureOf(failure, update)) return
  annul(ledger, failure)
  for (const each of [update, failure]) {
    waiting.splice(waiting.indexOf(each), 1)
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
