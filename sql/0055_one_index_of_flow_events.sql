-- One index of the events that wait for their flows instead of two: a row is written with each event and taken away within milliseconds, by its place.
alter table flow_events drop constraint flow_events_pkey;
drop index flow_events_due;
alter table flow_events add primary key (tenant_id, due_at, event_id);
