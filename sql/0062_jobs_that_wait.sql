-- A slice without a job leaves a webhook to the job that waits in the queue, however long that waits. After ten seconds it took the lease, as if the job were lost;
-- where the queue was so far behind it was not, and the webhook had two jobs from then on until nothing was due. The sweep looks into the queue, and so finds
-- what is lost.

-- As in 0061_told_slices.sql but for that. It keeps the rules of takeAll in src/webhooks/delivery/take-store.ts.
create or replace function webhook_take(
  tenant text, endpoint text, token uuid, lease_seconds integer, at_most integer, each_bytes integer, all_bytes integer,
  has_job boolean default true
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
     and (has_job or w.queued_at is null)
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
