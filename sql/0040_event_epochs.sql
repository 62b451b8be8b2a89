-- Transactions are numbered by the cluster, and another cluster begins anew: where a dump was restored or an upgrade went by logical replication,
-- `xid` says nothing of before and after any more. So the order of commits is (epoch, xid, seq), and the epoch grows when the program first starts on
-- another cluster (src/postgres/epoch.ts). What has an older epoch than the present one is committed and visible, whatever its number.

-- The cluster whose transactions are numbered as this one's: its system identifier, and the timeline, which is another one after a restore to an
-- earlier point of time or a failover, where numbers may be given again. Null on a standby, which takes no changes.
create function cluster_identity() returns text language sql stable
  return case when not pg_is_in_recovery()
              then (select system_identifier from pg_control_system()) || '/' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end;

create table event_epoch (
  epoch integer not null,
  cluster text not null,
  since timestamptz(3) not null default now(),
  only_row boolean primary key default true check (only_row)
);
insert into event_epoch (epoch, cluster) values (1, cluster_identity());

-- What there is has epoch 0, also where it came with a dump already: nobody knows whose numbers these are, but all of it came earlier. A place that was
-- written down without an epoch is of epoch 0 as well. The default is for programs of before, while they are being replaced.
alter table events add column epoch integer not null default 0;
alter table events alter column epoch set default 1;
alter table webhook_endpoints add column disabled_epoch integer;
