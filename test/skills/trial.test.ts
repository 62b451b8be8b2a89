// What an author sees of calls: the log over REST, and the test of a skill against its live service.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { newId } from '../../src/ids.ts'
import { RESPONSE_LOG_BYTES } from '../../src/limits/outbound.ts'
import { SKILL_TRIALS_AT_ONCE, SKILL_TRIALS_OF_TENANT } from '../../src/limits/skills.ts'
import { pruneAll } from '../../src/postgres/prune.ts'
import { outputOf } from '../../src/skills/call-parts.ts'
import { pruneCalls, pruneOutputs } from '../../src/skills/prune-store.ts'
import { testApp } from '../support/app.ts'
import { aManifest, installApp } from '../support/apps.ts'
import { command } from '../support/command.ts'
import { eventually, eventuallyHolds } from '../support/eventually.ts'
import { nobody } from '../support/given.ts'
import { rawServer, receiver } from '../support/outbound.ts'
import { settingsOf, shopdesk } from '../support/shopdesk.ts'
import { appWith, aSkill, aTurn } from './given.ts'

const app = await testApp()
const TEST = '/api/platform/skills/test'
const POINTS = { type: 'object', properties: { points: { type: 'integer' } }, required: ['points'] }
const secret = 'a-secret-of-the-app'

suite('the test of a skill', () => {
  test('shows what was asked and what was answered, and masks the credential', async t => {
    const there = await receiver(t, response =>
      response.writeHead(200, { 'X-Points': '1', 'Set-Cookie': 'a=b' }).end(`{"points":1,"said":"${secret}"}`),
    )
    const { shop, installed } = await appWith(
      t,
      app,
      [aSkill(there.origin, { outputSchema: POINTS })],
      {},
      { credential: { mode: 'bearer', secret } },
    )
    const { status, body, text } = await shop.post(TEST, { app_id: installed.app_id, skill_id: 'award', arguments: { b: 1, a: 'é' } })
    assert.equal(status, 200)
    const { call_id, duration_ms, request, response, attempts, ...rest } = body
    assert.deepEqual(rest, {
      object: 'skill_test',
      ok: true,
      stage: 'done',
      value: { points: 1, said: '••••' },
      truncated: false,
      errors: [],
    })
    assert.equal(request.body, '{"a":"é","b":1}')
    assert.deepEqual([request.method, request.url, request.headers.Authorization], ['POST', there.origin, '••••'])
    assert.equal(there.received[0]?.headers.authorization, `Bearer ${secret}`)
    assert.equal(request.headers['Idempotency-Key'], there.received[0]?.headers['idempotency-key'])
    assert.deepEqual([response.status, response.headers['x-points'], response.headers['set-cookie']], [200, '1', '••••'])
    assert.equal(response.body, '{"points":1,"said":"••••"}')
    assert.deepEqual(
      attempts.map(({ duration_ms: _, ...each }: { duration_ms: number }) => each),
      [{ number: 1, status: 200, error: null }],
    )
    assert.ok(duration_ms >= 0)
    assert.ok(!text.includes(secret))
    const logged = await shop.get(`/api/platform/apps/${installed.id}/calls/${call_id}`)
    assert.deepEqual([logged.body.status, logged.body.purpose, logged.body.request], ['succeeded', 'test', request])
    assert.ok(!logged.text.includes(secret))
  })

  test('an answer of another shape is told without the secrets that it repeats', async t => {
    const secret = 'tok_0123456789abcdef'
    const there = await receiver(t, response => response.end(JSON.stringify({ points: 1, [secret]: 2 })))
    const outputSchema = { ...POINTS, additionalProperties: false }
    const { shop, installed } = await appWith(
      t,
      app,
      [aSkill(there.origin, { outputSchema })],
      {},
      { credential: { mode: 'bearer', secret } },
    )
    const { body, text } = await shop.post(TEST, { app_id: installed.app_id, skill_id: 'award', arguments: {} })
    assert.deepEqual([body.ok, body.stage, body.errors[0].field], [false, 'output', '••••'])
    const logged = await shop.get(`/api/platform/apps/${installed.id}/calls/${body.call_id}`)
    assert.ok(!`${text} ${logged.text}`.includes(secret))
  })

  test('the app’s refusals are answers: each with its stage and why', async t => {
    const there = await receiver(t, response => response.writeHead(404).end('no'))
    const { shop, installed } = await appWith(t, app, [aSkill(there.origin, { inputSchema: POINTS })])
    const tried = async (given: object) => (await shop.post(TEST, { app_id: installed.id, skill_id: 'award', arguments: given })).body
    const wrong = await tried({})
    assert.deepEqual(
      [wrong.ok, wrong.stage, wrong.errors, wrong.attempts],
      [false, 'input', [{ field: 'points', code: 'required', message: 'is required.' }], []],
    )
    assert.equal(there.received.length, 0)
    const refused = await tried({ points: 1 })
    assert.deepEqual(
      [refused.ok, refused.stage, refused.value, refused.response.status, refused.errors],
      [false, 'http', null, 404, [{ field: '', code: 'http_status', message: 'The skill “Award points” failed. It answered 404.' }]],
    )
  })

  test('a skill that is written in the request is called without a credential, and leaves nothing behind', async t => {
    const there = await receiver(t, response => response.end('{"points":3}'))
    const shop = await app.tenant()
    const ask = (over: object, given: object = { points: 1 }) =>
      shop.post(TEST, { skill: aSkill(there.origin, { inputSchema: POINTS, ...over }), arguments: given })
    const { body } = await ask({ outputSchema: POINTS })
    assert.deepEqual([body.ok, body.value, body.call_id, body.response.body], [true, { points: 3 }, null, '{"points":3}'])
    assert.equal((await ask({}, {})).body.stage, 'input')
    assert.equal((await ask({ outputSchema: { type: 'array' } })).body.errors[0].code, 'invalid_type')
    assert.equal((await ask({ endpoint: 'https://169.254.169.254/' })).body.errors[0].code, 'private_address')
    assert.equal(there.received.length, 2)
    const [row] = await app.sql`select count(*)::integer as calls from skill_calls where tenant_id = ${shop.id}`
    assert.equal(row?.['calls'], 0)
  })

  test('words that only the compiler of schemas knows have no effect, as is said of them', async () => {
    const shop = await app.tenant()
    for (const [word, value] of Object.entries({ $async: true, nullable: true, discriminator: { propertyName: 'points' }, id: 'x' })) {
      const properties = { points: { type: 'number', ...(word === 'nullable' ? { nullable: value } : {}) } }
      const inputSchema = { type: 'object', properties, ...(word === 'nullable' ? {} : { [word]: value }) }
      const { status, body } = await shop.post(TEST, {
        skill: aSkill('https://nowhere.example/', { inputSchema }),
        arguments: { points: null },
      })
      assert.deepEqual([status, body.stage, body.errors?.[0]?.code], [200, 'input', 'invalid_type'], word)
    }
  })

  test('what names nothing is 404, and what makes no sense 422', async t => {
    const { shop, installed } = await appWith(t, app, [aSkill('https://nowhere.example/')])
    const other = await app.tenant()
    const [known, given] = [{ app_id: installed.id, skill_id: 'award' }, { arguments: {} }]
    assert.equal((await other.post(TEST, { ...known, ...given })).status, 404)
    assert.equal((await other.post(TEST, { ...known, app_id: installed.app_id, ...given })).status, 404)
    assert.equal((await shop.post(TEST, { ...known, skill_id: 'other', ...given })).status, 404)
    assert.equal((await shop.post(TEST, { ...known, app_id: nobody('app'), ...given })).status, 404)
    const skill = aSkill('https://nowhere.example/')
    const circle = { $defs: { a: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' }
    for (const body of [
      {},
      known,
      given,
      { ...known, skill, ...given },
      { app_id: installed.id, ...given },
      { ...known, arguments: [] },
      { skill: { ...skill, inputSchema: circle }, ...given },
    ])
      assert.equal((await shop.post(TEST, body)).status, 422, JSON.stringify(body))
    const reader = await app.tenant({ scopes: ['read'] })
    assert.equal((await reader.post(TEST, { ...known, ...given })).status, 403)
  })

  test('four of a workspace and sixteen in all are under way at once, and the next is told when to ask again', async t => {
    const there = await rawServer(t, () => {})
    const { shop, installed } = await appWith(t, app, [aSkill(there.origin)])
    const leaving = new AbortController()
    const ask = (key = shop.key, body: object = { app_id: installed.id, skill_id: 'award', arguments: {} }) =>
      fetch(app.url + TEST, {
        method: 'POST',
        signal: leaving.signal,
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
    const waiting: Promise<unknown>[] = Array.from({ length: SKILL_TRIALS_OF_TENANT }, () => ask().catch(() => 'left'))
    await eventuallyHolds(async () => assert.equal(there.connections(), SKILL_TRIALS_OF_TENANT))
    const { status, body, headers } = await shop.post(TEST, { app_id: installed.id, skill_id: 'award', arguments: {} })
    assert.deepEqual([status, body.retry_after_sec, headers.get('retry-after')], [429, 2, '2'])
    // Of all workspaces sixteen are: a fifth workspace is told so.
    for (let all = SKILL_TRIALS_OF_TENANT * 2; all <= SKILL_TRIALS_AT_ONCE; all += SKILL_TRIALS_OF_TENANT) {
      const { key } = await app.tenant()
      const tried = { skill: aSkill(there.origin), arguments: {} }
      for (let n = 0; n < SKILL_TRIALS_OF_TENANT; n++) waiting.push(ask(key, tried).catch(() => 'left'))
      await eventuallyHolds(async () => assert.equal(there.connections(), all))
    }
    const none = await (await app.tenant()).post(TEST, { skill: aSkill(there.origin), arguments: {} })
    assert.deepEqual([none.status, none.headers.get('retry-after')], [503, '2'])
    assert.equal(there.connections(), SKILL_TRIALS_AT_ONCE)
    // Where the callers leave, so do their calls.
    leaving.abort()
    assert.deepEqual(new Set(await Promise.all(waiting)), new Set(['left']))
    const quick = await receiver(t, response => response.end('{}'))
    await eventuallyHolds(async () => {
      const again = await shop.post(TEST, { skill: aSkill(quick.origin), arguments: {} })
      assert.equal(again.status, 200)
    })
  })
})

test('the log lists the calls of an app, the newest first, by skill, purpose, stage and code', async t => {
  const there = await receiver(t, (response, { body }) => response.writeHead(body.toString() === '{}' ? 200 : 400).end('{}'))
  const { shop, installed, ask } = await appWith(t, app, [aSkill(there.origin), aSkill(there.origin, { id: 'balance' })])
  const turn = aTurn()
  await ask({ for: turn })
  await ask({ skill_id: 'balance', arguments: { a: 1 }, for: turn })
  await ask({ for: 'test' })
  const at = `/api/platform/apps/${encodeURIComponent(installed.app_id)}/calls`
  const listed = async (query = '') => {
    const { text, body } = await shop.get(`${at}?${query}`)
    assert.equal(text, JSON.stringify(body), 'without spaces')
    return body.data
  }
  const all = await listed()
  assert.deepEqual(
    all.map((each: Record<string, unknown>) => [each['skill_id'], each['purpose'], each['status'], each['code'], each['http_status']]),
    [
      ['award', 'test', 'succeeded', null, 200],
      ['balance', 'conversation', 'failed', 'http_status', 400],
      ['award', 'conversation', 'succeeded', null, 200],
    ],
  )
  assert.equal(all[1].conversation_id, turn.conversation)
  for (const [query, count] of [
    ['skill_id=award', 2],
    ['purpose=test', 1],
    ['stage=http,output', 1],
    ['code=timeout', 0],
    ['limit=2', 2],
  ] as const)
    assert.equal((await listed(query)).length, count, query)
  const other = await app.tenant()
  assert.equal((await other.get(at)).status, 404)
  const beside = await installApp(app, shop, aManifest({ id: 'acme:other' }))
  for (const [named, call] of [
    [installed.id, nobody('call')],
    [beside.id, all[0].id],
  ])
    assert.equal((await shop.get(`/api/platform/apps/${named}/calls/${call}`)).status, 404)
})

test('app call and app calls say the same on the command line', async t => {
  const there = await receiver(t, (response, { body }) =>
    response.writeHead(body.toString() === '{"points":1}' ? 200 : 400).end('{"said":"yes"}'),
  )
  const strict = aSkill(there.origin, { id: 'ask', inputSchema: { type: 'object', required: ['who'] } })
  const { shop, installed } = await appWith(t, app, [aSkill(there.origin), strict])
  const settings = settingsOf(app)
  const run = (...args: string[]) => command(['app', ...args, '--tenant', shop.id], settings)
  const good = await run('call', installed.app_id, 'award', '--args', '{"points":1}')
  assert.equal(good.code, 0, good.stderr)
  assert.match(good.stdout, /^POST http:.*\{"points":1\}.*Attempt 1: 200.*Output .*"said": "yes"/s)
  const bad = await run('call', installed.id, 'award', '--args', '{}', '--json')
  assert.deepEqual([bad.code, JSON.parse(bad.stdout).stage], [1, 'http'])
  assert.match((await run('call', installed.id, 'award', '--args', '[1')).stderr, /--args is no JSON object/)
  assert.match(
    (await run('call', installed.id, 'awrad', '--args', '{}')).stderr,
    /<skill> is awrad, which is no skill of .*did you mean award\?/,
  )
  assert.match((await run('call', installed.id, 'ask', '--args', '{}')).stdout, /^Not sent:\n\n\{\}\n/)
  const listed = await run('calls', installed.id, '--json')
  assert.equal(JSON.parse(listed.stdout).data.length, 3)
  const failed = JSON.parse((await run('calls', installed.id, '--failed', '--json')).stdout).data
  assert.deepEqual(
    failed.map((each: { code: string }) => each.code),
    ['invalid_input', 'http_status'],
  )
  assert.match((await run('calls', installed.id, '--call', failed[1].id)).stdout, /http_status.*POST http:.*Attempt 1: 400/s)
})

/** Calls of an app, written as if they had been made. */
const written = (shop: { id: string }, installed: { id: string }, calls: { at: Date; output?: string }[]) =>
  Promise.all(
    calls.map(({ at, output }) => {
      const id = newId('call')
      return app.sql`
        with long as (
          insert into skill_outputs (tenant_id, call_id, output, created_at)
          select ${shop.id}, ${id}, ${output ?? ''}, ${at} where ${output !== undefined && output.length > RESPONSE_LOG_BYTES}
          returning 1
        )
        insert into skill_calls (tenant_id, id, app, revision, skill_id, purpose, occasion, key, input, created_at, ended_at, duration_ms, stage, output)
        select ${shop.id}, ${id}, ${installed.id}, 1, 'award', 'test', ${id}, 'k', '{}', ${at}, ${at}, 1, 'done',
               case when not exists (select from long) then ${output ?? '{}'} end`.then(() => id)
    }),
  )

test('app calls --follow shows each call once as it ends, however many end in one moment, and those that are written late', async t => {
  const { shop, installed } = await appWith(t, app, [aSkill('https://a.example/')])
  await written(shop, installed, [{ at: new Date(Date.now() - 60_000) }])
  const following = shopdesk(['app', 'calls', installed.id, '--follow', '--json', '--tenant', shop.id], settingsOf(app))
  t.after(() => following.stop('SIGKILL'))
  // What ends before it has begun to look is not shown.
  const first = await eventually(async () => {
    const [id] = await written(shop, installed, [{ at: new Date() }])
    return following.stdout().includes('skill_call') && id
  })
  const at = new Date(Date.now() + 2_000)
  const many = await written(
    shop,
    installed,
    Array.from({ length: 120 }, () => ({ at })),
  )
  await following.says(new RegExp(many.at(-1) as string))
  const late = await written(shop, installed, [{ at: new Date(at.getTime() - 1_000) }])
  await following.says(new RegExp(late[0] as string))
  await following.stop('SIGINT')
  const shown = following
    .stdout()
    .trim()
    .split('\n')
    .map(line => JSON.parse(line).id)
  assert.equal(new Set(shown).size, shown.length)
  for (const id of [...many, ...late]) assert.ok(shown.includes(id))
  assert.ok(first)
})

test('calls are kept for 30 days, and long outputs for a day', async t => {
  const { shop, installed } = await appWith(t, app, [aSkill('https://a.example/')])
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000)
  const [long, short] = [JSON.stringify('x'.repeat(20_000)), '{"points":1}']
  const ids = await written(shop, installed, [
    { at: ago(24 * 30 + 1) },
    { at: ago(24 * 30 - 1) },
    { at: ago(25), output: long },
    { at: ago(23), output: long },
    { at: ago(25), output: short },
  ])
  await pruneAll(app.sql, pruneCalls)
  await pruneAll(app.sql, pruneOutputs)
  const rows = await app.sql`select c.id, ${outputOf} as output from skill_calls c where c.tenant_id = ${shop.id} order by c.id`
  const left = new Map(rows.map(({ id, output }) => [id, output]))
  assert.deepEqual(
    ids.map(id => left.get(id)),
    [undefined, '{}', null, long, short],
  )
})
