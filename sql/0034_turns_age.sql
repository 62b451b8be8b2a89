-- Jobs of deliveries were served by priority, which was the place that a webhook has among the busy ones of its tenant: without regard to age. Where all
-- places were taken, and each turn of a small tenant ended in a new job of the first priority, a tenant with twelve busy webhooks got nothing.
-- They are served by age now, and a place counts as the five seconds that a turn may last: the twelfth webhook of a tenant ranks as if it had been woken a
-- minute later than the first. The rank is the time a job is due at, which must have passed: hence five minutes before the true time for all.

create or replace function webhook_wake(tenants text[], ids text[]) returns integer[] language plpgsql as $$
declare
  held integer[];
  jobs graphile_worker.job_spec[];
begin
  -- As a rule a job is owed already, and whoever takes it looks at what is due once more before it ends: nothing to lock, nothing to write. A lease,
  -- in contrast, may be ending just now, having looked before what we speak of was there; that is for the lock to find out.
  if not exists (
    select 1
      from unnest(tenants, ids) as w (tenant_id, id)
      join webhook_endpoints e on e.tenant_id = w.tenant_id and e.id = w.id
     where e.status = 'enabled' and e.owed_at is null
  ) then
    return '{}';
  end if;
  select coalesce(array_agg(l.n), '{}')
    into held
    from (
      select w.n::integer
        from webhook_endpoints e
        join unnest(tenants, ids) with ordinality as w (tenant_id, id, n) on e.tenant_id = w.tenant_id and e.id = w.id
       order by e.tenant_id, e.id
         for no key update of e skip locked) l;
  with owed as (
    update webhook_endpoints e
       set owed_at = clock_timestamp()
      from (select distinct u.tenant_id, u.id from unnest(tenants, ids) with ordinality as u (tenant_id, id, n) where u.n = any (held)) w
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
                 select count(l.owed_at) from (select e.owed_at from webhook_endpoints e where e.tenant_id = o.tenant_id limit 1000) l) as busy
          from owed o
         group by o.tenant_id
      ) t, unnest(t.ids) with ordinality as u (id, place)
  )
  select array_agg(json_populate_record(null::graphile_worker.job_spec, json_build_object(
           'identifier', 'webhooks/deliver',
           'payload', json_build_object('tenantId', r.tenant_id, 'endpointId', r.id),
           'priority', 1,
           'run_at', clock_timestamp() - make_interval(secs => 300 - 5 * least(r.place, 60)),
           'max_attempts', 1)))
    into jobs
    from ranked r;
  -- Adding no jobs would notify all the same, and that serialises commits.
  if jobs is not null then
    perform graphile_worker.add_jobs(jobs);
  end if;
  if cardinality(held) = cardinality(ids) then
    return '{}';
  end if;
  return array(
    select w.n::integer
      from unnest(tenants, ids) with ordinality as w (tenant_id, id, n)
      join webhook_endpoints e on e.tenant_id = w.tenant_id and e.id = w.id
     where w.n <> all (held) and e.status = 'enabled' and e.owed_at is null);
end
$$;
