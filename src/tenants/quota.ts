// Quotas of a workspace. Their limits are settings.
import { Type } from 'typebox'
import { conflict } from '../ingress/problem-schemas.ts'
import { begin, type Queryable, type Sql, type Tx } from '../postgres/sql.ts'
import { Problem } from '../problems.ts'
import * as store from './store.ts'

export const QuotaReached = conflict('quota_reached', { limit: Type.Integer({ minimum: 1, description: 'As much as there may be.' }) })

/** @param detail says what to do about it */
export const quotaReached = (detail: string, limit: number): Problem => new Problem('conflict', detail, { code: QuotaReached.code, limit })

/** A growing upload or export is checked whenever it has grown by this much, or by what was left: a thousandth of the usual quota. */
const GROWTH_BYTES = 4 * 1024 ** 2

/** The error of an upload or an export that is refused, or ended. */
export const tooManyBytes = (limit: number): { code: string; message: string } => ({
  code: QuotaReached.code,
  message: `This workspace may keep ${limit} bytes of files, uploads and exports; wait until an import is over or an export expires, cancel one, or make do with a smaller file.`,
})

/**
 * Checks the quota before an upload or an export begins, with the workspace locked.
 * @returns how many bytes it may have until `holdBytes` must be asked
 * @throws {Problem} 409 where none are left
 */
export async function requireBytes(tx: Tx, tenant: string, limit: number): Promise<number> {
  const left = limit - (await store.keptBytes(tx, tenant))
  if (left <= 0) throw quotaReached(tooManyBytes(limit).message, limit)
  return Math.min(left, GROWTH_BYTES)
}

/** @returns how many bytes more the workspace may keep; of callers that are to count each other, each locks the workspace first */
export const roomLeft = async (sql: Queryable, tenant: string, limit: number): Promise<number> =>
  limit - (await store.keptBytes(sql, tenant))

/** Files from outside, whose senders a workspace has not chosen, may fill its bytes to this part: the rest is left for its own uploads and exports. */
const OUTSIDE_SHARE = 3 / 4

/** The same for files from outside: of visitors, and of customers on any channel. */
export const roomForOutside = (sql: Queryable, tenant: string, limit: number): Promise<number> =>
  roomLeft(sql, tenant, Math.floor(limit * OUTSIDE_SHARE))

/**
 * Checks whether an upload or an export that has grown still fits. If not, it is ended in the same transaction, so that of several at once some still
 * fit.
 * @param grown records its size, where that is not stored yet
 * @returns how many more bytes it may have until this must be asked again; undefined where it was ended
 */
export function holdBytes(
  sql: Sql,
  tenant: string,
  limit: number,
  { grown, end }: { grown?: (tx: Tx) => Promise<void>; end: (tx: Tx) => Promise<unknown> },
): Promise<number | undefined> {
  return begin(sql, async tx => {
    await store.lock(tx, tenant)
    await grown?.(tx)
    const left = limit - (await store.keptBytes(tx, tenant))
    if (left >= 0) return Math.min(left, GROWTH_BYTES)
    await end(tx)
    return undefined
  })
}
