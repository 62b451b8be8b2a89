// Codes and tokens: what a client gets for them, and every way in which somebody else tries to.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { suite, test } from 'node:test'
import { OAuthErrorResponseSchema, OAuthTokensSchema } from '@modelcontextprotocol/sdk/shared/auth.js'
import { GRANTS_PER_PERSON, TOKENS_PER_GRANT_MINUTE } from '../../src/limits/oauth.ts'
import { ANONYMOUS_PER_MINUTE } from '../../src/limits/rate.ts'
import { pruneClients } from '../../src/oauth/client-store.ts'
import { pruneGrants } from '../../src/oauth/grant-store.ts'
import { listGrants, revokeGrant } from '../../src/oauth/grants.ts'
import { successorOf } from '../../src/oauth/successor.ts'
import { pruneTokens } from '../../src/oauth/token-store.ts'
import { pruneAll } from '../../src/postgres/prune.ts'
import { parseKeyring, sha256 } from '../../src/secrets.ts'
import { aPerson } from '../support/people.ts'
import { type Answer, BASE, endedAt, oauthApp, REDIRECT, type Registered } from './granted.ts'

const { app, tenant, person, ask, post, client, code, token, refresh, connected } = await oauthApp()

const basic = ({ client_id, client_secret = '' }: Registered) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(client_id)}:${encodeURIComponent(client_secret)}`).toString('base64')}`,
})

function assertRefused(answer: Answer, error: string, status = 400): void {
  assert.deepEqual([answer.status, answer.body.error], [status, error], JSON.stringify(answer.body))
  OAuthErrorResponseSchema.parse(answer.body)
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.equal(answer.headers.get('access-control-allow-origin'), '*')
}

suite('a code', () => {
  for (const method of ['none', 'client_secret_post', 'client_secret_basic'])
    test(`becomes tokens for a client with ${method}`, async () => {
      const made = await client(method)
      const { fields } = await code(made)
      const { client_id: _, ...rest } = fields
      const answer =
        method === 'client_secret_basic'
          ? await token(rest, basic(made))
          : await token({
              ...fields,
              ...(made.client_secret && { client_secret: made.client_secret }),
              resource: `${BASE.toUpperCase()}/api/mcp/`,
            })
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      OAuthTokensSchema.parse(answer.body)
      const { access_token, refresh_token, ...plain } = answer.body
      assert.match(access_token, /^oat_[0-9A-Za-z]{40}$/)
      assert.match(refresh_token, /^ort_[0-9A-Za-z]{40}$/)
      assert.deepEqual(plain, { token_type: 'Bearer', expires_in: 3600, scope: 'read write' })
      assert.equal(answer.headers.get('cache-control'), 'no-store')
      assert.equal(answer.headers.get('access-control-allow-origin'), '*')
      const [stored] =
        await app.sql`select encode(hash, 'escape') || grant_id as row from oauth_access_tokens order by expires_at desc limit 1`
      assert.doesNotMatch(stored?.['row'], /oat_/)
    })

  test('gives no refresh token to a client that did not ask for one, and no scope but the granted, whatever it names', async () => {
    const made = await client('none', { grant_types: ['authorization_code'] })
    for (const scope of ['read', 'read write', 'write']) {
      const { grant, fields } = await code(made, { scopes: ['read'] })
      const { body } = await token({ ...fields, scope })
      assert.deepEqual([body.refresh_token, body.scope], [undefined, 'read'], scope)
      const [row] = await app.sql`select scopes from oauth_access_tokens where grant_id = ${grant}`
      assert.deepEqual(row?.['scopes'], ['read'])
    }
  })

  test('is good for a minute, what it gives for an hour and for thirty days', async () => {
    const { grant, fields } = await code(await client())
    const secondsOf = async (table: string) =>
      (
        await app.sql`select extract(epoch from expires_at - now())::float8 as seconds from ${app.sql(table)} where grant_id = ${grant}`
      ).map(row => Number(row['seconds']))
    const isNearly = async (table: string, seconds: number) => {
      const found = await secondsOf(table)
      assert.ok(found.length > 0 && found.every(each => each > seconds - 30 && each <= seconds), `${table}: ${found}`)
    }
    await isNearly('oauth_codes', 60)
    const { body } = await token(fields)
    await isNearly('oauth_access_tokens', 3_600)
    await isNearly('oauth_refresh_tokens', 30 * 86_400)
    await app.sql`update oauth_refresh_tokens set expires_at = now() + interval '1 minute' where grant_id = ${grant}`
    await refresh({ client_id: fields.client_id }, body.refresh_token)
    assert.ok(
      (await secondsOf('oauth_refresh_tokens')).some(each => each > 29 * 86_400),
      'from its last use on',
    )
  })

  const swapped: [string, Record<string, string | undefined>, string, number?][] = [
    ['another verifier', { code_verifier: randomBytes(32).toString('base64url') }, 'invalid_grant'],
    ['the challenge as its verifier', { code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
    ['a short verifier', { code_verifier: 'short' }, 'invalid_request'],
    ['a verifier of other characters', { code_verifier: `${'a'.repeat(43)}!` }, 'invalid_request'],
    ['no verifier', { code_verifier: undefined }, 'invalid_request'],
    ['an empty verifier', { code_verifier: '' }, 'invalid_request'],
    ['another redirect URI', { redirect_uri: 'https://client.example/other' }, 'invalid_grant'],
    ['a redirect URI with a slash more', { redirect_uri: `${REDIRECT}/` }, 'invalid_grant'],
    ['another resource', { resource: 'https://other.example/api/mcp' }, 'invalid_target'],
    ['the resource of a neighbour', { resource: `${BASE}/api/mcp/evil` }, 'invalid_target'],
    ['the code cut short', { code: 'oac_short' }, 'invalid_grant'],
    ['a code that was never made', { code: `oac_${'0'.repeat(40)}` }, 'invalid_grant'],
    ['no code', { code: undefined }, 'invalid_request'],
    ['another grant type', { grant_type: 'client_credentials' }, 'unsupported_grant_type'],
    ['a password', { grant_type: 'password' }, 'unsupported_grant_type'],
    ['no grant type', { grant_type: undefined }, 'invalid_request'],
    ['a grant type of an object', { grant_type: 'constructor' }, 'unsupported_grant_type'],
    ['an unknown client', { client_id: 'cli_01h455vb4pex5vsknk084sn02q' }, 'invalid_client', 401],
    ['no client', { client_id: undefined }, 'invalid_client', 401],
    ['a client that is a document nobody read', { client_id: 'https://client.example/oauth.json' }, 'invalid_client', 401],
    ['a NUL in the client', { client_id: 'cli_\0' }, 'invalid_request'],
    ['a secret of a client without one', { client_secret: 'ocs_x' }, 'invalid_client', 401],
  ]
  for (const [what, over, error, status] of swapped)
    test(`is refused with ${what}, and is still good for its own client`, async () => {
      const { fields } = await code(await client())
      const sent = Object.entries({ ...fields, ...over }).filter((entry): entry is [string, string] => entry[1] !== undefined)
      assertRefused(await token(sent), error, status)
      assert.equal((await token(fields)).status, 200)
    })

  // OAuth 2.1 §10.2: clients that know no older version send none.
  for (const [what, given] of [
    ['no redirect URI', undefined],
    ['an empty redirect URI', ''],
  ] as const)
    test(`is good with ${what}, by its verifier, and for no other verifier`, async () => {
      const { redirect_uri: _, ...fields } = (await code(await client())).fields
      const sent = { ...fields, ...(given !== undefined && { redirect_uri: given }) }
      assertRefused(await token({ ...sent, code_verifier: randomBytes(32).toString('base64url') }), 'invalid_grant')
      assert.equal((await token(sent)).status, 200)
    })

  test('is refused for another client, whose own it does not become', async () => {
    const { fields } = await code(await client())
    const thief = await client()
    assertRefused(await token({ ...fields, client_id: thief.client_id }), 'invalid_grant')
    const secretive = await client('client_secret_post')
    assertRefused(await token({ ...fields, client_id: secretive.client_id, client_secret: secretive.client_secret ?? '' }), 'invalid_grant')
    assert.equal((await token(fields)).status, 200)
  })

  test('is refused after a minute', async () => {
    const { grant, fields } = await code(await client())
    await app.sql`update oauth_codes set expires_at = now() - interval '1 second' where grant_id = ${grant}`
    assertRefused(await token(fields), 'invalid_grant')
  })

  test('that comes a second time ends the grant, and what it gave', async () => {
    const made = await client()
    const { grant, fields } = await code(made)
    const { body } = await token(fields)
    assertRefused(await token(fields), 'invalid_grant')
    assert.ok(await endedAt(app, grant))
    assertRefused(await refresh(made, body.refresh_token), 'invalid_grant')
    const [row] =
      await app.sql`select details from audit_log where tenant_id = ${tenant} and subject_id = ${grant} and action = 'oauth.revoke'`
    assert.equal(row?.['details'].why, 'code used again')
  })

  test('ten times at once gives tokens once, and ends the grant', async () => {
    const { grant, fields } = await code(await client())
    const answers = await Promise.all(Array.from({ length: 10 }, () => token(fields)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    assert.ok(await endedAt(app, grant))
  })

  test('is worth nothing to a person who has left the workspace since', async () => {
    const { fields } = await code(await client())
    await app.sql`delete from memberships where tenant_id = ${tenant} and user_id = ${person}`
    assertRefused(await token(fields), 'invalid_grant')
    await app.sql`insert into memberships (tenant_id, user_id, role) values (${tenant}, ${person}, 'admin')`
  })
})

suite('a secret', () => {
  const cases: [
    string,
    (made: Registered, other: Registered) => { fields?: Record<string, string>; headers?: Record<string, string> },
    string,
    number,
  ][] = [
    ['wrong', () => ({ fields: { client_secret: `ocs_${'0'.repeat(40)}` } }), 'invalid_client', 401],
    ['empty', () => ({ fields: { client_secret: '' } }), 'invalid_client', 401],
    ['missing', () => ({}), 'invalid_client', 401],
    ["another client's", (_made, other) => ({ fields: { client_secret: other.client_secret ?? '' } }), 'invalid_client', 401],
    ['in two places', made => ({ fields: { client_secret: made.client_secret ?? '' }, headers: basic(made) }), 'invalid_request', 400],
    ['in the header, of another client than the body names', (_made, other) => ({ headers: basic(other) }), 'invalid_request', 400],
    ['wrong in the header', made => ({ headers: basic({ ...made, client_secret: 'no' }) }), 'invalid_client', 401],
    ['in a header that is nonsense', () => ({ headers: { authorization: 'Basic !!!' } }), 'invalid_client', 401],
    ['in a header of nothing', () => ({ headers: { authorization: 'Basic' } }), 'invalid_client', 401],
  ]
  for (const [what, how, error, status] of cases)
    test(`is refused: ${what}`, async () => {
      const [made, other] = [await client('client_secret_basic'), await client('client_secret_basic')]
      const { fields } = await code(made)
      const { fields: more = {}, headers } = how(made, other)
      const answer = await token({ ...fields, ...more }, headers)
      assertRefused(answer, error, status)
      if (status === 401) assert.equal(answer.headers.get('www-authenticate'), headers ? 'Basic realm="shopdesk"' : null)
    })
})

test('a parameter given twice is refused', async () => {
  const { fields } = await code(await client())
  for (const name of Object.keys(fields)) {
    const twice = [...Object.entries(fields), [name, fields[name as keyof typeof fields]]] as [string, string][]
    assertRefused(await token(twice), 'invalid_request')
  }
  assert.equal((await token(fields)).status, 200)
})

test('what is no form is refused', async () => {
  for (const [body, type] of [
    ['{}', 'application/json'],
    ['a=b', 'text/plain'],
    ['', ''],
  ] as const)
    assertRefused(
      await ask('/api/oauth/token', { method: 'POST', body, headers: type ? { 'content-type': type } : {} }),
      'invalid_request',
      415,
    )
  assertRefused(await post('/api/oauth/token', { a: 'x'.repeat(70_000) }), 'invalid_request', 413)
  assertRefused(await post('/api/oauth/token', {}), 'invalid_client', 401)
})

suite('a refresh token', () => {
  test('gives the next ones, and again the same within two minutes, also eight times at once', async () => {
    const { client: made, tokens, grant } = await connected()
    const first = await refresh(made, tokens.refresh_token)
    assert.equal(first.status, 200, JSON.stringify(first.body))
    const again = await Promise.all(Array.from({ length: 8 }, () => refresh(made, tokens.refresh_token)))
    assert.deepEqual(new Set(again.map(({ body }) => body.refresh_token)), new Set([first.body.refresh_token]))
    assert.equal(new Set(again.map(({ body }) => body.access_token)).size, 8)
    assert.notEqual(first.body.refresh_token, tokens.refresh_token)
    assert.equal((await refresh(made, first.body.refresh_token)).status, 200)
    assert.equal(await endedAt(app, grant), null)
  })

  test('is answered for itself among many at once, of other grants and clients', async () => {
    const held = await Promise.all([
      ...Array.from({ length: 12 }, () => connected()),
      ...Array.from({ length: 2 }, () => connected(['read'])),
    ])
    const thief = await client()
    const answers = await Promise.all([
      ...held.map(each => refresh(each.client, each.tokens.refresh_token)),
      ...held.slice(0, 3).map(each => refresh(each.client, each.tokens.refresh_token)),
      ...held.slice(0, 3).map(each => refresh(thief, each.tokens.refresh_token)),
    ])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [...held.map(() => 200), 200, 200, 200, 400, 400, 400],
    )
    for (const [index, each] of held.entries()) {
      const { body } = answers[index] as Answer
      assert.equal(body.scope, index < 12 ? 'read write' : 'read')
      const rows = await app.sql`select encode(hash, 'hex') as hash from oauth_access_tokens where grant_id = ${each.grant}`
      assert.ok(rows.some(row => row['hash'] === sha256(body.access_token).toString('hex')))
      assert.equal((await refresh(each.client, body.refresh_token)).status, 200)
    }
    assert.deepEqual(
      answers.slice(14, 17).map(({ body }) => body.refresh_token),
      answers.slice(0, 3).map(({ body }) => body.refresh_token),
    )
  })

  test('is good 120 times in a minute for a grant, whatever its address; then the client is told to wait, and its grant stays', async () => {
    const [busy, other] = [await connected(), await connected()]
    await app.sql`update oauth_grants set counted_tokens = ${TOKENS_PER_GRANT_MINUTE - 2} where id = ${busy.grant}`
    const first = (await refresh(busy.client, busy.tokens.refresh_token)).body.refresh_token
    const last = (await refresh(busy.client, first, { scope: 'read' })).body.refresh_token
    const refused: Answer[] = []
    // More than an address may have refused.
    while (refused.length <= ANONYMOUS_PER_MINUTE)
      refused.push(...(await Promise.all(Array.from({ length: 100 }, () => refresh(busy.client, last)))))
    for (const answer of [...refused, await refresh(busy.client, first), await refresh(busy.client, last, { scope: 'read' })]) {
      assertRefused(answer, 'temporarily_unavailable', 429)
      assert.ok(Number(answer.headers.get('retry-after')) > 30)
    }
    assert.equal((await refresh(other.client, other.tokens.refresh_token)).status, 200)
    assert.equal(await endedAt(app, busy.grant), null)
    await app.sql`update oauth_grants set counted_since = counted_since - interval '1 minute' where id = ${busy.grant}`
    assert.equal((await refresh(busy.client, last)).status, 200)
    const [row] = await app.sql`select counted_tokens from oauth_grants where id = ${busy.grant}`
    assert.equal(row?.['counted_tokens'], 1)
  })

  test('that comes again later ends the grant', async () => {
    const { client: made, tokens, grant } = await connected()
    const { body } = await refresh(made, tokens.refresh_token)
    await app.sql`update oauth_refresh_tokens set rotated_at = rotated_at - interval '121 seconds' where grant_id = ${grant} and rotated_at is not null`
    assertRefused(await refresh(made, tokens.refresh_token), 'invalid_grant')
    assert.ok(await endedAt(app, grant))
    assertRefused(await refresh(made, body.refresh_token), 'invalid_grant')
  })

  test('gives a narrower scope where one is asked for, for that access token alone, and never a wider one', async () => {
    const { client: made, tokens } = await connected()
    const narrow = await refresh(made, tokens.refresh_token, { scope: 'read' })
    assert.equal(narrow.body.scope, 'read')
    assert.equal((await refresh(made, narrow.body.refresh_token)).body.scope, 'read write')
    const { client: reader, tokens: few } = await connected(['read'])
    for (const scope of ['write', 'read write', 'read admin', ' '])
      assertRefused(await refresh(reader, few.refresh_token, { scope }), 'invalid_scope')
    // Without a value it is not asked for.
    assert.equal((await refresh(reader, few.refresh_token, { scope: '', resource: '' })).body.scope, 'read')
  })

  test('is refused for another client, another resource, an access token, and one that expired', async () => {
    const { client: made, tokens, grant } = await connected()
    assertRefused(await refresh(await client(), tokens.refresh_token), 'invalid_grant')
    assertRefused(await refresh(made, tokens.refresh_token, { resource: 'https://other.example' }), 'invalid_target')
    assertRefused(await refresh(made, tokens.access_token), 'invalid_grant')
    assertRefused(await refresh(made, 'ort_nonsense'), 'invalid_grant')
    assert.equal(await endedAt(app, grant), null)
    await app.sql`update oauth_refresh_tokens set expires_at = now() - interval '1 second' where grant_id = ${grant}`
    assertRefused(await refresh(made, tokens.refresh_token), 'invalid_grant')
  })

  test('is refused once the grant was taken back, or the person is gone', async () => {
    const { client: made, tokens, grant } = await connected()
    await aPerson(app.sql, tenant, 'colleague@example.com')
    await app.sql`delete from memberships where tenant_id = ${tenant} and user_id = ${person}`
    assertRefused(await refresh(made, tokens.refresh_token), 'invalid_grant')
    await app.sql`insert into memberships (tenant_id, user_id, role) values (${tenant}, ${person}, 'admin')`
    await app.sql`update users set disabled_at = now() where id = ${person}`
    for (const more of [{}, { scope: 'read' }]) assertRefused(await refresh(made, tokens.refresh_token, more), 'invalid_grant')
    await app.sql`update users set disabled_at = null where id = ${person}`
    assert.equal(await revokeGrant(app.sql, { tenant, actor: { type: 'user', id: person } }, grant), true)
    assert.equal(await revokeGrant(app.sql, { tenant, actor: { type: 'user', id: person } }, grant), false)
    assertRefused(await refresh(made, tokens.refresh_token), 'invalid_grant')
  })

  test('has the same successor after SECRET_KEY was rotated, as long as the old key is in it', () => {
    const [a, b] = ['a', 'b'].map(each => each.repeat(64)) as [string, string]
    const ring = (text: string) => parseKeyring(text) as NonNullable<ReturnType<typeof parseKeyring>>
    const first = successorOf(ring(`k1:${a}`), 'ort_x')
    assert.match(first.token, /^ort_[0-9A-Za-z]{40}$/)
    assert.deepEqual(successorOf(ring(`k2:${b},k1:${a}`), 'ort_x', first.key), first)
    assert.notEqual(successorOf(ring(`k2:${b}`), 'ort_x', first.key).token, first.token)
    assert.notEqual(successorOf(ring(`k1:${a}`), 'ort_y').token, first.token)
  })
})

suite('revocation', () => {
  const revoke = ({ client_id }: Registered, token: string, more: Record<string, string> = {}) =>
    post('/api/oauth/revoke', { client_id, token, ...more })
  const accessTokens = async (grant: string) => (await app.sql`select 1 from oauth_access_tokens where grant_id = ${grant}`).length

  test('of an access token ends that one alone', async () => {
    const { client: made, tokens, grant } = await connected()
    assert.equal((await revoke(made, tokens.access_token, { token_type_hint: 'refresh_token' })).status, 200)
    assert.deepEqual([await accessTokens(grant), await endedAt(app, grant)], [0, null])
  })

  test('of a refresh token ends the grant, also of one that was used', async () => {
    const { client: made, tokens, grant } = await connected()
    await refresh(made, tokens.refresh_token)
    assert.equal((await revoke(made, tokens.refresh_token)).status, 200)
    assert.ok(await endedAt(app, grant))
  })

  test('of nonsense is 200, and another client’s token is left alone', async () => {
    const { client: made, tokens, grant } = await connected()
    const other = await client()
    for (const each of ['nonsense', `oat_${'0'.repeat(40)}`, tokens.access_token, tokens.refresh_token, 'mcp_x'])
      assert.equal((await revoke(other, each)).status, 200)
    assert.deepEqual([await accessTokens(grant), await endedAt(app, grant)], [1, null])
    assert.equal((await post('/api/oauth/revoke', { client_id: made.client_id })).body.error, 'invalid_request')
    assert.equal((await post('/api/oauth/revoke', { client_id: 'cli_x', token: 'x' })).status, 401)
  })
})

test('grants are listed with the client’s own name, and those of one person apart', async () => {
  const made = await client('none', { client_name: '<b>Editor</b>' })
  const { grant } = await code(made)
  const all = await listGrants(app.sql, tenant)
  assert.deepEqual([all[0]?.id, all[0]?.client, all[0]?.scopes], [grant, '<b>Editor</b>', ['read', 'write']])
  assert.equal((await listGrants(app.sql, tenant, person)).length, all.length)
  assert.deepEqual(await listGrants(app.sql, tenant, 'usr_x'), [])
  const other = await app.tenant()
  assert.deepEqual(await listGrants(app.sql, other.id), [])
  assert.equal(await revokeGrant(app.sql, { tenant: other.id, actor: { type: 'system' } }, grant), false)
})

test('of too many grants of a person the one used longest ago ends, and no other person’s', async () => {
  const made = await client()
  const { grant: oldest } = await code(made)
  const { grant: older } = await code(made)
  await app.sql`update oauth_grants set last_used_at = now() - interval '2 hours' where id = ${oldest}`
  await app.sql`update oauth_grants set last_used_at = now() - interval '1 hour' where id = ${older}`
  const open = async () => (await listGrants(app.sql, tenant, person)).length
  await app.sql`
    insert into oauth_grants (tenant_id, id, client_id, user_id, scopes, last_used_at)
    select ${tenant}, 'gra_' || n || u, ${made.client_id}, u, '{read}', now() - case when u = ${person} then interval '0' else interval '3 hours' end
      from generate_series(1, ${GRANTS_PER_PERSON - (await open())}::integer) n, unnest(array[${person}, 'usr_other']) u
`
  const full = await open()
  const { grant: newest } = await code(made)
  assert.deepEqual([await endedAt(app, newest), await endedAt(app, older), (await endedAt(app, oldest)) !== null], [null, null, true])
  assert.deepEqual([full, await open()], [GRANTS_PER_PERSON, GRANTS_PER_PERSON])
  await app.sql`delete from oauth_grants where tenant_id = ${tenant} and id ~ '^gra_[0-9]+usr_'`
})

test('guesses are counted by their address', async () => {
  const crowd = await oauthApp()
  const { client_id } = await crowd.client()
  const statuses: number[] = []
  for (let n = 0; n < 605; n++) statuses.push((await crowd.refresh({ client_id }, 'ort_x')).status)
  assert.deepEqual([statuses.indexOf(429), statuses.at(-1)], [600, 429])
})

test('what is old goes: codes and tokens a day after they expired, clients that led to nothing, grants that nobody used', async () => {
  const { grant, client: made } = await connected()
  const unused = await client()
  await pruneAll(app.sql, pruneTokens)
  await app.sql`update oauth_access_tokens set expires_at = now() - interval '25 hours' where grant_id = ${grant}`
  await app.sql`update oauth_codes set expires_at = now() - interval '23 hours' where grant_id = ${grant}`
  assert.equal(await pruneAll(app.sql, pruneTokens), 1)
  await app.sql`update oauth_clients set created_at = now() - interval '8 days' where id in (${made.client_id}, ${unused.client_id})`
  assert.equal(await pruneAll(app.sql, pruneClients), 1)
  assert.equal((await app.sql`select 1 from oauth_clients where id = ${made.client_id}`).length, 1)
  await app.sql`update oauth_grants set last_used_at = now() - interval '31 days' where id = ${grant}`
  assert.equal(await pruneAll(app.sql, pruneGrants), 1)
  assert.ok(await endedAt(app, grant))
  const written =
    await app.sql`select actor_type, action, details->>'why' as why from audit_log where subject_id = ${grant} order by id desc limit 1`
  assert.deepEqual([...written], [{ actor_type: 'system', action: 'oauth.revoke', why: 'unused for 30 days' }])
})
