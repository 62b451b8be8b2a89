-- API keys, and the sliding log that limits them.

-- A key is stored as its SHA-256 alone: a reader of this table cannot call the service. `ring` names the key's log; it is a small integer because
-- the log's index is the hottest of the whole database.
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
-- chunks between are in rate_chunks, 20 hits each. So a hit rewrites one small row, and touches a chunk once in twenty times. With a row for
-- each hit, 1 200 rows a key fell out of the cache, and a take cost four times as much.
-- UNLOGGED: a hit is worth no disk write, and a database crash forgets one minute of hits and nothing else.
-- Low fill factors keep every update on its page (HOT), so the indexes never grow.

create unlogged table rate_rings (
  ring integer not null,
  bucket smallint not null,
  head bigint not null default 0,
  tail bigint not null default 0,
  latest timestamptz[] not null default '{}',
  oldest timestamptz[],
  -- the number of the chunk `oldest`
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

-- Authenticates keys and takes a slot in each one's bucket: requests that arrive together share the call. `hashes` (hex) must be sorted, so that two
-- processes lock rings in one order. A key that is unknown or revoked has no row in the result; `n` is the position of its hash.
--
-- plpgsql on purpose: each of its statements sees what was committed before it, and a row locked here is the latest version. The clock is read
-- after the lock, so the hits of a ring are in the order of their times. Most rings are hit once, and one statement at the end writes them all:
-- updates of single rings were a fifth of a take.
create function access_take(
  hashes text[], buckets integer[],
  out n integer, out key_id text, out tenant_id text, out scopes text[],
  out rate_limit integer, out remaining integer, out reset_ms integer, out allowed boolean
) returns setof record language plpgsql as $$
<<s>>
declare
  k record;
  ring integer;
  bucket integer;
  dirty boolean := false;
  -- the state of one ring, carried from one hit on it to the next
  head bigint;
  tail bigint;
  latest timestamptz[];
  oldest timestamptz[];
  oldest_chunk bigint;
  answered integer := 0;
  -- whether only the newest hit and the tail of this ring changed: one statement at the end writes such rings
  plain boolean := false;
  rings integer[];
  ring_buckets integer[];
  heads bigint[];
  tails bigint[];
  moments timestamptz[];
  first bigint; -- the number of latest[1]; chunk c holds the hits from 20 c on
  place bigint;
  moment timestamptz;
  since timestamptz;
  hit timestamptz;
begin
  for k in
    select u.n, a.id, a.tenant_id, a.scopes, a.ring, u.bucket,
           case u.bucket when 0 then p.read_per_minute else p.write_per_minute end as per_minute,
           r.head, r.tail, r.latest, r.oldest, r.oldest_chunk
      from unnest(hashes, buckets) with ordinality as u (hash, bucket, n)
      join api_keys a on a.hash = decode(u.hash, 'hex') and a.revoked_at is null
      join tenants t on t.id = a.tenant_id
      join plans p on p.plan = t.plan
      join rate_rings r on r.ring = a.ring and r.bucket = u.bucket
     order by u.hash, u.bucket, u.n
       for no key update of r
  loop
    if k.ring is distinct from ring or k.bucket <> bucket then
      if plain then
        rings := rings || ring;
        ring_buckets := ring_buckets || bucket;
        heads := heads || head;
        tails := tails || tail;
        moments := moments || latest[cardinality(latest)];
      elsif dirty then
        update rate_rings r
           set head = s.head, tail = s.tail, latest = s.latest, oldest = s.oldest,
               oldest_chunk = s.oldest_chunk
         where r.ring = s.ring and r.bucket = s.bucket;
      end if;
      ring := k.ring;
      bucket := k.bucket;
      dirty := false;
      plain := false;
      head := k.head;
      tail := k.tail;
      latest := k.latest;
      oldest := k.oldest;
      oldest_chunk := k.oldest_chunk;
    end if;
    moment := clock_timestamp();
    since := moment - interval '60 seconds';
    hit := null;
    first := head - cardinality(latest);

    -- The tail moves past the hits that have left the window: past all of them, past whole chunks, then hit by hit.
    if tail < head and latest[cardinality(latest)] <= since then
      tail := head;
    end if;
    while tail < first loop
      if oldest_chunk is distinct from tail / 20 then
        oldest_chunk := tail / 20;
        dirty := true;
        plain := false;
        select c.hits into oldest from rate_chunks c where c.ring = s.ring and c.bucket = s.bucket and c.slot = oldest_chunk % 31;
      end if;
      if oldest[20] > since then
        while oldest[tail % 20 + 1] <= since loop
          tail := tail + 1;
        end loop;
        hit := oldest[tail % 20 + 1];
        exit;
      end if;
      tail := (tail / 20 + 1) * 20;
    end loop;
    if tail >= first then
      while tail < head and latest[tail - first + 1] <= since loop
        tail := tail + 1;
      end loop;
      hit := latest[tail - first + 1];
    end if;

    n := k.n;
    key_id := k.id;
    tenant_id := k.tenant_id;
    scopes := k.scopes;
    rate_limit := k.per_minute;
    allowed := head - tail < rate_limit;
    if allowed then
      if cardinality(latest) = 20 then
        insert into rate_chunks as c (ring, bucket, slot, hits) values (s.ring, s.bucket, first / 20 % 31, s.latest)
        on conflict on constraint rate_chunks_pkey do update set hits = excluded.hits;
        latest := array[moment];
        plain := false;
      else
        latest := latest || moment;
        plain := not dirty;
      end if;
      head := head + 1;
      hit := coalesce(hit, moment);
      dirty := true;
    elsif head - rate_limit > tail then
      -- After a change to a smaller plan the window holds more hits than the plan allows: wait for the hit that makes room.
      place := head - rate_limit;
      if place >= first then
        hit := latest[place - first + 1];
      else
        select c.hits[place % 20 + 1] into hit
          from rate_chunks c where c.ring = s.ring and c.bucket = s.bucket and c.slot = place / 20 % 31;
      end if;
    end if;
    remaining := greatest(rate_limit - (head - tail), 0);
    reset_ms := greatest(ceil(extract(epoch from hit + interval '60 seconds' - moment) * 1000), 1);
    answered := answered + 1;
    return next;
  end loop;
  if plain then
    rings := rings || ring;
    ring_buckets := ring_buckets || bucket;
    heads := heads || head;
    tails := tails || tail;
    moments := moments || latest[cardinality(latest)];
  elsif dirty then
    update rate_rings r
       set head = s.head, tail = s.tail, latest = s.latest, oldest = s.oldest,
           oldest_chunk = s.oldest_chunk
     where r.ring = s.ring and r.bucket = s.bucket;
  end if;
  if rings is not null then
    update rate_rings r
       set head = u.head, tail = u.tail, latest = r.latest || u.moment
      from unnest(rings, ring_buckets, heads, tails, moments) as u (ring, bucket, head, tail, moment)
     where r.ring = u.ring and r.bucket = u.bucket;
  end if;

  -- After a crash of the database the log is empty: create the missing rings. If no hash had a row, all are looked up again here;
  -- else the caller asks again for those without one.
  if answered < cardinality(hashes) then
    perform rate_prepare(a.ring)
       from unnest(hashes) as u (hash)
       join api_keys a on a.hash = decode(u.hash, 'hex')
      where a.revoked_at is null and not exists (select 1 from rate_rings r where r.ring = a.ring);
    if found and answered = 0 then
      return query select * from access_take(hashes, buckets);
    end if;
  end if;
end
$$;
