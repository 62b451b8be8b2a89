-- A worker is told of a single webhook directly: the job for it was most of what a lone event cost, with a row that is written three times, a fetch,
-- and the webhook's row written once more to say that a job is owed. Nothing is kept of it: a webhook that nothing serves though something is due is
-- found by the sweep within a second (docs/decisions/2026-11-23-a-lone-order-is-told-directly.md).

-- Tells one of the workers that live, always the same for a webhook as long as there are as many. Without any, jobs are owed as for many at once.
-- Returns what webhook_wake returns.
create function webhook_tell(tenants text[], ids text[]) returns integer[] language plpgsql as $$
declare
  pools text[] := array(select p.id from worker_pools p where p.beat_at > clock_timestamp() - interval '10 seconds' order by p.id);
begin
  if cardinality(pools) = 0 then
    return webhook_wake(tenants, ids);
  end if;
  -- what is due of a deleted or paused webhook is for the worker to find out
  perform pg_notify(t.pool, t.endpoints)
    from (
      select pools[1 + (hashtextextended(w.id, 0) & 65535) % cardinality(pools)] as pool, string_agg(w.tenant_id || ' ' || w.id, ' ') as endpoints
        from unnest(tenants, ids) as w (tenant_id, id)
       group by 1) t;
  return '{}';
end
$$;

-- A turn may have no job: those that are idle are told by their places.
drop function webhook_end_jobs(text[], text[], bigint[]);
create function webhook_end_turns(tenants text[], ids text[], jobs bigint[]) returns setof integer language plpgsql rows 100 as $$
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

-- A lone event pays twice for what many share: to take its webhook and to record its delivery by the statements that do so for many costs more to begin
-- than to run. So there are two for one webhook, of short statements whose plans are kept. They keep the rules of takeAll (delivery-store.ts) and record
-- (record-store.ts), as test/webhooks/alone.test.ts says.

-- Takes the lease of one endpoint. The first row is the lease, the others are what is due of it, if it is healthy: else what is claimed depends on what
-- was tried. No row: it cannot be taken now, or another transaction holds its row.
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
  -- Where a range begins that the planner does not know: it then goes by the index of what is due, whatever there was when it planned.
  ever constant timestamptz := '-infinity';
begin
  update webhook_endpoints w
     set lease_token = token, lease_until = clock_timestamp() + make_interval(secs => lease_seconds), owed_at = null
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

-- Records the success of a turn's last delivery; where nothing more is due the turn ends with it. Null: another transaction holds the endpoint's row, and
-- nothing was recorded. `gone`: there is no such endpoint any more.
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
