-- Domain events. `body` is the envelope exactly as receivers get it, rendered once, so every retry sends the same bytes.
--
-- (xid, seq) is the order of commits as far as a reader may know it: all events of transactions below
-- pg_snapshot_xmin(pg_current_snapshot()) are visible, so a cursor behind that line never passes an event that commits later.
-- No foreign key to tenants here nor on the other tables that every order writes: the tenant comes from the authenticated key,
-- and the share lock on one tenant's row was the hottest spot of the write path.

create table events (
  tenant_id text not null,
  id text not null,
  type text not null,
  created_at timestamptz(3) not null,
  xid xid8 not null default pg_current_xact_id(),
  seq bigint not null generated always as identity,
  body text not null,
  primary key (tenant_id, id)
);

create index events_by_commit on events (tenant_id, xid, seq);
alter table events set (toast_tuple_target = 8160);
