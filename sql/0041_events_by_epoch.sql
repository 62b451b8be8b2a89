-- The order of commits, with the epoch: one descent for a page of GET /events and for what a webhook missed.

create index events_by_epoch on events (tenant_id, epoch, xid, seq);
drop index events_by_commit;
