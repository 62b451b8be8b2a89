-- Messages on their way to customers, through channels. Rows are the truth and jobs are wake-ups, as with deliveries: a message's row is written in the
-- transaction that wrote the message, and a worker that leases the channel's row sends what is due.

-- Of a channel: what is known while it is sent through. Nothing here is indexed, so these updates stay on the page (HOT).
alter table channels
  -- nothing is sent before: the pace is used up, the platform asked for a rest, or the channel is failing and the next probe is due then
  add column quiet_until timestamptz(3),
  -- the time up to which the channel's pace is used up (src/rate.ts)
  add column paced_until timestamptz(3),
  -- failures in a row that are the channel's and not a message's; `failures_of` is the conversation of all of them, null where there are several
  add column failures integer not null default 0,
  add column failures_of text,
  -- while the channel is failing: since when, whether its credentials were refused or its platform is away, and how often it was probed
  add column failing_since timestamptz(3),
  add column failing_reason text check (failing_reason in ('credentials', 'platform')),
  add column probes integer not null default 0,
  -- the conversation that was probed last: each probe is a message of another one
  add column probed text;

-- What waits to be sent in a conversation goes in the order in which it was written, one message at a time. This row says when the next may go; it stays
-- for a while when nothing waits, because the platform's pace for the conversation is kept in it.
create table channel_queues (
  tenant_id text not null,
  conversation_id text not null,
  channel_id text not null,
  -- when the oldest message may go, also while it is under way; null: nothing waits
  due_at timestamptz(3),
  -- the lease under which the oldest message is under way. Another lease finds here what a dead worker has left
  taken uuid,
  -- the time up to which the pace of the conversation is used up, and when the next message may go by it, or by what the platform asked for
  paced_until timestamptz(3),
  free_from timestamptz(3),
  -- the platform refused a message for its pace, and asked for a rest until then
  held_until timestamptz(3),
  primary key (tenant_id, conversation_id),
  foreign key (tenant_id, conversation_id) references conversations on delete cascade
) with (fillfactor = 70);

-- The claim of what is due, and the sweep's walk over channels that have something to send.
create index channel_queues_due on channel_queues (tenant_id, channel_id, due_at) where due_at is not null;

-- A message that waits to be sent or is under way. Its row goes with the last result: then the message says how it ended.
create table channel_sends (
  tenant_id text not null,
  message_id text not null,
  conversation_id text not null,
  channel_id text not null,
  -- the order within the conversation
  queued_at timestamptz(3) not null,
  -- words of the assistant: the epoch of the conversation in which they were said. In a later one they are not sent any more
  ai_epoch integer,
  attempts integer not null default 0,
  first_attempt_at timestamptz(3),
  -- the intent: an attempt has begun, and its result is not known yet. `uploading`: so far only the file, which is no message yet
  begun_at timestamptz(3),
  uploading boolean not null default false,
  -- the platform's id of the file, once that is there
  uploaded text,
  -- workers that died while they sent it
  deaths integer not null default 0,
  primary key (tenant_id, message_id),
  foreign key (tenant_id, conversation_id) references channel_queues on delete cascade
) with (fillfactor = 70);

create index channel_sends_order on channel_sends (tenant_id, conversation_id, queued_at, message_id);
-- What has waited for too long, and how much waits.
create index channel_sends_waiting on channel_sends (tenant_id, channel_id, queued_at);

-- The log of attempts: what was asked of a platform for a message and what came of it. Kept for 30 days.
create table channel_attempts (
  tenant_id text not null,
  message_id text not null,
  -- attempts of one message follow each other, so no two begin at the same time
  started_at timestamptz(3) not null,
  channel_id text not null,
  duration_ms integer not null,
  -- the platform's answer; null: there was none
  status smallint,
  -- taken, again, unknown, failed, held, channel: what was made of it (src/channels/sending/verdict.ts)
  outcome text not null,
  code text,
  error text,
  primary key (tenant_id, message_id, started_at),
  foreign key (tenant_id) references tenants on delete cascade
);

create index channel_attempts_channel on channel_attempts (tenant_id, channel_id, started_at);
