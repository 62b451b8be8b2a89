-- An ordered endpoint that gave way to a recovery was woken by the sweep within a second, and as often as not before the recovery, which asks ten
-- times a second, found it free: then what is sent again waited for another slice of live deliveries, and again. Now it is kept for who asks for
-- it without a wake-up: for a moment its lease has no holder and yet has not lapsed.
create or replace function webhook_release(
  tenants text[], ids text[], tokens uuid[], rests boolean[],
  -- by default none: workers of older programs end their turns without them
  ended bigint[] default '{}',
  -- of the endpoint, as the turn knows it, where there is time to go on; null where there is none
  versions integer[] default '{}'
) returns setof integer language plpgsql set enable_seqscan to off as $$
declare
  kept bigint[];
  due record;
begin
  -- Without a lock: the lease is ours, and who keeps it claims after this.
  kept := array(
    select w.n
      from unnest(tenants, ids, tokens, versions) with ordinality as w (tenant_id, id, token, version, n)
      join webhook_endpoints e on e.tenant_id = w.tenant_id and e.id = w.id
     where e.lease_token = w.token and e.version = w.version and e.status = 'enabled'
       and exists (
         select 1 from webhook_deliveries d
          where d.tenant_id = w.tenant_id and d.endpoint_id = w.id and d.state = 'pending' and d.due_at <= clock_timestamp()));
  return query select unnest(kept)::integer;
  if cardinality(kept) = cardinality(ids) then
    return;
  end if;
  perform 1
     from webhook_endpoints e
     join unnest(tenants, ids) with ordinality as w (tenant_id, id, n) on e.tenant_id = w.tenant_id and e.id = w.id
    where w.n <> all (kept)
    order by e.tenant_id, e.id
      for no key update of e;
  delete from graphile_worker._private_jobs j
   using unnest(ended) with ordinality as w (job, n)
   where j.id = w.job and w.n <> all (kept);
  with released as (
    update webhook_endpoints e
       set lease_token = null,
           lease_until = case when w.rest and e.max_parallel = 1 then clock_timestamp() + interval '300 milliseconds' end,
           owed_at = null
      from unnest(tenants, ids, tokens, rests) with ordinality as w (tenant_id, id, token, rest, n)
     where e.tenant_id = w.tenant_id and e.id = w.id and e.lease_token = w.token and w.n <> all (kept)
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
