// Recording for all slices of a process: results of a workspace share a transaction, and a result that cannot be stored does not take the others with it.
// While the database is away, results wait for it as long as a lease lasts.
import { setTimeout as delay } from 'node:timers/promises'
import type { Caller } from '../../caller.ts'
import type { Failure } from '../../conversations/schema.ts'
import * as conversations from '../../conversations/sent.ts'
import type { Ref } from '../../ids.ts'
import { LEASE_SECONDS } from '../../limits.ts'
import { batched } from '../../postgres/batch.ts'
import { isUnavailable, violatedConstraint } from '../../postgres/errors.ts'
import { beginBriefly, type Sql } from '../../postgres/sql.ts'
import { type End, endWith } from './lease-store.ts'
import { type AttemptRow, parts } from './result-store.ts'

/** What becomes of a message. Times are milliseconds since 1970. */
export interface Fate {
  status: 'sent' | 'failed' | 'unknown' | 'queued'
  external_id?: string | null
  error?: Failure
  /** When a sent one went out. */
  sentAt?: number
  /** Attempts of the schedule that are used up. */
  attempts: number
  /** How often it was sent to the platform in all, unless that is as before. */
  made?: number
  /** When it may be sent again: of one that is queued. */
  nextAt?: number
  /** The platform asked for a rest until then. */
  heldUntil?: number
}

/** A line of the log of attempts. */
export type Attempt = Omit<AttemptRow, 'message_id' | 'channel_id'>

export interface Result {
  channel: Ref
  /** The lease under which the message was under way; null: it was not. */
  token: string | null
  conversation_id: string
  message_id: string
  fate: Fate
  attempt?: Attempt
  /** The slice ends with it: what it leaves behind. */
  end?: End
}

/** Resolves when the result is durable. */
export type Recorder = (result: Result) => Promise<void>

/** Results of one transaction: its conversations stay locked for some 20 ms. */
const RESULTS_MAX = 100
const AGAIN_MS = 500

export function createRecorder(sql: Sql, stopping: AbortSignal): Recorder {
  const lanes = new Map<string, { add: (result: Result) => Promise<Failed | undefined>; waiting: number }>()
  return async result => {
    const { tenant } = result.channel
    const lane = lanes.get(tenant) ?? { add: batched(results => recordTogether(sql, tenant, results, stopping), RESULTS_MAX), waiting: 0 }
    lanes.set(tenant, lane)
    lane.waiting++
    const failed = await lane.add(result)
    if (--lane.waiting === 0) lanes.delete(tenant)
    if (failed) throw failed.reason
  }
}

interface Failed {
  reason: unknown
}

async function recordTogether(sql: Sql, tenant: string, results: Result[], stopping: AbortSignal): Promise<(Failed | undefined)[]> {
  try {
    await recordPatiently(sql, tenant, results, stopping)
    return results.map(() => undefined)
  } catch (reason) {
    if (results.length === 1 || isUnavailable(reason)) return results.map(() => ({ reason }))
    const recorded: (Failed | undefined)[] = []
    for (const result of results) recorded.push(...(await recordTogether(sql, tenant, [result], stopping)))
    return recorded
  }
}

async function recordPatiently(sql: Sql, tenant: string, results: Result[], stopping: AbortSignal): Promise<void> {
  const until = Date.now() + LEASE_SECONDS * 1000
  for (;;) {
    try {
      return await write(sql, tenant, results)
    } catch (error) {
      const isEcho = violatedConstraint(error) === 'messages_external'
      if (!(isUnavailable(error) || isEcho) || stopping.aborted || Date.now() > until) throw error
    }
    await delay(AGAIN_MS, undefined, { signal: stopping }).catch(() => {})
  }
}

async function write(sql: Sql, tenant: string, results: Result[]): Promise<void> {
  const caller: Caller = { tenant, actor: { type: 'system' } }
  const fates = results.map(({ conversation_id, message_id, fate }) => ({
    conversation_id,
    message_id,
    status: fate.status,
    external_id: fate.external_id ?? null,
    error: fate.error ?? null,
    ...(fate.sentAt !== undefined && { sent_at: new Date(fate.sentAt).toISOString() }),
    ...(fate.made !== undefined && { attempts: fate.made }),
    next_attempt_at: timeOf(fate.nextAt),
  }))
  const rows = results.map(({ channel, token, conversation_id, message_id, fate }) => ({
    message_id,
    conversation_id,
    channel_id: channel.id,
    token,
    done: fate.status !== 'queued',
    attempts: fate.attempts,
    next_at: timeOf(fate.nextAt),
    held_until: timeOf(fate.heldUntil),
  }))
  const attempts = results.flatMap(({ channel, message_id, attempt }) =>
    attempt ? [{ ...attempt, message_id, channel_id: channel.id }] : [],
  )
  const ends = results.flatMap(({ channel, token, end }) => (end && token ? [endWith(channel, token, end)] : []))
  await beginBriefly(sql, tx => conversations.recordSends(tx, caller, fates, [...parts(tenant, rows, attempts), ...ends]))
}

const timeOf = (ms: number | undefined): string | null => (ms === undefined ? null : new Date(ms).toISOString())
