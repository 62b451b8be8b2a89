// Takes in a file as it comes: a message sends it later.
import { newId, type Ref } from '../ids.ts'
import { begin, type Sql, type Tx } from '../postgres/sql.ts'
import { invalid, type Problem } from '../problems.ts'
import { quotaReached, roomForOutside, roomLeft, tooManyBytes } from '../tenants/quota.ts'
import { lockTenant } from '../tenants/tenants.ts'
import { kindOf } from './kind.ts'
import { cleanName } from './name.ts'
import * as store from './store.ts'
import { createWriter } from './writer.ts'

export interface NewFile {
  tenant: string
  /** `vis_…`: the visitor of a web chat who sends it. */
  visitor?: string
  name?: string | undefined
  /** What its sender calls its type: it counts where the content leaves it open. */
  claimedType?: string | undefined
  bytes: AsyncIterable<Buffer>
}

/**
 * Stores a file, in transactions of its own.
 * @param storedBytes how many bytes the workspace may keep
 * @param settle runs in the transaction that makes the file usable
 * @throws {Problem} 422 for an empty file, or a name of which nothing is left; 409 where the workspace has no room. Nothing of it is kept then
 */
export async function upload<T>(
  sql: Sql,
  { tenant, visitor, name, claimedType, bytes }: NewFile,
  storedBytes: number,
  settle: (tx: Tx, row: store.Row) => Promise<T>,
): Promise<T> {
  const ref = { tenant, id: newId('att') }
  const called = cleanName(name)
  if (name !== undefined && called === undefined) throw unnamed()
  const roomFor = visitor === undefined ? roomLeft : roomForOutside
  const full = (): Problem => quotaReached(visitor === undefined ? tooManyBytes(storedBytes).message : NO_ROOM, storedBytes)
  if ((await roomFor(sql, tenant, storedBytes)) <= 0) throw full()
  await store.insertUpload(sql, ref, { name: called ?? null, visitor_id: visitor ?? null })
  try {
    const writer = createWriter(sql, ref)
    for await (const piece of bytes) await writer.add(piece)
    await writer.end()
    if (writer.size() === 0) throw empty()
    const kind = await kindOf(writer.head(), claimedType, called)
    return await begin(sql, async tx => {
      // Each of many uploads at once counts what the others have kept.
      await lockTenant(tx, tenant)
      if ((await roomFor(tx, tenant, storedBytes)) < writer.size()) throw full()
      if (!(await store.complete(tx, ref, { ...kind, size_bytes: writer.size() }))) throw late()
      return settle(tx, (await store.find(tx, ref)) as store.Row)
    })
  } catch (error) {
    await giveUp(sql, ref)
    throw error
  }
}

// If this fails, retention removes it within a day.
async function giveUp(sql: Sql, ref: Ref): Promise<void> {
  await store.remove(sql, ref).catch(() => {})
}

/** For a visitor, who knows nothing of imports and exports. */
const NO_ROOM = 'There is no room for this file just now; write what it shows, or send a smaller one.'
const empty = (): Problem => invalid({ field: '', code: 'empty_file', message: 'The file is empty; send its bytes as the body.' })
const unnamed = (): Problem =>
  invalid({ field: 'name', code: 'invalid_name', message: 'Nothing of the name can be shown; give one such as invoice.pdf, or none.' })
const late = (): Problem =>
  invalid({ field: '', code: 'upload_incomplete', message: 'The file took more than a day to arrive. Send it again.' })
