-- A turn that has time left goes on with what came meanwhile. It was given back before, and the next one took a job, its lease and a claim: for
-- an endpoint with a steady stream each event waited for all of them. Now whoever ends a turn is told what is due, and keeps the lease for it.

drop function webhook_release(text[], text[], uuid[], boolean[], bigint[]);

-- Ends leases and their jobs, or returns the places of those that go on. Where work is due by now, the next job is owed in the same transaction:
-- what came while the lease was held was not woken. `rest` asks for the opposite: the endpoint had to give way, so the sweep wakes it, and the
-- queue is spared a loop.
create function webhook_release(
  tenants text[], ids text[], tokens uuid[], rests boolean[],
  -- by default none: workers that were started before the migrations that brought these end their turns without them
  ended bigint[] default '{}',
  -- of the endpoint, as the turn knows it, where there is time to go on; null where there is none
  versions integer[] default '{}'
) returns setof integer language plpgsql as $$
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
