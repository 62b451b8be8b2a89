-- What was sold of products, in blocks of five days: an answer about a month read thirty rows of each product, which was most of what it took.

-- A fold adds to the day and to the block, so a block is at every moment the sum of its days.
create table analytics_blocks (
  tenant_id text not null,
  -- the first day of its block, counted from 2000-01-01 on
  day date not null,
  product_id text not null,
  currency text not null,
  pieces bigint not null,
  amount numeric not null,
  primary key (tenant_id, day, product_id, currency)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500);

insert into analytics_blocks (tenant_id, day, product_id, currency, pieces, amount)
select tenant_id, day - (day - date '2000-01-01') % 5, product_id, currency, sum(pieces), sum(amount)
  from analytics_products
 group by 1, 2, 3, 4;

-- For an hour processes of the program before this one may still fold into days alone. What blocks lack of that is added by the count anew.
insert into analytics_recounts (tenant_id, due_at) select id, now() + interval '1 hour' from tenants
on conflict (tenant_id) do update
   set due_at = coalesce(analytics_recounts.due_at, excluded.due_at),
       again_at = case when analytics_recounts.due_at is not null then excluded.due_at end;
