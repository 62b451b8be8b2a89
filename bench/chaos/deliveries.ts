// Every delivery of an experiment, and what became of it: delivered and old ones leave no row.
import type { Sql } from '../../src/postgres/sql.ts'

/** Keeps every delivery and its state: delivered and old ones leave no row. */
export async function watchDeliveries(sql: Sql): Promise<void> {
  await sql`create table seen_deliveries (endpoint text, event text, state text, primary key (endpoint, event))`
  await sql.unsafe(`
    create function note_delivery() returns trigger language plpgsql security definer set search_path = public as $$
    begin
      insert into seen_deliveries values (new.endpoint_id, new.event_id, new.state)
          on conflict (endpoint, event) do update set state = excluded.state;
      return null;
    end
    $$`)
  await sql`create trigger note_delivery after insert or update of state on webhook_deliveries for each row execute function note_delivery()`
}

export interface Delivery {
  endpoint: string
  event: string
  state: string
}

export const deliveriesIn = (sql: Sql): Promise<Delivery[]> => sql<Delivery[]>`select endpoint, event, state from seen_deliveries`

export const fateOf = ({ endpoint, event, state }: Delivery, taken: Set<string>): string => {
  if (taken.has(`${endpoint} ${event}`)) return 'arrived'
  return state === 'failed' || state === 'dropped' ? state : `lost (${state})`
}
