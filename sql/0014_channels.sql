-- Channels: the accounts of platforms over which customers write and are answered.

-- The channel's row is the mutex of its sends: the holder of `lease_token` sends, as with an endpoint and its deliveries. `queued_at` says that a job
-- for it is queued. No hot column is indexed, so these updates stay on the page (HOT).
--
-- A deleted channel leaves a tombstone: its conversations stay readable, and name it.
create table channels (
  tenant_id text not null references tenants on delete cascade,
  id text not null,
  platform text not null check (platform in ('web', 'telegram', 'whatsapp', 'instagram', 'facebook', 'viber', 'email', 'api')),
  name text not null,
  status text not null default 'enabled' check (status in ('enabled', 'disabled', 'failing', 'deleted')),
  -- who the account is on its platform: a bot's, a number's, a page's id; null where the platform has none (api, web)
  account_id text,
  account_name text,
  -- what is shown: reopen_hours, api_url, send_url, … (src/channels/accounts/schema.ts)
  settings jsonb not null default '{}',
  -- encrypted JSON of what is never shown: token, app_secret, verify_token, secret; a tombstone has none
  credentials text,
  -- callbacks signed with this secret, encrypted as well, are taken until then
  previous_secret text,
  previous_secret_until timestamptz(3),
  -- when the token was given or renewed: tokens of Instagram's own login last for 60 days
  token_at timestamptz(3),
  last_inbound_at timestamptz(3),
  last_sent_at timestamptz(3),
  last_error text,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- scheduling of sends: see src/queue/leased.ts
  queued_at timestamptz(3),
  lease_token uuid,
  lease_until timestamptz(3),
  primary key (tenant_id, id)
) with (fillfactor = 40);

create index channels_created on channels (tenant_id, created_at desc, id desc);
-- A workspace has an account of a platform once: a second channel would take the callbacks of the first. Callbacks for other accounts of one app are
-- handed to their channel by this index.
create unique index channels_account on channels (tenant_id, platform, account_id) where account_id is not null and status <> 'deleted';
-- Callbacks name their channel by its id alone.
create index channels_id on channels (id);
