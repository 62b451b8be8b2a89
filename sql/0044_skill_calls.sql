-- Calls of apps' skills. A call's row is written before the first byte leaves and is what a later asker of the same call finds; the rows of a turn are its
-- budget as well, so that the budget is exact whatever process dies.
create table skill_calls (
  tenant_id text not null,
  id text not null,
  -- the installation, app_…, its revision, and the skill's id in the manifest
  app text not null,
  revision integer not null,
  skill_id text not null,
  purpose text not null check (purpose in ('conversation', 'run', 'test')),
  -- what the budget and repeats are counted within: the turn of a conversation, `<run id>.<step id>`, or the test itself
  occasion text not null,
  conversation_id text,
  run_id text,
  step_id text,
  -- its number among those of the turn; null: it spends no budget
  turn_number smallint,
  -- SHA-256 in hex, as it is sent
  key text not null,
  -- the body as the log shows it; where it held a secret, the true one is encrypted beside it, for a repeat
  input text not null,
  sealed_input text,
  -- those that were answered; one that was lost with its process repeats its number
  attempts jsonb not null default '[]',
  lease_token uuid,
  lease_until timestamptz(3),
  created_at timestamptz(3) not null default clock_timestamp(),
  ended_at timestamptz(3),
  duration_ms integer,
  -- how far it came; null: it is under way, or was left by a process that died
  stage text check (stage in ('input', 'network', 'http', 'output', 'done')),
  code text,
  error text,
  errors jsonb not null default '[]',
  -- JSON, of a call that is done; emptied after a day where it is long
  output text,
  truncated boolean not null default false,
  request jsonb,
  response jsonb,
  primary key (tenant_id, id),
  foreign key (tenant_id, app) references apps on delete cascade
);

-- A call that was refused before it was begun may be asked again.
create unique index skill_calls_once on skill_calls (tenant_id, app, occasion, key) where stage is distinct from 'input';
-- Calls of a turn that are written at once are numbered alike, and all but one of them have to count again.
create unique index skill_calls_turn on skill_calls (tenant_id, app, occasion, turn_number) where turn_number is not null;
-- The log, its filter on a skill, and its retention.
create index skill_calls_log on skill_calls (tenant_id, app, created_at desc, id desc);
create index skill_calls_of_skill on skill_calls (tenant_id, app, skill_id, created_at desc, id desc);
create index skill_calls_old on skill_calls (created_at);
create index skill_calls_long on skill_calls (created_at) where length(output) > 16384;
-- The lookout ends the leases of dead processes.
create index skill_calls_open on skill_calls (lease_until) where stage is null;

-- Apps that have not answered lately. A row is there from the first failure on, and goes with the first success.
create table skill_breakers (
  tenant_id text not null,
  app text not null,
  failures integer not null,
  -- how often in a row the app was spared
  openings integer not null default 0,
  spared_until timestamptz(3),
  -- the call that finds out whether the app answers again
  probe text,
  probed_at timestamptz(3),
  primary key (tenant_id, app),
  foreign key (tenant_id, app) references apps on delete cascade
);
