-- What apps tell the team. Kept for 30 days; ids are in the order of time.
create table notifications (
  tenant_id text not null references tenants on delete cascade,
  id text not null,
  -- the app that tells, and the run of its flow
  app_id text not null,
  run_id text,
  level text not null check (level in ('info', 'warning')),
  created_at timestamptz(3) not null,
  -- its public JSON
  doc text not null,
  primary key (tenant_id, id)
);

create index notifications_created on notifications (tenant_id, created_at, id);
create index notifications_age on notifications (created_at);

-- Warnings of an app are mailed to the admins, so many in an hour; how many more there were, one more mail says when the hour is over.
create table notification_mails (
  tenant_id text not null references tenants on delete cascade,
  app_id text not null,
  app_name text not null,
  -- when the hour began, how many were mailed in it, and how many were not
  since timestamptz(3) not null,
  mailed integer not null,
  more integer not null,
  primary key (tenant_id, app_id)
);

create index notification_mails_more on notification_mails (since) where more > 0;
