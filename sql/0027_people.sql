-- People: one account for all workspaces of a person, and what they may do in each. Until now a person had an account, with a password of its own,
-- in each workspace.

alter table users rename to workspace_users;
alter table workspace_users rename constraint users_pkey to workspace_users_pkey;
drop index users_email;

-- An address counts as the same in any case: one account for each.
create table users (
  id text primary key,
  email text not null,
  name text,
  -- a PHC string of Argon2id, or `scrypt$N$r$p$salt$hash` of an older program, which is replaced when the person signs in
  password_hash text not null,
  created_at timestamptz(3) not null default now(),
  disabled_at timestamptz(3)
);

create unique index users_email on users (lower(email));

create table memberships (
  tenant_id text not null references tenants on delete cascade,
  user_id text not null references users on delete cascade,
  role text not null check (role in ('admin', 'operator')),
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, user_id)
);

-- The workspaces of a person, whom we know by their account alone when they sign in.
create index memberships_user on memberships (user_id, tenant_id);

-- The newest account of an address is the one that stays, with its id and its password.
create temporary table kept_users on commit drop as
select u.tenant_id, u.id, u.role, u.created_at,
       first_value(u.id) over (partition by lower(u.email) order by u.created_at desc, u.id desc) as kept
  from workspace_users u;

insert into users (id, email, password_hash, created_at)
select u.id, u.email, u.password_hash, u.created_at
  from workspace_users u
  join kept_users k on k.tenant_id = u.tenant_id and k.id = u.id and k.kept = u.id;

insert into memberships (tenant_id, user_id, role, created_at)
select tenant_id, kept, role, created_at from kept_users;

-- What names an account that is gone names the one that stays.
update conversations c
   set assigned_to = k.kept, doc = replace(c.doc, k.id, k.kept)
  from kept_users k
 where c.tenant_id = k.tenant_id and c.assigned_to = k.id and k.kept <> k.id;
update audit_log a
   set subject_id = k.kept
  from kept_users k
 where a.tenant_id = k.tenant_id and a.subject_id = k.id and k.kept <> k.id;

drop table workspace_users;

-- Who was asked to join: one open invitation for each address, in lower case, and workspace. The link's token is kept as its SHA-256 alone.
create table invitations (
  tenant_id text not null references tenants on delete cascade,
  address text not null,
  role text not null check (role in ('admin', 'operator')),
  token_hash bytea not null,
  -- null: invited on the command line
  invited_by text,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  primary key (tenant_id, address)
);

create unique index invitations_token on invitations (token_hash);
create index invitations_expiry on invitations (expires_at);

-- Where the days of its figures begin: an IANA name.
alter table tenants add column time_zone text not null default 'UTC';
