-- What tells one refund of a payment from another, where the provider tells of sums: refunds may be told of in any order, and fail in between.

alter table payments
  -- of what was told to be given back, what came to nothing
  add column told_failed_amount bigint not null default 0,
  -- up to this time of the provider's clock, what is known of refunds is a sum: an event from before it adds nothing
  add column told_sum_at timestamptz(3);
