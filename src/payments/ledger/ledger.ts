// The payments of one provider and the orders that they are for, opened together: changed in memory, written once.
import type { Caller } from '../../caller.ts'
import { now } from '../../clock.ts'
import { type EventDraft, emitAll } from '../../events/emit.ts'
import * as books from '../../orders/books.ts'
import * as orders from '../../orders/orders.ts'
import { auditPart } from '../../postgres/audit.ts'
import type { Tx } from '../../postgres/sql.ts'
import type { ProviderKind } from '../providers/schema.ts'
import type { PaymentUpdate } from '../reading/update.ts'
import { type Notice, tellAdmins } from './notices.ts'
import { type Entry, newPayment, UNTOLD } from './payment.ts'
import type { Payment } from './schema.ts'
import * as store from './store.ts'

export interface Source {
  tenant: string
  id: string
  provider: ProviderKind
}

export interface Ledger {
  tx: Tx
  caller: Caller
  source: Source
  /** ISO 8601. */
  at: string
  /** The payment that an update is about, if it is known. */
  find(update: PaymentUpdate): Entry | undefined
  /** The order that an update names itself: null for one that the workspace does not have, undefined where it names none. */
  named(update: PaymentUpdate): books.Book | null | undefined
  bookOf(payment: Payment): books.Book | undefined
  /** Makes the payment that an update is about. */
  add(update: PaymentUpdate, status: Payment['status']): Entry
  /** Changes a payment. Snapshots that were taken of it before stay as they were. */
  set(entry: Entry, change: Partial<Payment>): Payment
  tell(type: EventDraft['type'], payment: Payment): void
  notice(notice: Notice): void
}

interface OpenLedger extends Ledger {
  books: Map<string, books.Book>
  changed: Set<Entry>
  events: EventDraft[]
  notices: Notice[]
}

/** Locks what these updates are about: orders first, then payments. */
export async function openLedger(tx: Tx, caller: Caller, source: Source, updates: PaymentUpdate[]): Promise<Ledger> {
  const { tenant } = caller
  const ids = await orders.idsOf(
    tx,
    tenant,
    updates.map(({ order }) => order ?? {}),
  )
  const namedIds = new Map(updates.map((update, index) => [update.event_id, ids[index] ?? null]))
  const known = await store.ordersOfKeys(tx, tenant, source.id, updates)
  const opened = await books.open(tx, caller, [...ids.filter(id => id !== null), ...known])
  const entries = await store.lockOfKeys(tx, tenant, source.id, updates)
  // A caller has accepted a payment for another order in between: the next try sees it.
  if (entries.some(({ payment: { order_id } }) => order_id !== null && !opened.has(order_id)))
    throw new Error('a payment got another order meanwhile')
  const changed = new Set<Entry>()
  const events: EventDraft[] = []
  const notices: Notice[] = []
  const at = new Date(now()).toISOString()
  return {
    tx,
    caller,
    source,
    at,
    books: opened,
    changed,
    events,
    notices,
    find: ({ reference, charge }) =>
      entries.find(({ payment }) => reference !== null && payment.reference === reference) ??
      entries.find(entry => charge !== null && entry.charge === charge),
    named: ({ order, event_id }) => (order === null ? undefined : (opened.get(namedIds.get(event_id) ?? '') ?? null)),
    bookOf: ({ order_id }) => (order_id === null ? undefined : opened.get(order_id)),
    add({ reference, charge, amount, currency }, status) {
      const payment = newPayment({ provider: source.provider, provider_id: source.id, reference, amount, currency }, status, at)
      const entry = { payment, ...UNTOLD, charge }
      entries.push(entry)
      changed.add(entry)
      return entry
    },
    set(entry, change) {
      entry.payment = { ...entry.payment, ...change, updated_at: at }
      changed.add(entry)
      return entry.payment
    },
    tell: (type, payment) =>
      void events.push({ caller, type, data: { payment_id: payment.id, payment, order_id: payment.order_id } } as EventDraft),
    notice: notice => void notices.push(notice),
  } as OpenLedger
}

export async function closeLedger(ledger: Ledger): Promise<void> {
  const { tx, caller, source, books: opened, changed, events, notices } = ledger as OpenLedger
  const written = [...changed]
  const audits = written.map(({ payment: { id, status, order_id } }) => ({
    caller,
    action: 'payment.update',
    subject: id,
    details: { status, order_id, provider_id: source.id },
  }))
  await books.close(tx, caller, opened.values())
  if (written.length > 0) await emitAll(tx, events, [store.saveAll(caller.tenant, written), auditPart(audits)])
  await tellAdmins(tx, caller.tenant, notices)
}
