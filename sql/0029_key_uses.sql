-- When each key was last used, to the minute: an admin revokes what has not been used for months. Web processes write it in batches, apart from the
-- requests themselves. The column is in no index, and the low fill factor leaves room on the page, so that a write touches the row alone (HOT).
alter table api_keys add column last_used_at timestamptz(3);
alter table api_keys set (fillfactor = 80);
