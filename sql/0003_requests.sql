-- Records of requests: the audit log, and the answers of POSTs with an idempotency key.

create table audit_log (
  tenant_id text not null,
  id bigint not null generated always as identity,
  at timestamptz(3) not null default now(),
  actor_type text not null,
  actor_id text,
  action text not null,
  subject_id text not null,
  details jsonb not null default '{}',
  trace_id text,
  primary key (tenant_id, id)
);

create index audit_log_subject on audit_log (tenant_id, subject_id, id);

-- A claim is a row without an answer. It lapses at claimed_until, so a process that died does not block its key for long. The answer is written in
-- the transaction of the change itself: either both exist or neither.
--
-- Each answered key leaves a dead row. By default vacuum starts when a fifth of the table is dead, so dead rows would grow with the table.
create table idempotency_keys (
  tenant_id text not null,
  key text not null,
  claim uuid not null,
  claimed_until timestamptz not null,
  status smallint,
  body text,
  location text,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, key)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500);

create index idempotency_keys_age on idempotency_keys (created_at);
