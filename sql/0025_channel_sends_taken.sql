-- A message names the lease under which it is under way, as its queue does: each is then changed by what it says itself, in one statement. And a queue
-- says since when it is idle, so that it can be cleared away.

alter table channel_sends add column taken uuid;
alter table channel_queues add column idle_since timestamptz(3);

create index channel_queues_idle on channel_queues (tenant_id, idle_since) where due_at is null;
