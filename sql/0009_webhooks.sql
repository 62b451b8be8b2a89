-- Webhook endpoints, what is owed to them, the log of what was tried, and recoveries.

-- The endpoint's row is the mutex of its deliveries: the holder of `lease_token` sends, and results count only under that token.
-- `queued_at` says that a job for it lies in the queue. No hot column is indexed, so these updates stay on the page (HOT).
--
-- `paused` keeps writing deliveries and sends none; every statement that sends asks for `enabled`. While `catching_up` is set, a paused
-- endpoint is on its way to `enabled`: what was held is dropped, or what it missed is written, by a task in small batches.
create table webhook_endpoints (
  tenant_id text not null references tenants on delete cascade,
  id text not null,
  url text not null,
  events text[] not null,
  description text,
  secret text not null,
  status text not null default 'enabled' check (status in ('enabled', 'paused', 'disabled')),
  disabled_at timestamptz(3),
  disabled_reason text,
  max_parallel smallint not null default 8,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- health: see src/webhooks/health.ts
  failures integer not null default 0,
  failing_since timestamptz(3),
  failure_known_at timestamptz(3),
  silent_until timestamptz(3),
  last_success_at timestamptz(3),
  last_failure_at timestamptz(3),
  -- scheduling
  queued_at timestamptz(3),
  lease_token uuid,
  lease_until timestamptz(3),
  -- Transactions below it, of the epoch `disabled_epoch`, saw the endpoint enabled: what it missed starts there, in the order of commits.
  disabled_xid xid8,
  catching_up jsonb,
  -- the leased work of catching up, beside that of deliveries: see src/queue/leased.ts
  catch_up_queued_at timestamptz(3),
  catch_up_token uuid,
  catch_up_until timestamptz(3),
  -- signed with as well until its time is over
  previous_secret text,
  previous_secret_until timestamptz(3),
  -- custom headers: encrypted JSON of names and values, and the names alone, which may be shown
  headers text,
  header_names text[] not null default '{}',
  -- the rate: the time up to which sending has used it up (see src/webhooks/endpoints/rate.ts)
  max_per_minute integer,
  paced_until timestamptz(3),
  -- the streak of failures, named by its start, that the tenant's admins were warned of
  warned_of timestamptz(3),
  -- The last live attempt that failed, which was at last_failure_at. It is not looked up in the log, which is in the order of events, not of time.
  last_error text,
  last_error_status smallint,
  -- Whether the origin of its URL has answered with 2xx. A tenant has few webhooks at an origin that has not, or an order would be POSTed as often
  -- as there are such webhooks, to a receiver that never agreed to it.
  proven boolean not null default false,
  -- Workers that died in a row while they held its lease, which stands in for a row of begun_work.
  deaths smallint not null default 0,
  -- What an attempt says of its receiver counts as long as the slate it was begun with is the webhook's: until the webhook is enabled anew, or moves
  -- to another address. The version is no measure of that: a changed description would undo a failure, and an ordered webhook's wait for the next
  -- attempt with it, which is a silence, so that five attempts would go by in seconds.
  slate integer not null default 0,
  disabled_epoch integer,
  primary key (tenant_id, id)
) with (fillfactor = 40);

create index webhook_endpoints_created on webhook_endpoints (tenant_id, created_at desc, id desc);
-- A webhook catches up in jobs. Where such a job is lost the webhook would be held for ever, so the sweep looks every few seconds for those
-- that have none. This index finds the few that catch up, however many webhooks there are.
create index webhook_endpoints_catching_up on webhook_endpoints (tenant_id, id) where catching_up is not null;

-- One row for each event and endpoint: the truth of what is owed. Jobs are only wake-ups. A success under the lease deletes the row, and its line in
-- the log says the rest (docs/decisions/2026-11-20-successful-deliveries-are-kept-only-in-the-log.md); so what is here is pending, failed or dropped, and of
-- redeliveries succeeded.
--
-- A queue, then, whose rows are hardly ever updated. It is never truncated, which takes a lock that stops every session. And its dead rows are cleared
-- away when they are a hundredth of the table, not the default fifth, for the index of what is due carries them along.
create table webhook_deliveries (
  tenant_id text not null,
  endpoint_id text not null,
  event_id text not null,
  state text not null default 'pending' check (state in ('pending', 'succeeded', 'failed', 'dropped')),
  attempts smallint not null default 0,
  first_attempt_at timestamptz(3),
  due_at timestamptz(3) not null,
  finished_at timestamptz(3),
  primary key (tenant_id, endpoint_id, event_id)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000, fillfactor = 100, vacuum_truncate = false);

-- The sweep walks this index endpoint by endpoint (a loose scan), never the backlog behind each.
create index webhook_deliveries_due on webhook_deliveries (tenant_id, endpoint_id, due_at, event_id) where state = 'pending';
-- Few, so it costs the deliveries that succeed nothing.
create index webhook_deliveries_unsent on webhook_deliveries (tenant_id, endpoint_id, event_id) where state in ('failed', 'dropped');

-- The log: a line for each attempt. It goes with its event, so whether an event was delivered is known for as long as it could be sent again.
create table webhook_attempts (
  tenant_id text not null,
  id bigint not null generated always as identity,
  endpoint_id text not null,
  event_id text not null,
  attempt smallint not null,
  started_at timestamptz(3) not null,
  duration_ms integer not null,
  status smallint,
  error text,
  -- Text is cheaper than jsonb for what is only ever shown. An answer without headers or body has null.
  response_headers json,
  response_body text,
  -- where it went, since the endpoint may be pointed elsewhere later
  url text,
  -- of the recovery that made it: such an attempt says nothing of the endpoint's health
  recovery_id text,
  -- this attempt ended its delivery: it succeeded under the lease, and deleted the row
  final boolean not null default false,
  -- what our request headers cannot be told from otherwise: X-Service-Signature, and the names of the tenant's own
  signature text,
  header_names text[],
  -- null for what was not done: a connection that is used again is not made
  dns_ms real,
  connect_ms real,
  tls_ms real,
  first_byte_ms real,
  total_ms real,
  -- Whether the log has the whole of an answer's body, or a cut body would look like a whole one: null for a whole one, else 'size' (there was
  -- more than is kept) or what ended it: 'timeout', 'connection-reset', …
  truncated text,
  -- by event, as it is read; each index of this table is written by every delivery, so there is no other
  primary key (tenant_id, endpoint_id, event_id, id)
);

-- Every delivery, where `listed`. No conditions in here, or the planner reads and sorts all rows for a page in order. No event is in both parts:
-- a line is final only where it deleted the row, and no row is made for what has a final line.
create view webhook_delivery_history as
select tenant_id, endpoint_id, event_id, state, attempts, first_attempt_at, due_at, finished_at, true as listed, false as logged
  from webhook_deliveries
union all
select tenant_id, endpoint_id, event_id, 'succeeded', attempt, null, started_at, started_at + duration_ms * interval '1 ms', final, true
  from webhook_attempts;

-- One request to send again: many events, one event, or a test. It is worked through in the order of event ids; `cursor` is the last one
-- whose result is recorded, and moves in the same statement as the counts, so a killed worker repeats only what was in flight.
--
-- No foreign key to its endpoint: recoveries, one for each redelivery, are cleared away in batches after a webhook is deleted (webhook_tombstones).
create table webhook_recoveries (
  tenant_id text not null,
  id text not null,
  endpoint_id text not null,
  scope text not null check (scope in ('failed', 'undelivered', 'all', 'event', 'test')),
  first_id text not null,
  -- the first id that is no longer of it
  end_id text not null,
  types text[],
  state text not null default 'running' check (state in ('running', 'completed', 'failed', 'cancelled')),
  reason text,
  max_per_second smallint not null,
  total integer not null,
  succeeded integer not null default 0,
  failed integer not null default 0,
  failures_in_row integer not null default 0,
  cursor text,
  created_at timestamptz(3) not null,
  finished_at timestamptz(3),
  -- scheduling: as an endpoint's, but of its own, for it sends beside the endpoint's lease
  queued_at timestamptz(3) not null default clock_timestamp(),
  lease_token uuid,
  lease_until timestamptz(3),
  -- `total` is counted to a bound: there may be more
  total_at_least boolean not null default false,
  primary key (tenant_id, id)
) with (fillfactor = 50);

create index webhook_recoveries_endpoint on webhook_recoveries (tenant_id, endpoint_id, created_at, id);
-- What the sweep looks through; and a webhook has one large recovery at a time.
create index webhook_recoveries_running on webhook_recoveries (queued_at) where state = 'running';
create unique index webhook_recoveries_one on webhook_recoveries (tenant_id, endpoint_id)
  where state = 'running' and scope in ('failed', 'undelivered', 'all');
-- Recoveries are kept as long as the log of what they sent; this finds the old ones.
create index webhook_recoveries_finished on webhook_recoveries (finished_at) where finished_at is not null;

-- A webhook is deleted at once, whatever it leaves behind, for its log may have millions of lines. Its row goes, without which nothing of it is shown,
-- sent or woken, and a tombstone tells retention what is to be cleared away in batches (src/webhooks/prune-store.ts).
create table webhook_tombstones (
  tenant_id text not null,
  id text not null,
  deleted_at timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);

-- Origins that answered with 2xx at a webhook which was since deleted, or sent elsewhere: they stay proven.
create table webhook_origins (
  tenant_id text not null,
  origin text not null,
  left_at timestamptz(3) not null default now(),
  primary key (tenant_id, origin)
);
