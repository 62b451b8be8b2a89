// Which sources have their quick turns together. There is no timer: a source alone does not wait, and what comes while a turn is under way goes together
// with the next. Two such turns at once would be half as large each, and cost nearly as much as whole ones. If one fails, each of its sources has a turn
// of its own; one that fails alone as well is left to a job, and stays apart for a while.
import type { Ref } from '../ids.ts'
import { APPLIED_AT_ONCE, QUICK_TURNS_WAITING, SHARED_TURN_SOURCES } from '../limits/callbacks.ts'
import { kindOf, leave, type QuickTurnContext, quickTurn } from './quick-turn.ts'
import { createWaiting, type Waits } from './waiting.ts'

/** How long a source that failed shares no turn. */
const APART_MS = 60_000
/** How long a source may wait here, and how long its turn may take, before the sweep gives it a job all the same, which another worker may take. */
const WAITS_MS = 60_000

export interface QuickTurns {
  /** A source may have new callbacks. */
  told(ref: Ref): void
  /** The ids of sources that have their turn here, or are to have it: this process is merely busy. */
  waiting(): string[]
  /** Waits for the turns under way. */
  ended(): Promise<void>
}

export function createQuickTurns(context: QuickTurnContext): QuickTurns {
  const { stopping, log } = context
  /** Those that share a turn, and those that have one of their own. */
  const [waiting, waitingAlone] = [createWaiting(), createWaiting()]
  /** When the turn of each began, by performance.now(). One that is told of during its turn has another one after. */
  const underWay = new Map<string, number>()
  const turns = new Set<Promise<void>>()
  let sharing = false
  /** Until when a source has turns of its own, by performance.now(). */
  const apart = new Map<string, number>()

  function add(source: Waits): void {
    if (stopping.aborted) return
    const line = isAlone(source) ? waitingAlone : waiting
    if (line.size() >= QUICK_TURNS_WAITING && !line.has(source)) leave(context, [source])
    else line.add(source)
    go()
  }

  const isApart = ({ id }: Ref): boolean => performance.now() < (apart.get(id) ?? 0)
  const isAlone = (ref: Ref): boolean => isApart(ref) || !kindOf(context, ref)?.sharesTurns
  const isFree = ({ id }: Ref): boolean => !underWay.has(id)

  function go(): void {
    while (!stopping.aborted && turns.size < APPLIED_AT_ONCE) {
      const [one] = waitingAlone.take(1, isFree)
      const refs = one || sharing ? [] : waiting.take(SHARED_TURN_SOURCES, isFree)
      if (one) begin([one], alone(one))
      else if (refs.length > 0) begin(refs, together(refs))
      else return
    }
  }

  function begin(refs: Waits[], work: Promise<void>): void {
    for (const { id } of refs) underWay.set(id, performance.now())
    const turn = work.finally(() => {
      turns.delete(turn)
      for (const { id } of refs) underWay.delete(id)
      go()
    })
    turns.add(turn)
  }

  async function together(refs: Waits[]): Promise<void> {
    sharing = true
    try {
      for (const source of await quickTurn(context, refs)) add(source)
    } catch (err) {
      log.debug({ err, sources: refs.map(({ id }) => id) }, 'sources that shared a turn have turns of their own')
      for (const ref of refs) setApart(ref)
    } finally {
      sharing = false
    }
  }

  async function alone(ref: Waits): Promise<void> {
    try {
      const more = await quickTurn(context, [ref])
      apart.delete(ref.id)
      for (const each of more) add(each)
    } catch (err) {
      log.debug({ err, source: ref.id }, 'callbacks are left to a turn by a job')
      leave(context, [ref])
    }
  }

  function setApart(ref: Waits): void {
    for (const [id, until] of apart) if (until < performance.now()) apart.delete(id)
    apart.set(ref.id, performance.now() + APART_MS)
    waitingAlone.add(ref)
  }

  return {
    told: ({ tenant, id }) => add({ tenant, id, since: performance.now() }),
    waiting() {
      const from = performance.now() - WAITS_MS
      const inLine = [...waiting.all(), ...waitingAlone.all()].filter(each => each.since > from).map(({ id }) => id)
      const begun = [...underWay].filter(([, since]) => since > from).map(([id]) => id)
      // One whose turn is about to end may have more, and is in line again before the sweep has asked the database.
      return [...new Set([...begun, ...inLine])]
    },
    async ended() {
      while (turns.size > 0) await Promise.all(turns)
    },
  }
}
