-- API keys, and the sliding log that limits them.
--
-- A key is stored as its SHA-256 alone: who reads this table cannot call the service. `ring` names the key's log; it is a small
-- integer because the log's index is the hottest of the whole database.

create table api_keys (
  tenant_id text not null references tenants on delete cascade,
  id text not null,
  kind text not null check (kind in ('rest', 'mcp')),
  hash bytea not null,
  prefix text not null,
  last_four text not null,
  name text,
  scopes text[] not null,
  ring integer not null generated always as identity,
  created_at timestamptz(3) not null default now(),
  revoked_at timestamptz(3),
  primary key (tenant_id, id)
);

create unique index api_keys_hash on api_keys (hash);
create unique index api_keys_ring on api_keys (ring);

-- The sliding log. Each key has two rings (bucket 0 reads, 1 writes) of 600 slots, the largest plan's limit, so that a change of plan
-- stays exact. Hits are numbered; hit n lies in slot n % 600; [tail, head) are those still within the window.
-- UNLOGGED: a hit is worth no disk write, and a database crash forgets one minute of hits and nothing else.
-- Low fill factors keep every update on its page (HOT), so the indexes never grow.

create unlogged table rate_rings (
  ring integer not null,
  bucket smallint not null,
  head bigint not null default 0,
  tail bigint not null default 0,
  primary key (ring, bucket)
) with (fillfactor = 20, autovacuum_vacuum_scale_factor = 0.5);

create unlogged table rate_slots (
  ring integer not null,
  bucket smallint not null,
  slot smallint not null,
  at timestamptz not null,
  primary key (ring, bucket, slot)
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.5);

-- Slots are made ahead of their use: inserting them one by one, under load, was three times slower than overwriting.
create function rate_prepare(the_ring integer) returns void language sql as $$
  insert into rate_rings (ring, bucket)
  select the_ring, bucket from generate_series(0, 1) bucket
  on conflict do nothing;
  insert into rate_slots (ring, bucket, slot, at)
  select the_ring, bucket, slot, '-infinity' from generate_series(0, 1) bucket, generate_series(0, 599) slot
  on conflict do nothing;
$$;

-- Authenticates a key and takes one slot of its bucket: one round trip, one row lock. No row: the key is unknown or revoked.
-- plpgsql on purpose: each of its statements sees what was committed before it, so after the lock the log is the latest.
-- The clock is read after the lock, so the hits of a ring are in the order of their times.
create function access_take(
  the_hash bytea, the_bucket integer,
  out key_id text, out tenant_id text, out kind text, out scopes text[],
  out rate_limit integer, out remaining integer, out reset_ms integer, out allowed boolean
) returns setof record language plpgsql as $$
declare
  the_ring integer;
  h bigint;
  t bigint;
  moment timestamptz;
  since timestamptz;
  hit timestamptz;
  low bigint;
  high bigint;
begin
  select k.id, k.tenant_id, k.kind, k.scopes, k.ring, case the_bucket when 0 then p.read_per_minute else p.write_per_minute end
    into key_id, access_take.tenant_id, access_take.kind, access_take.scopes, the_ring, rate_limit
    from api_keys k
    join tenants n on n.id = k.tenant_id
    join plans p on p.plan = n.plan
   where k.hash = the_hash and k.revoked_at is null;
  if not found then
    return;
  end if;

  select r.head, r.tail into h, t from rate_rings r where r.ring = the_ring and r.bucket = the_bucket for no key update;
  if not found then
    perform rate_prepare(the_ring);
    select r.head, r.tail into h, t from rate_rings r where r.ring = the_ring and r.bucket = the_bucket for no key update;
  end if;
  moment := clock_timestamp();
  since := moment - interval '60 seconds';

  -- The tail moves past the hits that have left the window: as a rule one or none, so look at that one first; after a pause, halve.
  if t < h then
    select s.at into hit from rate_slots s where s.ring = the_ring and s.bucket = the_bucket and s.slot = t % 600;
    if hit <= since then
      low := t + 1;
      high := h;
      while low < high loop
        select s.at into hit from rate_slots s
         where s.ring = the_ring and s.bucket = the_bucket and s.slot = (low + (high - low) / 8) % 600;
        if hit <= since then
          low := low + (high - low) / 8 + 1;
        else
          high := low + (high - low) / 8;
        end if;
      end loop;
      t := low;
      hit := null;
      if t < h then
        select s.at into hit from rate_slots s where s.ring = the_ring and s.bucket = the_bucket and s.slot = t % 600;
      end if;
    end if;
  end if;

  allowed := h - t < rate_limit;
  if allowed then
    update rate_slots s set at = moment where s.ring = the_ring and s.bucket = the_bucket and s.slot = h % 600;
    h := h + 1;
    update rate_rings r set head = h, tail = t where r.ring = the_ring and r.bucket = the_bucket;
    hit := coalesce(hit, moment);
  else
    -- After a change to a smaller plan more hits may be in the window than it allows: wait for the one that makes room.
    select s.at into hit from rate_slots s where s.ring = the_ring and s.bucket = the_bucket and s.slot = (h - rate_limit) % 600;
  end if;
  remaining := greatest(rate_limit - (h - t), 0);
  reset_ms := greatest(ceil(extract(epoch from hit + interval '60 seconds' - moment) * 1000), 1);
  return next;
end
$$;
