-- OAuth 2.1: AI clients that people connect to the agent server without a key. Tokens are stored as their SHA-256 alone, and looked up by it: that row
-- says of which workspace they are.

-- Clients belong to no workspace: one registration serves the people of all. The id is ours, or the address of a document in which the client describes itself.
create table oauth_clients (
  id text primary key,
  metadata jsonb not null,
  -- null: a client without a secret
  secret_hash bytea,
  -- of a document: until when it need not be read again, and until when it serves where it cannot be
  fresh_until timestamptz(3),
  serves_until timestamptz(3),
  -- null: it never led to a grant, and goes after a while
  granted_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);

create index oauth_clients_unused on oauth_clients (created_at) where granted_at is null;

-- What a person allowed a client to do for them in a workspace. Each approval is a grant of its own. `ring` names the log of its requests, as that of a
-- key does: it counts downwards, so the two never meet.
create table oauth_grants (
  tenant_id text not null references tenants on delete cascade,
  id text not null,
  client_id text not null,
  user_id text not null,
  scopes text[] not null,
  ring integer not null generated always as identity (start with -1 increment by -1),
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  revoked_at timestamptz(3),
  primary key (tenant_id, id)
);

create unique index oauth_grants_ring on oauth_grants (ring);
create index oauth_grants_person on oauth_grants (tenant_id, user_id);
create index oauth_grants_open on oauth_grants (last_used_at) where revoked_at is null;

create table oauth_codes (
  tenant_id text not null,
  hash bytea not null,
  grant_id text not null,
  client_id text not null,
  redirect_uri text not null,
  -- the SHA-256 of the verifier, as base64url (PKCE)
  challenge text not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  primary key (tenant_id, hash),
  foreign key (tenant_id, grant_id) references oauth_grants on delete cascade
);

create unique index oauth_codes_hash on oauth_codes (hash);
create index oauth_codes_grant on oauth_codes (tenant_id, grant_id);
create index oauth_codes_age on oauth_codes (expires_at);

create table oauth_access_tokens (
  tenant_id text not null,
  hash bytea not null,
  grant_id text not null,
  scopes text[] not null,
  expires_at timestamptz(3) not null,
  primary key (tenant_id, hash),
  foreign key (tenant_id, grant_id) references oauth_grants on delete cascade
);

create unique index oauth_access_tokens_hash on oauth_access_tokens (hash);
create index oauth_access_tokens_grant on oauth_access_tokens (tenant_id, grant_id);
create index oauth_access_tokens_age on oauth_access_tokens (expires_at);

create table oauth_refresh_tokens (
  tenant_id text not null,
  hash bytea not null,
  grant_id text not null,
  expires_at timestamptz(3) not null,
  -- when its successor was given out first, and the key of SECRET_KEY from which that one was made
  rotated_at timestamptz(3),
  successor_key text,
  primary key (tenant_id, hash),
  foreign key (tenant_id, grant_id) references oauth_grants on delete cascade
);

create unique index oauth_refresh_tokens_hash on oauth_refresh_tokens (hash);
create index oauth_refresh_tokens_grant on oauth_refresh_tokens (tenant_id, grant_id);
create index oauth_refresh_tokens_age on oauth_refresh_tokens (expires_at);
