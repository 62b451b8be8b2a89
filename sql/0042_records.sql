-- Records: what apps keep, of the types that their manifests declare.

-- `doc` is the public JSON, rendered by the verb that writes it. Beside it are twelve slots: e1 to e8 hold a hash of a text, a boolean or a value of an
-- enumeration, n1 to n4 a number or a time in milliseconds. An install gives the fields of a resource their slots, for good (src/records/slots.ts), so a
-- list is filtered by columns though apps name the fields. Tried on 240 000 records with five fields, plans and pages as all lists have them: a page
-- reads 22 to 49 blocks by slots, 99 to 260 by a side table of values, 795 and more by a GIN index, which knows no order; and an index for the expressions
-- of each resource is never chosen by a generic plan.
--
-- `fields` is the number of fields that the resource had when the record was written: those it was given later are null.
create table records (
  tenant_id text not null,
  id text not null,
  -- <vendor>:<slug>:<resource>; by bytes, for those of an app are a range
  resource text collate "C" not null,
  external_id text,
  contact_id text,
  order_id text,
  product_id text,
  fields smallint not null,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  e1 bigint, e2 bigint, e3 bigint, e4 bigint, e5 bigint, e6 bigint, e7 bigint, e8 bigint,
  n1 double precision, n2 double precision, n3 double precision, n4 double precision,
  doc text not null,
  doc_version smallint not null default 1,
  primary key (tenant_id, id)
) with (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500);

create unique index records_external on records (tenant_id, resource, external_id) where external_id is not null;
create index records_created on records (tenant_id, resource, created_at desc, id desc);
create index records_updated on records (tenant_id, resource, updated_at desc, id desc);

-- What a record is linked to. A contact that is merged takes its records along, of whatever resource.
create index records_contact on records (tenant_id, contact_id, resource, created_at desc, id desc) where contact_id is not null;
create index records_order on records (tenant_id, order_id, resource, created_at desc, id desc) where order_id is not null;
create index records_product on records (tenant_id, product_id, resource, created_at desc, id desc) where product_id is not null;

create index records_e1 on records (tenant_id, resource, e1, created_at desc, id desc) where e1 is not null;
create index records_e2 on records (tenant_id, resource, e2, created_at desc, id desc) where e2 is not null;
create index records_e3 on records (tenant_id, resource, e3, created_at desc, id desc) where e3 is not null;
create index records_e4 on records (tenant_id, resource, e4, created_at desc, id desc) where e4 is not null;
create index records_e5 on records (tenant_id, resource, e5, created_at desc, id desc) where e5 is not null;
create index records_e6 on records (tenant_id, resource, e6, created_at desc, id desc) where e6 is not null;
create index records_e7 on records (tenant_id, resource, e7, created_at desc, id desc) where e7 is not null;
create index records_e8 on records (tenant_id, resource, e8, created_at desc, id desc) where e8 is not null;
create index records_n1 on records (tenant_id, resource, n1, created_at desc, id desc) where n1 is not null;
create index records_n2 on records (tenant_id, resource, n2, created_at desc, id desc) where n2 is not null;
create index records_n3 on records (tenant_id, resource, n3, created_at desc, id desc) where n3 is not null;
create index records_n4 on records (tenant_id, resource, n4, created_at desc, id desc) where n4 is not null;
