-- The queue holds one job for a busy endpoint at most, at every moment: what waits in it is as much as there is to serve, whatever the backlog.
--
-- Two came about before. The next job was owed while the row of the one that ended was still there, until the queue's own completion of it;
-- now a turn ends together with its job, and that completion finds nothing left to delete. And an endpoint whose job waited for longer than
-- ten seconds was owed another, and another after that: when the pool was full, the queue grew though nothing was lost. Now whoever wakes
-- takes what is owed for granted, and the sweep looks into the queue for what was lost.
--
-- And a turn that has time left goes on with what came meanwhile. It was given back before, and the next one took a job, its lease and a claim: for
-- an endpoint with a steady stream each event waited for all of them. Now whoever ends a turn is told what is due, and keeps the lease for it.

create or replace function webhook_wake(tenants text[], ids text[]) returns integer language plpgsql as $$
declare
  jobs graphile_worker.job_spec[];
begin
  -- As a rule a job is owed already, and whoever takes it claims after it has taken: nothing to lock, nothing to write. A lease, in contrast,
  -- may be ending just now, having looked before what we speak of was there; that is for the lock to find out.
  if not exists (
    select 1
      from unnest(tenants, ids) as w (tenant_id, id)
      join webhook_endpoints e on e.tenant_id = w.tenant_id and e.id = w.id
     where e.status = 'enabled' and e.owed_at is null
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
       and e.owed_at is null
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

-- Ends leases and their jobs, or returns the places of those that go on. Where work is due by now, the next job is owed in the same transaction:
-- what came while the lease was held was not woken. `rest` asks for the opposite: the endpoint had to give way, so the sweep wakes it, and the
-- queue is spared a loop.
--
-- A turn's job is found by its id. The queue is empty again and again, and a plan made then reads all of it from beginning to end, for as long as
-- the connection keeps the plan: with ten thousand jobs waiting, several milliseconds for each end of a turn.
drop function webhook_release(text[], text[], uuid[], boolean[]);
create function webhook_release(
  tenants text[], ids text[], tokens uuid[], rests boolean[],
  -- by default none: workers that were started before this migration end their turns without them
  ended bigint[] default '{}',
  -- of the endpoint, as the turn knows it, where there is time to go on; null where there is none
  versions integer[] default '{}'
) returns setof integer language plpgsql set enable_seqscan to off as $$
declare
  kept bigint[];
  due record;
begin
  -- Without a lock: the lease is ours, and who keeps it claims after this.
  kept := array(
    select w.n
      from unnest(tenants, ids, tokens, versions) with ordinality as w (tenant_id, id, token, version, n)
      join webhook_endpoints e on e.tenant_id = w.tenant_id and e.id = w.id
     where e.lease_token = w.token and e.version = w.version and e.status = 'enabled'
       and exists (
         select 1 from webhook_deliveries d
          where d.tenant_id = w.tenant_id and d.endpoint_id = w.id and d.state = 'pending' and d.due_at <= clock_timestamp()));
  return query select unnest(kept)::integer;
  if cardinality(kept) = cardinality(ids) then
    return;
  end if;
  perform 1
     from webhook_endpoints e
     join unnest(tenants, ids) with ordinality as w (tenant_id, id, n) on e.tenant_id = w.tenant_id and e.id = w.id
    where w.n <> all (kept)
    order by e.tenant_id, e.id
      for no key update of e;
  delete from graphile_worker._private_jobs j
   using unnest(ended) with ordinality as w (job, n)
   where j.id = w.job and w.n <> all (kept);
  with released as (
    update webhook_endpoints e
       set lease_token = null, lease_until = null, owed_at = null
      from unnest(tenants, ids, tokens, rests) with ordinality as w (tenant_id, id, token, rest, n)
     where e.tenant_id = w.tenant_id and e.id = w.id and e.lease_token = w.token and w.n <> all (kept)
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
