-- Delivering: functions that wake, lease and release endpoints, claim their due deliveries, and delete old events.
--
-- plpgsql on purpose: each statement of such a function sees what was committed before it began, and so all that was committed before the statement
-- ahead of it had its locks. The parts of a single statement all see the moment at which the statement began, whether or not it waited for locks.
--
-- No statement of the delivery engine waits for a webhook's row that another transaction holds: one statement serves many tenants, so a web process frozen
-- in the middle of a change, or an operator's open psql, would stop the deliveries of all. Locked rows are skipped and reported; the caller asks for
-- them again a few times, soon, and then leaves them to the sweep. Rows are locked in one order, so two of these functions cannot deadlock.

-- Wakes endpoints: queues a job for those that have neither a job nor a lease. @returns the positions of the endpoints that must still be woken, for
-- their rows were locked
--
-- Jobs are served by age, and each busy webhook of a tenant makes the next one rank five seconds younger, which a slice may last: the twelfth webhook of
-- a tenant ranks as if it had been woken a minute later than the first. The rank is the time a job is due at, which must have passed: hence five
-- minutes before the true time for all (docs/decisions/2026-11-22-delivery-jobs-are-ranked-by-tenant-and-age.md). Only the first thousand endpoints of a
-- tenant are counted: they tell enough, and need no index that each wake-up would write.
create function webhook_wake(tenants text[], ids text[]) returns integer[] language plpgsql as $$
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
       set queued_at = clock_timestamp()
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

-- Tells a worker of single webhooks directly: always the same worker for a webhook, while the number of workers is the same. A job would be most of the
-- cost of a lone event: a row that is written three times, a fetch, and the webhook's row written once more to say that a job is queued. Nothing is stored:
-- within a second the sweep finds a webhook with due deliveries that no worker serves (docs/decisions/2026-11-23-lone-wake-ups-go-directly-to-a-worker.md).
-- While no worker lives, jobs are queued as for many webhooks. @returns what webhook_wake returns
create function webhook_tell(tenants text[], ids text[]) returns integer[] language plpgsql as $$
declare
  pools text[] := array(select p.id from worker_pools p where p.beat_at > clock_timestamp() - interval '10 seconds' order by p.id);
begin
  if cardinality(pools) = 0 then
    return webhook_wake(tenants, ids);
  end if;
  -- the worker finds out whether a webhook was deleted or paused
  perform pg_notify(t.pool, t.endpoints)
    from (
      select pools[1 + (hashtextextended(w.id, 0) & 65535) % cardinality(pools)] as pool, string_agg(w.tenant_id || ' ' || w.id, ' ') as endpoints
        from unnest(tenants, ids) as w (tenant_id, id)
       group by 1) t;
  return '{}';
end
$$;

-- The due deliveries of endpoints, oldest first; at least one of each endpoint that has any. Called by the statement that takes their leases: unlike that
-- statement, a function sees what the lease's last holder recorded after the statement had begun.
--
-- A body comes with its delivery only if it is small: at most `each_bytes` for one, and `all_bytes` for all of one endpoint, oldest first. For a larger body
-- only the size is returned, without reading it, and the worker asks for the body when it has room, once for all its endpoints: bodies of a megabyte for
-- hundreds of endpoints at once are more than a process has (docs/decisions/2026-11-22-event-bodies-in-flight-have-a-memory-budget.md).
--
-- A delivery whose event is gone is claimed like any other, without type and body, and the worker drops it. If it were passed over, it would be due for
-- ever: its webhook would be woken again and again, and sixteen such deliveries would keep all behind them from being claimed.
create function webhook_claim(tenants text[], ids text[], at_most integer, each_bytes integer, all_bytes integer)
  returns table (place integer, event_id text, type text, bytes integer, body text, attempts smallint, first_attempt_at timestamptz, due_at timestamptz)
  language plpgsql rows 100 as $$
#variable_conflict use_column
declare
  -- The begin of a range that the planner does not know: it then uses the index of due deliveries, whatever the tables held when it planned.
  ever constant timestamptz := '-infinity';
begin
  return query
    select a.n::integer, c.event_id, c.type, c.bytes, case when c.bytes <= each_bytes and c.bytes_so_far <= all_bytes then c.body end,
           c.attempts, c.first_attempt_at::timestamptz, c.due_at::timestamptz
      from unnest(tenants, ids) with ordinality as a (tenant_id, endpoint_id, n),
           lateral (
             select o.*, v.*, sum(case when v.bytes <= each_bytes then v.bytes else 0 end) over (order by o.due_at, o.event_id) as bytes_so_far
               from (
                 select d.event_id, d.attempts, d.first_attempt_at, d.due_at
                   from webhook_deliveries d
                  where d.tenant_id = a.tenant_id and d.endpoint_id = a.endpoint_id and d.state = 'pending'
                    and (d.due_at, d.event_id) > (ever, '') and d.due_at <= clock_timestamp()
                  order by d.due_at, d.event_id
                  limit at_most) o
                    -- One row each: the offset keeps the planner from reading all events of the tenant, to merge them with deliveries that it takes for few.
               left join lateral (
                 select e.type, octet_length(e.body) as bytes, e.body from events e where e.tenant_id = a.tenant_id and e.id = o.event_id offset 0
               ) v on true
           ) c;
end
$$;

-- Ends the jobs of slices that have no due delivery left, and returns the positions of these slices: a slice may have no job. Called by the statement
-- that records their last results and holds their endpoints locked: deliveries that were made due before are seen, and a transaction that makes one due
-- later wakes the endpoint after us.
create function webhook_end_turns(tenants text[], ids text[], jobs bigint[]) returns setof integer
  language plpgsql rows 100 as $$
begin
  return query
    with idle as materialized (
      select w.n, w.job
        from unnest(tenants, ids, jobs) with ordinality as w (tenant_id, id, job, n)
       where not exists (
         select 1 from webhook_deliveries d
          where d.tenant_id = w.tenant_id and d.endpoint_id = w.id and d.state = 'pending' and d.due_at <= clock_timestamp())
    ), gone as (
      delete from graphile_worker._private_jobs j using idle i where j.id = i.job
    )
    select i.n::integer from idle i;
end
$$;

-- Ends leases and their jobs. @returns a row for each lease that did not end: more is due, so it continues, or its webhook's row was locked
--
-- If deliveries are due by now, the next job is queued in the same transaction: those that came while the lease was held did not wake the endpoint.
-- `rests` asks for the opposite: the endpoint had to give way, so the sweep wakes it, and the queue is spared a loop. An ordered endpoint gives way to a
-- recovery, which asks ten times a second; if the sweep woke the endpoint within that second, live deliveries would often take it first. So it is kept
-- for the recovery, which asks without a wake-up: for a moment the lease has no holder and yet has not lapsed.
--
-- A slice's job is found by its id. The queue is often empty, and a plan made then reads all of it from beginning to end, for as long as the connection
-- keeps the plan: with ten thousand jobs waiting, several milliseconds for each end of a slice. Hence enable_seqscan.
create function webhook_release(
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
           lease_until = case when w.rest and e.max_parallel = 1 then clock_timestamp() + interval '300 milliseconds' end,
           queued_at = null
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

-- The statements that take many webhooks and record many deliveries cost more to begin than to run, and a lone event would pay that alone, twice. So there are
-- two functions for one webhook, of short statements whose plans are kept. They keep the rules of takeAll (src/webhooks/delivery/lease-store.ts) and record
-- (src/webhooks/delivery/record-store.ts); test/webhooks/alone.test.ts compares them.

-- Takes the lease of one endpoint. The first row is the lease; the others are its due deliveries, if it is healthy, for what is claimed of a failing one
-- depends on what was tried. No row: the endpoint cannot be taken now, or another transaction holds its row.
create function webhook_take(
  tenant text, endpoint text, token uuid, lease_seconds integer, at_most integer, each_bytes integer, all_bytes integer
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

-- Records the success of a slice's last delivery; if nothing more is due, the slice ends with it. A row of nulls: another transaction holds the
-- endpoint's row, and nothing was recorded. No row: the endpoint no longer exists.
create function webhook_record(
  tenant text, endpoint text, token uuid, job bigint, the_version integer, the_slate integer,
  event text, attempt integer, started float8, ended float8, url text, status integer, signature text, header_names text[],
  response_headers text, response_body text, truncated text, dns real, connect real, tls real, first_byte real, total real
) returns table (is_current boolean, is_judged boolean, is_ended boolean) language plpgsql rows 1 as $$
#variable_conflict use_variable
declare
  e record;
  delivered boolean := false;
begin
  select w.lease_token = token as held, w.version, w.slate into e
    from webhook_endpoints w
   where w.tenant_id = tenant and w.id = endpoint
     for no key update skip locked;
  if not found then
    return query select null::boolean, null::boolean, null::boolean from webhook_endpoints w where w.tenant_id = tenant and w.id = endpoint;
    return;
  end if;
  is_current := coalesce(e.held and e.version = the_version, false);
  is_judged := coalesce(e.held and e.slate = the_slate, false);
  is_ended := false;
  if e.held then
    delete from webhook_deliveries d
     where d.tenant_id = tenant and d.endpoint_id = endpoint and d.event_id = event and d.state not in ('succeeded', 'failed', 'dropped');
    delivered := found;
  end if;
  insert into webhook_attempts (
    tenant_id, endpoint_id, event_id, attempt, started_at, duration_ms, url, status, final, signature, header_names,
    response_headers, response_body, truncated, dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms)
  values (
    tenant, endpoint, event, attempt, to_timestamp(started / 1000), ended - started, url, status, delivered, signature, header_names,
    response_headers::json, response_body, truncated, dns, connect, tls, first_byte, total);
  if is_current then
    is_ended := not exists (
      select from webhook_deliveries d
       where d.tenant_id = tenant and d.endpoint_id = endpoint and d.state = 'pending' and d.due_at <= clock_timestamp());
    if is_ended and job is not null then
      delete from graphile_worker._private_jobs j where j.id = job;
    end if;
  end if;
  if is_judged then
    update webhook_endpoints w
       set lease_token = case when not is_ended then w.lease_token end,
           lease_until = case when not is_ended then w.lease_until end,
           failures = 0, failing_since = null, failure_known_at = null, silent_until = null,
           last_success_at = greatest(w.last_success_at, to_timestamp(ended / 1000)), proven = true
     where w.tenant_id = tenant and w.id = endpoint;
  end if;
  return next;
end
$$;

-- Deletes the next old events of one tenant. An event that a pending delivery needs stays, however old; an event that a transaction is about to send again is
-- locked by it, and skipped. The rows that belong to deleted events follow, by key range (docs/decisions/2026-11-22-retention-deletes-by-key-range.md).
--
-- Each statement sees what was committed before the statement ahead of it had its locks: a delivery inserted before the event was locked is seen, and a
-- transaction that would insert one later waits for the lock, and finds the event gone.
create function webhook_prune_old_events(
  the_tenant text, after_id text, before_id text, at_most integer,
  out last_id text, out looked_at integer, out deleted integer
) language plpgsql as $$
declare
  ids text[];
  locked text[];
  pending text[];
begin
  ids := array(
    select e.id
      from events e
     where e.tenant_id = the_tenant and e.id > after_id and e.id < before_id
     order by e.id
     limit at_most);
  looked_at := cardinality(ids);
  deleted := 0;
  if looked_at = 0 then
    return;
  end if;
  last_id := ids[looked_at];
  locked := array(
    select e.id
      from events e
     where e.tenant_id = the_tenant and e.id >= ids[1] and e.id <= last_id
     order by e.id
       for update skip locked);
  -- Reads one range of each webhook, whatever the planner estimates: the offsets keep it from joining, and the states from the index of due deliveries.
  pending := array(
    select d.event_id
      from (select n.id from webhook_endpoints n where n.tenant_id = the_tenant offset 0) n
     cross join lateral (
       select p.event_id
         from webhook_deliveries p
        where p.tenant_id = the_tenant and p.endpoint_id = n.id and p.event_id >= ids[1] and p.event_id <= last_id
          and p.state not in ('succeeded', 'failed', 'dropped')
       offset 0) d);
  delete from events e
   where e.tenant_id = the_tenant and e.id >= ids[1] and e.id <= last_id and e.id = any (locked) and e.id <> all (pending);
  get diagnostics deleted = row_count;
end
$$;
