// Who writes: a visitor that the service has named, by a token in the browser's storage. All tabs are the same visitor.
import type { Session } from '../schema.ts'
import { type Api, type Problem, pause } from './api.ts'
import type { Outbox } from './outbox.ts'
import type { Store } from './storage.ts'
import { alone } from './tabs.ts'
import type { Waker } from './waker.ts'

export interface Visitor {
  id: string
  token: string
  /** Has written once: there is a talk to listen to. */
  talking?: boolean
  /** The newest message of the shop that was seen, and the one up to which the service knows. */
  seen?: string
  seenTold?: string
  /** An address that the visitor left, and whether the service has it. */
  email?: string
  told?: boolean
  /** No shop has said who it is. */
  stranger?: boolean
}

export interface Introduction {
  identity?: string | undefined
  resume?: string | undefined
}

/** `changesInMs`: when `away` is another */
export type Introduced = { session: Session; changesInMs: number | undefined; linkUsed: boolean } | 'unavailable'

/** What the service has answered, so that it need not be asked on every page. */
interface Known {
  session: Session
  /** The end of the identity, its signature. */
  identity: string | undefined
  at: number
}

const NAME = 'visitor'
const KNOWN = 'session'
/** So old the shop's settings may be that a page shows. */
const FRESH_MS = 600_000

export const visitorOf = (store: Store): Visitor | undefined => store.get<Visitor>(NAME)

export const note = (store: Store, more: Partial<Visitor>): void => store.set(NAME, { ...visitorOf(store), ...more })

export function forgetVisitor(store: Store): void {
  store.remove(NAME)
  store.remove(KNOWN)
}

/** The token is no good any more: it is asked for another. */
export const forgetSession = (store: Store): void => store.remove(KNOWN)

export interface Introducing {
  api: Api
  store: Store
  outbox: Outbox
  waker: Waker
  lock: string
}

/** Asks until it is answered: the token is renewed, or the first one is made. One tab at a time, so that all become one visitor. */
export const introduce = ({ api, store, outbox, waker, lock }: Introducing, by: Introduction): Promise<Introduced> =>
  alone(lock, async () => {
    let { identity, resume } = by
    let linkUsed = false
    const signature = identity?.slice(-64)
    const known = store.get<Known>(KNOWN)
    if (known && !resume && known.identity === signature && isFresh(known) && visitorOf(store)?.id === known.session.id)
      return { session: known.session, changesInMs: changesIn(known), linkUsed }
    for (let failures = 0; ; failures++) {
      const { status, body, retryMs } = await api.post<Session & Problem>('visitors', {
        ...(identity && { identity }),
        ...(resume && { resume }),
      })
      if (status === 200) {
        const before = visitorOf(store)
        const same = before?.id === body.id ? before : {}
        // What another person has not sent yet is not said in this one's name. A stranger whose token counts no more is the same one under another.
        if (before && same !== before && !resume && !before.stranger) outbox.clear()
        store.set(NAME, { ...same, ...(resume && { talking: true }), id: body.id, token: body.visitor_token, stranger: !identity })
        const fresh: Known = { session: body, identity: signature, at: Date.now() }
        store.set(KNOWN, fresh)
        return { session: body, changesInMs: changesIn(fresh), linkUsed }
      }
      if (status === 404 || status === 403 || status === 409) {
        console.error(`Shopdesk chat: ${body.detail}`)
        return 'unavailable'
      }
      if (status === 401) forgetVisitor(store)
      if (status === 422) {
        console.error(`Shopdesk chat: ${body.detail}`)
        if (resume) linkUsed = true
        // Who they say they are is not proven, and may write all the same.
        if (!resume) identity = undefined
        resume = undefined
        if (failures > 2) return 'unavailable'
      }
      if (status !== 422) await waker.sleep(retryMs || pause(failures))
    }
  })

const isFresh = (known: Known): boolean => known.at <= Date.now() && Date.now() < known.at + FRESH_MS && (changesIn(known) ?? 1) > 0

// By what the service's clock said: the visitor's may be hours off.
const changesIn = ({ session: { changes_at, now }, at }: Known): number | undefined =>
  changes_at === null ? undefined : Date.parse(changes_at) - Date.parse(now) - (Date.now() - at)
