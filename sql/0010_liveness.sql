-- Which workers live, mail, and how what is old goes.

-- A worker pool says every few seconds that it lives. `id` is Graphile Worker's own name of the pool, which is the `locked_by` of its jobs;
-- the queue itself would hold the jobs of a killed worker for four hours.
create table worker_pools (
  id text primary key,
  host text not null,
  pid integer not null,
  version text not null,
  started_at timestamptz(3) not null default now(),
  beat_at timestamptz(3) not null default now()
) with (fillfactor = 20);

-- One row for each recipient, written in the transaction that has something to tell, with the job that sends it. A row that is neither
-- sent nor given up after its attempts waits, or is kept because no mail server is set.
create table mails (
  tenant_id text not null references tenants on delete cascade,
  id bigint not null generated always as identity,
  kind text not null,
  recipient text not null,
  subject text not null,
  text text not null,
  created_at timestamptz(3) not null default now(),
  sent_at timestamptz(3),
  attempts smallint not null default 0,
  -- while one process sends it, no other does; lapses if that process dies
  claimed_until timestamptz(3),
  error text,
  primary key (tenant_id, id)
);

create index mails_age on mails (created_at);

-- The streak of failures, named by its start, that the tenant's admins were warned of.
alter table webhook_endpoints add column warned_of timestamptz(3);

-- Old events go with their deliveries, all of which are finished: what a pending delivery needs stays, however old. Walks the primary key
-- from a place on, and no further index is needed, because ids are in the order of time. Returns the last place looked at; none at the end.
--
-- plpgsql on purpose: whoever sends an old event again locks its row for share before owing it, and the second statement sees what that
-- transaction committed before the first one got its lock.
create function webhook_prune_events(
  after_tenant text, after_id text, before_id text, batch integer,
  out tenant_id text, out id text, out looked_at integer, out deleted integer
) language plpgsql as $$
declare
  tenants text[];
  ids text[];
  pending text[];
begin
  select array_agg(o.tenant_id order by o.id), array_agg(o.id order by o.id)
    into tenants, ids
    from (
      select e.tenant_id, e.id
        from events e
       where e.tenant_id = after_tenant and e.id > after_id and e.id < before_id
       order by e.id
       limit batch
         for update skip locked
    ) o;
  -- Then the tenants that follow. Two statements, because a comparison of both columns at once would walk through all the young events.
  if ids is null then
    select array_agg(o.tenant_id order by o.tenant_id, o.id), array_agg(o.id order by o.tenant_id, o.id)
      into tenants, ids
      from (
        select e.tenant_id, e.id
          from events e
         where e.tenant_id > after_tenant and e.id < before_id
         order by e.tenant_id, e.id
         limit batch
           for update skip locked
      ) o;
  end if;
  looked_at := coalesce(cardinality(ids), 0);
  deleted := 0;
  if looked_at = 0 then
    return;
  end if;
  tenant_id := tenants[looked_at];
  id := ids[looked_at];
  select coalesce(array_agg(distinct d.event_id), '{}')
    into pending
    from unnest(tenants, ids) as o (tenant_id, id)
    join webhook_endpoints n on n.tenant_id = o.tenant_id
    join webhook_deliveries d on d.tenant_id = n.tenant_id and d.endpoint_id = n.id and d.event_id = o.id
   where d.state = 'pending';
  delete from webhook_deliveries d
   using unnest(tenants, ids) as o (tenant_id, id), webhook_endpoints n
   where n.tenant_id = o.tenant_id and o.id <> all (pending)
     and d.tenant_id = n.tenant_id and d.endpoint_id = n.id and d.event_id = o.id;
  delete from events e
   using unnest(tenants, ids) as o (tenant_id, id)
   where e.tenant_id = o.tenant_id and e.id = o.id and o.id <> all (pending);
  get diagnostics deleted = row_count;
end
$$;
