-- Callbacks: what platforms and payment providers have told, kept before anything of ours has to understand it.

-- A channel or a payment provider, as far as its callbacks are concerned. The holder of `lease_token` applies them: one worker, never two. `queued` says
-- that a job is waiting for it, so that a burst adds one (src/callbacks/lease-store.ts). No hot column is indexed, so these updates stay on the page (HOT).
create table callback_sources (
  tenant_id text not null references tenants on delete cascade,
  id text not null,
  kind text not null check (kind in ('channel', 'payment')),
  -- while it is not, callbacks are taken and wait
  enabled boolean not null default true,
  queued boolean not null default false,
  queued_at timestamptz(3) not null default now(),
  lease_token uuid,
  lease_until timestamptz(3),
  primary key (tenant_id, id)
) with (fillfactor = 40);

-- `body` is the text that came, as its sender signed it. There is no foreign key: it would lock the source's row at each insert, and sources are never
-- deleted while callbacks of them are kept.
create table callbacks (
  tenant_id text not null,
  source_id text not null,
  id text not null,
  status text not null default 'waiting' check (status in ('waiting', 'applied', 'ignored', 'failed')),
  reason text,
  attempts smallint not null default 0,
  -- since when it fails each time, and what it speaks of: later callbacks about the same wait behind it
  failing_since timestamptz(3),
  threads text[],
  received_at timestamptz(3) not null default clock_timestamp(),
  -- when it is applied: in this order, and that of ids
  due_at timestamptz(3) not null default clock_timestamp(),
  done_at timestamptz(3),
  body text not null,
  primary key (tenant_id, source_id, id)
);

create index callbacks_waiting on callbacks (tenant_id, source_id, due_at, id) where status = 'waiting';
create index callbacks_failing on callbacks (tenant_id, source_id, id) where status = 'waiting' and failing_since is not null;
create index callbacks_failed on callbacks (tenant_id, source_id, id) where status = 'failed';

-- When the next callback of a source is due. A function, for its statement sees what was kept while the statement that calls it waited for the source's
-- row: so either a wake-up finds the source given back, or who gives it back finds the callback.
create function callback_next_due(tenant text, source text) returns timestamptz language plpgsql as $$
begin
  return (
    select c.due_at
      from callbacks c
     where c.tenant_id = tenant and c.source_id = source and c.status = 'waiting'
     order by c.due_at
     limit 1);
end
$$;
