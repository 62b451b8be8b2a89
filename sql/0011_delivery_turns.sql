-- Waking endpoints and ending their leases. Turns of many endpoints share statements, and tenants are served in turn.
--
-- A wake-up's priority (the lower the sooner) is how many of its tenant's endpoints have a job owed already, so when the pool is full a tenant
-- with a thousand busy endpoints waits behind one with a single one. Counting them costs an index on what is owed, which is also why owing
-- and taking are no longer HOT: two index entries for a job, none for a delivery.

create index webhook_endpoints_owed on webhook_endpoints (tenant_id) where owed_at is not null;

-- Wakes endpoints: owes a job to those that have none and hold no lease. Rows are locked in one order, so wakers never deadlock, and
-- plpgsql's second statement sees what a lease holder committed while the first one waited.
create function webhook_wake(tenants text[], ids text[]) returns integer language plpgsql as $$
declare
  jobs graphile_worker.job_spec[];
begin
  -- As a rule a job is owed already, and whoever takes it claims after it has taken: nothing to lock, nothing to write. A lease, in contrast,
  -- may be ending just now, having looked before what we speak of was there; that is for the lock to find out.
  if not exists (
    select 1
      from unnest(tenants, ids) as w (tenant_id, id)
      join webhook_endpoints e on e.tenant_id = w.tenant_id and e.id = w.id
     where e.status = 'enabled' and (e.owed_at is null or e.owed_at < clock_timestamp() - interval '10 seconds')
  ) then
    return 0;
  end if;
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
  ), ranked as (
    -- By tenant and unnested again rather than joined: the planner takes `owed` for one row, and would count once for each pair.
    select t.tenant_id, u.id, u.place + t.busy as place
      from (
        select o.tenant_id, array_agg(o.id) as ids, (
                 select count(*) from (
                   select 1 from webhook_endpoints e where e.tenant_id = o.tenant_id and e.owed_at is not null limit 1000) l) as busy
          from owed o
         group by o.tenant_id
      ) t, unnest(t.ids) with ordinality as u (id, place)
  )
  select array_agg(json_populate_record(null::graphile_worker.job_spec, json_build_object(
           'identifier', 'webhooks/deliver',
           'payload', json_build_object('tenantId', r.tenant_id, 'endpointId', r.id),
           'priority', least(r.place, 30000),
           'max_attempts', 1)))
    into jobs
    from ranked r;
  -- Adding no jobs would notify all the same, and that serialises commits.
  if jobs is not null then
    perform graphile_worker.add_jobs(jobs);
  end if;
  return coalesce(cardinality(jobs), 0);
end
$$;

-- Ends leases. Where work is due by now, the next job is owed in the same transaction: what came while the lease was held was not woken.
-- `rest` asks for the opposite: the endpoint had to give way, so the sweep wakes it, and the queue is spared a loop.
create function webhook_release(tenants text[], ids text[], tokens uuid[], rests boolean[]) returns void language plpgsql as $$
declare
  due record;
begin
  perform 1
     from webhook_endpoints e
     join unnest(tenants, ids) as w (tenant_id, id) on e.tenant_id = w.tenant_id and e.id = w.id
    order by e.tenant_id, e.id
      for no key update of e;
  with released as (
    update webhook_endpoints e
       set lease_token = null, lease_until = null, owed_at = null
      from unnest(tenants, ids, tokens, rests) as w (tenant_id, id, token, rest)
     where e.tenant_id = w.tenant_id and e.id = w.id and e.lease_token = w.token
    returning e.tenant_id, e.id, w.rest
  )
  select array_agg(r.tenant_id) as tenants, array_agg(r.id) as ids
    into due
    from released r
   where not r.rest and exists (
     select 1 from webhook_deliveries d
      where d.tenant_id = r.tenant_id and d.endpoint_id = r.id and d.state = 'pending' and d.due_at <= clock_timestamp());
  if due.ids is not null then
    perform webhook_wake(due.tenants, due.ids);
  end if;
end
$$;
