-- Processes: the workers that live, the work they began, what they notice, and the mails they send.

-- A worker pool writes a heartbeat every few seconds. `id` is Graphile Worker's own name of the pool, which is the `locked_by` of its jobs; the queue
-- itself would hold the jobs of a killed worker for four hours.
create table worker_pools (
  id text primary key,
  host text not null,
  pid integer not null,
  version text not null,
  started_at timestamptz(3) not null default now(),
  beat_at timestamptz(3) not null default now(),
  -- The process of the pool: the first 18 characters of the tokens of its leases and claims. A process may have several pools, one after the other.
  process text,
  -- Why it sends nothing, for `shopdesk doctor`: its name servers do not answer, it can open no more connections, or it reaches hardly any host. Such
  -- trouble is not counted against receivers, so nothing else would show it.
  trouble text
) with (fillfactor = 20);

create index worker_pools_process on worker_pools (process);

-- Whether the process of a token has died, as far as is known: it has missed two heartbeats, or no pool of it is left.
create function worker_died(token uuid) returns boolean stable language sql as $$
  select not exists (
    select from worker_pools p
     where p.process = left(token::text, 18) and p.beat_at > clock_timestamp() - interval '10 seconds')
$$;

-- Work that was begun, by its task and the payload of its job: a row is deleted when the work ends in good order, unless workers died during it before. A
-- row left behind by a dead process counts as a death of that work, and the third death at one point ends the work (src/queue/trial.ts), for it must not
-- kill worker after worker.
-- Deliveries are not recorded here, for a statement for each of their jobs would be too expensive: the lease of their endpoint says the same.
create table begun_work (
  task text not null,
  payload text not null,
  id bigint not null generated always as identity,
  -- the token of the run under way, which begins with its process; null between two runs
  token uuid,
  begun_at timestamptz(3) not null default clock_timestamp(),
  -- in a row, at one point: progress resets the count
  deaths smallint not null default 0,
  -- a job that was taken out of the queue until an operator decides, and how it is queued again
  set_aside_at timestamptz(3),
  priority smallint,
  max_attempts smallint,
  primary key (task, payload)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500);

-- One row for each recipient, inserted in the transaction of its reason, with the job that sends it. A row that is neither sent nor given up after its
-- attempts waits, or is kept because no mail server is set.
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
  -- until then no other process sends it; the claim lapses if the process dies
  claimed_until timestamptz(3),
  error text,
  -- a token of the process that sends it: the mail is released when that process is gone
  claimed_by uuid,
  primary key (tenant_id, id)
);

create index mails_age on mails (created_at);
create index mails_claimed on mails (left(claimed_by::text, 18)) where claimed_by is not null;

-- A killed worker's work continues within seconds. Leases and heartbeats show a death after 20 to 25 s, but the server knows at once that a session has
-- ended. So each worker process holds a standing session with a lock that ends with the session: a process whose lock is free is gone, or is declared
-- gone unless its session is back in time (docs/decisions/2026-11-22-a-database-session-shows-that-a-worker-lives.md).
create table worker_processes (
  -- the first 18 characters of its tokens
  process text primary key,
  host text not null,
  pid integer not null,
  -- the machine's boot and namespace in which the pid names a process; null if unknown
  place text,
  -- the server process of its session
  backend integer not null,
  backend_since timestamptz not null,
  -- since when it was seen without a session: kept here, for the process that looks may be the next to die
  missed_at timestamptz(3),
  since timestamptz(3) not null default clock_timestamp()
) with (fillfactor = 50);

create function worker_lock(process text) returns bigint immutable language sql as $$
  select hashtextextended('shopdesk process ' || process, 0)
$$;

-- Makes this session a process's standing session. @returns 'stands' if it is; 'busy', to be asked again, while another session holds the lock: an old one
-- that the server has not missed yet, which is ended, or one that is just declaring the process gone; 'gone' if the process was declared gone, and its
-- work is free for others
create function worker_stand(process text, is_new boolean, host text, pid integer, place text) returns text
  language plpgsql as $$
declare
  its_name alias for $1;
  me pg_stat_activity;
begin
  if not pg_try_advisory_lock(worker_lock(its_name)) then
    perform pg_terminate_backend(a.pid)
       from worker_processes w
       join pg_stat_activity a on a.pid = w.backend and a.backend_start = w.backend_since
      where w.process = its_name and a.pid <> pg_backend_pid();
    return 'busy';
  end if;
  select * into me from pg_stat_activity a where a.pid = pg_backend_pid();
  if is_new then
    insert into worker_processes (process, host, pid, place, backend, backend_since)
    values ($1, $3, $4, $5, me.pid, me.backend_start)
        on conflict on constraint worker_processes_pkey do update set backend = excluded.backend, backend_since = excluded.backend_since, missed_at = null;
  else
    update worker_processes w set backend = me.pid, backend_since = me.backend_start, missed_at = null where w.process = its_name;
    if not found then
      perform pg_advisory_unlock_all();
      return 'gone';
    end if;
  end if;
  -- Heartbeats read this setting: it ends with the session, as the lock does, and is cheaper to read.
  perform set_config('shopdesk.process', its_name, false);
  return 'stands';
end
$$;

-- Declares processes gone: their leases and claims are released, and their work is due. A process whose session is back meanwhile is left alone. A process
-- that was declared gone before may be given again, with its former pools, for a statement that it had sent may have run since. Rows that others have
-- locked are left for the next time. The leases of other work lapse in the same transaction (src/queue/leased.ts). Locks are taken in the order webhooks,
-- mails, jobs.
create function worker_gone(processes text[], pools text[], out gone text[], out its_pools text[], out leases integer, out jobs integer)
  language plpgsql as $$
declare
  due record;
begin
  gone := array(select p from unnest(processes) p where pg_try_advisory_xact_lock(worker_lock(p)));
  delete from worker_processes w where w.process = any (gone);
  with left_behind as (delete from worker_pools p where p.process = any (gone) returning p.id)
  select array_agg(l.id) into its_pools from left_behind l;
  its_pools := coalesce(its_pools, '{}') || pools;
  update begun_work b set deaths = b.deaths + 1, token = null where left(b.token::text, 18) = any (gone);

  -- The token stays: the slice that takes the lease next counts the death by it.
  with at_work as materialized (
    select j.payload ->> 'endpointId' as id from graphile_worker._private_jobs j where j.locked_by = any (its_pools)
  ), held as materialized (
    select e.tenant_id, e.id
      from webhook_endpoints e
     where left(e.lease_token::text, 18) = any (gone) and e.lease_until > clock_timestamp()
     order by e.tenant_id, e.id
       for no key update skip locked
  ), freed as (
    update webhook_endpoints e
       set lease_until = clock_timestamp() - interval '1 millisecond',
           queued_at = case when e.id in (select a.id from at_work a) then clock_timestamp() else e.queued_at end
      from held h
     where e.tenant_id = h.tenant_id and e.id = h.id
    returning e.tenant_id, e.id, e.queued_at
  )
  select count(*)::integer as freed, array_agg(f.tenant_id) filter (where f.queued_at is null) as tenants,
         array_agg(f.id) filter (where f.queued_at is null) as ids
    into due
    from freed f;
  leases := due.freed;

  update mails m set claimed_by = null, claimed_until = null
   where (m.tenant_id, m.id) in (
     select o.tenant_id, o.id from mails o
      where o.claimed_by is not null and left(o.claimed_by::text, 18) = any (gone)
        for no key update skip locked);

  -- Jobs keep their place in the queue, and have at least one attempt left: deaths are counted apart from attempts.
  with back as (
    update graphile_worker._private_jobs j
       set locked_at = null, locked_by = null, attempts = least(j.attempts, j.max_attempts - 1)
     where j.id in (select o.id from graphile_worker._private_jobs o where o.locked_by = any (its_pools) for update skip locked)
    returning j.id
  )
  select count(*)::integer into jobs from back;
  if due.ids is not null then
    perform webhook_wake(due.tenants, due.ids);
  end if;
  if jobs > 0 then
    perform pg_notify('jobs:insert', json_build_object('r', random(), 'count', jobs)::text);
  end if;
end
$$;

-- What processes notice of their environment and cannot mend, such as a proxy in front that no setting names. The log says it once, where few operators
-- look; `shopdesk doctor`, which may run on another machine, shares nothing with them but the database. One row for each notice, the latest.
create table notices (
  name text primary key,
  detail text not null,
  seen_at timestamptz(3) not null default now()
);
