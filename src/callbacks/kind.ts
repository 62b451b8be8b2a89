// A kind of callback: what the noun that owns its sources knows about it. The catalog hands the kinds in, so that this noun knows no channel and no
// payment provider.
import type { Caller } from '../caller.ts'
import type { Ref } from '../ids.ts'
import type { Signed } from '../ingress/callback.ts'
import type { JsonObject } from '../ingress/platform-json.ts'
import type { Queryable, Tx } from '../postgres/sql.ts'

export type { JsonObject, Signed }

export const KIND_NAMES = ['channel', 'payment'] as const
export type KindName = (typeof KIND_NAMES)[number]

/** What callbacks come from: a channel or a payment provider. `Source` is whatever the kind needs to verify and check one. */
export interface Kind<Source extends Ref = Ref, Known = unknown> {
  name: KindName
  /** The prefix of its sources' ids. */
  prefix: 'chn' | 'pay'
  /** With `{id}`: `/api/channels/{id}/callback`. */
  path: string
  /**
   * The sources with these ids, whatever workspace they belong to, in any order. One that is deleted or takes no callbacks is left out (404); a disabled
   * one is not. What it says may be relied on for a second; when a signature does not fit, it is asked again.
   */
  find(sql: Queryable, ids: string[]): Promise<Source[]>
  /** Whether one who knows a secret of the source has sent it; in constant time. @param now milliseconds since 1970 */
  verify(source: Source, signed: Signed, now: number): boolean
  /** Checks the shape, where it is ours to say: of the generic formats. What a platform may send and we do not know is kept. @throws {Problem} 422 */
  check?(source: Source, value: JsonObject): void
  /** The text that a GET with this query is answered by; undefined: refused with 403; null, as without it: 405, for nothing asks this source so. */
  greet?(source: Source, query: Record<string, unknown>): string | undefined | null
  /** The threads that a callback speaks of, never thrown: one that fails holds up those behind it that have a thread in common with it. */
  threads(value: JsonObject): string[]
  /** Sources may be applied in one transaction with others, side by side (postgres/side-by-side.ts). */
  sharesTurns?: boolean
  /** What `apply` has to know of the source, read while its callbacks are claimed. */
  know?(tx: Tx, source: Ref): Promise<Known>
  /**
   * Applies callbacks of one source in the order given, in one transaction with what is noted of them. Each may come again, also one that was applied in
   * part: what is there already stays as it is. An error undoes the whole set, which is then applied one by one; a callback that fails alone is tried
   * again for a minute. What it writes may be under way when it resolves: see `ahead`.
   * @returns an outcome for each, in their order
   */
  apply(tx: Tx, caller: Caller, source: Ref, callbacks: Waiting[], known: Known): Promise<Outcome[]>
}

/** A callback that waits to be applied. */
export interface Waiting {
  id: string
  /** Its JSON: texts are mended, so that they can be stored. */
  value: JsonObject
  receivedAt: Date
}

export type Outcome =
  | { status: 'applied' }
  /** @property reason in plain English, for the log */
  | { status: 'ignored'; reason: string }
  /** For good: it is shown in the log, and can be applied again after a fix. */
  | { status: 'failed'; reason: string }
  /** It waits for something that is yet to come: it is given again, later and later. Once `until` is over it is ignored with this reason. */
  | { status: 'later'; until: Date; reason: string }

export const APPLIED: Outcome = { status: 'applied' }
