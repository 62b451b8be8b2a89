-- Imports: files of rows, stored here in chunks until they are applied (web and worker share no disk), and the outcome of each.

-- While an import is `uploading` nothing is applied; `touched_at` says that the uploading process lives. Then it is scheduled like a recovery: a lease, so that
-- one worker at a time applies it, and `queued_at`, so that an import whose worker died is queued again.
create table imports (
  tenant_id text not null,
  id text not null,
  resource text not null check (resource in ('products', 'orders', 'contacts')),
  mode text not null check (mode in ('create', 'upsert')),
  format text not null check (format in ('ndjson', 'csv')),
  dry_run boolean not null,
  events boolean not null,
  -- the caller in whose name its rows are written
  caller jsonb not null,
  status text not null default 'uploading' check (status in ('uploading', 'queued', 'running', 'completed', 'failed', 'cancelled')),
  bytes_received bigint not null default 0,
  rows_received integer not null default 0,
  rows_read integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  failed integer not null default 0,
  errors_kept integer not null default 0,
  -- whether repeated rows have been looked for
  compared boolean not null default false,
  error jsonb,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  uploaded_at timestamptz(3),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  touched_at timestamptz(3) not null default clock_timestamp(),
  queued_at timestamptz(3) not null default clock_timestamp(),
  lease_token uuid,
  lease_until timestamptz(3),
  primary key (tenant_id, id)
) with (fillfactor = 50);

create index imports_created on imports (tenant_id, created_at desc, id desc);
create index imports_open on imports (queued_at) where status in ('uploading', 'queued', 'running');
create index imports_finished on imports (finished_at) where finished_at is not null;
-- A tenant's stored bytes are summed whenever an upload or an export begins or grows: of imports, those that are not over, which are few.
create index imports_under_way on imports (tenant_id) where status in ('uploading', 'queued', 'running');

-- A chunk is about a thousand rows: JSON, a line each, compressed by the process that wrote it, so not by the database. It is deleted when all its rows
-- are applied, in the same transaction; `applied` counts the rows that are, when the chunk is applied in parts.
-- `keys`: for each row a hash of each field that must be unique, null where the field is not given; repeated rows are found by these.
-- `repeats`: rows that repeat an earlier one, by their index in the chunk: the field, and the earlier row's line.
create table import_chunks (
  tenant_id text not null,
  import_id text not null,
  number integer not null,
  applied integer not null default 0,
  lines integer[] not null,
  keys bigint[] not null,
  repeats jsonb,
  body bytea storage external not null,
  primary key (tenant_id, import_id, number),
  foreign key (tenant_id, import_id) references imports on delete cascade
);

create table import_errors (
  tenant_id text not null,
  import_id text not null,
  line integer not null,
  -- the order of several errors of one line
  position smallint not null,
  field text not null,
  code text not null,
  message text not null,
  primary key (tenant_id, import_id, line, position),
  foreign key (tenant_id, import_id) references imports on delete cascade
);
