-- Tenants and their users.

-- The limits of src/limits.ts, written by every `migrate`: the limiter reads a plan's limits in the statement that finds the key, so a change of
-- plan applies from the next request on.
create table plans (
  plan text primary key,
  read_per_minute integer not null,
  write_per_minute integer not null
);

create table tenants (
  id text primary key,
  name text not null,
  plan text not null references plans,
  currency text not null default 'USD',
  created_at timestamptz(3) not null default now()
);

create table users (
  tenant_id text not null references tenants on delete cascade,
  id text not null,
  email text not null,
  password_hash text not null,
  role text not null check (role in ('admin', 'operator')),
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);

-- An address counts as the same in any case: one account for each.
create unique index users_email on users (tenant_id, lower(email));
