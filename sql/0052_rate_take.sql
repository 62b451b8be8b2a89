-- Access tokens and browsers' sessions take their requests of the minute in sets, as keys do.

-- The same log as that of access_take (0002_access.sql), where what is limited is known already: a call for a set of hits, rings locked in one order, and
-- one statement at the end for all that were hit once. ring_take (0036), which it takes the place of, was called for each hit and wrote each by itself,
-- which was most of what a token cost more than a key. That function stays for processes of the program before this one.
--
-- `n` is the position of a hit in the arrays. A ring that a crash of the database has lost is made anew.
create function rate_take(
  the_rings integer[], the_buckets integer[], limits integer[],
  out n integer, out remaining integer, out reset_ms integer, out allowed boolean
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
  done integer[] := array[]::integer[];
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
  lost integer[];
begin
  for k in
    select u.n, u.ring, u.bucket, u.per_minute, r.head, r.tail, r.latest, r.oldest, r.oldest_chunk
      from unnest(the_rings, the_buckets, limits) with ordinality as u (ring, bucket, per_minute, n)
      join rate_rings r on r.ring = u.ring and r.bucket = u.bucket
     order by u.ring, u.bucket, u.n
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
    allowed := head - tail < k.per_minute;
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
    elsif head - k.per_minute > tail then
      -- After a change to a smaller plan the window holds more hits than the plan allows: wait for the hit that makes room.
      place := head - k.per_minute;
      if place >= first then
        hit := latest[place - first + 1];
      else
        select c.hits[place % 20 + 1] into hit
          from rate_chunks c where c.ring = s.ring and c.bucket = s.bucket and c.slot = place / 20 % 31;
      end if;
    end if;
    remaining := greatest(k.per_minute - (head - tail), 0);
    reset_ms := greatest(ceil(extract(epoch from hit + interval '60 seconds' - moment) * 1000), 1);
    done := done || n;
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

  if cardinality(done) < cardinality(the_rings) then
    lost := array(select i from generate_series(1, cardinality(the_rings)) i where i <> all (done));
    perform rate_prepare(u.ring) from (select distinct the_rings[i] as ring from unnest(lost) i order by 1) u;
    return query
      select lost[t.n], t.remaining, t.reset_ms, t.allowed
        from rate_take(
               array(select the_rings[i] from unnest(lost) with ordinality l (i, o) order by o),
               array(select the_buckets[i] from unnest(lost) with ordinality l (i, o) order by o),
               array(select limits[i] from unnest(lost) with ordinality l (i, o) order by o)) t;
  end if;
end
$$;
