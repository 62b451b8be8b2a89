// Notices of processes about their environment: a row for each kind, which `shopdesk doctor` reads on any machine.
import type { Queryable } from './sql.ts'

/** @param detail one short line, which replaces the one before */
export async function note(sql: Queryable, name: string, detail: string): Promise<void> {
  await sql`
    insert into notices (name, detail) values (${name}, ${detail})
    on conflict (name) do update set detail = excluded.detail, seen_at = excluded.seen_at`
}

/** The notice, unless it was last seen more than `hours` ago. */
export async function noticed(sql: Queryable, name: string, hours: number): Promise<{ detail: string; seen_at: Date } | undefined> {
  const [row] = await sql<{ detail: string; seen_at: Date }[]>`
    select detail, seen_at from notices where name = ${name} and seen_at > now() - ${hours}::int * interval '1 hour'`
  return row
}
