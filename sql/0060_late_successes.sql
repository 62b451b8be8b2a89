-- A success ends its delivery also where it is recorded late, by a worker that was cut off from the database and whose lease others have by now. It was
-- only logged, so the delivery stayed due, and the next holder of the lease sent it again though its success was known.

-- As in 0010_webhooks_delivery.sql but for that.
create or replace function webhook_record(
  tenant text, endpoint text, token uuid, job bigint, the_version integer, the_slate integer,
  event text, attempt integer, started float8, ended float8, url text, status integer, signature text, header_names text[],
  response_headers text, response_body text, truncated text, dns real, connect real, tls real, first_byte real, total real
) returns table (is_current boolean, is_judged boolean, is_ended boolean) language plpgsql rows 1 as $$
#variable_conflict use_variable
declare
  e record;
  delivered boolean;
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
  delete from webhook_deliveries d
   where d.tenant_id = tenant and d.endpoint_id = endpoint and d.event_id = event and d.state not in ('succeeded', 'failed', 'dropped');
  delivered := found;
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
