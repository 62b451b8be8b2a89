-- No statement of the delivery engine waits for a row of a webhook that another transaction holds: a web process frozen in the middle of a change,
-- or an operator's open psql, would otherwise stop the deliveries of all tenants, for one statement serves many of them. What is locked is
-- skipped and reported; the caller asks for it again a few times, soon, and leaves it to the sweep after that.

drop function webhook_wake(text[], text[]);

-- As before but for the locks. @returns the places of the webhooks that are to be woken still, for their rows were locked
create function webhook_wake(tenants text[], ids text[]) returns integer[] language plpgsql as $$
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
           'priority', least(r.place, 30000),
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

drop function webhook_release(text[], text[], uuid[], boolean[], bigint[], integer[]);

-- As before but for the locks, and without defaults. @returns a row for each lease that did not end: it goes on, for more is due, or its webhook's row was
-- locked
create function webhook_release(tenants text[], ids text[], tokens uuid[], rests boolean[], ended bigint[], versions integer[])
  returns table (place integer, is_locked boolean) language plpgsql set enable_seqscan to off as $$
declare
  kept bigint[];
  held bigint[];
  locked bigint[] := '{}';
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
  return query select k::integer, false from unnest(kept) k;
  if cardinality(kept) = cardinality(ids) then
    return;
  end if;
  select coalesce(array_agg(l.n), '{}')
    into held
    from (
      select w.n
        from webhook_endpoints e
        join unnest(tenants, ids) with ordinality as w (tenant_id, id, n) on e.tenant_id = w.tenant_id and e.id = w.id
       where w.n <> all (kept)
       order by e.tenant_id, e.id
         for no key update of e skip locked) l;
  if cardinality(kept) + cardinality(held) < cardinality(ids) then
    locked := array(
      select w.n
        from unnest(tenants, ids, tokens) with ordinality as w (tenant_id, id, token, n)
        join webhook_endpoints e on e.tenant_id = w.tenant_id and e.id = w.id
       where w.n <> all (kept) and w.n <> all (held) and e.lease_token = w.token);
    return query select l::integer, true from unnest(locked) l;
  end if;
  delete from graphile_worker._private_jobs j
   using unnest(ended) with ordinality as w (job, n)
   where j.id = w.job and w.n <> all (kept) and w.n <> all (locked);
  with released as (
    update webhook_endpoints e
       set lease_token = null,
           lease_until = case when w.rest and e.max_parallel = 1 then clock_timestamp() + interval '300 milliseconds' end,
           owed_at = null
      from unnest(tenants, ids, tokens, rests) with ordinality as w (tenant_id, id, token, rest, n)
     where e.tenant_id = w.tenant_id and e.id = w.id and e.lease_token = w.token and w.n = any (held)
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
