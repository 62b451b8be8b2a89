-- Apps of a workspace: what an admin installed, each revision of its manifest, and which events its flows begin with. A row outlives the app's
-- uninstalling for as long as its records do, so that installing it again brings them back.
create table apps (
  tenant_id text not null references tenants on delete cascade,
  id text not null,
  -- of the manifest: <vendor>:<slug>
  app_id text not null,
  state text not null check (state in ('active', 'needs_config', 'disabled', 'uninstalled')),
  revision integer not null,
  -- those that were granted
  scopes text[] not null,
  -- plain values by key
  config jsonb not null default '{}',
  -- when each secret value was set, by key: what may be shown of it
  secrets_set jsonb not null default '{}',
  -- encrypted: secret values by key, as JSON
  secrets text,
  credential_mode text not null default 'none' check (credential_mode in ('none', 'bearer', 'hmac')),
  -- encrypted
  credential text,
  credential_set_at timestamptz(3),
  -- of each filterable field of each resource the column of its values in records, given for good
  slots jsonb not null default '{}',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  uninstalled_at timestamptz(3),
  -- the public JSON, rendered by the verb that writes the row
  doc text not null,
  doc_version smallint not null default 1,
  primary key (tenant_id, id)
) with (fillfactor = 85);

create index apps_created on apps (tenant_id, created_at desc, id desc);
create unique index apps_installed on apps (tenant_id, app_id) where state <> 'uninstalled';
-- For the retention, which goes over all workspaces.
create index apps_uninstalled on apps (uninstalled_at) where state = 'uninstalled';

-- A run ends on the revision it began with, so those before the present one stay a while.
create table app_revisions (
  tenant_id text not null,
  app text not null,
  revision integer not null,
  -- of the content, whatever the order of its members
  hash bytea not null,
  manifest text not null,
  created_at timestamptz(3) not null,
  superseded_at timestamptz(3),
  primary key (tenant_id, app, revision),
  foreign key (tenant_id, app) references apps on delete cascade
);

create index app_revisions_superseded on app_revisions (superseded_at) where superseded_at is not null;

-- The types of events that enabled flows of active apps begin with: an event of any other type costs one look here.
create table app_triggers (
  tenant_id text not null,
  event_type text not null,
  app text not null,
  primary key (tenant_id, event_type, app),
  foreign key (tenant_id, app) references apps on delete cascade
);

create index app_triggers_app on app_triggers (tenant_id, app);
