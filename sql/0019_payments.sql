-- Payments and refunds: the money of orders, and who tells of it.

-- An order that is paid while it is pending goes on to confirmed by itself, where the workspace says so.
alter table tenants add column confirm_paid_orders boolean not null default false;

-- Who tells of payments: a Stripe account, or any other program by the generic format. A deleted one leaves a tombstone: its payments name it.
create table payment_providers (
  tenant_id text not null references tenants on delete cascade,
  id text not null,
  provider text not null check (provider in ('stripe', 'generic')),
  name text not null,
  status text not null default 'enabled' check (status in ('enabled', 'disabled', 'deleted')),
  -- encrypted: a JSON list of signing secrets, each of which verifies; a tombstone has none
  secrets text,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, id)
);

create index payment_providers_created on payment_providers (tenant_id, created_at desc, id desc);
-- Callbacks name their provider by its id alone.
create index payment_providers_id on payment_providers (id);

-- The events of providers that were taken, so that each is taken once. Providers repeat an event for a month at most.
create table payment_events_taken (
  tenant_id text not null,
  provider_id text not null,
  event_id text not null,
  taken_at timestamptz(3) not null default now(),
  primary key (tenant_id, provider_id, event_id)
);

create index payment_events_taken_at on payment_events_taken (taken_at);

-- `doc` is the public JSON, rendered by the verb that writes it. Whoever changes a payment of an order holds the order's row, so two changes of one
-- order's money never cross.
create table payments (
  tenant_id text not null,
  id text not null,
  order_id text,
  provider text not null check (provider in ('stripe', 'generic', 'manual')),
  -- null: recorded by hand
  provider_id text,
  reference text,
  -- Stripe's charge: disputes and refunds may name it alone
  charge text,
  status text not null check (status in ('authorized', 'paid', 'failed', 'mismatched', 'unmatched')),
  -- what the provider says was given back in all: less than the document's, where a refund was recorded by hand
  told_refunded_amount bigint not null default 0,
  -- by the provider's clock: what is older than this of the dispute is known
  dispute_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  doc text not null,
  doc_version smallint not null default 1,
  primary key (tenant_id, id)
) with (fillfactor = 85);

create index payments_created on payments (tenant_id, created_at desc, id desc);
-- Newest first within each state and provider: a filter by either, with any values, is served here.
create index payments_states on payments (tenant_id, status, provider, created_at desc, id desc);
create index payments_order on payments (tenant_id, order_id, created_at desc, id desc) where order_id is not null;
-- A payment is its provider's reference: of two callbacks about it, the second finds the row of the first.
create unique index payments_reference on payments (tenant_id, provider_id, reference) nulls not distinct where reference is not null;
create index payments_charge on payments (tenant_id, provider_id, charge) where charge is not null;

-- What providers told before its time: a refund or a dispute before its payment, a refund before an earlier one, the failure of a refund before the refund.
-- It is taken with what it waits for, and otherwise at `until`.
create table payment_updates_waiting (
  tenant_id text not null,
  provider_id text not null,
  event_id text not null,
  reference text,
  charge text,
  body text not null,
  until timestamptz(3) not null,
  primary key (tenant_id, provider_id, event_id)
);

create index payment_updates_waiting_reference on payment_updates_waiting (tenant_id, provider_id, reference);
create index payment_updates_waiting_charge on payment_updates_waiting (tenant_id, provider_id, charge) where charge is not null;
create index payment_updates_waiting_until on payment_updates_waiting (until);

-- An order has at most one pending refund: what is still to be given back of a cancelled order.
create table refunds (
  tenant_id text not null,
  id text not null,
  order_id text not null,
  payment_id text,
  reference text,
  amount bigint not null,
  status text not null check (status in ('pending', 'completed', 'failed')),
  created_at timestamptz(3) not null,
  doc text not null,
  doc_version smallint not null default 1,
  primary key (tenant_id, id)
) with (fillfactor = 85);

create index refunds_order on refunds (tenant_id, order_id, created_at desc, id desc);
create unique index refunds_pending on refunds (tenant_id, order_id) where status = 'pending';
-- A refund is told of once: by the payment and the provider's own id of the refund.
create unique index refunds_reference on refunds (tenant_id, payment_id, reference) where payment_id is not null and reference is not null;
