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

-- The sliding log: for each key and bucket (0 reads, 1 writes) the times of its hits within the window, at most 600, the largest plan's
-- limit, so that a change of plan stays exact. Hits are numbered; [tail, head) are those still within the window.
--
-- A ring's row holds the newest hits (`latest`, up to 20, ending at head) and a copy of the chunk that the tail is in (`oldest`); the full
-- chunks between lie in rate_chunks, 20 hits each. So a hit rewrites one small row, and touches a chunk once in twenty times. A row for
-- each hit was tried first: 1 200 rows a key fell out of the cache, and a take cost four times as much.
-- UNLOGGED: a hit is worth no disk write, and a database crash forgets one minute of hits and nothing else.
-- Low fill factors keep every update on its page (HOT), so the indexes never grow.

create unlogged table rate_rings (
  ring integer not null,
  bucket smallint not null,
  head bigint not null default 0,
  tail bigint not null default 0,
  latest timestamptz[] not null default '{}',
  oldest timestamptz[],
  -- which chunk `oldest` is
  oldest_chunk bigint,
  primary key (ring, bucket)
) with (fillfactor = 40, autovacuum_vacuum_scale_factor = 0.5);

create unlogged table rate_chunks (
  ring integer not null,
  bucket smallint not null,
  slot smallint not null,
  hits timestamptz[] not null,
  primary key (ring, bucket, slot)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.5);

create function rate_prepare(the_ring integer) returns void language sql as $$
  insert into rate_rings (ring, bucket) values (the_ring, 0), (the_ring, 1) on conflict do nothing;
$$;

-- Authenticates a key and takes one slot of its bucket: one row lock. No row: the key is unknown or revoked.
-- plpgsql on purpose: each of its statements sees what was committed before it, so after the lock the log is the latest.
-- The clock is read after the lock, so the hits of a ring are in the order of their times.
create function access_take(
  the_hash bytea, the_bucket integer,
  out key_id text, out tenant_id text, out scopes text[],
  out rate_limit integer, out remaining integer, out reset_ms integer, out allowed boolean
) returns setof record language plpgsql as $$
declare
  k record;
  h bigint;
  t bigint;
  first bigint; -- the number of latest[1]; chunk n holds the hits from 20 n on
  place bigint;
  moment timestamptz;
  since timestamptz;
  hit timestamptz;
begin
  for attempt in 1 .. 2 loop
    select a.id, a.tenant_id, a.scopes, a.ring, p.read_per_minute, p.write_per_minute,
           r.head, r.tail, r.latest, r.oldest, r.oldest_chunk
      into k
      from api_keys a
      join tenants n on n.id = a.tenant_id
      join plans p on p.plan = n.plan
      join rate_rings r on r.ring = a.ring and r.bucket = the_bucket
     where a.hash = the_hash and a.revoked_at is null
       for no key update of r;
    exit when found;
    -- The log is empty after a crash of the database: make this key's anew.
    perform rate_prepare(a.ring) from api_keys a where a.hash = the_hash and a.revoked_at is null;
    if attempt = 2 or not found then
      return;
    end if;
  end loop;
  moment := clock_timestamp();
  since := moment - interval '60 seconds';
  rate_limit := case the_bucket when 0 then k.read_per_minute else k.write_per_minute end;
  h := k.head;
  t := k.tail;
  first := h - cardinality(k.latest);

  -- The tail moves past what has left the window: over everything, over whole chunks, then hit by hit.
  if t < h and k.latest[cardinality(k.latest)] <= since then
    t := h;
  end if;
  while t < first loop
    if k.oldest_chunk is distinct from t / 20 then
      k.oldest_chunk := t / 20;
      select c.hits into k.oldest from rate_chunks c where c.ring = k.ring and c.bucket = the_bucket and c.slot = k.oldest_chunk % 31;
    end if;
    if k.oldest[20] > since then
      while k.oldest[t % 20 + 1] <= since loop
        t := t + 1;
      end loop;
      hit := k.oldest[t % 20 + 1];
      exit;
    end if;
    t := (t / 20 + 1) * 20;
  end loop;
  if t >= first then
    while t < h and k.latest[t - first + 1] <= since loop
      t := t + 1;
    end loop;
    hit := k.latest[t - first + 1];
  end if;

  allowed := h - t < rate_limit;
  if allowed then
    if cardinality(k.latest) = 20 then
      insert into rate_chunks as c (ring, bucket, slot, hits) values (k.ring, the_bucket, first / 20 % 31, k.latest)
      on conflict (ring, bucket, slot) do update set hits = excluded.hits;
      k.latest := array[moment];
    else
      k.latest := k.latest || moment;
    end if;
    h := h + 1;
    hit := coalesce(hit, moment);
    update rate_rings r
       set head = h, tail = t, latest = k.latest, oldest = k.oldest, oldest_chunk = k.oldest_chunk
     where r.ring = k.ring and r.bucket = the_bucket;
  elsif h - rate_limit > t then
    -- After a change to a smaller plan more hits are in the window than it allows: wait for the one that makes room.
    place := h - rate_limit;
    if place >= first then
      hit := k.latest[place - first + 1];
    else
      select c.hits[place % 20 + 1] into hit from rate_chunks c where c.ring = k.ring and c.bucket = the_bucket and c.slot = place / 20 % 31;
    end if;
  end if;
  key_id := k.id;
  tenant_id := k.tenant_id;
  scopes := k.scopes;
  remaining := greatest(rate_limit - (h - t), 0);
  reset_ms := greatest(ceil(extract(epoch from hit + interval '60 seconds' - moment) * 1000), 1);
  return next;
end
$$;
