// The machine on which the figures were measured: without it they say nothing.
import { cpus, totalmem } from 'node:os'
import type { Sql } from '../src/postgres/sql.ts'

export async function describeMachine(sql: Sql): Promise<string> {
  const [server] = await sql`
    select current_setting('server_version') as version, current_setting('fsync') as fsync,
           current_setting('synchronous_commit') as synchronous_commit, current_setting('shared_buffers') as shared_buffers`
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  return [
    `machine   ${cpus()[0]?.model}, ${cpus().length} cores, ${memory}; database, server and load generator share it`,
    `versions  Node ${process.versions.node}, PostgreSQL ${server?.['version']}`,
    `settings  fsync ${server?.['fsync']}, synchronous_commit ${server?.['synchronous_commit']}, shared_buffers ${server?.['shared_buffers']}`,
  ].join('\n')
}
