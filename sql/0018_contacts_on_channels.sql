-- Contacts on channels: by which id on which channel a person is known. A person may have several ids on one channel (WhatsApp's number and its
-- business-scoped user id), of which the further ones are aliases of the first; `channels` of a contact shows the first alone. The rows are read with
-- the contact, so connecting a person locks no contact: a customer's message and an order must not wait for each other here.
create table contact_channels (
  tenant_id text not null,
  channel_id text not null,
  external_id text not null,
  contact_id text not null,
  platform text not null,
  alias_of text,
  handle text,
  connected_at timestamptz(3) not null,
  unreachable_since timestamptz(3),
  primary key (tenant_id, channel_id, external_id),
  foreign key (tenant_id, contact_id) references contacts
);

create index contact_channels_contact on contact_channels (tenant_id, contact_id, connected_at, channel_id, external_id);
-- The same Telegram user or WhatsApp number on another channel of the workspace is the same person.
create index contact_channels_person on contact_channels (tenant_id, platform, external_id);

-- `phone_key` is the number in the one spelling by which it is found, for some countries write theirs in two (src/contacts/phone.ts). Where two contacts
-- have had two spellings of one number, the older one is found by it. `name_told`: a platform told the name, and may tell another; what staff wrote stays.
-- `merged_into`: the contact is another one now, and its row is only kept to say so and to be found by what was written at the same moment.
alter table contacts
  add column phone_key text,
  add column name_told boolean not null default false,
  add column merged_into text;

with keyed as (
  select tenant_id, id,
         regexp_replace(regexp_replace(regexp_replace(phone, '^\+55([1-9][1-9])([6-9][0-9]{7})$', '+55\19\2'),
                                       '^\+521([0-9]{10})$', '+52\1'), '^\+549([1-8][0-9]{9})$', '+54\1') as key
    from contacts
   where phone is not null
), firsts as (
  select distinct on (tenant_id, key) tenant_id, id, key from keyed order by tenant_id, key, id
)
update contacts c set phone_key = f.key from firsts f where c.tenant_id = f.tenant_id and c.id = f.id;

-- No document holds its channels any more. The text cannot stand inside a value, where its quotes would be escaped.
update contacts set doc = replace(doc, ',"channels":[],"tags":', ',"tags":');

drop index contacts_phone;
create unique index contacts_phone on contacts (tenant_id, phone_key) where phone_key is not null;
create index contacts_merged on contacts (tenant_id, merged_into) where merged_into is not null;
