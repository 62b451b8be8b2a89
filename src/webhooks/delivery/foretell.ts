// Workers are told of an event's webhooks behind the COMMIT of its transaction, on the same connection, before its statement has answered which they are: the same
// as of the last event of its kind in the workspace, unless one was added since. Those are told of after the commit, as are all where there is no such
// connection; one that is told of in vain is looked at once.
import type { Ref } from '../../ids.ts'
import { FORETOLD_KINDS, WEBHOOKS_TOLD_MAX } from '../../limits/webhooks.ts'
import { behindCommit, type Tx } from '../../postgres/sql.ts'
import { wakeNow } from '../endpoints/wake.ts'
import * as store from './store.ts'

interface Emitted {
  tenant: string
  type: string
}

/** By workspace and types of events, the endpoints that the last ones of a transaction had deliveries for; the latest used last. */
const subscribers = new Map<string, Ref[]>()
/** The ids of those that were told of behind the COMMIT of a transaction. */
const foretold = new WeakMap<Tx, Set<string>>()
const underWay = new Set<Promise<void>>()
let isForetelling = false

/**
 * From here on this process tells of webhooks behind COMMIT.
 * @returns waits for what was told so far, to be called before the database is closed
 */
export function foretellFrom(): () => Promise<void> {
  isForetelling = true
  return async () => {
    await Promise.all(underWay)
  }
}

/** Has workers told of the endpoints that these events are expected to be for, where the transaction ends with the statement that writes them. */
export function foretell(tx: Tx, events: Emitted[]): void {
  if (!isForetelling) return
  const expected = kindsOf(events).flatMap(({ kind }) => subscribers.get(kind) ?? [])
  if (expected.length === 0 || expected.length > WEBHOOKS_TOLD_MAX) return
  behindCommit(tx, () => {
    const told = foretold.get(tx) ?? new Set()
    foretold.set(tx, told)
    for (const { id } of expected) told.add(id)
    // Not told of, because the connection takes no more, or because no worker lives and a row is locked: woken as they are elsewhere.
    const telling = store
      .tell(tx, expected)
      .then(wakeNow, () => wakeNow(expected))
      .finally(() => underWay.delete(telling))
    underWay.add(telling)
  })
}

/** Keeps which endpoints these events of one transaction have deliveries for. */
export function learn(events: Emitted[], endpoints: Ref[]): void {
  for (const { tenant, kind } of kindsOf(events)) {
    subscribers.delete(kind)
    const own = new Map(endpoints.filter(each => each.tenant === tenant).map(each => [each.id, each]))
    if (own.size <= WEBHOOKS_TOLD_MAX) subscribers.set(kind, [...own.values()])
  }
  for (const kind of subscribers.keys()) {
    if (subscribers.size <= FORETOLD_KINDS) break
    subscribers.delete(kind)
  }
}

/** Those of the endpoints that were not told of behind the transaction's COMMIT. */
export function untold(tx: Tx, endpoints: Ref[]): Ref[] {
  const told = foretold.get(tx)
  return told ? endpoints.filter(({ id }) => !told.has(id)) : endpoints
}

/** Events of a workspace that come together are of one kind, of all their types, for deliveries do not say of which they are. */
function kindsOf(events: Emitted[]): { tenant: string; kind: string }[] {
  const [first] = events
  if (first && events.length === 1) return [{ tenant: first.tenant, kind: `${first.tenant} ${first.type}` }]
  const types = new Map<string, Set<string>>()
  for (const { tenant, type } of events) types.set(tenant, (types.get(tenant) ?? new Set()).add(type))
  return Array.from(types, ([tenant, all]) => ({ tenant, kind: [tenant, ...[...all].sort()].join(' ') }))
}
