-- The figures of a workspace, counted as things happen.

-- Whatever changes something that is counted adds a row of differences in its own transaction, and waits for nobody: there is no counter that orders have in
-- common. One process folds such rows into the two tables below. What is folded plus what is not yet is exact at every moment, whatever crashes.
--
-- Things count in a quarter hour, for the midnight of every time zone is one; an order in that of its creation, whenever it moves. Currency '': what has none,
-- conversations and messages. A column that is null counts nothing.
create table analytics_differences (
  tenant_id text not null,
  -- ordered by time: says how long the oldest row waits
  id uuid not null default uuidv7(),
  quarter timestamptz(3) not null,
  currency text not null default '',
  pending bigint, confirmed bigint, processing bigint, shipped bigint, delivered bigint, returned bigint, cancelled bigint, refunded bigint,
  -- of orders that are not cancelled; numeric, for no sum may ever be too large to be folded
  total numeric,
  paid numeric,
  given_back numeric,
  started bigint, inbound bigint, ai_replies bigint, takeovers bigint, escalations bigint,
  -- of orders that are not cancelled: [[product's id, pieces, amount], …]
  lines jsonb,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000, vacuum_truncate = false);

create table analytics_quarters (
  tenant_id text not null,
  quarter timestamptz(3) not null,
  currency text not null,
  pending bigint not null default 0, confirmed bigint not null default 0, processing bigint not null default 0, shipped bigint not null default 0,
  delivered bigint not null default 0, returned bigint not null default 0, cancelled bigint not null default 0, refunded bigint not null default 0,
  total numeric not null default 0,
  paid numeric not null default 0,
  given_back numeric not null default 0,
  started bigint not null default 0, inbound bigint not null default 0, ai_replies bigint not null default 0, takeovers bigint not null default 0,
  escalations bigint not null default 0,
  primary key (tenant_id, quarter, currency)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500);

-- Of products there would be too many quarter hours: a row is a day, by the time zone that the workspace had when it was folded.
create table analytics_products (
  tenant_id text not null,
  day date not null,
  product_id text not null,
  currency text not null,
  pieces bigint not null,
  amount numeric not null,
  primary key (tenant_id, day, product_id, currency)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500);

-- Counting anew from the tables: it adds what the count lacks as differences. `number` keeps two such counts from adding it both.
create table analytics_recounts (
  tenant_id text primary key,
  number integer not null default 0,
  -- when the worker does it; null: only when somebody asks
  due_at timestamptz(3),
  -- and when once more
  again_at timestamptz(3)
);

-- What is there already is counted by the worker, at once; and once more after an hour, for processes of the program before this one may still write.
insert into analytics_recounts (tenant_id, due_at, again_at) select id, now(), now() + interval '1 hour' from tenants;
