-- A slice of which a worker was told directly has no job. It leaves a webhook alone whose job waits in the queue, for less than the ten seconds after which
-- the sweep takes it for lost: the job serves what is due. The slice took the lease all the same, and with it the mark that a job is queued; when it ended
-- with more due, it queued another job beside that one.

-- As in 0010_webhooks_delivery.sql but for that. The default is for workers of the version before, which do not say.
drop function webhook_take(text, text, uuid, integer, integer, integer, integer);
create function webhook_take(
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
     and (has_job or w.queued_at is null or w.queued_at < clock_timestamp() - interval '10 seconds')
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
