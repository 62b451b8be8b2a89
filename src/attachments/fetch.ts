// Fetches the files of received messages, one attempt after another for a day, so that a platform's hiccup loses no picture. The message was there at
// once; when the file is, or can no longer be, the message says so.
import { now } from '../clock.ts'
import type { Ref } from '../ids.ts'
import { FETCH_TOTAL_MS, FETCHES_AT_ONCE, FETCHES_OF_ONE_AT_ONCE } from '../limits/attachments.ts'
import { WORKER_DEATHS_MAX } from '../limits/queue.ts'
import type { OutboundClient } from '../outbound/client.ts'
import { begin, type Sql, type Tx } from '../postgres/sql.ts'
import { atMost } from '../queue/at-most.ts'
import { type Slice, type SliceContext, takeSlice } from '../queue/slice.ts'
import type { Trial } from '../queue/trial.ts'
import { roomForOutside, tooManyBytes } from '../tenants/quota.ts'
import { shown } from './attachments.ts'
import * as bytes from './bytes-store.ts'
import { download, type End } from './download.ts'
import { kindOf } from './kind.ts'
import * as leasing from './lease-store.ts'
import type { Locate } from './origin.ts'
import { nextFetch } from './schedule.ts'
import type { Failure, MessageFile } from './schema.ts'
import * as store from './store.ts'
import { createWriter, type Writer } from './writer.ts'

/** What fetching needs of the process. */
export interface FetchContext extends SliceContext {
  sql: Sql
  client: OutboundClient
  locate: Locate
  /** Changes the message that the file goes with, in the transaction that stores the file. */
  changed(tx: Tx, tenant: string, message: string, file: MessageFile): Promise<void>
  maxBytes: number
  /** How many bytes the workspace may keep. */
  storedBytes: number
}

/** Builds the function that fetches files in one process. */
export const createFetch = (context: FetchContext): ((ref: Ref, trial: Trial) => Promise<void>) =>
  atMost(
    FETCHES_AT_ONCE,
    (ref, afterSeconds) => leasing.leases.enqueue(context.sql, ref, afterSeconds),
    (_slot, ref, trial: Trial) => fetchOnce(context, ref, trial),
    FETCHES_OF_ONE_AT_ONCE,
  )

/** Ends the fetching of a file that killed its workers. */
export async function giveUp(context: FetchContext, ref: Ref): Promise<void> {
  const row = await store.find(context.sql, ref)
  const error = { code: 'worker_ended', message: `Its worker ended ${WORKER_DEATHS_MAX} times while it fetched the file.` }
  if (row?.status === 'pending' && row.message_id !== null) await fail(context, ref, row.message_id, error)
}

/** After an error of the database, which may be away for a moment, or full: the whole file is asked for again. */
const AGAIN_SECONDS = 5

interface Fetching extends FetchContext {
  ref: Ref
  token: string
  lease: leasing.Lease
  slice: Slice
  signal: AbortSignal
}

async function fetchOnce(context: FetchContext, ref: Ref, trial: Trial): Promise<void> {
  const { sql, stopping } = context
  const over = new AbortController()
  const row = { sql, leases: leasing.leases, ref, trial, ms: FETCH_TOTAL_MS, onOver: () => over.abort() }
  const taken = await takeSlice(context, row, token => leasing.take(sql, ref, token))
  if (!taken) return
  const { token, slice } = taken
  const signal = AbortSignal.any([over.signal, stopping])
  try {
    await fetchOrWait({ ...context, ...taken, ref, signal })
  } catch (error) {
    if (error instanceof LeaseLost) return
    await slice.giveBackAfter(error, () => leasing.leases.release(sql, ref, token, AGAIN_SECONDS))
    throw error
  } finally {
    slice.letGo()
  }
}

/** Another worker has taken over, or the message was deleted: nothing that is left here counts. */
class LeaseLost extends Error {
  override name = 'LeaseLost'
}

async function fetchOrWait(at: Fetching): Promise<void> {
  const { sql, ref, lease } = at
  const writer = guarded(at, createWriter(sql, ref))
  const end = await attempt(at, writer)
  if ('done' in end) return keep(at, writer)
  if ('interrupted' in end) return leasing.leases.release(sql, ref, at.token, (end.againInMs ?? 0) / 1000)
  const wait = 'again' in end ? nextFetch(lease.created_at.getTime(), now()) : undefined
  if (wait !== undefined) return leasing.leases.release(sql, ref, at.token, wait)
  await fail(at, ref, lease.message_id, 'again' in end ? end.again : (end as { failed: Failure }).failed, at.token)
}

// A worker that has lost its lease must not write into what another one writes.
const guarded = ({ slice }: Fetching, writer: Writer): Writer => ({
  ...writer,
  async add(piece) {
    if (!slice.lasts()) throw new LeaseLost()
    await writer.add(piece)
  },
})

async function attempt(at: Fetching, writer: Writer): Promise<End> {
  const { sql, ref, lease, storedBytes, locate, signal } = at
  if ((await roomForOutside(sql, ref.tenant, storedBytes)) <= 0) return { again: tooManyBytes(storedBytes) }
  const located = await locate({ tenant: ref.tenant, channel: lease.channel_id, source: lease.source, attempts: lease.attempts }, signal)
  if (signal.aborted) return { interrupted: true }
  if ('gone' in located) return { failed: located.gone }
  if ('again' in located) return located
  // What an attempt before has left.
  await bytes.clear(sql, ref)
  return download({ ...at, tenant: ref.tenant, writer }, located)
}

async function keep(at: Fetching, writer: Writer): Promise<void> {
  const { sql, ref, lease, token } = at
  await writer.end()
  const size = writer.size()
  const kind = await kindOf(writer.head(), lease.mime_type, lease.name ?? undefined)
  const file = shown({ id: ref.id, ...kind, size_bytes: size, name: lease.name, status: 'stored', error: null })
  await begin(sql, async tx => {
    // The message first: what deletes a message locks it before its files, too.
    await at.changed(tx, ref.tenant, lease.message_id, file)
    if (!(await leasing.holds(tx, ref, token))) throw new LeaseLost()
    await leasing.stored(tx, ref, kind, size)
  })
}

/** @param token of the lease; undefined: of no worker's, for they all died */
async function fail({ sql, changed }: FetchContext, ref: Ref, message: string, error: Failure, token?: string): Promise<void> {
  const row = await store.find(sql, ref)
  if (!row) return
  await begin(sql, async tx => {
    await changed(tx, ref.tenant, message, shown({ ...row, status: 'failed', error }))
    if (token !== undefined && !(await leasing.holds(tx, ref, token))) throw new LeaseLost()
    await leasing.failed(tx, ref, error)
  })
}
