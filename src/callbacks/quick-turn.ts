// The turn of sources that have a few new callbacks, as most have at most times: without a job, a lease or a trial, in one transaction that holds the sources'
// rows. Those that have news at the same moment share it. Whatever is not as simple as that is left to a turn by a job: a source that is leased, one with
// callbacks that failed or were left, an error.
import { isId, type Ref } from '../ids.ts'
import { APPLIED_TOGETHER, APPLIED_TOGETHER_BYTES, SHARED_TURN_BYTES, SHARED_TURN_CALLBACKS } from '../limits/callbacks.ts'
import { sideBySide } from '../postgres/side-by-side.ts'
import { ahead, beginBriefly, commitBehind, type Tx } from '../postgres/sql.ts'
import { applyTogether } from './apply.ts'
import type { Kind } from './kind.ts'
import { schedule, wake } from './lease-store.ts'
import { createLine } from './line.ts'
import { type Asked, type Claimed, claimNew, type Note, note, type Portion } from './store.ts'
import type { TurnContext } from './turn.ts'
import type { Waits } from './waiting.ts'

export type QuickTurnContext = Omit<TurnContext, 'standing'>

/**
 * A transaction that holds a source's row waits no longer for others: another may hold what it needs and want this row, as one does that disables a
 * channel. A deadlock would last a second.
 */
const ALONE: Portion = { most: APPLIED_TOGETHER, bytes: APPLIED_TOGETHER_BYTES, lockMs: 300 }
/** One source must not hold up the others. */
const SHARED: Portion = { most: SHARED_TURN_CALLBACKS, bytes: SHARED_TURN_BYTES, lockMs: 50 }

interface Applied {
  source: Waits
  claimed: Claimed[]
  notes: Note[]
}

export const kindOf = ({ kinds }: Pick<QuickTurnContext, 'kinds'>, ref: Ref): Kind | undefined =>
  kinds.find(({ prefix }) => isId(prefix, ref.id))

/** @returns the sources that have more to apply at once. @throws what one of them has failed with: then nothing of any is applied */
export async function quickTurn(context: QuickTurnContext, refs: Waits[]): Promise<Waits[]> {
  const { sql } = context
  const portion = refs.length > 1 ? SHARED : ALONE
  const { left, applied } = await beginBriefly(sql, async tx => {
    const [claimed, known] = await Promise.all([
      claimNew(tx, refs.map(askedNow), portion),
      sideBySide(
        tx,
        refs.map(ref => async () => kindOf(context, ref)?.know?.(tx, ref)),
      ),
    ])
    const news = refs.flatMap((source, index) => {
      const of = claimed.get(source.id) ?? []
      return of.length > 0 ? [{ source, claimed: of, known: known[index] }] : []
    })
    const applied = await sideBySide(
      tx,
      news.map(each => () => apply(tx, context, each)),
    )
    if (applied.length > 0) {
      ahead(tx, note(tx, applied))
      commitBehind(tx)
    }
    return { left: refs.filter(ref => !claimed.has(ref.id)), applied }
  })
  // Rows that others hold are waited for, but not by the next turn.
  leave(context, left)
  for (const { source, notes } of applied) if (notes.some(({ status }) => status === 'waiting')) await schedule(sql, source)
  return applied.filter(each => hasMore(each, portion)).map(({ source }) => source)
}

/** Leaves sources to turns by a job. */
export function leave({ sql, log }: Pick<QuickTurnContext, 'sql' | 'log'>, refs: Ref[]): void {
  if (refs.length === 0) return
  wake(sql, refs).catch(err => log.error({ err, sources: refs.map(({ id }) => id) }, 'sources could not be woken; the sweep will do it'))
}

const askedNow = ({ tenant, id, since }: Waits): Asked => ({ tenant, id, toldMs: performance.now() - since })

async function apply(tx: Tx, context: QuickTurnContext, each: { source: Waits; claimed: Claimed[]; known: unknown }): Promise<Applied> {
  const { source, claimed, known } = each
  const at = { kind: kindOf(context, source) as Kind, ref: source, known, line: createLine([]), log: context.log }
  return { source, claimed, notes: await applyTogether(tx, at, claimed) }
}

/** Whether more of the source may be due. */
const hasMore = ({ claimed }: Applied, { most, bytes }: Portion): boolean =>
  claimed.length === most || claimed.reduce((sum, { body }) => sum + body.length, 0) > bytes / 2
