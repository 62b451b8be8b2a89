-- What an attempt says of its receiver counts as long as the slate it was begun with is the webhook's: until that is enabled anew, or moves to another
-- address. It was dropped whenever the webhook's version had changed. So whoever changed a description while an attempt was under way also made its
-- failure unsaid, and of an ordered webhook, whose wait for the next attempt is a silence, that wait: five attempts went by in seconds.
alter table webhook_endpoints add column slate integer not null default 0;
