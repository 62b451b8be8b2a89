// The rows that applying has written, written again by one connection: in multi-row statements of a hundred, with nothing decided.
import type { Sql } from '../../src/postgres/sql.ts'
import type { Environment } from '../environment.ts'

const TABLES = ['contacts', 'conversations', 'messages', 'audit_log', 'events'] as const
const TOGETHER = 100

export type Rows = Record<string, string[]>

/** The rows of each table as JSON lists of a hundred. */
export async function copyRows(sql: Sql): Promise<Rows> {
  const rows: Rows = {}
  for (const table of TABLES) {
    const found = await sql.unsafe(
      `select json_agg(c.row)::text as list
         from (select to_json(t) as row, (row_number() over () - 1) / ${TOGETHER} as part from ${table} t) c
        group by c.part`,
    )
    rows[table] = found.map(row => row['list'] as string)
  }
  return rows
}

/** @returns the seconds that it took */
export async function insertAgain({ db }: Environment, rows: Rows): Promise<number> {
  const connection = await db.sql.reserve()
  try {
    const from = performance.now()
    for (const table of TABLES)
      for (const list of rows[table] as string[])
        await connection.unsafe(
          `insert into ${table} overriding system value select (json_populate_recordset(null::${table}, $1::text::json)).*`,
          [list],
          { prepare: true },
        )
    return (performance.now() - from) / 1000
  } finally {
    connection.release()
  }
}
