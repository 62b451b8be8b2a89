-- What may be done so often in a time, counted over all processes: failed sign-ins, links by mail. Each row is a sliding window of one subject, which
-- is a hash: people type passwords where an e-mail is asked for.
create table attempt_windows (
  key text primary key,
  most integer not null,
  seconds integer not null,
  times timestamptz(3)[] not null,
  ends_at timestamptz(3) not null
);

create index attempt_windows_end on attempt_windows (ends_at);
