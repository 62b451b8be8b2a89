-- How a workspace's assistant speaks: its persona. A workspace without a row has the defaults, as its first version.
create table ai_configs (
  tenant_id text not null references tenants on delete cascade,
  tone text not null default 'neutral',
  language text not null default 'auto',
  custom_instructions text not null default '',
  auto_reply boolean not null default true,
  version integer not null default 1,
  updated_at timestamptz(3) not null default now(),
  primary key (tenant_id)
);
