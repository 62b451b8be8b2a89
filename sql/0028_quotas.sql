-- Quotas: how many webhooks a workspace has, how many of them go to an origin that never answered one with 2xx, and how many bytes of uploads and
-- exports are kept for it. Without them an order was POSTed as often as its workspace had made webhooks, to a receiver that never agreed to it.

-- Whether the origin that its URL has now answered with 2xx. Of those before, a success was at the URL of then, which as a rule is the same.
alter table webhook_endpoints add column proven boolean not null default false;
update webhook_endpoints set proven = true where last_success_at is not null;

-- Origins that did so at a webhook which was since deleted, or sent elsewhere.
create table webhook_origins (
  tenant_id text not null,
  origin text not null,
  left_at timestamptz(3) not null default now(),
  primary key (tenant_id, origin)
);
