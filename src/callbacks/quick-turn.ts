// The turn of a source that has a few new callbacks, as most have at most times: without a job, a lease or a trial, in one transaction that holds the source's
// row. Whatever is not as simple as that is left to a turn by a job: a source that is leased, one with callbacks that failed or were left, an error.
import type { Logger } from 'pino'
import { isId, type Ref } from '../ids.ts'
import { APPLIED_AT_ONCE, APPLIED_TOGETHER, QUICK_TURNS_WAITING } from '../limits.ts'
import { ahead, beginBriefly, commitBehind, type Sql } from '../postgres/sql.ts'
import { applyTogether } from './apply.ts'
import type { Kind } from './kind.ts'
import { schedule, wake } from './lease-store.ts'
import { createLine } from './line.ts'
import { claimNew, note } from './store.ts'

export interface QuickTurnContext {
  sql: Sql
  kinds: Kind[]
  /** The process is stopping: no turn begins. */
  stopping: AbortSignal
  log: Logger
}

export interface QuickTurns {
  /** A source may have new callbacks. */
  told(ref: Ref): void
  /** Waits for the turns under way. */
  ended(): Promise<void>
}

export function createQuickTurns(context: QuickTurnContext): QuickTurns {
  const { sql, stopping, log } = context
  /** In the order of their turns. */
  const waiting = new Map<string, Ref>()
  const underWay = new Map<string, Promise<void>>()

  function told(ref: Ref): void {
    if (stopping.aborted) return
    if (waiting.size >= QUICK_TURNS_WAITING && !waiting.has(ref.id)) leave(ref)
    else waiting.set(ref.id, ref)
    go()
  }

  function go(): void {
    for (const [id, ref] of waiting) {
      if (underWay.size >= APPLIED_AT_ONCE || stopping.aborted) return
      // One that is told of during its turn has another one after.
      if (underWay.has(id)) continue
      waiting.delete(id)
      const turn = quickTurn(context, ref)
        .catch((err: unknown) => {
          log.debug({ err, source: id }, 'callbacks are left to a turn by a job')
          leave(ref)
        })
        .finally(() => {
          underWay.delete(id)
          go()
        })
      underWay.set(id, turn)
    }
  }

  function leave(ref: Ref): void {
    wake(sql, [ref]).catch(err => log.error({ err, source: ref.id }, 'a source could not be woken; the sweep will do it'))
  }

  return {
    told,
    async ended() {
      await Promise.all(underWay.values())
    },
  }
}

async function quickTurn({ sql, kinds, log }: QuickTurnContext, ref: Ref): Promise<void> {
  const kind = kinds.find(({ prefix }) => isId(prefix, ref.id))
  if (!kind) return
  const then = await beginBriefly(sql, async tx => {
    const [claimed, known] = await Promise.all([claimNew(tx, ref, APPLIED_TOGETHER), kind.know?.(tx, ref)])
    if (!claimed) return 'woken'
    if (claimed.length === 0) return 'done'
    const notes = await applyTogether(tx, { kind, ref, known, line: createLine([]), log }, claimed)
    ahead(tx, note(tx, ref, notes))
    commitBehind(tx)
    return claimed.length === APPLIED_TOGETHER || notes.some(({ status }) => status === 'waiting') ? 'scheduled' : 'done'
  })
  if (then === 'woken') await wake(sql, [ref])
  if (then === 'scheduled') await schedule(sql, ref)
}
