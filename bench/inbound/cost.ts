// What a message costs on its way: processor time of each process, and the time of statements in the database.
import { familyMs, processorMs } from '../../test/support/process-usage.ts'
import type { Reporting } from '../../test/support/processes.ts'
import { type Environment, serverMs, walPosition } from '../environment.ts'

const STATEMENTS_TOLD = 16

/** For the server: counts what statements take. */
export const COUNTING = { shared_preload_libraries: 'pg_stat_statements' }

export interface Meter {
  /** Prints what was used since the meter was made, for each of so many messages. */
  print(messages: number): Promise<void>
}

export async function meter(environment: Environment, processes: Record<string, Pick<Reporting, 'pid'>>): Promise<Meter> {
  const { sql } = environment.db
  await sql`create extension if not exists pg_stat_statements`
  await sql`select pg_stat_statements_reset()`
  const used = async () => ({
    ...Object.fromEntries(Object.entries(processes).map(([name, { pid }]) => [name, name === 'load' ? processorMs(pid) : familyMs(pid)])),
    PostgreSQL: await serverMs(environment),
  })
  const [before, wal] = [await used(), await walPosition(environment)]
  return {
    async print(messages) {
      const after = await used()
      const bytes = (await walPosition(environment)) - wal
      const each = Object.entries(after).map(
        ([name, ms]) => `${name} ${((ms - (before[name as keyof typeof before] ?? 0)) / messages).toFixed(2)}`,
      )
      console.log(`    processor time of a message in ms: ${each.join(', ')}; ${Math.round(bytes / messages)} bytes of write-ahead log`)
      const rows = await sql<{ ms: number; calls: number; wal: number; query: string }[]>`
        select total_exec_time + total_plan_time as ms, calls::float8 as calls, wal_bytes::float8 as wal, regexp_replace(query, '[[:space:]]+', ' ', 'g') as query
          from pg_stat_statements
         where dbid = (select oid from pg_database where datname = current_database()) and toplevel
         order by 1 desc
         limit ${STATEMENTS_TOLD}`
      for (const { ms, calls, wal: log, query } of rows)
        console.log(
          `      ${((ms / messages) * 1000).toFixed(0).padStart(5)} µs of a message, ${(calls / messages).toFixed(3)} times, ${Math.round(log / messages)} bytes: ${query.slice(0, 110)}`,
        )
    },
  }
}
