-- Conversations and their messages.

-- A conversation's `doc` is its public JSON without the fields that messages and contacts change: those are columns, spliced in when it is read. A
-- message changes updated_at too, by which lists are sorted, but not `version`.
create table conversations (
  tenant_id text not null,
  id text not null,
  platform text not null,
  channel_id text not null,
  contact_id text not null,
  status text not null check (status in ('open', 'closed')),
  ai_status text not null check (ai_status in ('on', 'paused')),
  assigned_to text,
  unread_count integer not null default 0,
  messages_count integer not null default 0,
  waiting_since timestamptz(3),
  last_message text,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  doc text not null,
  doc_version smallint not null default 1,
  primary key (tenant_id, id),
  foreign key (tenant_id, contact_id) references contacts
) with (fillfactor = 70, toast_tuple_target = 8160);

-- A customer has one open conversation on a channel, which the next message continues.
create unique index conversations_open on conversations (tenant_id, channel_id, contact_id) where status = 'open';

create index conversations_updated on conversations (tenant_id, updated_at desc, id desc);
create index conversations_created on conversations (tenant_id, created_at desc, id desc);
create index conversations_contact on conversations (tenant_id, contact_id, updated_at desc, id desc);
create index conversations_status on conversations (tenant_id, status, updated_at desc, id desc);
create index conversations_platform on conversations (tenant_id, platform, updated_at desc, id desc);
-- The few conversations that an operator has to look at.
create index conversations_assigned on conversations (tenant_id, assigned_to, updated_at desc, id desc) where assigned_to is not null;
create index conversations_unread on conversations (tenant_id, updated_at desc, id desc) where unread_count > 0;
create index conversations_paused on conversations (tenant_id, updated_at desc, id desc) where ai_status = 'paused';

create table messages (
  tenant_id text not null,
  id text not null,
  conversation_id text not null,
  platform text not null,
  external_id text,
  created_at timestamptz(3) not null,
  doc text not null,
  doc_version smallint not null default 1,
  primary key (tenant_id, id),
  foreign key (tenant_id, conversation_id) references conversations on delete cascade
);

create index messages_conversation on messages (tenant_id, conversation_id, created_at desc, id desc);
-- Platforms deliver at least once: a message is stored once.
create unique index messages_external on messages (tenant_id, platform, external_id) where external_id is not null;
