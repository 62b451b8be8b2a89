-- What was counted, in hours as well: an answer about a month read 2 880 quarter hours, whose sixteen sums were half of what it took.

-- A fold adds to the quarter hour and to its hour, so an hour is at every moment the sum of its quarters. Hours begin as those of UTC do. Where midnight
-- comes in the middle of one, that hour is read as quarters.
create table analytics_hours (
  tenant_id text not null,
  hour timestamptz(3) not null,
  currency text not null,
  pending bigint not null default 0, confirmed bigint not null default 0, processing bigint not null default 0, shipped bigint not null default 0,
  delivered bigint not null default 0, returned bigint not null default 0, cancelled bigint not null default 0, refunded bigint not null default 0,
  total numeric not null default 0,
  paid numeric not null default 0,
  given_back numeric not null default 0,
  started bigint not null default 0, inbound bigint not null default 0, ai_replies bigint not null default 0, takeovers bigint not null default 0,
  escalations bigint not null default 0,
  primary key (tenant_id, hour, currency)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500);

insert into analytics_hours (tenant_id, hour, currency, pending, confirmed, processing, shipped, delivered, returned, cancelled, refunded,
                             total, paid, given_back, started, inbound, ai_replies, takeovers, escalations)
select tenant_id, date_bin('1 hour', quarter, timestamptz '2000-01-01 00:00:00+00'), currency,
       sum(pending), sum(confirmed), sum(processing), sum(shipped), sum(delivered), sum(returned), sum(cancelled), sum(refunded),
       sum(total), sum(paid), sum(given_back), sum(started), sum(inbound), sum(ai_replies), sum(takeovers), sum(escalations)
  from analytics_quarters
 group by 1, 2, 3;

-- For an hour processes of the program before this one may still fold into quarters alone. What hours lack of that is added by the count anew.
insert into analytics_recounts (tenant_id, due_at) select id, now() + interval '1 hour' from tenants
on conflict (tenant_id) do update
   set due_at = coalesce(analytics_recounts.due_at, excluded.due_at),
       again_at = case when analytics_recounts.due_at is not null then excluded.due_at end;
