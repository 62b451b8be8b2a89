// Rows with encrypted columns, over all tenants: for rotating SECRET_KEY. A ciphertext opens with the id of its key.
import { columns } from './row-set.ts'
import { type Fragment, part, type Queryable, type Tx } from './sql.ts'

export interface SealedTable {
  /** With `tenant_id` and `id`. */
  table: string
  /** What its rows are, in the plural. */
  what: string
  /** The encrypted columns, each with what binds its ciphertexts to their row. */
  columns: Record<string, (tenant: string, id: string) => string>
}

export interface Place {
  tenant: string
  id: string
}

/** A row with everything of it that is encrypted. */
export interface SealedRow extends Place {
  sealed: Record<string, string | null>
}

const name = (text: string): Fragment => part(text as never) as unknown as Fragment

const joined = (parts: Fragment[], between: Fragment): Fragment =>
  part`${parts.map((each, index) => (index === 0 ? each : part`${between}${each}`))}`

const outdated = ({ columns }: SealedTable, key: string): Fragment =>
  joined(
    Object.keys(columns).map(column => part`split_part(e.${name(column)}, '.', 1) <> ${key}`),
    part` or `,
  )

/** How many rows have anything encrypted by another key than this. */
export async function countOutdated(sql: Queryable, table: SealedTable, key: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*)::integer as count from ${name(table.table)} e where ${outdated(table, key)}`
  return row?.count ?? 0
}

/** Locks the next of them, in the order in which all transactions lock these rows. */
export function lockOutdated(tx: Tx, table: SealedTable, key: string, after: Place, count: number): Promise<SealedRow[]> {
  const members = joined(
    Object.keys(table.columns).map(column => part`${column}::text, e.${name(column)}`),
    part`, `,
  )
  return tx<SealedRow[]>`
    select e.tenant_id as tenant, e.id, json_build_object(${members}) as sealed
      from ${name(table.table)} e
     where (e.tenant_id, e.id) > (${after.tenant}, ${after.id}) and (${outdated(table, key)})
     order by e.tenant_id, e.id
     limit ${count}
       for no key update`
}

const SEALED = columns({ tenant: 'text', id: 'text', sealed: 'jsonb' })

/** Leaves version and time as they are: what the row stands for has not changed. */
export async function saveSealed(tx: Tx, table: SealedTable, rows: SealedRow[]): Promise<void> {
  const set = joined(
    Object.keys(table.columns).map(column => part`${name(column)} = r.sealed ->> ${column}::text`),
    part`, `,
  )
  const saved = rows.map(({ tenant, id, sealed }) => ({ tenant, id, sealed: JSON.stringify(sealed) }))
  await tx`update ${name(table.table)} e set ${set} from ${SEALED.of(saved)} where e.tenant_id = r.tenant and e.id = r.id`
}

/** The ids of the keys that encrypted anything in the table, and how many rows need each. */
export async function keysInUse(sql: Queryable, { table, columns }: SealedTable): Promise<{ key: string; rows: number }[]> {
  const all = joined(
    Object.keys(columns).map(column => part`e.${name(column)}`),
    part`, `,
  )
  return sql<{ key: string; rows: number }[]>`
    select split_part(s.sealed, '.', 1) as key, count(distinct (e.tenant_id, e.id))::integer as rows
      from ${name(table)} e, unnest(array[${all}]) as s (sealed)
     where s.sealed is not null
     group by 1
     order by 1`
}
