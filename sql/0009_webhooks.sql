-- Webhook endpoints, their deliveries, the log of attempts, and recoveries.

-- The endpoint's row is the mutex of its deliveries: the holder of `lease_token` sends, and results count only under that token.
-- `queued_at` says that a job for it is queued. No hot column is indexed, so these updates stay on the page (HOT).
--
-- While an endpoint is `paused`, its deliveries are written and not sent; every statement that sends asks for `enabled`. While `catching_up` is set, a
-- paused endpoint is being enabled: a task drops the deliveries that were held, or inserts those it missed, in small batches.
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
  -- health: see src/webhooks/delivery/health.ts
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
  -- Transactions below it, of the epoch `disabled_epoch`, saw the endpoint enabled: the events it missed start there, in the order of commits.
  disabled_xid xid8,
  catching_up jsonb,
  -- the lease of catching up, apart from that of deliveries: see src/queue/leased.ts
  catch_up_queued_at timestamptz(3),
  catch_up_token uuid,
  catch_up_until timestamptz(3),
  -- requests are signed with this secret as well until then
  previous_secret text,
  previous_secret_until timestamptz(3),
  -- custom headers: encrypted JSON of names and values; and the names alone, which may be shown
  headers text,
  header_names text[] not null default '{}',
  -- the rate, and the time up to which sending has used it up (see src/webhooks/endpoints/rate.ts)
  max_per_minute integer,
  paced_until timestamptz(3),
  -- the start of the streak of failures that the tenant's admins were warned of
  warned_of timestamptz(3),
  -- The error of the last live attempt that failed, at last_failure_at. The log is no place to look it up: it is in the order of events, not of time.
  last_error text,
  last_error_status smallint,
  -- Whether the origin of its URL has answered with 2xx. A tenant may have only a few webhooks at an origin that has not: else each order would be POSTed
  -- many times to a receiver that never agreed to it.
  proven boolean not null default false,
  -- How many workers in a row died while they held its lease: the lease stands in for a row of begun_work.
  deaths smallint not null default 0,
  -- An attempt counts for the webhook's health only if the slate is the same as when it began: enabling the webhook anew, or moving it to another
  -- address, raises the slate. The version would not do: a changed description would undo a failure, and with it the silence in which an ordered webhook
  -- waits for its next attempt, so five attempts would go by in seconds.
  slate integer not null default 0,
  disabled_epoch integer,
  primary key (tenant_id, id)
) with (fillfactor = 40);

create index webhook_endpoints_created on webhook_endpoints (tenant_id, created_at desc, id desc);
-- A webhook catches up in jobs. If such a job is lost the webhook would be held for ever, so the sweep looks every few seconds for webhooks that catch
-- up without a job. This index finds the few that catch up, however many webhooks there are.
create index webhook_endpoints_catching_up on webhook_endpoints (tenant_id, id) where catching_up is not null;

-- One row for each event and endpoint: the truth of pending deliveries. Jobs are only wake-ups. A success under the lease deletes the row, and its line
-- in the log says the rest (docs/decisions/2026-11-20-successful-deliveries-are-kept-only-in-the-log.md); so a row is pending, failed or dropped, or
-- belongs to a redelivery that succeeded.
--
-- So this is a queue, whose rows are hardly ever updated. Vacuum never truncates it, for that takes a lock that stops every session. Vacuum starts when a
-- hundredth of the table is dead, not the default fifth, for the index of due deliveries carries the dead rows along.
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
-- Holds the few that failed or were dropped, so it costs successful deliveries nothing.
create index webhook_deliveries_unsent on webhook_deliveries (tenant_id, endpoint_id, event_id) where state in ('failed', 'dropped');

-- The log: a line for each attempt. It is deleted with its event, so whether an event was delivered is known as long as it can be sent again.
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
  -- Text is cheaper than jsonb for a value that is only shown. An answer without headers or body has null.
  response_headers json,
  response_body text,
  -- the URL of the attempt, since the endpoint's may change later
  url text,
  -- the recovery that made the attempt, which then does not count for the endpoint's health
  recovery_id text,
  -- whether the attempt ended its delivery: it succeeded under the lease, and deleted the row
  final boolean not null default false,
  -- the parts of our request headers that nothing else tells: X-Service-Signature, and the names of the tenant's own headers
  signature text,
  header_names text[],
  -- null for a step that was not taken: a connection that is used again is not made
  dns_ms real,
  connect_ms real,
  tls_ms real,
  first_byte_ms real,
  total_ms real,
  -- Why the stored body of an answer is incomplete, for a cut body looks like a whole one: null for a whole body, else 'size' (it was longer than is
  -- kept) or what ended it: 'timeout', 'connection-reset', …
  truncated text,
  -- by event, as the log is read; every delivery writes each index of this table, so there is no other
  primary key (tenant_id, endpoint_id, event_id, id)
);

-- The rows that are `listed` are all deliveries. The view has no conditions, or the planner would read and sort all rows for a page in order. No event is
-- in both parts: a line is final only if it deleted the row, and no row is inserted for an event with a final line.
create view webhook_delivery_history as
select tenant_id, endpoint_id, event_id, state, attempts, first_attempt_at, due_at, finished_at, true as listed, false as logged
  from webhook_deliveries
union all
select tenant_id, endpoint_id, event_id, 'succeeded', attempt, null, started_at, started_at + duration_ms * interval '1 ms', final, true
  from webhook_attempts;

-- One request to send again: many events, one event, or a test. Events are sent in the order of their ids; `cursor` is the last one whose result is
-- recorded, and moves in the same statement as the counts, so after a killed worker only the requests in flight are repeated.
--
-- There is no foreign key to the endpoint: recoveries, one for each redelivery, are deleted in batches after their webhook (webhook_tombstones).
create table webhook_recoveries (
  tenant_id text not null,
  id text not null,
  endpoint_id text not null,
  scope text not null check (scope in ('failed', 'undelivered', 'all', 'event', 'test')),
  first_id text not null,
  -- the first event id after the recovery's range
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
  -- scheduling: like an endpoint's, but apart from it, for a recovery sends beside the endpoint's lease
  queued_at timestamptz(3) not null default clock_timestamp(),
  lease_token uuid,
  lease_until timestamptz(3),
  -- counting `total` stopped at a bound: there may be more
  total_at_least boolean not null default false,
  primary key (tenant_id, id)
) with (fillfactor = 50);

create index webhook_recoveries_endpoint on webhook_recoveries (tenant_id, endpoint_id, created_at, id);
-- The sweep looks through running recoveries.
create index webhook_recoveries_running on webhook_recoveries (queued_at) where state = 'running';
-- A webhook has one large recovery at a time.
create unique index webhook_recoveries_one on webhook_recoveries (tenant_id, endpoint_id)
  where state = 'running' and scope in ('failed', 'undelivered', 'all');
-- Recoveries are kept as long as the log of their attempts; this index finds the old ones.
create index webhook_recoveries_finished on webhook_recoveries (finished_at) where finished_at is not null;

-- Deleting a webhook takes no longer for a log of millions of lines: only its row goes, without which nothing of it is shown, sent or woken, and a
-- tombstone tells retention to delete the rest in batches (src/webhooks/prune-store.ts).
create table webhook_tombstones (
  tenant_id text not null,
  id text not null,
  deleted_at timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);

-- Origins that answered with 2xx to a webhook which was since deleted or moved to another origin: they stay proven.
create table webhook_origins (
  tenant_id text not null,
  origin text not null,
  left_at timestamptz(3) not null default now(),
  primary key (tenant_id, origin)
);
