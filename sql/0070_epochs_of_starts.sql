-- A start of the server may follow a way back in time that no timeline tells of: its files as they were copied while it was stopped, or a snapshot of its disk. Then
-- numbers of transactions are given again that clients hold in cursors, and events behind such a cursor were passed over. So an epoch begins with each start.

alter table event_epoch
  -- pg_postmaster_start_time() when the epoch began. Null: it is not known, as with epochs from before.
  add column server_started_at timestamptz;
