-- Exports: all rows of a resource as a file, written by a task for a tenant to fetch.

-- The file is stored here in chunks, for web and worker share no disk. Each chunk is a gzip member, and concatenated members are one gzip file. One
-- statement writes a chunk and the row it ends with (`last_at`, `last_id`: the keyset's), if the number of chunks is the expected one, so a killed worker
-- leaves neither a gap nor a chunk twice.
create table exports (
  tenant_id text not null,
  id text not null,
  resource text not null,
  format text not null check (format in ('ndjson', 'csv')),
  fields text[],
  bom boolean not null,
  filters jsonb not null,
  state text not null default 'running' check (state in ('running', 'completed', 'failed', 'cancelled')),
  -- why it failed, in words; reason_code is for programs
  reason text,
  total integer,
  rows integer not null default 0,
  bytes bigint not null default 0,
  stored_bytes bigint not null default 0,
  chunks integer not null default 0,
  last_at timestamptz(3),
  last_id text,
  created_at timestamptz(3) not null,
  finished_at timestamptz(3),
  reason_code text,
  primary key (tenant_id, id)
) with (fillfactor = 50);

create index exports_created on exports (tenant_id, created_at desc, id desc);
-- The sweep looks through running exports for abandoned ones, and a tenant's are counted.
create index exports_running on exports (tenant_id) where state = 'running';
-- Retention finds old exports by it.
create index exports_finished on exports (finished_at) where finished_at is not null;
-- A tenant's stored files with their bytes, which are summed whenever an upload or an export begins or grows.
create index exports_kept on exports (tenant_id) include (stored_bytes) where state = 'completed';

create table export_chunks (
  tenant_id text not null,
  export_id text not null,
  number integer not null,
  -- compressed already
  body bytea storage external not null,
  primary key (tenant_id, export_id, number),
  foreign key (tenant_id, export_id) references exports on delete cascade
);
