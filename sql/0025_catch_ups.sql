-- A webhook that catches up does so in jobs. Where such a job is lost the webhook would be held for ever, so the sweep looks every few
-- seconds for those that have none. This is how it finds the few that catch up, however many webhooks there are.

create index webhook_endpoints_catching_up on webhook_endpoints (tenant_id, id) where catching_up is not null;
