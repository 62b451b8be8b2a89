// The feed of changes: a change of a conversation or a message is told in the same transaction, and the streams that watch hear of it after its commit. A word
// that is lost costs a second, for web processes also look by themselves.
import { batched } from '../postgres/batch.ts'
import { afterCommit, behindCommit, type Fragment, type Sql, type Tx } from '../postgres/sql.ts'
import type { Changed, Typing } from './change.ts'
import * as store from './feed-store.ts'

/** As a part of a statement of the transaction that makes the changes. */
export const changedPart = (tx: Tx, tenant: string, changes: Changed[]): Fragment => allChangedPart(tx, [{ tenant, changes }])

/** The same of several workspaces. */
export function allChangedPart(tx: Tx, made: store.Made[]): Fragment {
  tellWith(
    tx,
    made.map(each => each.tenant),
  )
  return store.insertAll(made)
}

/** The same of all conversations that a query names. @param ids rows with an `id` */
export function changedAmongPart(tx: Tx, tenant: string, ids: Fragment): Fragment {
  tellWith(tx, [tenant])
  return store.insertAmong(tenant, ids)
}

/** The workspaces that are told of with the COMMIT of a transaction. */
const changedIn = new WeakMap<Tx, Set<string>>()

/** Tells of them with the COMMIT of the transaction, as soon as that is sent, or after it. */
function tellWith(tx: Tx, tenants: string[]): void {
  const before = changedIn.get(tx)
  const all = before ?? new Set()
  for (const tenant of tenants) all.add(tenant)
  if (before) return
  changedIn.set(tx, all)
  let sent = false
  const tellAll = (): void => {
    for (const tenant of all) tell(tenant)
  }
  behindCommit(tx, () => {
    sent = tells
    if (sent) store.notify(tx, store.changedMessages([...all])).catch(tellAll)
  })
  afterCommit(tx, () => {
    if (!sent) tellAll()
  })
}

/** Tells all streams of the workspace, in this process and others. */
export function typing(tenant: string, what: Typing): void {
  tellTyping({ tenant, what })
}

let tells = false
let tell: (tenant: string) => void = () => {}
let tellTyping: (typing: store.Told) => void = () => {}

/**
 * From here on this process tells others through `sql`. What is told together shares a statement: NOTIFY takes a lock that serialises commits.
 * @returns waits until all is told, to be called before the database is closed
 */
export function tellThrough(sql: Sql, onError: (error: unknown) => void): () => Promise<void> {
  const telling = new Set<Promise<void>>()
  const track = (told: Promise<void>): void => {
    const tracked = told.catch(onError).finally(() => telling.delete(tracked))
    telling.add(tracked)
  }
  const changed = batched<string, void>(async tenants => {
    await store.notify(sql, store.changedMessages([...new Set(tenants)]))
    return tenants.map(() => undefined)
  })
  const typed = batched<store.Told, void>(async all => {
    await store.notify(sql, all.map(store.typingMessage))
    return all.map(() => undefined)
  })
  tells = true
  tell = tenant => track(changed(tenant))
  tellTyping = each => track(typed(each))
  return async () => {
    await Promise.all(telling)
  }
}
