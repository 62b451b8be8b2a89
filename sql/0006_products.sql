-- The catalogue and its stock.

-- `doc` is the public JSON without stock, reserved, stock_status and variants: orders change those, so they are columns and rows of their own, spliced
-- in when the product is read. A move of stock does not raise `version`.
create table products (
  tenant_id text not null,
  id text not null,
  name text not null,
  sku text,
  external_id text,
  category text,
  status text not null check (status in ('draft', 'active', 'archived')),
  price_amount bigint not null,
  currency text not null,
  stock integer check (stock >= 0),
  reserved integer not null default 0,
  has_variants boolean not null default false,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  doc text not null,
  doc_version smallint not null default 1,
  primary key (tenant_id, id)
) with (fillfactor = 70, toast_tuple_target = 8160);

create unique index products_external on products (tenant_id, external_id) where external_id is not null;
create index products_created on products (tenant_id, created_at desc, id desc);
create index products_updated on products (tenant_id, updated_at desc, id desc);
create index products_name on products (tenant_id, name, id);
create index products_price on products (tenant_id, price_amount, id);
-- Text sorts by its bytes here (C.UTF-8), which a keyset needs; a filter by category is a prefix.
create index products_category on products (tenant_id, category text_pattern_ops, created_at desc) where category is not null;
-- Stock on hand changes when goods leave, not with every order: an order changes `reserved`, which is in no index.
create index products_stock on products (tenant_id, (coalesce(stock, -1)), id);
-- Drafts and archived products. Active products, nearly all of a catalogue, are not in this index and cost nothing.
create index products_inactive on products (tenant_id, status, created_at desc, id desc) where status <> 'active';

create table product_variants (
  tenant_id text not null,
  product_id text not null,
  id text not null,
  position smallint not null,
  price_amount bigint,
  stock integer check (stock >= 0),
  reserved integer not null default 0,
  name text not null,
  sku text,
  doc text not null,
  primary key (tenant_id, product_id, id),
  foreign key (tenant_id, product_id) references products on delete cascade
) with (fillfactor = 70);

-- One namespace for the SKUs of products and variants, for a line of an order names either.
create table product_skus (
  tenant_id text not null,
  sku text not null,
  product_id text not null,
  variant_id text,
  primary key (tenant_id, sku),
  foreign key (tenant_id, product_id) references products on delete cascade
);

create index product_skus_product on product_skus (tenant_id, product_id);
