-- Domain events, and the epochs that order them.

-- `body` is the envelope exactly as receivers get it, rendered once, so every retry sends the same bytes.
--
-- (epoch, xid, seq) is the order of commits as far as a reader may know it: all events of the present epoch whose transactions are below
-- pg_snapshot_xmin(pg_current_snapshot()) are visible, so a cursor below that line never passes an event that commits later.
-- This table has no foreign key to tenants, nor have the other tables that every order writes: the tenant comes from the authenticated key, and
-- the share lock on one tenant's row was the hottest spot of the write path.
create table events (
  tenant_id text not null,
  id text not null,
  type text not null,
  created_at timestamptz(3) not null,
  xid xid8 not null default pg_current_xact_id(),
  seq bigint not null generated always as identity,
  body text not null,
  -- A test event belongs to one endpoint: no other endpoint gets it, and GET /events leaves it out, for nothing happened.
  test_of text,
  -- The program always gives it; the default is the first epoch of event_epoch.
  epoch integer not null default 1,
  primary key (tenant_id, id)
) with (toast_tuple_target = 8160);

-- The order of commits: one descent for a page of GET /events and for the events that a webhook missed.
create index events_by_epoch on events (tenant_id, epoch, xid, seq);

-- Identifies the numbering of transactions: the cluster's system identifier and its timeline, which changes with a failover or a restore to an
-- earlier point in time, after which numbers may be given again. Null on a standby, which takes no writes.
create function cluster_identity() returns text language sql stable
  return case when not pg_is_in_recovery()
              then (select system_identifier from pg_control_system()) || '/' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end;

-- The cluster numbers transactions, and another cluster begins anew: after a dump was restored, or an upgrade by logical replication, `xid` no longer
-- tells before from after. So the epoch grows when the program first starts on another cluster (src/postgres/epoch.ts), and an event of an epoch
-- before the present one is committed and visible, whatever its number.
create table event_epoch (
  epoch integer not null,
  cluster text not null,
  since timestamptz(3) not null default now(),
  only_row boolean primary key default true check (only_row)
);
insert into event_epoch (epoch, cluster) values (1, cluster_identity());
