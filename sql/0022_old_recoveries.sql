-- Recoveries are kept as long as the log of what they sent. Until now they stayed for ever, one for each redelivery and each test.
-- The index is what finds the old ones.

create index webhook_recoveries_finished on webhook_recoveries (finished_at) where finished_at is not null;
