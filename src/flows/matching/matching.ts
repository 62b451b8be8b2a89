// When a process matches: as soon as it is told of a workspace, together with those that it was told of meanwhile.
import { FLOW_TENANTS_TOGETHER } from '../../limits/flows.ts'
import { batched, spaced } from '../../postgres/batch.ts'
import type { Sql } from '../../postgres/sql.ts'
import { tell } from '../../queue/tell.ts'
import { matchingOf } from '../waking/wake.ts'
import { type MatchContext, match } from './match.ts'
import * as store from './store.ts'

export interface Matching {
  /** The workspace may have events that flows begin with. */
  told(tenant: string): void
  /** The same as a job. */
  match(tenant: string): Promise<void>
  /** Waits for what is under way. */
  ended(): Promise<void>
}

/** While one transaction waits for the disk, the next one works. */
const AT_ONCE = 2
/** Where events are many, the transaction and what is read of each workspace would be most of what matching them costs. */
const SPACING = { msEach: 4, mostMs: 50, full: FLOW_TENANTS_TOGETHER }

export function createMatching(context: MatchContext & { stopping: AbortSignal }): Matching {
  const underWay = new Set<Promise<void>>()
  /** Those whose turn has not begun, once each, however often this process is told of them. */
  const waiting = new Map<string, Promise<boolean>>()
  const { flush, turn } = spaced(async (tenants: string[]) => {
    for (const tenant of tenants) waiting.delete(tenant)
    const left = new Set(await match(context, tenants))
    return tenants.map(tenant => left.has(tenant))
  }, SPACING)
  const add = batched(flush, FLOW_TENANTS_TOGETHER, AT_ONCE, turn)

  function matched(tenant: string): Promise<boolean> {
    const more = waiting.get(tenant) ?? add(tenant)
    waiting.set(tenant, more)
    return more
  }

  async function matchAll(tenant: string): Promise<void> {
    while (!context.stopping.aborted && (await matched(tenant)));
  }

  return {
    told(tenant) {
      const work = matchAll(tenant)
        .catch(err => context.log.error({ err, tenant }, 'events could not be matched; the sweep tells of them again'))
        .finally(() => underWay.delete(work))
      underWay.add(work)
    },
    match: matchAll,
    async ended() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

/** How late events are before a worker is told once more: usually they are taken within milliseconds. */
const LATE_SECONDS = 1
/** How late they are before a job: the worker that was told is busy, or did not hear. */
const LEFT_SECONDS = 3

/** The sweep of events that no worker has taken. */
export async function sweepMatching(sql: Sql): Promise<void> {
  const late = await store.late(sql, LATE_SECONDS)
  if (late.length === 0) return
  for (let at = 0; at < late.length; at += FLOW_TENANTS_TOGETHER)
    await tell(sql, late.slice(at, at + FLOW_TENANTS_TOGETHER).map(matchingOf))
  const left = await store.late(sql, LEFT_SECONDS)
  if (left.length > 0) await store.queue(sql, left)
}
