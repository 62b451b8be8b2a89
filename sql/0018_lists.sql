-- What lists are filtered and sorted by, so that no page is a walk of the whole table (see docs/decisions, "A page of a list is bounded work").
--
-- Each of these locks its table against writes while it is built: about two seconds for a million rows. Where that is too long, build them
-- beforehand with `create index concurrently` under the same names: what exists is kept.

-- The four states of an order, newest first within each combination: any of them, and any list of their values, is found here. It takes the
-- place of the index on the status alone, so an order is written into as many indexes as before.
create index if not exists orders_states on orders (tenant_id, status, payment_status, fulfillment_status, source, created_at desc, id desc);
drop index orders_status;

-- Stock on hand moves when goods leave, not with every order: those move `reserved`, which is in no index.
create index if not exists products_stock on products (tenant_id, (coalesce(stock, -1)), id);
-- Drafts and what is archived. Active products, nearly all of a catalogue, are not in it and cost nothing.
create index if not exists products_inactive on products (tenant_id, status, created_at desc, id desc) where status <> 'active';

create index if not exists webhook_endpoints_created on webhook_endpoints (tenant_id, created_at desc, id desc);
