// Every statement of events.
import type { Queryable } from '../postgres/sql.ts'

export async function insert(tx: Queryable, event: { tenant: string; id: string; type: string }, at: Date, body: string): Promise<void> {
  await tx`insert into events (tenant_id, id, type, created_at, body) values (${event.tenant}, ${event.id}, ${event.type}, ${at}, ${body})`
}
