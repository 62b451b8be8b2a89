-- Mails that tell visitors of web chat of answers they have not seen. A mail has a link whose secret is known by its hash alone: it goes on with the talk
-- once, and ends such mails for this visitor.
create table chat_mails (
  tenant_id text not null references tenants on delete cascade,
  channel_id text not null,
  hash bytea not null,
  conversation_id text not null,
  visitor_id text not null,
  -- the time of the last answer that it tells of
  told_until timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  used_at timestamptz(3),
  primary key (tenant_id, channel_id, hash)
);

create index chat_mails_conversation on chat_mails (tenant_id, conversation_id, created_at);
-- Retention goes by age alone.
create index chat_mails_age on chat_mails (created_at);

-- Visitors who want no such mails. Kept for good.
create table chat_mail_ends (
  tenant_id text not null references tenants on delete cascade,
  channel_id text not null,
  visitor_id text not null,
  at timestamptz(3) not null default now(),
  primary key (tenant_id, channel_id, visitor_id)
);
