-- Customers, and their tags.

-- `doc` is the public JSON, rendered by the verb that writes it. Beside it are columns to find and filter by, and the columns that orders and messages
-- change: the counters and last_message_at, which are spliced into the document when it is read. None of these is indexed, so an order or a message
-- writes no index (HOT).
--
-- Each order leaves a dead row here. By default vacuum starts when a fifth of the table is dead, so dead rows would grow with the table.
create table contacts (
  tenant_id text not null,
  id text not null,
  email text,
  phone text,
  external_id text,
  orders_count integer not null default 0,
  total_spent_amount bigint not null default 0,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  doc text not null,
  doc_version smallint not null default 1,
  name text,
  blocked boolean not null default false,
  last_message_at timestamptz(3),
  primary key (tenant_id, id)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500);

-- One contact for an address or a number: of two inserts at once, the second finds the contact of the first.
create unique index contacts_email on contacts (tenant_id, lower(email)) where email is not null;
create unique index contacts_phone on contacts (tenant_id, phone) where phone is not null;
create unique index contacts_external on contacts (tenant_id, external_id) where external_id is not null;
create index contacts_created on contacts (tenant_id, created_at desc, id desc);
create index contacts_updated on contacts (tenant_id, updated_at desc, id desc);
create index contacts_blocked on contacts (tenant_id, created_at desc, id desc) where blocked;
-- A search finds contacts by the beginning of their name, in any case: by bytes, whatever the database's collation.
create index contacts_name on contacts (tenant_id, (lower(name) collate "C")) where name is not null;

-- The contacts of a tag, newest first. A contact's document holds its tags; this table is the inverse.
create table contact_tags (
  tenant_id text not null,
  contact_id text not null,
  tag text not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, contact_id, tag),
  foreign key (tenant_id, contact_id) references contacts on delete cascade
);

create index contact_tags_tag on contact_tags (tenant_id, tag, created_at desc, contact_id desc);
