// Statements of several nouns in one round trip. Each noun writes its own part; here the parts become the CTEs of one statement.
import { STATEMENT_CHARS } from '../limits/bodies.ts'
import { commitBehind, type Fragment, part, type Queryable, type Tx } from './sql.ts'

// biome-ignore lint/suspicious/noExplicitAny: what a part returns is known to the noun that wrote it
type Rows = any[]

export interface Parts<Name extends string = never> {
  /** Parts whose rows are returned, whether they read or write. */
  reads?: { [N in Name]: Fragment | undefined }
  /** Parts whose rows are not returned. They may read the rows of `reads`, by their names. */
  writes?: (Fragment | undefined)[]
  /** Likewise, but `reads` may read the rows of these. */
  before?: Record<string, Fragment>
  /** The work of the transaction ends with this: see `commitBehind`. */
  isLast?: boolean
}

/**
 * Runs the parts as one statement. They see one snapshot and not each other's writes, and rows travel as JSON: times are text.
 * @returns the rows of each of `reads`
 */
export async function combine<Name extends string = never>(
  sql: Queryable,
  { reads, writes = [], before = {}, isLast = false }: Parts<Name>,
): Promise<{ [N in Name]: Rows }> {
  const requested = Object.entries(reads ?? {}) as [Name, Fragment | undefined][]
  const named = requested.filter(([, each]) => each !== undefined)
  const silent = writes.filter(each => each !== undefined).map((each, index) => [`write_${index}`, each] as const)
  const found = Object.fromEntries(requested.map(([name]) => [name, []])) as unknown as { [N in Name]: Rows }
  if (named.length + silent.length === 0) return found
  const ctes = [...Object.entries(before), ...named, ...silent].map(
    ([name, each], index) => part`${index === 0 ? part`` : part`, `}${asName(name)} as (${each as Fragment})`,
  )
  const results = named.map(([name]) => part`, (select json_agg(whole_row) from ${asName(name)} whole_row) as ${asName(name)}`)
  const answer = sql<Record<string, Rows | null>[]>`with ${ctes} select 1 as done ${results.length > 0 ? results : part``}`.execute()
  if (isLast) commitBehind(sql as Tx)
  const [row] = await answer
  for (const [name] of named) found[name] = row?.[name] ?? []
  return found
}

const asName = (name: string): Fragment => part`${part(name as never)}`

/** Splits rows into those of one statement each, in order. Usually that is one: but binding megabytes at once would hold up all other requests. */
export function statements<T extends { text: { readonly length: number } }>(rows: T[]): T[][] {
  const slices: T[][] = []
  let chars = Number.POSITIVE_INFINITY
  for (const row of rows) {
    chars += row.text.length
    if (chars > STATEMENT_CHARS) {
      slices.push([])
      chars = row.text.length
    }
    slices.at(-1)?.push(row)
  }
  return slices
}
