// The questions of `shopdesk doctor` to the database.
import type { Queryable } from './sql.ts'

export async function server(sql: Queryable): Promise<{ version: number; name: string; size: string }> {
  const [row] = await sql<{ version: number; name: string; size: string }[]>`
    select current_setting('server_version_num')::int as version, current_setting('server_version') as name,
           pg_size_pretty(pg_database_size(current_database())) as size`
  return row as { version: number; name: string; size: string }
}

export async function newestMigration(sql: Queryable): Promise<number> {
  const [row] = await sql`select coalesce(max(number), 0) as newest from migrations`
  return Number(row?.['newest'])
}

/** The oldest first. */
export const migrationsApplied = (sql: Queryable): Promise<{ number: number; name: string }[]> =>
  sql<{ number: number; name: string }[]>`select number, name from migrations order by number`

/** Whether the database can be written: a standby and a read-only server cannot. */
export async function takesChanges(sql: Queryable): Promise<boolean> {
  const [row] = await sql`select current_setting('transaction_read_only') = 'off' as so`
  return row?.['so'] === true
}

/** A transaction that has written, in any database of the server: events of transactions that began after it wait for its end. */
export interface Holder {
  xid: string
  who: string
  /** The statement that ends it. */
  end: string
  /** null where this role may not see the age, as in another role's session. */
  seconds: number | null
}

/** The ten longest of them; those of unknown age come last. */
export function writers(sql: Queryable): Promise<Holder[]> {
  return sql<Holder[]>`
    select h.xid::text as xid, h.who, h.end, extract(epoch from clock_timestamp() - h.since)::int as seconds
      from (
        select backend_xid as xid, xact_start as since,
               format('%s, pid %s of role %s in database %s', coalesce(nullif(application_name, ''), 'a program without a name'), pid, usename, datname)
                 || case when state like 'idle%' then ', in which nothing happens,' else '' end as who,
               format('select pg_terminate_backend(%s)', pid) as end
          from pg_stat_activity
         where backend_xid is not null and pid <> pg_backend_pid()
         union all
        select transaction, prepared, format('a prepared transaction in database %s', database), format('rollback prepared %L', gid)
          from pg_prepared_xacts
      ) h
     order by h.since, age(h.xid) desc
     limit 10`
}

/** Milliseconds since 1970. */
export async function clock(sql: Queryable): Promise<number> {
  const [row] = await sql`select extract(epoch from clock_timestamp()) * 1000 as now`
  return Number(row?.['now'])
}
