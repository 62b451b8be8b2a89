-- Flows: what apps do, step by step, when something happens. Rows are the truth and jobs are wake-ups, as with deliveries.

-- Events that some enabled flow may begin with, until their runs are written. One row for an event, whatever the number of flows: a listener of `emit`
-- writes it (src/flows/listen.ts), and a worker takes such rows in sets (src/flows/match.ts). No foreign key: it would lock the event's row at each insert.
create table flow_events (
  tenant_id text not null,
  event_id text not null,
  -- when it may be taken; later each time that it could not be matched
  due_at timestamptz(3) not null default clock_timestamp(),
  attempts smallint not null default 0,
  primary key (tenant_id, event_id)
);

create index flow_events_due on flow_events (tenant_id, due_at, event_id);

-- The mutex of an app's runs: the worker that holds its lease runs them, and no other. Made with the app's first run. No hot column is indexed, so these
-- updates stay on the page (HOT).
create table flow_queues (
  tenant_id text not null,
  -- the app's
  id text not null,
  -- since when it has a job; null: it has none
  queued_at timestamptz(3),
  lease_token uuid,
  lease_until timestamptz(3),
  primary key (tenant_id, id)
) with (fillfactor = 40);

create table flow_runs (
  tenant_id text not null,
  id text not null,
  app_id text not null,
  flow_id text not null,
  -- of the app's manifest: the run ends on the revision that it began with
  revision integer not null,
  event_id text not null,
  event_type text not null,
  -- of the event; and the flows whose runs led to it, this one last, each as `<app> <flow>`
  depth smallint not null,
  lineage text[] not null,
  -- asked for by a person: of one flow and one event there may be any number
  is_replay boolean not null default false,
  state text not null default 'queued' check (state in ('queued', 'running', 'waiting', 'succeeded', 'failed', 'cancelled', 'skipped')),
  -- which step is next
  place smallint not null default 0,
  -- when it goes on; null: it is over
  due_at timestamptz(3),
  -- why it waits, was skipped, cancelled or failed: a code, and a sentence
  code text,
  reason text,
  -- since when it goes on without a wait, where it has begun to
  since timestamptz(3),
  -- how often its next step ended with an error of ours
  attempts smallint not null default 0,
  -- while it waits for longer than the event may be kept: the event's envelope
  event text,
  created_at timestamptz(3) not null,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  primary key (tenant_id, id)
) with (fillfactor = 70);

-- One run of a flow for an event, replays aside.
create unique index flow_runs_once on flow_runs (tenant_id, event_id, app_id, flow_id) where not is_replay;
create index flow_runs_due on flow_runs (tenant_id, app_id, due_at, id) where due_at is not null;
create index flow_runs_of_app on flow_runs (tenant_id, app_id, created_at, id);
-- For the retention, which goes over all workspaces.
create index flow_runs_ended on flow_runs (ended_at) where ended_at is not null;

-- The log of a run's steps: what each was given, with secrets masked, and what came of it.
create table flow_steps (
  tenant_id text not null,
  run_id text not null,
  place smallint not null,
  step_id text not null,
  state text not null check (state in ('running', 'waiting', 'succeeded', 'failed', 'skipped')),
  input text,
  output text,
  code text,
  reason text,
  attempts smallint not null,
  started_at timestamptz(3) not null,
  ended_at timestamptz(3),
  -- the message that it wrote: a later event about it was caused by this run
  message_id text,
  primary key (tenant_id, run_id, place),
  foreign key (tenant_id, run_id) references flow_runs on delete cascade
);

create index flow_steps_of_message on flow_steps (tenant_id, message_id) where message_id is not null;

-- Ends the transaction of a step whose run was moved meanwhile: by a worker that took it over, or by a person who cancelled it. It is the last statement of
-- that transaction, sent together with its COMMIT, so an error is what undoes the step.
create function flow_moved(rows bigint) returns void language plpgsql as $$
begin
  if rows = 0 then
    raise exception 'the run was moved meanwhile' using errcode = 'SDF01';
  end if;
end
$$;
