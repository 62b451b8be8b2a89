// Holds the conditions of flows against events, and writes a run for each flow that begins: events of several workspaces in one transaction, which also takes
// them away. So whatever becomes of the worker, each flow has one run for each event.
import type { Logger } from 'pino'
import { areActiveAt, plainSettingsOf } from '../../apps/installed.ts'
import type { TriggerType } from '../../apps/manifest/flow-shapes.ts'
import { now } from '../../clock.ts'
import { MATCH_ATTEMPTS, MATCHED_BYTES, MATCHED_EVENTS, RUNS_WRITTEN_TOGETHER } from '../../limits/flows.ts'
import { isUnavailable } from '../../postgres/errors.ts'
import { begin, beginBriefly, type Sql, type Tx } from '../../postgres/sql.ts'
import { wakeRunsAfter } from '../waking/wake.ts'
import { beginningsOf, begun } from './beginnings.ts'
import { newRun } from './new-run.ts'
import * as store from './store.ts'

/** What matching needs of its process. */
export interface MatchContext {
  sql: Sql
  /** The types of events that a flow may begin with. */
  triggers: readonly TriggerType[]
  log: Logger
}

/**
 * Matches what is due of these workspaces, as much as goes into one transaction.
 * @returns those that have more
 */
export async function match(context: MatchContext, tenants: string[]): Promise<string[]> {
  const most = Math.max(1, Math.floor(MATCHED_EVENTS / tenants.length))
  try {
    return await beginBriefly(context.sql, tx => matchSet(context, tx, tenants, { most, bytes: MATCHED_BYTES }))
  } catch (error) {
    if (isUnavailable(error)) throw error
    context.log.error({ err: error, tenants }, 'events could not be matched together; each is tried alone')
    return matchAlone(context, tenants)
  }
}

async function matchSet(context: MatchContext, tx: Tx, tenants: string[], portion: store.Portion): Promise<string[]> {
  const taken = await store.take(tx, tenants, portion)
  if (taken.length === 0) return []
  const read = taken.map(each => ({ ...each, envelope: each.body === null ? undefined : (JSON.parse(each.body) as Envelope) }))
  const writers = await writersOf(tx, read)
  const [runs, done]: [store.NewRun[], store.Taken[]] = [[], []]
  for (const event of read) {
    // What does not fit is taken the next time.
    if (runs.length >= RUNS_WRITTEN_TOGETHER) break
    done.push(event)
    if (event.envelope) runs.push(...(await runsOf(context, tx, event as Happened, writers)))
  }
  const begun = runs
    .filter(each => each.code === null)
    .map(({ tenant_id, app_id, revision }) => ({ tenant: tenant_id, id: app_id, revision }))
  // Disabled or upgraded since they were read, and their runs ended: one that is written now would go on. They are read anew.
  if (begun.length > 0 && !(await areActiveAt(tx, begun))) return tenants
  await store.write(tx, runs, done, new Date(now()), { isLast: true })
  wakeRunsAfter(tx, begun)
  const left = new Set(read.slice(done.length).map(({ tenant }) => tenant))
  const counts = Map.groupBy(taken, ({ tenant }) => tenant)
  for (const [tenant, of] of counts) if (of.length >= portion.most) left.add(tenant)
  return [...left]
}

interface Envelope {
  id: string
  type: string
  created_at: string
  data: { message?: { id: string; author?: { type: string; via: string | null } } }
}

interface Happened extends store.Taken {
  type: string
  envelope: Envelope
}

/** The writers of messages that flows wrote and that channels have sent since: by `<tenant> <message>`. */
type Writers = Map<string, store.Written>

// A channel tells later of what a flow wrote, and knows of no run.
async function writersOf(tx: Tx, events: (store.Taken & { envelope: Envelope | undefined })[]): Promise<Writers> {
  const messages = events.flatMap(({ tenant, lineage, envelope }) => {
    const message = envelope?.data.message
    return lineage === null && message?.author?.via === 'flow' ? [{ tenant_id: tenant, message_id: message.id }] : []
  })
  const found = messages.length > 0 ? await store.writersOf(tx, messages) : []
  return new Map(found.map(each => [`${each.tenant} ${each.message_id}`, each]))
}

async function runsOf({ triggers }: MatchContext, tx: Tx, event: Happened, writers: Writers): Promise<store.NewRun[]> {
  const { tenant, envelope } = event
  const writer = writers.get(`${tenant} ${envelope.data.message?.id}`)
  const cause = { depth: writer ? writer.depth + 1 : event.depth, lineage: event.lineage ?? writer?.lineage ?? [] }
  const { id, type, created_at, data } = envelope
  const around = { event: data, trigger: { id, type, created_at }, steps: {}, config: {}, run: { id: '' } }
  const beginnings = await beginningsOf(tx, { tenant, type, version: event.version }, triggers)
  const flows = await begun(beginnings, around, app => plainSettingsOf(tx, tenant, app))
  return flows.map(flow => newRun(flow.app, flow, event, cause))
}

/** The same for one event after the other, so that the one at fault is found: it is tried again later, and given up after some attempts. */
async function matchAlone(context: MatchContext, tenants: string[]): Promise<string[]> {
  const left = new Set<string>()
  for (const tenant of tenants) {
    try {
      for (const more of await beginBriefly(context.sql, tx => matchSet(context, tx, [tenant], { most: 1, bytes: MATCHED_BYTES })))
        left.add(more)
    } catch (error) {
      if (isUnavailable(error)) throw error
      await begin(context.sql, async tx => {
        const [event] = await store.take(tx, [tenant], { most: 1, bytes: MATCHED_BYTES })
        const gone = event && (await store.postpone(tx, event, MATCH_ATTEMPTS)).gone
        context.log.error({ err: error, tenant, event: event?.id, gone }, 'an event could not be matched with flows')
      })
      left.add(tenant)
    }
  }
  return [...left]
}
