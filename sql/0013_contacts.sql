-- Contacts over REST. What lists filter by becomes columns; last_message_at, which conversations move, leaves the document as the
-- counters of orders did. Neither is indexed: each order and each message moves one of them, and so touches no index (HOT).
-- Locks contacts while it rewrites their documents.

alter table contacts add column name text, add column blocked boolean not null default false, add column last_message_at timestamptz(3);

update contacts set name = doc::json ->> 'name', doc = replace(doc, '"last_message_at":null,', '');

create index contacts_created on contacts (tenant_id, created_at desc, id desc);
create index contacts_updated on contacts (tenant_id, updated_at desc, id desc);
create index contacts_blocked on contacts (tenant_id, created_at desc, id desc) where blocked;
-- People are looked for by the beginning of their name, in any case. By bytes, whatever the database's collation.
create index contacts_name on contacts (tenant_id, (lower(name) collate "C")) where name is not null;

-- A tag's contacts, newest first. The document holds a contact's tags; here they are turned round.
create table contact_tags (
  tenant_id text not null,
  contact_id text not null,
  tag text not null,
  created_at timestamptz(3) not null,
  primary key (tenant_id, contact_id, tag),
  foreign key (tenant_id, contact_id) references contacts on delete cascade
);

create index contact_tags_tag on contact_tags (tenant_id, tag, created_at desc, contact_id desc);
