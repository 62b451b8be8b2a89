-- The tenant's tools: rotating a secret, custom headers, a rate, pausing, test events, and sending again what failed or was missed.

-- `paused` keeps writing deliveries and sends none; every statement that sends asks for `enabled`. While `catching_up` is set, a paused
-- endpoint is on its way to `enabled`: what was held is dropped, or what it missed is written, by a task in small batches.
-- `disabled_xid`: transactions below it saw the endpoint enabled, so what it missed starts there, in the order of commits.
alter table webhook_endpoints
  drop constraint webhook_endpoints_status_check,
  add constraint webhook_endpoints_status_check check (status in ('enabled', 'paused', 'disabled')),
  add column disabled_xid xid8,
  add column catching_up jsonb,
  -- signed with as well until its time is over
  add column previous_secret text,
  add column previous_secret_until timestamptz(3),
  -- custom headers: encrypted JSON of names and values, and the names alone, which may be shown
  add column headers text,
  add column header_names text[] not null default '{}',
  -- the rate: the time up to which sending has used it up (see src/webhooks/pace.ts)
  add column max_per_minute integer,
  add column paced_until timestamptz(3);

-- A test event belongs to one endpoint; nobody else hears of it, and it is no part of what happened.
alter table events add column test_of text;

-- One request to send again: many events, one event, or a test. It is worked through in the order of event ids; `cursor` is the last one
-- whose result is recorded, and moves in the same statement as the counts, so a killed worker repeats only what was in flight.
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
  owed_at timestamptz(3) not null default clock_timestamp(),
  lease_token uuid,
  lease_until timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, endpoint_id) references webhook_endpoints (tenant_id, id) on delete cascade
) with (fillfactor = 50);

create index webhook_recoveries_endpoint on webhook_recoveries (tenant_id, endpoint_id, created_at, id);
-- What the sweep looks through; and a webhook has one large recovery at a time.
create index webhook_recoveries_running on webhook_recoveries (owed_at) where state = 'running';
create unique index webhook_recoveries_one on webhook_recoveries (tenant_id, endpoint_id)
  where state = 'running' and scope in ('failed', 'undelivered', 'all');

-- Where an attempt went, since the endpoint may be pointed elsewhere later; and whose it was: a recovery's says nothing of the endpoint's health.
alter table webhook_attempts add column url text, add column recovery_id text;
create index webhook_attempts_event on webhook_attempts (tenant_id, endpoint_id, event_id, id);

-- Few, so it costs the deliveries that succeed nothing.
create index webhook_deliveries_unsent on webhook_deliveries (tenant_id, endpoint_id, event_id) where state in ('failed', 'dropped');
