// Recording for all slices of a process: results of all workspaces share transactions, and a result that cannot be stored does not take the others with it.
// While the database is away, results wait for it as long as a lease lasts.
import { setTimeout as delay } from 'node:timers/promises'
import type { Failure } from '../../conversations/schema.ts'
import * as conversations from '../../conversations/sent.ts'
import type { Ref } from '../../ids.ts'
import { LEASE_SECONDS } from '../../limits/queue.ts'
import { batched } from '../../postgres/batch.ts'
import { isUnavailable, violatedConstraint } from '../../postgres/errors.ts'
import { beginBriefly, SHARED_LOCK_MS, type Sql } from '../../postgres/sql.ts'
import { type End, endAll } from './lease-store.ts'
import { type AttemptRow, late, parts } from './result-store.ts'

/** What becomes of a message. Times are milliseconds since 1970. */
export interface Fate {
  status: 'sent' | 'failed' | 'unknown' | 'queued'
  external_id?: string | null
  error?: Failure
  /** The customer wants nothing from the shop, by what the platform says. */
  isBlock?: true
  /** When a sent one went out. */
  sentAt?: number
  /** Attempts of the schedule that are used up. */
  attempts: number
  /** Of one that is queued: an attempt may have been taken. */
  inDoubt?: boolean
  /** How often it was sent to the platform in all, unless that is as before. */
  made?: number
  /** When it may be sent again: of one that is queued. */
  nextAt?: number
  /** The platform asked for a rest until then. */
  heldUntil?: number
}

/** A line of the log of attempts. */
export type Attempt = Omit<AttemptRow, 'tenant_id' | 'message_id' | 'channel_id'>

export interface Result {
  channel: Ref
  /** The lease under which the message was under way; null: it was not. */
  token: string | null
  conversation_id: string
  message_id: string
  /** When it was queued, where it was claimed: another sending of the message has another time. */
  queuedAt?: Date
  fate: Fate
  attempt?: Attempt
  /** The slice ends with it: what it leaves behind. */
  end?: End
}

/** Resolves when the result is durable. */
export type Recorder = (result: Result) => Promise<void>

/** Results of one transaction: its conversations stay locked for some 20 ms. */
const RESULTS_MAX = 100
/** Transactions at once, where there is enough for both: two small ones cost nearly twice as much as one. */
const TRANSACTIONS_AT_ONCE = 2
const ENOUGH = 50
const AGAIN_MS = 500

/** Together, results wait but a moment for locks. Where something is in the way of them, those of each workspace go by themselves, and patiently. */
export function createRecorder(sql: Sql, stopping: AbortSignal): Recorder {
  const add = batched<Result, Recorded>(
    async results => {
      if (await isWritten(sql, results)) return results.map(() => undefined)
      const groups = Map.groupBy(results, each => each.channel.tenant)
      const own = new Map([...groups].map(([tenant, each]) => [tenant, recordOwn(sql, each, stopping)]))
      // Not waited for: later ones go on.
      return results.map(result => own.get(result.channel.tenant)?.then(failed => failed.get(result)))
    },
    RESULTS_MAX,
    TRANSACTIONS_AT_ONCE,
    undefined,
    ENOUGH,
  )
  return async result => {
    const failed = await add(result)
    if (failed) throw failed.reason
  }
}

interface Failed {
  reason: unknown
}
type Recorded = Failed | undefined | Promise<Failed | undefined>

/** @returns false: they are to go by themselves, whatever the reason */
async function isWritten(sql: Sql, results: Result[]): Promise<boolean> {
  try {
    await write(sql, results, SHARED_LOCK_MS)
    return true
  } catch {
    return false
  }
}

/** Results of one workspace. @returns those that could not be recorded */
async function recordOwn(sql: Sql, results: Result[], stopping: AbortSignal): Promise<Map<Result, Failed>> {
  try {
    await recordPatiently(sql, results, stopping)
    return new Map()
  } catch (reason) {
    if (results.length === 1 || isUnavailable(reason)) return new Map(results.map(each => [each, { reason }]))
    const failed: [Result, Failed][] = []
    for (const result of results) failed.push(...(await recordOwn(sql, [result], stopping)))
    return new Map(failed)
  }
}

async function recordPatiently(sql: Sql, results: Result[], stopping: AbortSignal): Promise<void> {
  const until = performance.now() + LEASE_SECONDS * 1000
  for (;;) {
    try {
      return await write(sql, results)
    } catch (error) {
      const isEcho = violatedConstraint(error) === 'messages_external'
      if (!(isUnavailable(error) || isEcho) || stopping.aborted || performance.now() > until) throw error
    }
    await delay(AGAIN_MS, undefined, { signal: stopping }).catch(() => {})
  }
}

/** @param lockMs how long it waits for locks, unless as long as any statement */
async function write(sql: Sql, results: Result[], lockMs?: number): Promise<void> {
  const fates = results.map(({ channel: { tenant }, conversation_id, message_id, fate }) => ({
    tenant,
    conversation_id,
    message_id,
    status: fate.status,
    external_id: fate.external_id ?? null,
    error: fate.error ?? null,
    ...(fate.isBlock && { isBlock: fate.isBlock }),
    ...(fate.sentAt !== undefined && { sent_at: new Date(fate.sentAt).toISOString() }),
    ...(fate.made !== undefined && { attempts: fate.made }),
    next_attempt_at: timeOf(fate.nextAt),
  }))
  const rows = results.map(({ channel, token, conversation_id, message_id, queuedAt, fate }) => ({
    tenant_id: channel.tenant,
    message_id,
    conversation_id,
    channel_id: channel.id,
    token,
    queued_at: queuedAt?.toISOString() ?? null,
    done: fate.status !== 'queued',
    attempts: fate.attempts,
    in_doubt: fate.inDoubt ?? false,
    next_at: timeOf(fate.nextAt),
    held_until: timeOf(fate.heldUntil),
  }))
  const attempts = results.flatMap(({ channel, message_id, attempt }) =>
    attempt ? [{ ...attempt, tenant_id: channel.tenant, message_id, channel_id: channel.id }] : [],
  )
  const ends = results.flatMap(({ channel, token, end }) => (end && token ? [{ channel, token, end }] : []))
  await beginBriefly(sql, tx =>
    conversations.recordSends(tx, fates, {
      also: [...parts(rows, attempts), ...(ends.length > 0 ? [endAll(ends)] : [])],
      lockMs,
      late: late(rows),
    }),
  )
}

const timeOf = (ms: number | undefined): string | null => (ms === undefined ? null : new Date(ms).toISOString())
