// People from before they had one account for all their workspaces.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrate } from '../../src/postgres/migrate.ts'
import { nobody } from '../support/given.ts'
import { databaseBefore } from '../support/migrating.ts'

const NAME = '0027_people.sql'
const [shop, other] = [nobody('ten'), `ten_0${'2'.repeat(25)}`]
const id = (n: number) => `usr_0${String(n).repeat(25)}`

test('the accounts of one address become one, with the newest password and each role, and what named the others names it', async () => {
  const { url, sql } = await databaseBefore(NAME)
  for (const tenant of [shop, other])
    await sql`insert into tenants (id, name, plan, currency) values (${tenant}, 'A shop', 'enterprise', 'EUR')`
  for (const [tenant, user, email, password, role, day] of [
    [shop, id(1), 'Ada@Example.com', 'old', 'admin', 1],
    [other, id(2), 'ada@example.com', 'new', 'operator', 2],
    [shop, id(3), 'bob@example.com', 'bobs', 'operator', 3],
  ] as const)
    await sql`
      insert into users (tenant_id, id, email, password_hash, role, created_at)
      values (${tenant}, ${user}, ${email}, ${password}, ${role}, ${`2026-05-0${day}T00:00:00Z`})`
  const contact = nobody('con')
  await sql`insert into contacts (tenant_id, id, created_at, updated_at, doc) values (${shop}, ${contact}, now(), now(), '{}')`
  const channel = nobody('chn')
  await sql`
    insert into channels (tenant_id, id, platform, name, status, created_at, updated_at)
    values (${shop}, ${channel}, 'web', 'Chat', 'enabled', now(), now())`
  const talks = [id(1), id(3)].map((assigned_to, index) => ({ id: `conv_0${String(index + 1).repeat(25)}`, assigned_to }))
  for (const talk of talks)
    await sql`
      insert into conversations (tenant_id, id, platform, channel_id, thread, contact_id, status, ai_status, assigned_to, created_at, updated_at, doc)
      values (${shop}, ${talk.id}, 'web', ${channel}, ${talk.id}, ${contact}, 'closed', 'on', ${talk.assigned_to}, now(), now(), ${JSON.stringify(talk)})`
  await sql`insert into audit_log (tenant_id, actor_type, action, subject_id) values (${shop}, 'cli', 'user.create', ${id(1)})`

  assert.equal((await migrate(url))[0], NAME)

  const users = await sql`select id, email, password_hash from users order by email`
  assert.deepEqual(
    users.map(row => Object.values(row)),
    [
      [id(2), 'ada@example.com', 'new'],
      [id(3), 'bob@example.com', 'bobs'],
    ],
  )
  const memberships = await sql`select tenant_id, user_id, role from memberships order by role, user_id`
  assert.deepEqual(
    memberships.map(row => Object.values(row)),
    [
      [shop, id(2), 'admin'],
      [other, id(2), 'operator'],
      [shop, id(3), 'operator'],
    ],
  )
  const moved = await sql`select assigned_to, doc from conversations order by id`
  assert.deepEqual(
    moved.map(row => [row['assigned_to'], JSON.parse(row['doc']).assigned_to]),
    [
      [id(2), id(2)],
      [id(3), id(3)],
    ],
  )
  assert.deepEqual([...(await sql`select subject_id from audit_log`)], [{ subject_id: id(2) }])
  assert.deepEqual([...(await sql`select time_zone from tenants`)].flatMap(Object.values), ['UTC', 'UTC'])
})
