-- A delivery costs a third less: what succeeded leaves its line in the log and nothing else.
--
-- Before, each success updated its row, which took a new entry in every index, because `state` decides what is in the index of what is due.
-- Now `webhook_deliveries` holds what is not delivered: pending, failed or dropped (and, of redeliveries and of old, succeeded). A success
-- under the lease deletes the row, and its line in the log, marked `final`, says all there is to say. The view below puts both together.
-- The log goes with its event, so whether an event was delivered is known for as long as it could be sent again.

-- A queue: never truncated, which takes a lock that stops everybody. Its rows are hardly ever updated.
alter table webhook_deliveries set (fillfactor = 100, vacuum_truncate = false);

alter table webhook_attempts
  -- this attempt ended its delivery: it succeeded under the lease, and deleted the row
  add column final boolean not null default false,
  -- what our request headers cannot be told from otherwise: X-Service-Signature, and the names of the tenant's own
  add column signature text,
  add column header_names text[],
  -- null for what was not done: a connection that is used again is not made
  add column dns_ms real,
  add column connect_ms real,
  add column tls_ms real,
  add column first_byte_ms real,
  add column total_ms real;

update webhook_attempts
   set signature = request_headers ->> 'X-Service-Signature',
       header_names = (
         select array_agg(h.name order by h.name)
           from jsonb_object_keys(request_headers) as h (name)
          where h.name not in ('Content-Type', 'User-Agent') and h.name not like 'X-Service-%'),
       dns_ms = (timings ->> 'dnsMs')::real,
       connect_ms = (timings ->> 'connectMs')::real,
       tls_ms = (timings ->> 'tlsMs')::real,
       first_byte_ms = (timings ->> 'firstByteMs')::real,
       total_ms = (timings ->> 'totalMs')::real;

-- Text is cheaper than jsonb for what is only ever shown. An answer without headers or body has null.
alter table webhook_attempts
  drop column timings,
  drop column request_headers,
  alter column response_headers type json using response_headers::json,
  drop constraint webhook_attempts_pkey,
  add primary key (tenant_id, endpoint_id, event_id, id);
drop index webhook_attempts_event;
drop index webhook_attempts_age;

-- Every delivery, where `listed`. No conditions in here, or the planner reads and sorts all rows for a page in order. No event is in both parts:
-- a line is final only where it deleted the row, and no row is made for what has a final line.
create view webhook_delivery_history as
select tenant_id, endpoint_id, event_id, state, attempts, first_attempt_at, due_at, finished_at, true as listed, false as logged
  from webhook_deliveries
union all
select tenant_id, endpoint_id, event_id, 'succeeded', attempt, null, started_at, started_at + duration_ms * interval '1 ms', final, true
  from webhook_attempts;

-- Of the last live attempt that failed, and when it was is last_failure_at. The log is in the order of events, not of time.
alter table webhook_endpoints add column last_error text, add column last_error_status smallint;

-- As before (0010), and the log goes as well.
create or replace function webhook_prune_events(
  after_tenant text, after_id text, before_id text, batch integer,
  out tenant_id text, out id text, out looked_at integer, out deleted integer
) language plpgsql as $$
declare
  tenants text[];
  ids text[];
  pending text[];
begin
  select array_agg(o.tenant_id order by o.id), array_agg(o.id order by o.id)
    into tenants, ids
    from (
      select e.tenant_id, e.id
        from events e
       where e.tenant_id = after_tenant and e.id > after_id and e.id < before_id
       order by e.id
       limit batch
         for update skip locked
    ) o;
  -- Then the tenants that follow. Two statements, because a comparison of both columns at once would walk through all the young events.
  if ids is null then
    select array_agg(o.tenant_id order by o.tenant_id, o.id), array_agg(o.id order by o.tenant_id, o.id)
      into tenants, ids
      from (
        select e.tenant_id, e.id
          from events e
         where e.tenant_id > after_tenant and e.id < before_id
         order by e.tenant_id, e.id
         limit batch
           for update skip locked
      ) o;
  end if;
  looked_at := coalesce(cardinality(ids), 0);
  deleted := 0;
  if looked_at = 0 then
    return;
  end if;
  tenant_id := tenants[looked_at];
  id := ids[looked_at];
  select coalesce(array_agg(distinct d.event_id), '{}')
    into pending
    from unnest(tenants, ids) as o (tenant_id, id)
    join webhook_endpoints n on n.tenant_id = o.tenant_id
    join webhook_deliveries d on d.tenant_id = n.tenant_id and d.endpoint_id = n.id and d.event_id = o.id
   where d.state = 'pending';
  delete from webhook_deliveries d
   using unnest(tenants, ids) as o (tenant_id, id), webhook_endpoints n
   where n.tenant_id = o.tenant_id and o.id <> all (pending)
     and d.tenant_id = n.tenant_id and d.endpoint_id = n.id and d.event_id = o.id;
  delete from webhook_attempts a
   using unnest(tenants, ids) as o (tenant_id, id), webhook_endpoints n
   where n.tenant_id = o.tenant_id and o.id <> all (pending)
     and a.tenant_id = n.tenant_id and a.endpoint_id = n.id and a.event_id = o.id;
  delete from events e
   using unnest(tenants, ids) as o (tenant_id, id)
   where e.tenant_id = o.tenant_id and e.id = o.id and o.id <> all (pending);
  get diagnostics deleted = row_count;
end
$$;
