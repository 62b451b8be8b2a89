// The present troubles on our own side. While there is one, requests fail through no fault of their receivers, and are tried again when it may be
// over.

/**
 * name-servers: none answers. machine: it opens no connection, or has no route. authorities: no receiver's certificate can be verified. network: hardly
 * any receiver of any tenant can be reached.
 */
export type TroubleKind = 'name-servers' | 'machine' | 'authorities' | 'network'

export interface Troubles {
  /** Notes a trouble, which is reported once until it ends. @param text a clause, as `the name servers do not answer` */
  seen(kind: TroubleKind, text: string): void
  /** There is no longer any trouble of this kind. */
  ended(kind: TroubleKind): void
  has(kind: TroubleKind): boolean
  /** All troubles, as one clause. */
  text(): string | undefined
  /** When to try a failed request again, in milliseconds. */
  againInMs(): number
}

/** @param over given when the trouble has ended: how many seconds it lasted */
export type Tell = (kind: TroubleKind, text: string, over?: number) => void

/** Trouble that is not seen for this long has ended unseen: a failed request is tried again within a minute (AGAIN_MAX_MS). */
const SEEN_MS = 90_000
/** A moment's trouble costs a moment … */
const AGAIN_MIN_MS = 2_000
/** … and after a long one requests come back over a minute, not all at once. */
const AGAIN_MAX_MS = 60_000

interface Trouble {
  text: string
  /** By performance.now(). */
  since: number
  seenAt: number
}

export function createTroubles(tell: Tell = () => {}): Troubles {
  const current = new Map<TroubleKind, Trouble>()

  function ended(kind: TroubleKind): void {
    const trouble = current.get(kind)
    if (!trouble) return
    current.delete(kind)
    tell(kind, trouble.text, (performance.now() - trouble.since) / 1000)
  }

  function forgetOld(): void {
    for (const [kind, { seenAt }] of current) if (seenAt < performance.now() - SEEN_MS) ended(kind)
  }

  return {
    ended,
    seen(kind, text) {
      const now = performance.now()
      const before = current.get(kind)
      current.set(kind, { text, since: before?.since ?? now, seenAt: now })
      if (!before) tell(kind, text)
    },
    has(kind) {
      forgetOld()
      return current.has(kind)
    },
    text() {
      forgetOld()
      return [...current.values()].map(({ text }) => text).join('; ') || undefined
    },
    againInMs() {
      const since = Math.min(...[...current.values()].map(trouble => trouble.since))
      const age = Number.isFinite(since) ? performance.now() - since : 0
      return Math.random() * Math.min(Math.max(age, AGAIN_MIN_MS), AGAIN_MAX_MS)
    },
  }
}
