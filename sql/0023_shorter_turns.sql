-- What a turn costs where it is of one event. For each, its endpoint's row was written four times (owed, leased, its success told, released), twice
-- with new entries in all its indexes. Now it is written three times, in place: a lease is taken together with what is due, and ends together
-- with the record of the last result, as far as nothing more is due.

-- It was there to count a tenant's endpoints that have a job owed, and kept owing and taking from being HOT. They are counted among the tenant's
-- endpoints instead, a few rows of a few pages; for a tenant that has thousands, the first thousand tell enough.
drop index webhook_endpoints_owed;

-- As before but for that count, and for what it relies on: what is committed while a lease is being taken is no longer claimed at once, but
-- looked for before the turn ends.
create or replace function webhook_wake(tenants text[], ids text[]) returns integer language plpgsql as $$
declare
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
  return coalesce(cardinality(jobs), 0);
end
$$;

-- What is due of endpoints, oldest first; at least one of each, if there is any. For the statement that takes their leases: unlike that, a function
-- sees what the holder before recorded while the lock was waited for.
create function webhook_claim(tenants text[], ids text[], at_most integer, bytes integer)
  returns table (place integer, event_id text, type text, body text, attempts smallint, first_attempt_at timestamptz, due_at timestamptz)
  language plpgsql rows 100 as $$
#variable_conflict use_column
declare
  -- Where a range begins that the planner does not know: it then goes by the index of what is due, whatever there was when it planned.
  ever constant timestamptz := '-infinity';
begin
  return query
    select a.n::integer, c.event_id, c.type, c.body, c.attempts, c.first_attempt_at::timestamptz, c.due_at::timestamptz
      from unnest(tenants, ids) with ordinality as a (tenant_id, endpoint_id, n),
           lateral (
             select o.*, v.*, sum(octet_length(v.body)) over (order by o.due_at, o.event_id) - octet_length(v.body) as bytes_before
               from (
                 select d.event_id, d.attempts, d.first_attempt_at, d.due_at
                   from webhook_deliveries d
                  where d.tenant_id = a.tenant_id and d.endpoint_id = a.endpoint_id and d.state = 'pending'
                    and (d.due_at, d.event_id) > (ever, '') and d.due_at <= clock_timestamp()
                  order by d.due_at, d.event_id
                  limit at_most) o,
                    -- One row each: the offset keeps the planner from reading all events of the shop, to merge them with what it takes for few.
                    lateral (select e.type, e.body from events e where e.tenant_id = a.tenant_id and e.id = o.event_id offset 0) v
           ) c
     where c.bytes_before < bytes;
end
$$;

-- Ends the jobs of turns that have nothing left which is due, and says which. For the statement that records their last results, and holds their
-- endpoints locked: whoever made something due before is seen, and whoever does so later wakes the endpoint after us.
create function webhook_end_jobs(tenants text[], ids text[], jobs bigint[]) returns setof bigint
  language plpgsql rows 100 as $$
begin
  return query
    with idle as materialized (
      select w.job
        from unnest(tenants, ids, jobs) as w (tenant_id, id, job)
       where not exists (
         select 1 from webhook_deliveries d
          where d.tenant_id = w.tenant_id and d.endpoint_id = w.id and d.state = 'pending' and d.due_at <= clock_timestamp())
    ), gone as (
      delete from graphile_worker._private_jobs j using idle i where j.id = i.job
    )
    select i.job from idle i;
end
$$;
