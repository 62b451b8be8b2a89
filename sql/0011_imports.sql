-- Imports: files of rows, kept here in chunks until they are applied (web and worker share no disk), and what became of each.

-- While `uploading` nothing is applied; `touched_at` says that the uploading process lives. Then scheduling is a recovery's: a lease, so that one
-- worker at a time applies it, and `queued_at`, so that one whose worker died is brought back.
create table imports (
  tenant_id text not null,
  id text not null,
  resource text not null check (resource in ('products', 'orders', 'contacts')),
  mode text not null check (mode in ('create', 'upsert')),
  format text not null check (format in ('ndjson', 'csv')),
  dry_run boolean not null,
  events boolean not null,
  -- in whose name its rows are written
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
  -- whether rows that repeat others have been looked for
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
-- How many bytes are kept for a tenant is asked whenever an upload or an export begins or grows: of imports by those that are not over, which are few.
create index imports_under_way on imports (tenant_id) where status in ('uploading', 'queued', 'running');

-- About a thousand rows: JSON, a line each, compressed by the process that wrote it, and so not by the database. A chunk goes when all its rows are
-- applied, in the same transaction; `applied` are those of it that are when it is done in parts.
-- `keys`: a hash of each field that must be unique, so many for each row, null where it is not given; by these repeats are found.
-- `repeats`: rows that repeat an earlier one, by their place in the chunk: which field, and the earlier one's line.
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
  -- of several of one line
  position smallint not null,
  field text not null,
  code text not null,
  message text not null,
  primary key (tenant_id, import_id, line, position),
  foreign key (tenant_id, import_id) references imports on delete cascade
);
