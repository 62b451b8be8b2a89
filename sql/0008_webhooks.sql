-- Webhook endpoints, what is owed to them, and the log of what was tried.
--
-- The endpoint's row is the mutex of its deliveries: whoever holds `lease_token` sends, and results count only under that token.
-- `owed_at` says that a job for it lies in the queue. No hot column is indexed, so these updates stay on the page (HOT).

create table webhook_endpoints (
  tenant_id text not null references tenants on delete cascade,
  id text not null,
  url text not null,
  events text[] not null,
  description text,
  secret text not null,
  status text not null default 'enabled' check (status in ('enabled', 'disabled')),
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
  owed_at timestamptz(3),
  lease_token uuid,
  lease_until timestamptz(3),
  primary key (tenant_id, id)
) with (fillfactor = 40);

-- One row for each event and endpoint: the truth of what is owed. Jobs are only wake-ups.
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
) with (fillfactor = 70);

-- The sweep walks this index endpoint by endpoint (a loose scan), never the backlog behind each.
create index webhook_deliveries_due on webhook_deliveries (tenant_id, endpoint_id, due_at, event_id) where state = 'pending';

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
  timings jsonb,
  request_headers jsonb,
  response_headers jsonb,
  response_body text,
  -- by endpoint, as it is read: each index of this table is written by every delivery
  primary key (tenant_id, endpoint_id, id)
);

create index webhook_attempts_age on webhook_attempts (started_at);
