-- A slice that took the lease of a dead worker asked whether that had died, and noted the death, before it began to send: two round trips of the three that lie between the
-- job and the first request, of half a second each where the machine is full. The death is known for certain where the lease is freed.

-- As in 0073_held_suspects.sql but for that.
create or replace function worker_gone(processes text[], pools text[], out gone text[], out its_pools text[], out leases integer, out jobs integer)
  language plpgsql as $$
declare
  due record;
  -- by the last beat of those that were not known to have ended before
  lived_at timestamptz;
begin
  gone := array(select p from unnest(processes) p where pg_try_advisory_xact_lock(worker_lock(p)));
  delete from worker_processes w where w.process = any (gone);
  if found then
    select max(p.beat_at) into lived_at from worker_pools p where p.process = any (gone);
  end if;
  with left_behind as (delete from worker_pools p where p.process = any (gone) returning p.id)
  select array_agg(l.id) into its_pools from left_behind l;
  its_pools := coalesce(its_pools, '{}') || pools;
  -- A webhook of which a worker died in its trial is held back. A worker that ends meanwhile without a trial speaks for a cause outside: the webhook is a suspect
  -- as before. The end of one that tried another suspect says nothing, or two that end workers would clear each other for ever: the time begins anew. Nor
  -- does one that was silent already when the webhook was held back: it may be the one that died of it, frozen, and the lease have lapsed before that is known.
  if lived_at is not null then
    update webhook_endpoints e
       set deaths = case when t.tried then e.deaths else 2 end,
           silent_until = case when t.tried then clock_timestamp() + interval '30 seconds' when e.failures > 0 then e.silent_until end
      from (
        select exists (select from webhook_endpoints o where o.deaths > 2 and left(o.lease_token::text, 18) = any (gone))
               or exists (select from begun_work b where b.deaths >= 2 and left(b.token::text, 18) = any (gone)) as tried) t,
           (select h.tenant_id, h.id from webhook_endpoints h
             where h.deaths = 3 and h.status = 'enabled' and h.lease_token is null and h.silent_until > clock_timestamp()
               and h.silent_until - interval '40 seconds' < lived_at
             order by h.tenant_id, h.id
               for no key update skip locked) h
     where e.tenant_id = h.tenant_id and e.id = h.id;
  end if;
  update begun_work b set deaths = b.deaths + 1, token = null where left(b.token::text, 18) = any (gone);

  -- The death is counted here, and no token tells of it to the slice that takes the lease next. It tells of the deaths of suspects, who may have been tried alone,
  -- and of webhooks with a rate, where it is what was used of that.
  with at_work as materialized (
    select j.payload ->> 'endpointId' as id, j.id as job
      from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id and t.identifier = 'webhooks/deliver'
     where j.locked_by = any (its_pools)
  ), held as materialized (
    select e.tenant_id, e.id, e.deaths < 2 and e.max_per_minute is null as is_plain
      from webhook_endpoints e
     where left(e.lease_token::text, 18) = any (gone) and e.lease_until > clock_timestamp()
     order by e.tenant_id, e.id
       for no key update skip locked
  ), freed as (
    update webhook_endpoints e
       set lease_until = clock_timestamp() - interval '1 millisecond',
           deaths = case when h.is_plain then e.deaths + 1 else e.deaths end,
           lease_token = case when not h.is_plain then e.lease_token end,
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
