-- Why an event happened, where a step of a flow made it happen: its run, and how many runs lie between it and what no flow has done (0 for all other events).
-- A flow never runs on what its own run caused, and an event of depth 3 starts none; without that, two flows could set each other off for ever.
-- Neither is in the body that receivers get. A constant default: no row is rewritten.
alter table events
  add column depth smallint not null default 0,
  add column run_id text;
