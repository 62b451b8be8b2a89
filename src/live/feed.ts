// The feed of changes: a change of a conversation or a message is told in the same transaction, and the streams that watch hear of it after its commit. A word
// that is lost costs a second, for web processes also look by themselves.
import { batched } from '../postgres/batch.ts'
import { afterCommit, type Fragment, type Sql, type Tx } from '../postgres/sql.ts'
import type { Changed, Typing } from './change.ts'
import * as store from './feed-store.ts'

/** As a part of a statement of the transaction that makes the changes. */
export const changedPart = (tx: Tx, tenant: string, changes: Changed[]): Fragment => allChangedPart(tx, [{ tenant, changes }])

/** The same of several workspaces. */
export function allChangedPart(tx: Tx, made: store.Made[]): Fragment {
  afterCommit(tx, () => {
    for (const tenant of new Set(made.map(each => each.tenant))) tell(tenant)
  })
  return store.insertAll(made)
}

/** The same of all conversations that a query names. @param ids rows with an `id` */
export function changedAmongPart(tx: Tx, tenant: string, ids: Fragment): Fragment {
  afterCommit(tx, () => tell(tenant))
  return store.insertAmong(tenant, ids)
}

/** Tells all streams of the workspace, in this process and others. */
export function typing(tenant: string, what: Typing): void {
  tellTyping({ tenant, what })
}

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
  tell = tenant => track(changed(tenant))
  tellTyping = each => track(typed(each))
  return async () => {
    await Promise.all(telling)
  }
}
