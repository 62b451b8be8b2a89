-- Attachments: the files of messages, of either side. Web and worker share no disk, so their bytes lie here, in pieces, as those of imports and exports do.

-- A row is made when a file is uploaded, or when a message with a file is received; the file itself is fetched afterwards, by leased work (see
-- src/queue/leased.ts), so that no message waits for its file.
create table attachments (
  tenant_id text not null references tenants on delete cascade,
  id text not null,
  -- the message that it goes with; null: uploaded, and not sent yet
  message_id text,
  -- the visitor of a web chat who has uploaded it; null: it is the shop's own, or was received
  visitor_id text,
  type text not null check (type in ('image', 'video', 'audio', 'file')),
  name text,
  mime_type text not null,
  -- null until it is known
  size_bytes bigint,
  status text not null check (status in ('uploading', 'pending', 'stored', 'failed')),
  error jsonb,
  -- where a received file is fetched: the channel it came over, and what the platform calls it there
  channel_id text,
  source jsonb,
  attempts integer not null default 0,
  created_at timestamptz(3) not null,
  queued_at timestamptz(3),
  lease_token uuid,
  lease_until timestamptz(3),
  primary key (tenant_id, id)
) with (fillfactor = 60);

create index attachments_message on attachments (tenant_id, message_id) where message_id is not null;
-- Retention finds what was uploaded and never sent.
create index attachments_unsent on attachments (created_at) where message_id is null;
-- The sweep looks through what is to be fetched.
create index attachments_pending on attachments (queued_at) where status = 'pending';
-- A tenant's stored bytes are summed whenever a file comes.
create index attachments_kept on attachments (tenant_id) include (size_bytes) where status = 'stored';

-- Each piece but the last has the same length, so that a part of a file is found by its number. The bytes are compressed already, as pictures are.
create table attachment_pieces (
  tenant_id text not null,
  attachment_id text not null,
  number integer not null,
  body bytea storage external not null,
  primary key (tenant_id, attachment_id, number),
  foreign key (tenant_id, attachment_id) references attachments on delete cascade
);
