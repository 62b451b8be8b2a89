-- Orders and their numbers.

-- `doc` is the whole public JSON, lines included, rendered once by the verb that writes it. The columns beside it serve filters, sorting, locks and
-- constraints; the same function writes them from the same object.
create table orders (
  tenant_id text not null,
  id text not null,
  number integer not null,
  external_id text,
  source text not null,
  status text not null,
  payment_status text not null,
  fulfillment_status text not null,
  currency text not null,
  total_amount bigint not null,
  contact_id text,
  customer_email text,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  doc text not null,
  doc_version smallint not null default 1,
  primary key (tenant_id, id)
) with (fillfactor = 85, toast_tuple_target = 8160);

create index orders_created on orders (tenant_id, created_at desc, id desc);
create index orders_updated on orders (tenant_id, updated_at desc, id desc);
create index orders_total on orders (tenant_id, total_amount desc, id desc);
create unique index orders_number on orders (tenant_id, number);
create unique index orders_external on orders (tenant_id, external_id) where external_id is not null;
create index orders_contact on orders (tenant_id, contact_id, created_at desc, id desc) where contact_id is not null;
create index orders_email on orders (tenant_id, customer_email, created_at desc, id desc) where customer_email is not null;
-- The four states of an order, newest first within each combination: a filter by any of them, with any values, is served here, so no page walks the
-- whole table (docs/decisions/2026-11-20-a-page-of-a-list-is-bounded-work.md).
create index orders_states on orders (tenant_id, status, payment_status, fulfillment_status, source, created_at desc, id desc);

-- A tenant's orders wait for each other at this row, from taking a number until the commit.
create table order_counters (
  tenant_id text primary key,
  last_number integer not null
) with (fillfactor = 20);
