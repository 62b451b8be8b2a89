-- A webhook is deleted at once, whatever it leaves behind. Its log may have millions of lines; they were deleted in the same statement, which took
-- ever longer, until no request could do it in its time. Now its row goes, without which nothing of it is shown, sent or woken, and a tombstone
-- tells retention what is to be cleared away in batches (src/webhooks/prune-store.ts).

create table webhook_tombstones (
  tenant_id text not null,
  id text not null,
  deleted_at timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);

-- Recoveries, one for each redelivery, went with their webhook in the same statement, too. Now they are cleared away with the rest.
alter table webhook_recoveries drop constraint webhook_recoveries_tenant_id_endpoint_id_fkey;
