// Imports: a file of rows, kept as it comes and then applied by a task; see upload.ts and apply.ts.

import type { Caller } from '../caller.ts'
import type { Ref } from '../ids.ts'
import { newId } from '../ids.ts'
import { IMPORTS_OF_TENANT } from '../limits.ts'
import { audit } from '../postgres/audit.ts'
import { begin, type Sql, type Tx } from '../postgres/sql.ts'
import { notFound, Problem } from '../problems.ts'
import { requireBytes } from '../tenants/quota.ts'
import { lockTenant } from '../tenants/tenants.ts'
import { queue } from './lease-store.ts'
import type { NewImport } from './schema.ts'
import * as store from './store.ts'
import { cancelled, receive, type Source } from './upload.ts'

/** What is asked for, and the file. */
export interface Asked extends Source, Pick<NewImport, 'mode' | 'dry_run' | 'events'> {}

/**
 * Takes in a file, in transactions of its own, and owes its being applied.
 * @param storedBytes what the workspace may keep, of uploads and exports
 * @param settle runs in the transaction that makes it an import: before that nothing of it can be applied
 * @throws {Problem} 422 for a file that cannot be read; nothing of it is kept. 409 for too many at once or too many bytes, and when it was cancelled
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

// A file that is refused leaves no trace. One that broke off is an import that failed: whoever sent it may not have heard.
async function giveUp(sql: Sql, ref: Ref, error: unknown): Promise<void> {
  const brokeOff = !(error instanceof Problem) || error.members['code'] === store.INCOMPLETE.code
  const done = brokeOff ? store.end(sql, ref, 'failed', store.INCOMPLETE) : store.remove(sql, ref)
  // Where not even that can be said, the sweep does.
  await Promise.resolve(done).catch(() => {})
}

/** Ends an import early: what was applied stays, the rest is dropped. One that is over stays as it is. @throws {Problem} 404 */
export async function cancel(tx: Tx, caller: Caller, id: string): Promise<string> {
  const ref = { tenant: caller.tenant, id: id }
  if (await store.end(tx, ref, 'cancelled', null)) await audit(tx, caller, 'import.cancel', id)
  const json = await store.findJson(tx, caller.tenant, id)
  if (json === undefined) throw notFound('import')
  return json
}
