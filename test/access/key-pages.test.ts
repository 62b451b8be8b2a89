// The pages of keys and of connected clients: made, shown once, listed, revoked; as a browser meets them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createKey, openKeys } from '../../src/access/keys.ts'
import { newId } from '../../src/ids.ts'
import { KEYS_PER_PAGE, KEYS_PER_WORKSPACE } from '../../src/limits/access.ts'
import { approve } from '../../src/oauth/grants.ts'
import { begin } from '../../src/postgres/sql.ts'
import { createTenant } from '../../src/tenants/tenants.ts'
import { testApp } from '../support/app.ts'
import { aPersonWithPassword, PASSWORD } from '../support/password.ts'
import { aWebBrowser, tokenOf } from '../support/web-browser.ts'

const app = await testApp()
const { sql, url } = app
const DEVELOPER = '/dashboard/settings/developer'
const INTEGRATIONS = '/dashboard/settings/integrations'
const ACCOUNT = '/dashboard/account'
const HOSTILE = '<script>alert(1)</script>\u202e"\'&'
const SHOWN = '&lt;script'

let people = 0

/** Somebody signed in, in a workspace of their own. */
async function given(role: 'admin' | 'operator' = 'admin') {
  const tenant = (await createTenant(sql, { name: 'Linen & More', plan: 'free', currency: 'EUR' })).id
  const email = `k${++people}@example.com`
  const user = await aPersonWithPassword(sql, tenant, email, role)
  const browser = aWebBrowser(url)
  assert.equal((await browser.send('/sign-in', { email, password: PASSWORD })).to, '/dashboard')
  return { tenant, email, user, browser }
}

async function aGrant(tenant: string, user: string, metadata: object, id = `cli_${newId('cli').slice(4)}`): Promise<string> {
  await sql`insert into oauth_clients (id, metadata) values (${id}, ${JSON.stringify(metadata)}::text::jsonb)`
  const approval = { client: id, redirectUri: 'https://client.example/back', challenge: 'x'.repeat(43), scopes: ['read' as const] }
  return (await begin(sql, tx => approve(tx, { tenant, actor: { type: 'user', id: user } }, approval))).id
}

const keyIn = (text: string): string => /\b(?:sk|mcp)_[0-9A-Za-z]{40}\b/.exec(text)?.[0] ?? ''
const words = (text: string): string => text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
const actions = async (tenant: string) =>
  (
    await sql`select action, actor_id, trace_id from audit_log where tenant_id = ${tenant} and action like any (array['key.%', 'oauth.revoke']) order by id`
  ).map(row => ({ ...row }))

for (const [kind, page, opens] of [
  ['rest', DEVELOPER, async (key: string) => (await app.request('GET', '/api/v1/orders', { key })).status],
  [
    'mcp',
    INTEGRATIONS,
    async (key: string) => (await app.request('POST', '/api/mcp', { key, body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } })).status,
  ],
] as const)
  describe(`a key of kind ${kind}`, () => {
    test('is shown once, with a first call that works, and listed by what it ends with', async () => {
      const { tenant, user, email, browser } = await given()
      const made = await browser.send(page, { name: ` Night report `, scope: 'read' }, 'create')
      assert.deepEqual([made.status, made.headers.get('cache-control')], [200, 'no-store'])
      const key = keyIn(made.text)
      assert.match(words(made.text), /The key “Night report” is made .*shown this once/)
      assert.ok(words(made.text).includes(`Authorization: Bearer ${key}`))
      assert.equal(await opens(key), 200)
      const list = await browser.get(page)
      assert.ok(!list.text.includes(key))
      assert.ok(list.text.includes(`${kind === 'rest' ? 'sk' : 'mcp'}_&hellip;${key.slice(-4)}`))
      assert.match(words(list.text), new RegExp(`Night report .*${key.slice(-4)} read ${email}`))
      const [created] = await actions(tenant)
      assert.deepEqual([created?.['action'], created?.['actor_id'], created?.['trace_id']?.length], ['key.create', user, 32])
      const [mail] = await sql`select recipient, text from mails where tenant_id = ${tenant} and kind = 'key.create'`
      assert.ok(mail?.['recipient'] === email && !mail['text'].includes(key))
    })

    test('is revoked on a page that names it, and is refused from then on', async () => {
      const { tenant, user, browser } = await given()
      const { id, key } = await createKey(sql, { tenant, kind, scopes: ['read'], name: HOSTILE }, { type: 'cli' })
      const list = await browser.get(page)
      assert.ok(list.text.includes(SHOWN) && !list.text.includes('<script>alert'))
      assert.match(words(list.text), /the command line/)
      const asked = await browser.get(`${page}/keys/${id}`)
      assert.match(words(asked.text), new RegExp(`Revoke “&lt;script.*_…${key.slice(-4)}`))
      assert.ok(!asked.text.includes('<script>alert'))
      assert.equal(await opens(key), 200)
      assert.equal((await browser.send(`${page}/keys/${id}`, {})).to, page)
      assert.ok((await opens(key)) >= 401)
      assert.equal((await browser.get(`${page}/keys/${id}`)).status, 404)
      const revoked = (await actions(tenant)).at(-1)
      assert.deepEqual([revoked?.['action'], revoked?.['actor_id'], revoked?.['trace_id']?.length], ['key.revoke', user, 32])
    })

    test('without a name or a scope, or with another one, is not made, and what was typed stays', async () => {
      const { tenant, browser } = await given()
      for (const [fields, said] of [
        [{ name: '', scope: 'read' }, 'Name must say what the key is for'],
        [{ name: 'Till' }, 'Scopes must be read, write or both'],
        [{ name: 'Till', scope: 'admin' }, 'Scopes must be read, write or both'],
        [{ name: 'x'.repeat(101), scope: 'read' }, 'Name must say what the key is for'],
      ] as const) {
        const answer = await browser.send(page, fields, 'create')
        // Over the form and beside the field, by the name that the field has.
        assert.deepEqual([answer.status, words(answer.text).split(said).length], [422, 3], said)
        if (fields.name !== '') assert.ok(answer.text.includes(`value="${fields.name}"`))
      }
      assert.deepEqual((await openKeys(sql, tenant, kind)).keys, [])
    })

    test('of another workspace, or of the other kind, is not found and not revoked', async () => {
      const [mine, other] = [await given(), await given()]
      const theirs = await createKey(sql, { tenant: other.tenant, kind, scopes: ['read'] })
      const otherKind = await createKey(sql, { tenant: mine.tenant, kind: kind === 'rest' ? 'mcp' : 'rest', scopes: ['read'] })
      const own = await createKey(sql, { tenant: mine.tenant, kind, scopes: ['read'] })
      for (const id of [theirs.id, otherKind.id, newId('key'), 'key_1', '%00', '__proto__']) {
        assert.equal((await mine.browser.get(`${page}/keys/${id}`)).status, 404, id)
        const token = tokenOf((await mine.browser.get(`${page}/keys/${own.id}`)).text) as string
        assert.equal((await mine.browser.post(`${page}/keys/${id}`, { _csrf: token })).status, 404, id)
      }
      assert.equal((await openKeys(sql, other.tenant, kind)).keys.length, 1)
    })
  })

test('making and revoking a key asks for the password again an hour after it was given, and nothing typed is lost', async () => {
  const { tenant, user, browser } = await given()
  const anHourLater = () => sql`update sessions set password_at = now() - interval '61 minutes' where user_id = ${user}`
  await anHourLater()
  const asks = await browser.send(DEVELOPER, { name: 'Till', scope: 'write' }, 'create')
  assert.match(words(asks.text), /Your password, once more/)
  assert.deepEqual((await openKeys(sql, tenant, 'rest')).keys, [])
  const again = { _csrf: tokenOf(asks.text, 'create') as string, _form: 'create', name: 'Till', scope: 'write', password_again: PASSWORD }
  assert.match(words((await browser.post(DEVELOPER, again)).text), /The key “Till” is made/)
  const [key] = (await openKeys(sql, tenant, 'rest')).keys
  assert.deepEqual(key?.scopes, ['write'])
  await anHourLater()
  const confirm = await browser.send(`${DEVELOPER}/keys/${key?.id}`, {})
  assert.match(words(confirm.text), /Your password, once more/)
  assert.equal((await openKeys(sql, tenant, 'rest')).keys.length, 1)
  assert.equal(
    (await browser.post(`${DEVELOPER}/keys/${key?.id}`, { _csrf: tokenOf(confirm.text) as string, password_again: PASSWORD })).to,
    DEVELOPER,
  )
  assert.equal((await openKeys(sql, tenant, 'rest')).keys.length, 0)
})

test('keys stand on pages of a hundred, each once, and a place that is none is the beginning', async () => {
  const { tenant, browser } = await given()
  const ids: string[] = []
  for (let at = 0; at <= KEYS_PER_PAGE; at++) ids.unshift((await createKey(sql, { tenant, kind: 'rest', scopes: ['read'] })).id)
  const listed = (text: string) => [...text.matchAll(/keys\/(key_\w+)"/g)].map(([, id]) => id as string)
  const first = await browser.get(DEVELOPER)
  const older = /href="([^"]*\?before=[^"]*)"/.exec(first.text)?.[1] as string
  const second = await browser.get(older)
  assert.deepEqual([...listed(first.text), ...listed(second.text)], ids)
  assert.ok(!second.text.includes('?before='))
  assert.deepEqual(listed((await browser.get(`${DEVELOPER}?before=nothing`)).text), listed(first.text))
  assert.match(words((await browser.get(`${DEVELOPER}?before=${ids.at(-1)}`)).text), /There are no older keys/)
})

test('a workspace has a thousand keys of both kinds at most, those made and revoked that day included', async () => {
  const { tenant, browser } = await given()
  await sql`
    insert into api_keys (tenant_id, id, kind, hash, prefix, last_four, scopes, created_at, revoked_at)
    select ${tenant}, 'key_' || lpad(n::text, 26, '0'), case n % 2 when 0 then 'rest' else 'mcp' end, sha256((${tenant} || n)::bytea), 'sk_', 'abcd', '{read}',
           now() - make_interval(hours => case when n > 400 then 23 else 25 end), case when n between 401 and 800 then now() end
      from generate_series(1, ${KEYS_PER_WORKSPACE}::integer) n`
  for (const page of [DEVELOPER, INTEGRATIONS]) {
    const refused = await browser.send(page, { name: 'One more', scope: 'read' }, 'create')
    assert.deepEqual([refused.status, words(refused.text).includes('A workspace may have 1000 keys')], [409, true])
    assert.ok(refused.text.includes('value="One more"'))
  }
  await sql`update api_keys set revoked_at = now() where tenant_id = ${tenant} and id = 'key_' || lpad('7', 26, '0')`
  const both = await Promise.all(['One', 'Two'].map(name => browser.send(DEVELOPER, { name, scope: 'read' }, 'create')))
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
})

describe('connected clients', () => {
  test('are shown by their own word in quotes, and by where they are, and end on a page that names them', async () => {
    const { tenant, user, email, browser } = await given()
    const document = `https://claude.example/${newId('cli')}`
    await aGrant(tenant, user, { client_name: 'Claude', redirect_uris: ['https://elsewhere.example/back'] }, document)
    await aGrant(tenant, user, { client_name: 'Editor', redirect_uris: ['cursor://oauth/callback', 'http://127.0.0.1:1/cb'] })
    const grant = await aGrant(tenant, user, { client_name: HOSTILE, redirect_uris: ['https://evil.example/back'] })
    const page = words((await browser.get(INTEGRATIONS)).text)
    assert.match(page, new RegExp(`Claude claude.example ${email} connected .* read`))
    assert.match(page, /Editor cursor \(an app\), the person’s own computer/)
    const hostile = await browser.get(INTEGRATIONS)
    assert.ok(hostile.text.includes(SHOWN) && !hostile.text.includes('<script>alert') && !hostile.text.includes('\u202e'))
    const asked = await browser.get(`${INTEGRATIONS}/clients/${grant}`)
    assert.match(words(asked.text), /Disconnect &lt;script.*evil\.example/)
    assert.equal((await browser.send(`${INTEGRATIONS}/clients/${grant}`, {})).to, INTEGRATIONS)
    assert.equal((await browser.get(`${INTEGRATIONS}/clients/${grant}`)).status, 404)
    const [row] = await sql`select revoked_at from oauth_grants where id = ${grant}`
    assert.ok(row?.['revoked_at'])
    assert.deepEqual(
      (await actions(tenant)).map(each => each['action']),
      ['oauth.revoke'],
    )
  })

  test('of another workspace are not found, and stay', async () => {
    const [mine, other] = [await given(), await given()]
    const theirs = await aGrant(other.tenant, other.user, { client_name: 'Theirs', redirect_uris: ['https://x.example/back'] })
    const own = await aGrant(mine.tenant, mine.user, { client_name: 'Mine', redirect_uris: ['https://x.example/back'] })
    for (const id of [theirs, newId('gra'), 'gra_1', '%00']) {
      assert.equal((await mine.browser.get(`${INTEGRATIONS}/clients/${id}`)).status, 404, id)
      const token = tokenOf((await mine.browser.get(`${INTEGRATIONS}/clients/${own}`)).text) as string
      assert.equal((await mine.browser.post(`${INTEGRATIONS}/clients/${id}`, { _csrf: token })).status, 404, id)
    }
    const [row] = await sql`select revoked_at from oauth_grants where id = ${theirs}`
    assert.equal(row?.['revoked_at'], null)
    assert.ok(!(await mine.browser.get(INTEGRATIONS)).text.includes('Theirs'))
  })
})

test('what a browser calls itself is text on the page of the account', async () => {
  const { tenant, browser } = await given()
  const email = `k${++people}@example.com`
  await aPersonWithPassword(sql, tenant, email)
  const hostile = aWebBrowser(url, '<script>alert(1)</script>"&')
  assert.equal((await hostile.send('/sign-in', { email, password: PASSWORD })).to, '/dashboard')
  const { text } = await hostile.get(ACCOUNT)
  assert.ok(text.includes(SHOWN) && !text.includes('<script>alert'))
  assert.ok(!(await browser.get(ACCOUNT)).text.includes(SHOWN), 'sessions are their person’s alone')
})

test('the page of integrations tells for each client what to do, for this address, and which ones cannot reach it', async () => {
  const { browser } = await given()
  const { text } = await browser.get(INTEGRATIONS)
  for (const name of ['Claude, on the web', 'Claude Code', 'ChatGPT', 'Cursor', 'VS Code']) assert.ok(text.includes(name), name)
  assert.ok(text.includes('claude mcp add --transport http shopdesk https://shop.example/api/mcp'))
  for (const start of ['cursor://anysphere.cursor-deeplink/mcp/install?', 'vscode:mcp/install?'])
    assert.ok(text.includes(`href="${start}`), start)
  assert.ok(!text.includes('BASE_URL'), 'this address can be reached')
})

test('the overview tells what is still to be set up, until it is, and links admins alone to what is theirs', async () => {
  const { tenant, browser } = await given()
  const before = await browser.get('/dashboard')
  for (const title of ['Make a REST key', 'Connect an AI client', 'Invite your team', 'Connect a channel'])
    assert.ok(before.text.includes(title), title)
  await createKey(sql, { tenant, kind: 'rest', scopes: ['read'] })
  await createKey(sql, { tenant, kind: 'mcp', scopes: ['read'] })
  await aPersonWithPassword(sql, tenant, `k${++people}@example.com`, 'operator')
  const after = await browser.get('/dashboard')
  for (const title of ['Make a REST key', 'Connect an AI client', 'Invite your team']) assert.ok(!after.text.includes(title), title)
  assert.ok(after.text.includes('Connect a channel'))
  const operator = await given('operator')
  for (const path of ['/dashboard', ACCOUNT]) assert.doesNotMatch((await operator.browser.get(path)).text, /dashboard\/settings/)
  assert.match(
    (await operator.browser.get('/dashboard')).text,
    /Still to be set up[\s\S]+An admin of this workspace can do it[\s\S]+<li>Make a REST key/,
  )
})
