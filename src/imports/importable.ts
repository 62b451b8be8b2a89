// The resources that can be imported: for each the shape of its rows, its unique fields, and the verbs that write rows.
import { type TObject, Type } from 'typebox'
import type { Caller } from '../caller.ts'
import { createAll as createContacts, upsertAll as upsertContacts } from '../contacts/contacts.ts'
import { Contact, NewContact } from '../contacts/schema.ts'
import { idPattern, type Prefix } from '../ids.ts'
import { placeAll } from '../orders/place.ts'
import { NewOrder, Order } from '../orders/schema.ts'
import type { Tx } from '../postgres/sql.ts'
import { Problem } from '../problems.ts'
import { createAll as createProducts, upsertAll as upsertProducts } from '../products/products.ts'
import { NewProduct, Product } from '../products/schema.ts'
import type { Shape } from './file/shape.ts'
import type { Mode, Resource } from './schema.ts'

export type Outcome = 'created' | 'updated' | 'unchanged'

export interface Importable {
  shape: Shape
  /** Fields that no two rows may share. */
  unique: string[]
  /** The values of a row's unique fields, null where they are not given. */
  keys(value: unknown): (string | null)[]
  /** The tables that these rows are written to and looked up in. */
  tables: string[]
  /** Writes rows that fit the shape. @returns what became of each, in the order given */
  apply(tx: Tx, caller: Caller, mode: Mode, rows: unknown[]): Promise<(Outcome | Problem)[]>
}

type Results = Promise<(Problem | { outcome: Outcome })[]>

const outcomes = async (results: Results): Promise<(Outcome | Problem)[]> =>
  (await results).map(each => (each instanceof Problem ? each : each.outcome))

/** @param upsert `ids` are the rows' own, where they have one that was made here */
const written =
  <T extends object>(
    prefix: Prefix,
    create: (tx: Tx, caller: Caller, inputs: T[]) => Results,
    upsert: (tx: Tx, caller: Caller, inputs: T[], ids: (string | undefined)[]) => Results,
  ): Importable['apply'] =>
  (tx, caller, mode, rows) => {
    const inputs = rows.map(row => {
      const { id: _, ...input } = row as T & { id?: unknown }
      return input as unknown as T
    })
    if (mode === 'create') return outcomes(create(tx, caller, inputs))
    const isOurs = new RegExp(idPattern(prefix))
    const idOf = ({ id }: { id?: unknown }) => (typeof id === 'string' && isOurs.test(id) ? id : undefined)
    return outcomes(upsert(tx, caller, inputs, (rows as { id?: unknown }[]).map(idOf)))
  }

/** Rows may have an id: of a resource here, as exports have it, or whatever another system calls by that name. */
const withId = (schema: TObject): TObject => ({ ...schema, properties: { ...schema.properties, id: Type.Unknown() } })

export const IMPORTABLE: Record<Resource, Importable> = {
  products: {
    shape: { schema: withId(NewProduct), answer: Product, exported: 'taken' },
    ...unique(['external_id', 'sku']),
    tables: ['products', 'product_skus'],
    apply: written<NewProduct>('prod', createProducts, upsertProducts),
  },
  contacts: {
    shape: { schema: withId(NewContact), answer: Contact, exported: 'taken' },
    ...unique(['external_id', 'email', 'phone']),
    tables: ['contacts'],
    apply: written<NewContact>('con', createContacts, upsertContacts),
  },
  orders: {
    shape: { schema: NewOrder, answer: Order, exported: 'refused' },
    ...unique(['external_id']),
    tables: ['orders', 'contacts'],
    apply: async (tx, caller, mode, rows) => {
      const placed = await placeAll(
        tx,
        (rows as NewOrder[]).map(input => ({ caller, input })),
      )
      return placed.map(each => {
        if (!(each instanceof Problem)) return 'created'
        // An order that exists is never changed by an import.
        return mode === 'upsert' && each.members['code'] === 'duplicate_external_id' ? 'unchanged' : each
      })
    },
  },
}

// E-mail addresses are compared in lower case. The field's number keeps the values of different fields apart.
function unique(fields: string[]): Pick<Importable, 'unique' | 'keys'> {
  return {
    unique: fields,
    keys: value =>
      fields.map((field, index) => {
        const held = (value as Record<string, unknown> | null)?.[field]
        if (typeof held !== 'string' || held.includes('\0')) return null
        return `${index}:${field === 'email' ? held.toLowerCase() : held}`
      }),
  }
}
