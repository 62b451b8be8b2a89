-- A call ends in its row's page, and writes no index: no column that changes stands in one any more, and pages have room.
drop index skill_calls_once;
drop index skill_calls_turn;
drop index skill_calls_long;
drop index skill_calls_open;
-- A call has a number within its occasion, one that was refused before it was begun has none: it may be asked again. Calls of a turn that are written at once
-- are numbered alike, and all but one of them have to count again; a step of a run and a test have one call.
create unique index skill_calls_occasion on skill_calls (tenant_id, app, occasion, turn_number);
alter table skill_calls set (fillfactor = 40);

-- Outputs that are too long to be kept as long as their calls.
create table skill_outputs (
  tenant_id text not null,
  call_id text not null,
  output text not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (tenant_id, call_id),
  foreign key (tenant_id, call_id) references skill_calls on delete cascade
);
create index skill_outputs_old on skill_outputs (created_at);
insert into skill_outputs (tenant_id, call_id, output, created_at)
select c.tenant_id, c.id, c.output, c.created_at from skill_calls c where length(c.output) > 16384;
update skill_calls c set output = null from skill_outputs o where c.tenant_id = o.tenant_id and c.id = o.call_id;

-- Processes that are gone: a lease that one of them took is over, whenever it was to end. A row goes once no such lease can be left.
create table skill_callers_gone (
  -- what the tokens of its leases open with
  process text primary key,
  gone_at timestamptz(3) not null default clock_timestamp()
);
