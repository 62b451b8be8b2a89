-- The account that a channel had before its present one, and until when: what was taken by then is of the channel, though it is applied later.
alter table channels
  add column former_account_id text,
  add column moved_at timestamptz(3);
