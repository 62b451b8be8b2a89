// The catalogue: create, change, archive. One product is a set of one (see write.ts), so it is written alike alone, in bulk and by an import.
import type { Caller } from '../caller.ts'
import type { Precondition } from '../ingress/route.ts'
import type { Tx } from '../postgres/sql.ts'
import type { Problem } from '../problems.ts'
import type { NewProduct, ProductChange } from './schema.ts'
import { type Written, writeAll, writeOne } from './write.ts'

/** @returns for each what it became or why it was refused; see `writeAll` */
export const createAll = (tx: Tx, caller: Caller, inputs: NewProduct[]): Promise<(Written | Problem)[]> =>
  writeAll(
    tx,
    caller,
    inputs.map(create => ({ create })),
  )

/**
 * As `createAll`, but where a product has the id, else the external_id, else the sku, that product is changed. Fields not given stay as they are.
 * @param ids of the inputs, by their place; one of no product of this workspace counts for nothing
 */
export const upsertAll = (tx: Tx, caller: Caller, inputs: NewProduct[], ids: (string | undefined)[] = []): Promise<(Written | Problem)[]> =>
  writeAll(
    tx,
    caller,
    inputs.map((upsert, index) => ({ upsert, known: ids[index] })),
  )

/** @throws {Problem} 409 where the sku or the external_id is taken */
export const create = (tx: Tx, caller: Caller, input: NewProduct): Promise<Written> => writeOne(tx, caller, { create: input })

/** @returns its public JSON as changed. @throws {Problem} 404, 412, 409, 422 */
export async function change(tx: Tx, caller: Caller, id: string, input: ProductChange, unchanged: Precondition): Promise<string> {
  return (await writeOne(tx, caller, { change: input, id, unchanged })).json
}

/** Archives rather than deletes, for orders name the product. */
export const archive = (tx: Tx, caller: Caller, id: string, unchanged: Precondition): Promise<string> =>
  change(tx, caller, id, { status: 'archived' }, unchanged)
