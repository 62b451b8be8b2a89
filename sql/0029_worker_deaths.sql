-- What ends its worker must not end worker after worker. Work notes that it was begun, in whose hands, and a note that is left behind by a
-- process that lives no more is a death of that work: the third at one place ends it (src/worker/trial.ts).

-- The process a pool belongs to: the first 18 characters of the tokens by which the process holds what it holds. A process may have several
-- pools, one after the other.
alter table worker_pools add column process text;
create index worker_pools_process on worker_pools (process);

-- Whether the process of a token has died, as far as it is known: it has said nothing for two beats, or has left nothing that says that it lives.
create function worker_died(token uuid) returns boolean stable language sql as $$
  select not exists (
    select from worker_pools p
     where p.process = left(token::text, 18) and p.beat_at > clock_timestamp() - interval '10 seconds')
$$;

-- Work that was begun, by its task and the payload of its job: a row goes when the work ends in good order, unless workers died of it before.
-- Deliveries are not noted here, for a statement for each of their jobs would be too dear: the lease of their endpoint says the same.
create table begun_work (
  task text not null,
  payload text not null,
  id bigint not null generated always as identity,
  -- of the run under way, which opens with its process; null between two of them
  token uuid,
  begun_at timestamptz(3) not null default clock_timestamp(),
  -- in a row, at one place: progress begins anew
  deaths smallint not null default 0,
  -- a job that was taken out of the queue, until an operator decides: how it is queued again
  set_aside_at timestamptz(3),
  priority smallint,
  max_attempts smallint,
  primary key (task, payload)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500);

-- Of an endpoint: its lease is the note.
alter table webhook_endpoints add column deaths smallint not null default 0;
