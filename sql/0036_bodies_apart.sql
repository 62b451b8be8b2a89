-- What is due of an endpoint comes with its body only where that is small. Of a larger one its size is told, and it is asked for when the worker
-- has room for it, once for all endpoints that it goes to: bodies of a megabyte for hundreds of endpoints at once are more than a process has.
--
-- And a delivery whose event is gone is claimed as any other, without type and body, and the worker drops it. Before, it was passed over by every claim,
-- and due for ever: its webhook was woken again and again, and sixteen of them kept all that was behind them from being claimed.

drop function webhook_claim(text[], text[], integer, integer);

-- As before, but for the bodies. At most `each_bytes` of one, and `all_bytes` of one endpoint's, oldest first. Length is told without reading a body.
create function webhook_claim(tenants text[], ids text[], at_most integer, each_bytes integer, all_bytes integer)
  returns table (place integer, event_id text, type text, bytes integer, body text, attempts smallint, first_attempt_at timestamptz, due_at timestamptz)
  language plpgsql rows 100 as $$
#variable_conflict use_column
declare
  -- Where a range begins that the planner does not know: it then goes by the index of what is due, whatever there was when it planned.
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
                    -- One row each: the offset keeps the planner from reading all events of the shop, to merge them with what it takes for few.
               left join lateral (
                 select e.type, octet_length(e.body) as bytes, e.body from events e where e.tenant_id = a.tenant_id and e.id = o.event_id offset 0
               ) v on true
           ) c;
end
$$;
