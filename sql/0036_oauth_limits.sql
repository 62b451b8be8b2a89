-- Access tokens take their requests of the minute as keys do: exactly, in the ring of their grant, which a refresh does not change.
--
-- The same log as that of access_take (0002_access.sql), one hit at a time: a hit that waited for the ring's row sees it as it is now. A ring that a crash
-- of the database has lost is made anew.
create function ring_take(
  the_ring integer, the_bucket integer, per_minute integer,
  out remaining integer, out reset_ms integer, out allowed boolean
) language plpgsql as $$
declare
  r rate_rings;
  first bigint; -- the number of latest[1]; chunk c holds the hits from 20 c on
  place bigint;
  moment timestamptz;
  since timestamptz;
  hit timestamptz;
begin
  select x.* into r from rate_rings x where x.ring = the_ring and x.bucket = the_bucket for no key update;
  if not found then
    perform rate_prepare(the_ring);
    select x.* into r from rate_rings x where x.ring = the_ring and x.bucket = the_bucket for no key update;
  end if;
  moment := clock_timestamp();
  since := moment - interval '60 seconds';
  first := r.head - cardinality(r.latest);

  -- The tail moves past the hits that have left the window: past all of them, past whole chunks, then hit by hit.
  if r.tail < r.head and r.latest[cardinality(r.latest)] <= since then
    r.tail := r.head;
  end if;
  while r.tail < first loop
    if r.oldest_chunk is distinct from r.tail / 20 then
      r.oldest_chunk := r.tail / 20;
      select c.hits into r.oldest from rate_chunks c where c.ring = the_ring and c.bucket = the_bucket and c.slot = r.oldest_chunk % 31;
    end if;
    if r.oldest[20] > since then
      while r.oldest[r.tail % 20 + 1] <= since loop
        r.tail := r.tail + 1;
      end loop;
      hit := r.oldest[r.tail % 20 + 1];
      exit;
    end if;
    r.tail := (r.tail / 20 + 1) * 20;
  end loop;
  if r.tail >= first then
    while r.tail < r.head and r.latest[r.tail - first + 1] <= since loop
      r.tail := r.tail + 1;
    end loop;
    hit := r.latest[r.tail - first + 1];
  end if;

  allowed := r.head - r.tail < per_minute;
  if allowed then
    if cardinality(r.latest) = 20 then
      insert into rate_chunks as c (ring, bucket, slot, hits) values (the_ring, the_bucket, first / 20 % 31, r.latest)
      on conflict on constraint rate_chunks_pkey do update set hits = excluded.hits;
      r.latest := array[moment];
    else
      r.latest := r.latest || moment;
    end if;
    r.head := r.head + 1;
    hit := coalesce(hit, moment);
  elsif r.head - per_minute > r.tail then
    -- After a change to a smaller plan the window holds more hits than the plan allows: wait for the hit that makes room.
    place := r.head - per_minute;
    if place >= first then
      hit := r.latest[place - first + 1];
    else
      select c.hits[place % 20 + 1] into hit from rate_chunks c where c.ring = the_ring and c.bucket = the_bucket and c.slot = place / 20 % 31;
    end if;
  end if;
  update rate_rings x
     set head = r.head, tail = r.tail, latest = r.latest, oldest = r.oldest, oldest_chunk = r.oldest_chunk
   where x.ring = the_ring and x.bucket = the_bucket;
  remaining := greatest(per_minute - (r.head - r.tail), 0);
  reset_ms := greatest(ceil(extract(epoch from hit + interval '60 seconds' - moment) * 1000), 1);
end
$$;
