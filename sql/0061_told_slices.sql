-- A slice of which a worker was told directly has no job, and uses up none. It cleared `queued_at` as a slice with a job does, though a job of its webhook
-- was waiting in the queue; when it ended with more due, it queued another beside that one. The webhook stays queued through such a slice: the job serves
-- what is due then. A job that comes during the slice is used up, and says so (stillLocked in src/webhooks/delivery/lease-store.ts).

-- As in 0010_webhooks_delivery.sql but for that. The default is for workers of the version before.
drop function webhook_take(text, text, uuid, integer, integer, integer, integer);
create function webhook_take(
  tenant text, endpoint text, token uuid, lease_seconds integer, at_most integer, each_bytes integer, all_bytes integer,
  is_told boolean default false
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
     set lease_token = token, lease_until = clock_timestamp() + make_interval(secs => lease_seconds),
         queued_at = case when is_told then w.queued_at end
    from (select l.tenant_id, l.id from webhook_endpoints l where l.tenant_id = tenant and l.id = endpoint for no key update skip locked) l
   where w.tenant_id = l.tenant_id and w.id = l.id and w.status = 'enabled'
     and (w.lease_until is null or w.lease_until < clock_timestamp())
     and (w.silent_until is null or w.silent_until <= clock_timestamp())
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

-- As in 0010_webhooks_delivery.sql, but a webhook that is queued by now stays so.
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
