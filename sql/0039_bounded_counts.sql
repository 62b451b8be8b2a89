-- What a recovery is to send is counted to a bound, and says whether there may be more. Of those that are there it was counted for four seconds, and that was not
-- noted: most were counted to their end.
alter table webhook_recoveries add column total_at_least boolean not null default false;
