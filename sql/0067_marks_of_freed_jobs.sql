-- A job that is given back after its worker died in the middle of its slice counts as queued now, and so does its webhook. With the time at which it was first
-- queued, minutes ago for a slice that went on for long, the sweep took it for lost within a second, where it waited in another worker for a slot, and the
-- webhook lost its place. Only where the webhook had no mark: a job that was taken for lost before stays older than the mark of the one that was queued since.

-- As in 0064_marks_of_jobs.sql but for that.
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
