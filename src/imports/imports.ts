// Imports: a file of rows is stored as it arrives and then applied by a task; see upload.ts and apply.ts.

import type { Caller } from '../caller.ts'
import type { Ref } from '../ids.ts'
import { newId } from '../ids.ts'
import { IMPORTS_OF_TENANT } from '../limits/imports.ts'
import { audit } from '../postgres/audit.ts'
import { begin, type Sql, type Tx } from '../postgres/sql.ts'
import { notFound, Problem } from '../problems.ts'
import { requireBytes } from '../tenants/quota.ts'
import { lockTenant } from '../tenants/tenants.ts'
import { queue } from './lease-store.ts'
import type { NewImport } from './schema.ts'
import * as store from './store.ts'
import { cancelled, receive, type Source } from './upload.ts'

/** The import that a caller asks for, with its file. */
export interface Asked extends Source, Pick<NewImport, 'mode' | 'dry_run' | 'events'> {}

/**
 * Stores a file, in transactions of its own, and queues the import.
 * @param storedBytes how many bytes of uploads and exports the workspace may keep
 * @param settle runs in the transaction that queues the import: before that none of it can be applied
 * @throws {Problem} 422 for a file that cannot be read, of which nothing is kept; 409 for too many imports or bytes, and when the import was cancelled
 * meanwhile
 */
export async function upload<T>(
  sql: Sql,
  caller: Caller,
  asked: Asked,
  storedBytes: number,
  settle: (tx: Tx, id: string, json: string) => Promise<T>,
): Promise<T> {
  const ref = { tenant: caller.tenant, id: newId('imp') }
  const { resource, format, mode = 'create', dry_run = false, events = true } = asked
  const room = await begin(sql, async tx => {
    await lockTenant(tx, caller.tenant)
    if ((await store.countUnderWay(tx, caller.tenant)) >= IMPORTS_OF_TENANT) throw tooMany()
    const bytes = await requireBytes(tx, caller.tenant, storedBytes)
    await store.insert(tx, caller, { id: ref.id, resource, mode, format, dry_run, events })
    return { bytes, storedBytes }
  })
  try {
    const bytes = await receive(sql, ref, asked, room)
    return await begin(sql, async tx => {
      if (!(await queue(tx, ref, bytes))) throw cancelled()
      await audit(tx, caller, 'import.begin', ref.id, { resource, mode, dry_run, events, bytes })
      return settle(tx, ref.id, (await store.findJson(tx, ref.tenant, ref.id)) as string)
    })
  } catch (error) {
    await giveUp(sql, ref, error)
    throw error
  }
}

const tooMany = (): Problem =>
  new Problem('conflict', `${IMPORTS_OF_TENANT} imports of this workspace are under way; wait until one is over, or cancel one.`, {
    code: 'too_many_imports',
  })

// A refused file leaves no trace. A file that broke off leaves a failed import: its sender may have got no answer.
async function giveUp(sql: Sql, ref: Ref, error: unknown): Promise<void> {
  const brokeOff = !(error instanceof Problem) || error.members['code'] === store.INCOMPLETE.code
  const done = brokeOff ? store.end(sql, ref, 'failed', store.INCOMPLETE) : store.remove(sql, ref)
  // If this fails, endDeadUploads ends the import.
  await Promise.resolve(done).catch(() => {})
}

/** Ends an import early: applied rows stay, the rest is dropped. An import that is over stays as it is. @throws {Problem} 404 */
export async function cancel(tx: Tx, caller: Caller, id: string): Promise<string> {
  const ref = { tenant: caller.tenant, id: id }
  if (await store.end(tx, ref, 'cancelled', null)) await audit(tx, caller, 'import.cancel', id)
  const json = await store.findJson(tx, caller.tenant, id)
  if (json === undefined) throw notFound('import')
  return json
}
