-- When the refunds of a payment failed: a sum that counts says what had been given back by its time, and holds what failed later. With their sum alone, a failure
-- that was told of before an older sum was taken off it twice, or not at all.
alter table payments
  -- JSON, the latest failures, each with its time by the provider's clock and its amount
  add column told_failures text not null default '[]';

-- Of those that were noted before, no time is known: they count as failed after all that is told of from then.
update payments
   set told_failures = json_build_array(
         json_build_object(
           'at', to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
           'amount', told_failed_amount))::text
 where told_failed_amount > 0;

alter table payments drop column told_failed_amount;
