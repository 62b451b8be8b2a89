-- To which address a mail of unread answers went, as SHA-256 of the address in lower case.
alter table chat_mails add column address bytea;

-- Addresses to which no such mails go, for any visitor who types them: their owners have ended them. A visitor may type several. Kept for good.
create table chat_mail_ended_addresses (
  tenant_id text not null references tenants on delete cascade,
  channel_id text not null,
  address bytea not null,
  at timestamptz(3) not null default now(),
  primary key (tenant_id, channel_id, address)
);
