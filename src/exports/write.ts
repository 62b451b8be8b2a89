// One slice of writing an export into the database, chunk by chunk. A chunk and the position where it ends are stored in one statement, so after a kill
// the next worker resumes exactly there. Two workers cannot write the same chunk: the second one gives up. So exports need no lease.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Ref } from '../ids.ts'
import { EXPORTS_AT_ONCE } from '../limits/exports.ts'
import { TIME_SLICE_MS, WORKER_DEATHS_MAX } from '../limits/queue.ts'
import type { Queryable, Sql, Tx } from '../postgres/sql.ts'
import { countRows, type Place, walk } from '../postgres/walk.ts'
import { atMost } from '../queue/at-most.ts'
import { type Trial, UNTRIED } from '../queue/trial.ts'
import { holdBytes, tooManyBytes } from '../tenants/quota.ts'
import type { Exportable } from './exportable.ts'
import { formatter } from './format.ts'
import * as store from './store.ts'

/** What writing needs of the process. */
export interface WriteContext {
  /** Connections of its own. */
  sql: Sql
  nouns: Exportable[]
  /** How many bytes of uploads and exports a workspace may keep. */
  storedBytes: number
  /** The process is stopping: the chunk under way is finished, and another process goes on. */
  stopping: AbortSignal
}

/** Builds the function that writes exports in one process: a few at once, in slices if others wait. */
export const createWrite = (context: WriteContext): ((ref: Ref, trial?: Trial) => Promise<void>) =>
  atMost(
    EXPORTS_AT_ONCE,
    (ref, afterSeconds) => store.enqueue(context.sql, ref, afterSeconds),
    (slot, ref, trial: Trial = UNTRIED) => {
      const late = performance.now() + TIME_SLICE_MS
      const isOver = (): boolean => context.stopping.aborted || trial.mustGiveWay() || (performance.now() > late && slot.isWanted())
      return writeSlice(context, ref, isOver, trial)
    },
  )

/** Ends an export that killed its workers, and names the rows they died at. */
export async function giveUp(sql: Queryable, ref: Ref): Promise<void> {
  const written = await store.written(sql, ref)
  if (!written) return
  const { rows, last_id } = written
  const place = last_id === null ? 'its first rows' : `the rows after the first ${rows}, of which ${last_id} is the last`
  await store.fail(sql, ref, { code: 'worker_ended', message: `Its worker ended ${WORKER_DEATHS_MAX} times at ${place}.` })
}

async function writeSlice({ sql, nouns, storedBytes }: WriteContext, ref: Ref, isOver: () => boolean, trial: Trial): Promise<void> {
  const asked = await store.running(sql, ref)
  if (!asked) return
  const noun = nouns.find(({ resource }) => resource === asked.resource)
  if (!noun) throw new Error(`${asked.resource} cannot be exported`)
  const source = noun.rows(ref.tenant, asked.filters as never)
  const until = asked.created_at.toISOString()
  if (asked.total === null) await store.setTotal(sql, ref, await countRows(sql, source, until))
  const { head, piece, sliceBytes } = formatter(noun, { ...asked, fields: asked.fields?.join(',') })
  // How many more bytes fit before the quota is checked again.
  let room = 0
  const fits = async (): Promise<boolean> => {
    const end = (tx: Tx) => store.fail(tx, ref, tooManyBytes(storedBytes))
    room = (await holdBytes(sql, ref.tenant, storedBytes, { end })) ?? -1
    return room >= 0
  }
  const next = walk({ sql, source, until, after: placeOf(asked), sliceBytes })
  for (let { chunks } = asked; ; chunks++) {
    const slice = await next()
    const text = Buffer.concat([chunks === 0 ? head : EMPTY, slice ? piece(slice.data) : EMPTY])
    if (text.length === 0) return (await fits()) ? store.complete(sql, ref, chunks) : undefined
    const chunk = { number: chunks, body: await zip(text, FAST), bytes: text.length, rows: slice?.rows ?? 0, last: slice?.last }
    if (!(await store.append(sql, ref, chunk))) return
    await trial.progressed()
    room -= chunk.body.length
    if ((room <= 0 || !slice?.more) && !(await fits())) return
    if (!slice?.more) return store.complete(sql, ref, chunks + 1)
    if (isOver()) return store.enqueue(sql, ref, 0)
  }
}

const placeOf = ({ last_at, last_id }: store.Running): Place | undefined =>
  last_at && last_id ? { at: last_at.toISOString(), id: last_id } : undefined

const zip = promisify<Buffer, object, Buffer>(gzip)
/** A tenth of the size at a third of the time of the default. */
const FAST = { level: 1 }
const EMPTY = Buffer.alloc(0)
