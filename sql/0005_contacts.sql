-- Customers. `doc` is the public JSON, rendered by the verb that writes it; the counters, which orders move, are columns beside it
-- and are spliced in when read.

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
  primary key (tenant_id, id)
) with (fillfactor = 80);

-- One contact for an address or a number; whoever comes second finds the first.
create unique index contacts_email on contacts (tenant_id, lower(email)) where email is not null;
create unique index contacts_phone on contacts (tenant_id, phone) where phone is not null;
create unique index contacts_external on contacts (tenant_id, external_id) where external_id is not null;
