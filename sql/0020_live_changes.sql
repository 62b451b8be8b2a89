-- What changed in conversations, for those who watch: a row for each change, in the transaction that made it.

-- A row says which conversation or message is not as it was, and nothing of how: that is read when it is shown. Web processes read on by
-- (epoch, xid), as lists of events do, so no change is missed whose transaction committed late; a stream that comes back reads on from a time. Kept for
-- a day.
create table live_changes (
  tenant_id text not null,
  at timestamptz(3) not null default clock_timestamp(),
  seq bigint not null generated always as identity,
  epoch integer not null,
  xid xid8 not null default pg_current_xact_id(),
  conversation_id text not null,
  -- null: the conversation itself
  message_id text,
  primary key (tenant_id, at, seq)
);

create index live_changes_commit on live_changes (tenant_id, epoch, xid, seq);
