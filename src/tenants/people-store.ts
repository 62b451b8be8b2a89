// Every statement of people and of what they are in a workspace. An account belongs to no workspace; a membership belongs to one.
import { type AuditEntry, auditPart } from '../postgres/audit.ts'
import { type Fragment, part, type Queryable, type Text, type Tx } from '../postgres/sql.ts'
import type { Role } from './roles.ts'

export interface Account {
  id: string
  email: string
  name: string | null
}

export interface Member extends Account {
  role: Role
}

const ofMember: Fragment = part`u.id, u.email, u.name, m.role`

/** Makes the account and its membership. */
export async function insertUser(
  sql: Queryable,
  user: { tenant: string; id: string; email: string; name: string | null; passwordHash: string; role: Role },
  entry: AuditEntry,
): Promise<void> {
  await sql`
    with audited as (${auditPart([entry])}), made as (
      insert into users (id, email, name, password_hash)
      values (${user.id}, ${user.email}, ${user.name}, ${user.passwordHash}))
    insert into memberships (tenant_id, user_id, role)
    values (${user.tenant}, ${user.id}, ${user.role})`
}

export async function accountOf(sql: Queryable, email: string): Promise<Account | undefined> {
  const [row] = await sql<Account[]>`
    select u.id, u.email, u.name
      from users u
     where lower(u.email) = lower(${email})`
  return row
}

/** @returns whether they were no member before */
export async function insertMember(sql: Queryable, tenant: string, user: string, role: Role, entry: AuditEntry): Promise<boolean> {
  const rows = await sql`
    with made as (
      insert into memberships (tenant_id, user_id, role)
      values (${tenant}, ${user}, ${role})
      on conflict do nothing
      returning 1
    ), audited as (${auditPart([entry], part`where exists (select from made)`)})
    select 1 from made`
  return rows.length > 0
}

/** The people of a workspace, in the order in which they came. */
export const members = (sql: Queryable, tenant: string): Promise<Member[]> => sql<Member[]>`
  select ${ofMember}
    from memberships m
    join users u on u.id = m.user_id
   where m.tenant_id = ${tenant}
   order by m.created_at, u.id`

export async function member(sql: Queryable, tenant: string, user: string): Promise<Member | undefined> {
  const [row] = await sql<Member[]>`
    select ${ofMember}
      from memberships m
      join users u on u.id = m.user_id
     where m.tenant_id = ${tenant} and m.user_id = ${user}`
  return row
}

export async function memberByEmail(sql: Queryable, tenant: string, email: string): Promise<Member | undefined> {
  const [row] = await sql<Member[]>`
    select ${ofMember}
      from users u
      join memberships m on m.user_id = u.id
     where m.tenant_id = ${tenant} and lower(u.email) = lower(${email})`
  return row
}

export async function isMember(sql: Queryable, tenant: string, user: string): Promise<boolean> {
  const rows = await sql`
    select 1
      from memberships m
      join users u on u.id = m.user_id and u.disabled_at is null
     where m.tenant_id = ${tenant} and m.user_id = ${user}`
  return rows.length > 0
}

export async function isAdmin(sql: Queryable, tenant: string, user: string): Promise<boolean> {
  const rows = await sql`select 1 from memberships where tenant_id = ${tenant} and user_id = ${user} and role = 'admin'`
  return rows.length > 0
}

/** Holds a membership until the transaction ends. @returns whether there is one, of an account that is not disabled */
export async function holdMember(tx: Tx, tenant: string, user: string): Promise<boolean> {
  const rows = await tx`
    select 1
      from memberships m
      join users u on u.id = m.user_id and u.disabled_at is null
     where m.tenant_id = ${tenant} and m.user_id = ${user}
       for key share of m`
  return rows.length > 0
}

/** The first of a person's workspaces, where `preferred` comes before the others; the membership stays until the transaction ends. */
export async function holdFirst(tx: Tx, user: string, preferred: string | undefined): Promise<string | undefined> {
  const [row] = await tx<{ tenant: string }[]>`
    select m.tenant_id as tenant
      from memberships m
     where m.user_id = ${user}
     order by m.tenant_id <> ${preferred ?? ''}, m.created_at, m.tenant_id
     limit 1
       for key share`
  return row?.tenant
}

/** Whether another member is an admin who can sign in. */
export async function hasOtherAdmin(tx: Tx, tenant: string, user: string): Promise<boolean> {
  const rows = await tx`
    select 1
      from memberships m
      join users u on u.id = m.user_id
     where m.tenant_id = ${tenant} and m.role = 'admin' and m.user_id <> ${user} and u.disabled_at is null
     limit 1`
  return rows.length > 0
}

export async function setRole(tx: Tx, tenant: string, user: string, role: Role, entry: AuditEntry): Promise<void> {
  await tx`
    with audited as (${auditPart([entry])})
    update memberships set role = ${role} where tenant_id = ${tenant} and user_id = ${user}`
}

export async function deleteMember(tx: Tx, tenant: string, user: string, entry: AuditEntry): Promise<void> {
  await tx`
    with audited as (${auditPart([entry])})
    delete from memberships where tenant_id = ${tenant} and user_id = ${user}`
}

export async function admins(sql: Queryable, tenant: string): Promise<{ email: string; workspace: string }[]> {
  return sql<{ email: string; workspace: string }[]>`
    select u.email, t.name as workspace
      from memberships m
      join users u on u.id = m.user_id
      join tenants t on t.id = m.tenant_id
     where m.tenant_id = ${tenant} and m.role = 'admin' and u.disabled_at is null
     order by u.id`
}

export const nameOf = (tenant: Text, user: Text): Fragment => part`
  select coalesce(u.name, u.email) as name
    from users u
    join memberships m on m.user_id = u.id
   where m.tenant_id = ${tenant} and u.id = ${user}`

/** The names of a person's workspaces. */
export async function workspacesOf(sql: Queryable, user: string): Promise<{ id: string; name: string; role: Role }[]> {
  return sql<{ id: string; name: string; role: Role }[]>`
    select t.id, t.name, m.role
      from memberships m
      join tenants t on t.id = m.tenant_id
     where m.user_id = ${user}
     order by m.created_at, t.id`
}

export interface Credentials extends Account {
  password_hash: string
}

export async function credentials(sql: Queryable, email: string): Promise<Credentials | undefined> {
  const [row] = await sql<Credentials[]>`
    select u.id, u.email, u.name, u.password_hash
      from users u
     where lower(u.email) = lower(${email}) and u.disabled_at is null`
  return row
}

export async function credentialsById(sql: Queryable, user: string): Promise<Credentials | undefined> {
  const [row] = await sql<Credentials[]>`
    select u.id, u.email, u.name, u.password_hash
      from users u
     where u.id = ${user} and u.disabled_at is null`
  return row
}

/** Holds an account as it is, until the transaction ends. @returns whether it still has that hash, and is not disabled */
export async function holdCredentials(tx: Tx, { id, password_hash }: Pick<Credentials, 'id' | 'password_hash'>): Promise<boolean> {
  const rows = await tx`
    select 1
      from users u
     where u.id = ${id} and u.password_hash = ${password_hash} and u.disabled_at is null
       for no key update`
  return rows.length > 0
}

/** @returns whether it was enabled */
export async function disable(tx: Tx, user: string, entries: AuditEntry[]): Promise<boolean> {
  const rows = await tx`
    with disabled as (
      update users set disabled_at = now() where id = ${user} and disabled_at is null returning 1
    ), audited as (${auditPart(entries, part`where exists (select from disabled)`)})
    select 1 from disabled`
  return rows.length > 0
}

/** @returns whether it was disabled */
export async function enable(tx: Tx, user: string, entries: AuditEntry[]): Promise<boolean> {
  const rows = await tx`
    with enabled as (
      update users set disabled_at = null where id = ${user} and disabled_at is not null returning 1
    ), audited as (${auditPart(entries, part`where exists (select from enabled)`)})
    select 1 from enabled`
  return rows.length > 0
}

export async function accountById(sql: Queryable, user: string): Promise<Account | undefined> {
  const [row] = await sql<Account[]>`
    select u.id, u.email, u.name
      from users u
     where u.id = ${user}`
  return row
}

/** Makes an account without a membership. */
export async function insertAccount(
  sql: Queryable,
  { id, email, name, passwordHash }: { id: string; email: string; name: string | null; passwordHash: string },
): Promise<void> {
  await sql`insert into users (id, email, name, password_hash) values (${id}, ${email}, ${name}, ${passwordHash})`
}

export async function setPassword(sql: Queryable, user: string, passwordHash: string, entries: AuditEntry[]): Promise<void> {
  await sql`
    with audited as (${auditPart(entries)})
    update users set password_hash = ${passwordHash} where id = ${user}`
}

export async function setProfile(
  sql: Queryable,
  user: string,
  { email, name }: { email: string; name: string | null },
  entries: AuditEntry[],
): Promise<void> {
  await sql`
    with audited as (${auditPart(entries)})
    update users set email = ${email}, name = ${name} where id = ${user}`
}
