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

-- Wakes endpoints: owes a job to those that have none and hold no lease. Rows are locked in one order, so wakers never deadlock, and
-- plpgsql's second statement sees what a lease holder committed while the first one waited.
create function webhook_wake(tenants text[], ids text[]) returns integer language plpgsql as $$
declare
  jobs graphile_worker.job_spec[];
begin
  perform 1
     from webhook_endpoints e
     join unnest(tenants, ids) as w (tenant_id, id) on e.tenant_id = w.tenant_id and e.id = w.id
    order by e.tenant_id, e.id
      for no key update of e;
  with owed as (
    update webhook_endpoints e
       set owed_at = clock_timestamp()
      from (select distinct * from unnest(tenants, ids) as u (tenant_id, id)) w
     where e.tenant_id = w.tenant_id and e.id = w.id
       and e.status = 'enabled'
       and (e.owed_at is null or e.owed_at < clock_timestamp() - interval '10 seconds')
       and (e.lease_until is null or e.lease_until < clock_timestamp())
       and (e.silent_until is null or e.silent_until <= clock_timestamp())
    returning e.tenant_id, e.id
  )
  select array_agg(json_populate_record(null::graphile_worker.job_spec, json_build_object(
           'identifier', 'webhooks/deliver',
           'payload', json_build_object('tenantId', o.tenant_id, 'endpointId', o.id),
           'max_attempts', 1)))
    into jobs
    from owed o;
  -- Adding no jobs would notify all the same, and that serialises commits.
  if jobs is not null then
    perform graphile_worker.add_jobs(jobs);
  end if;
  return coalesce(cardinality(jobs), 0);
end
$$;

-- Ends a lease. Where work is due by now, the next job is owed in the same transaction: what came while the lease was held was not woken.
create function webhook_release(tenant text, endpoint text, token uuid) returns void language plpgsql as $$
begin
  perform 1 from webhook_endpoints e where e.tenant_id = tenant and e.id = endpoint and e.lease_token = token for no key update;
  if not found then
    return;
  end if;
  update webhook_endpoints e set lease_token = null, lease_until = null, owed_at = null where e.tenant_id = tenant and e.id = endpoint;
  if exists (
    select 1 from webhook_deliveries d
     where d.tenant_id = tenant and d.endpoint_id = endpoint and d.state = 'pending' and d.due_at <= clock_timestamp()
  ) then
    perform webhook_wake(array[tenant], array[endpoint]);
  end if;
end
$$;
