-- Sessions of people who signed in, and links by which they set a new password. Of both the SHA-256 of the token is kept alone: a reader of these tables
-- is let in nowhere.

-- A session works in one workspace at a time, and ends with the membership. All its ends are by the database's clock: idle, absolute, signed out.
create table sessions (
  id text primary key,
  token_hash bytea not null,
  tenant_id text not null,
  user_id text not null references users on delete cascade,
  -- whence and with what they signed in, shown to the person
  address text not null,
  user_agent text not null,
  created_at timestamptz(3) not null default now(),
  -- to the minute
  last_used_at timestamptz(3) not null default now(),
  -- when the password was last given: what is dangerous asks for it again
  password_at timestamptz(3) not null default now(),
  foreign key (tenant_id, user_id) references memberships on delete cascade
) with (fillfactor = 80);

create unique index sessions_token on sessions (token_hash);
create index sessions_user on sessions (user_id, last_used_at desc);
create index sessions_member on sessions (tenant_id, user_id);
create index sessions_last_used on sessions (last_used_at);

-- Addresses from which a person signed in within the last weeks: where others guess their password all day, these still get in.
create table known_addresses (
  user_id text not null references users on delete cascade,
  address text not null,
  last_at timestamptz(3) not null default now(),
  primary key (user_id, address)
);

create index known_addresses_age on known_addresses (last_at);

create table password_resets (
  token_hash bytea primary key,
  user_id text not null references users on delete cascade,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);

create index password_resets_user on password_resets (user_id);
create index password_resets_expiry on password_resets (expires_at);
