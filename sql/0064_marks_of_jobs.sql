-- A job serves its webhook only if the mark there, queued_at, is its own: the time of the transaction that queued it, which the queue keeps as its created_at.
-- Any other job ends without effect, so a webhook never has two jobs for longer than the second waits in the queue. There are ways to a second one that
-- nothing prevents: a worker is frozen or cut off, the sweep takes the job that it holds for lost and queues another, and then the first is run after
-- all, by that worker or by the one to which it is given back. Such a job took the mark of the other for its own, and queued a third at its end:
-- the webhook had two from then on until nothing was due, and one more after each further fault
-- (docs/decisions/2026-11-28-a-job-knows-its-mark-by-the-time-it-was-queued.md).

-- Marks that were made before are later than the times of their jobs, by as long as a statement takes.
update webhook_endpoints set queued_at = queued_at - interval '1 second' where queued_at is not null;

-- As in 0010_webhooks_delivery.sql, but that the mark is the time of the transaction.
create or replace function webhook_wake(tenants text[], ids text[]) returns integer[] language plpgsql as $$
declare
  held integer[];
  jobs graphile_worker.job_spec[];
begin
  -- Usually a job is queued already, and its slice looks at what is due once more before it ends: nothing to lock, nothing to write. A lease, in
  -- contrast, may be ending just now, having looked before these deliveries were there; the lock finds that out.
  if not exists (
    select 1
      from unnest(tenants, ids) as w (tenant_id, id)
      join webhook_endpoints e on e.tenant_id = w.tenant_id and e.id = w.id
     where e.status = 'enabled' and e.queued_at is null
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
  with queued as (
    update webhook_endpoints e
       set queued_at = now()
      from (select distinct u.tenant_id, u.id from unnest(tenants, ids) with ordinality as u (tenant_id, id, n) where u.n = any (held)) w
     where e.tenant_id = w.tenant_id and e.id = w.id
       and e.status = 'enabled'
       and e.queued_at is null
       and (e.lease_until is null or e.lease_until < clock_timestamp())
       and (e.silent_until is null or e.silent_until <= clock_timestamp())
    returning e.tenant_id, e.id
  ), ranked as (
    -- By tenant and unnested again rather than joined: the planner takes `queued` for one row, and would count once for each pair.
    select t.tenant_id, u.id, u.nth + t.busy as rank
      from (
        select o.tenant_id, array_agg(o.id) as ids, (
                 select count(l.queued_at) from (select e.queued_at from webhook_endpoints e where e.tenant_id = o.tenant_id limit 1000) l) as busy
          from queued o
         group by o.tenant_id
      ) t, unnest(t.ids) with ordinality as u (id, nth)
  )
  select array_agg(json_populate_record(null::graphile_worker.job_spec, json_build_object(
           'identifier', 'webhooks/deliver',
           'payload', json_build_object('tenantId', r.tenant_id, 'endpointId', r.id),
           'priority', 1,
           'run_at', clock_timestamp() - make_interval(secs => 300 - 5 * least(r.rank, 60)),
           'max_attempts', 1)))
    into jobs
    from ranked r;
  -- Adding no jobs would still notify, which serialises commits.
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
     where w.n <> all (held) and e.status = 'enabled' and e.queued_at is null);
end
$$;

-- As in 0010_webhooks_delivery.sql, but that a mark stays: taking the lease cleared the slice's own. One that is there at its end was made after the lease
-- had lapsed, and is that of another job.
create or replace function webhook_release(
  tenants text[], ids text[], tokens uuid[], rests boolean[],
  -- the queue's ids of the slices' jobs; null for a slice that has none
  ended bigint[],
  -- the endpoint's version, as the slice knows it, if the slice has time to continue; else null
  versions integer[]
) returns table (place integer, is_locked boolean) language plpgsql set enable_seqscan to off as $$
declare
  kept bigint[];
  held bigint[];
  locked bigint[] := '{}';
  due record;
begin
  -- Without a lock: the lease is ours, and a slice that keeps it claims after this.
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
           lease_until = case when w.rest and e.max_parallel = 1 then clock_timestamp() + interval '300 milliseconds' end
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

-- As in 0062_jobs_that_wait.sql, but that the slice says which mark is its own, at the latest; null: it has no job.
create function webhook_take(
  tenant text, endpoint text, token uuid, lease_seconds integer, at_most integer, each_bytes integer, all_bytes integer,
  marked_by timestamptz
) returns table (
  url text, secret text, previous_secret text, headers text, max_per_minute integer, paced_until timestamptz, max_parallel smallint,
  version integer, slate integer, failures integer, failing_since timestamptz, failure_known_at timestamptz, silent_until timestamptz,
  last_success_at timestamptz, deaths smallint, lapsed uuid,
  event_id text, type text, bytes integer, body text, attempts smallint, first_attempt_at timestamptz, due_at timestamptz
) language plpgsql rows 10 as $$
#variable_conflict use_column
declare
  -- The begin of a range that the planner does not know: it then uses the index of due deliveries, whatever the tables held when it planned.
  ever constant timestamptz := '-infinity';
begin
  update webhook_endpoints w
     set lease_token = token, lease_until = clock_timestamp() + make_interval(secs => lease_seconds), queued_at = null
    from (select l.tenant_id, l.id from webhook_endpoints l where l.tenant_id = tenant and l.id = endpoint for no key update skip locked) l
   where w.tenant_id = l.tenant_id and w.id = l.id and w.status = 'enabled'
     and (w.lease_until is null or w.lease_until < clock_timestamp())
     and (w.silent_until is null or w.silent_until <= clock_timestamp())
     and (w.queued_at is null or w.queued_at <= marked_by)
  returning w.url, w.secret, case when w.previous_secret_until > clock_timestamp() then w.previous_secret end, w.headers, w.max_per_minute, w.paced_until,
            w.max_parallel, w.version, w.slate, w.failures, w.failing_since, w.failure_known_at, w.silent_until, w.last_success_at, w.deaths, old.lease_token
    into url, secret, previous_secret, headers, max_per_minute, paced_until,
         max_parallel, version, slate, failures, failing_since, failure_known_at, silent_until, last_success_at, deaths, lapsed;
  if not found then
    return;
  end if;
  return next;
  if failures > 0 then
    return;
  end if;
  return query
    select null::text, null::text, null::text, null::text, null::integer, null::timestamptz, null::smallint, null::integer, null::integer, null::integer,
           null::timestamptz, null::timestamptz, null::timestamptz, null::timestamptz, null::smallint, null::uuid,
           c.event_id, c.type, c.bytes, c.body, c.attempts, c.first_attempt_at, c.due_at
      from webhook_claim(array[tenant], array[endpoint], at_most, each_bytes, all_bytes) c;
end
$$;

-- For workers of the version before.
create or replace function webhook_take(
  tenant text, endpoint text, token uuid, lease_seconds integer, at_most integer, each_bytes integer, all_bytes integer,
  has_job boolean default true
) returns table (
  url text, secret text, previous_secret text, headers text, max_per_minute integer, paced_until timestamptz, max_parallel smallint,
  version integer, slate integer, failures integer, failing_since timestamptz, failure_known_at timestamptz, silent_until timestamptz,
  last_success_at timestamptz, deaths smallint, lapsed uuid,
  event_id text, type text, bytes integer, body text, attempts smallint, first_attempt_at timestamptz, due_at timestamptz
) language sql rows 10 as $$
  select t.*
    from webhook_take(tenant, endpoint, token, lease_seconds, at_most, each_bytes, all_bytes, case when has_job then 'infinity'::timestamptz end) t
$$;

-- As in 0013_workers_and_mail.sql, but that only jobs of deliveries count as jobs of webhooks; and a job that is given back after its worker died in the middle of
-- its slice counts as queued now, and so does its webhook. With the time at which it was first queued, minutes ago for a slice that went on for long, the sweep
-- took it for lost within a second, where it waited in another worker for a slot, and the webhook lost its place. Only where the webhook had no mark: a job that
-- was taken for lost before stays older than the mark of the one that was queued since.
create or replace function worker_gone(processes text[], pools text[], out gone text[], out its_pools text[], out leases integer, out jobs integer)
  language plpgsql as $$
declare
  due record;
begin
  gone := array(select p from unnest(processes) p where pg_try_advisory_xact_lock(worker_lock(p)));
  delete from worker_processes w where w.process = any (gone);
  with left_behind as (delete from worker_pools p where p.process = any (gone) returning p.id)
  select array_agg(l.id) into its_pools from left_behind l;
  its_pools := coalesce(its_pools, '{}') || pools;
  update begun_work b set deaths = b.deaths + 1, token = null where left(b.token::text, 18) = any (gone);

  -- The token stays: the slice that takes the lease next counts the death by it.
  with at_work as materialized (
    select j.payload ->> 'endpointId' as id, j.id as job
      from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id and t.identifier = 'webhooks/deliver'
     where j.locked_by = any (its_pools)
  ), held as materialized (
    select e.tenant_id, e.id
      from webhook_endpoints e
     where left(e.lease_token::text, 18) = any (gone) and e.lease_until > clock_timestamp()
     order by e.tenant_id, e.id
       for no key update skip locked
  ), freed as (
    update webhook_endpoints e
       set lease_until = clock_timestamp() - interval '1 millisecond',
           queued_at = case when e.queued_at is null and e.id in (select a.id from at_work a) then now() else e.queued_at end
      from held h
     where e.tenant_id = h.tenant_id and e.id = h.id
    returning e.tenant_id, e.id, e.queued_at, old.queued_at as was_queued_at
  )
  select count(*)::integer as freed, array_agg(f.tenant_id) filter (where f.queued_at is null) as tenants,
         array_agg(f.id) filter (where f.queued_at is null) as ids,
         (select array_agg(a.job) from at_work a join freed g on g.id = a.id where g.was_queued_at is null) as again
    into due
    from freed f;
  leases := due.freed;

  update mails m set claimed_by = null, claimed_until = null
   where (m.tenant_id, m.id) in (
     select o.tenant_id, o.id from mails o
      where o.claimed_by is not null and left(o.claimed_by::text, 18) = any (gone)
        for no key update skip locked);

  -- Jobs keep their place in the queue, which is not by created_at, and have at least one attempt left: deaths are counted apart from attempts.
  with back as (
    update graphile_worker._private_jobs j
       set locked_at = null, locked_by = null, attempts = least(j.attempts, j.max_attempts - 1),
           created_at = case when j.id = any (due.again) then now() else j.created_at end
     where j.id in (select o.id from graphile_worker._private_jobs o where o.locked_by = any (its_pools) for update skip locked)
    returning j.id
  )
  select count(*)::integer into jobs from back;
  if due.ids is not null then
    perform webhook_wake(due.tenants, due.ids);
  end if;
  if jobs > 0 then
    perform pg_notify('jobs:insert', json_build_object('r', random(), 'count', jobs)::text);
  end if;
end
$$;
