-- Old rows go by ranges, a tenant and a webhook at a time (docs/decisions/2026-11-22-old-rows-go-by-ranges.md). The function of before took the
-- log of a thousand events at once: the planner, not knowing that they are all of one tenant, read the whole log for each thousand, and what
-- they had could be a million rows.

drop function webhook_prune_events(text, text, text, integer);

-- The next old events of one tenant. One that a pending delivery needs stays, however old; one that somebody is about to send again is locked by him,
-- and passed by. The rows of what is gone follow, by their ranges.
--
-- plpgsql on purpose: each statement sees what was committed before the one before it had its locks. So who owed an event before we locked it is
-- seen, and who comes later waits for us, and finds it gone.
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
  -- A range of each webhook's, whatever the planner takes them for: the offsets keep it from joining, and the states from the index of what is due.
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
