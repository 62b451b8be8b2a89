// The app builder over REST.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../support/app.ts'
import { assertProblem } from '../support/given.ts'

const app = await testApp()
const EXECUTE = '/api/platform/sandbox/execute'
const GENERATE = '/api/platform/copilot/generate'

test('a script is run for a key with the scope write, and its fault is an answer', async () => {
  const shop = await app.tenant()
  const done = await shop.post(EXECUTE, { code: 'console.info("twice", input.n); input.n * 2', input: { n: 21 } })
  assert.equal(done.status, 200)
  const { duration_ms, ...rest } = done.body
  assert.deepEqual(rest, { ok: true, result: 42, logs: [{ level: 'info', text: 'twice 21' }], logs_truncated: false, error: null })
  assert.ok(duration_ms >= 0)
  const failed = await shop.post(EXECUTE, { code: 'null.x' })
  assert.deepEqual(
    [failed.status, failed.body.ok, failed.body.result, failed.body.error.name, failed.body.error.line],
    [200, false, null, 'TypeError', 1],
  )
  const late = await shop.post(EXECUTE, { code: 'for (;;);', timeout_ms: 20 })
  assert.deepEqual([late.status, late.body.error.name], [200, 'TimeoutError'])
  const reader = await app.tenant({ scopes: ['read'] })
  assertProblem(await reader.post(EXECUTE, { code: '1' }), { status: 403, slug: 'insufficient-scope', instance: EXECUTE })
})

test('what is no request for a script is refused by its field', async () => {
  const shop = await app.tenant()
  for (const [body, field] of [
    [{}, 'code'],
    [{ code: 1 }, 'code'],
    [{ code: 'x'.repeat(64 * 1024 + 1) }, 'code'],
    [{ code: 'ä'.repeat(40 * 1024) }, 'code'],
    [{ code: '1', timeout_ms: 0 }, 'timeout_ms'],
    [{ code: '1', timeout_ms: 5_001 }, 'timeout_ms'],
    [{ code: '1', timeout: 5 }, 'timeout'],
  ] as const)
    assertProblem(await shop.post(EXECUTE, body), { status: 422, slug: 'validation-failed', instance: EXECUTE, field })
})

test('a script is not run twice under one key, however deep its result', async () => {
  const shop = await app.tenant()
  const body = { code: 'let a = []; for (let n = 0; n < 500; n++) a = [a]; a' }
  const headers = { 'Idempotency-Key': 'once' }
  const first = await shop.post(EXECUTE, body, headers)
  assert.deepEqual([first.status, first.body.ok], [200, true])
  const again = await shop.post(EXECUTE, body, headers)
  assert.deepEqual([again.status, again.body.code, again.body.original.body], [409, 'duplicate_idempotency_key', first.body])
})

test('of one workspace one script runs and two wait, and more are told to wait', async () => {
  const shop = await app.tenant()
  const replies = await Promise.all(Array.from({ length: 4 }, () => shop.post(EXECUTE, { code: 'for (;;);', timeout_ms: 300 })))
  const refused = replies.filter(({ status }) => status === 429)
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 200, 200, 429])
  assertProblem(refused[0] as (typeof refused)[number], { status: 429, slug: 'rate-limit-exceeded', instance: EXECUTE })
  assert.equal(refused[0]?.headers.get('retry-after'), '2')
})

test('a description becomes a manifest, and a manifest is changed', async () => {
  const shop = await app.tenant()
  const { status, body } = await shop.post(GENERATE, { description: 'When an order is paid, tag the customer as vip. Paint it blue.' })
  assert.deepEqual([status, body.valid, body.problems], [200, true, []])
  assert.deepEqual(body.notes, ['Not understood: "Paint it blue".'])
  assert.deepEqual(body.manifest.scopes, ['write:contacts', 'subscribe:order.paid'])
  const edited = await shop.post(GENERATE, { description: 'Also notify the team.', manifest: body.manifest })
  assert.deepEqual([edited.body.valid, edited.body.manifest.version, edited.body.manifest.flows[0].steps.length], [true, '1.1.0', 2])
})

test('drafts that workspaces ask for at once are all written', async () => {
  const shops = await Promise.all([app.tenant(), app.tenant()])
  const asked = Array.from({ length: 8 }, (_each, at) =>
    (shops[at % 2] as (typeof shops)[0]).post(GENERATE, { description: 'When an order is paid, tag the customer as vip. '.repeat(100) }),
  )
  assert.deepEqual(
    (await Promise.all(asked)).map(({ status, body }) => [status, body.valid]),
    Array(8).fill([200, true]),
  )
})

test('what is no request for a manifest is refused by its field', async () => {
  const shop = await app.tenant()
  for (const [body, field] of [
    [{}, 'description'],
    [{ description: '' }, 'description'],
    [{ description: ' ' }, 'description'],
    [{ description: 'x'.repeat(8_001) }, 'description'],
    [{ description: 'x', manifest: { name: 'x'.repeat(600 * 1024) } }, 'manifest'],
  ] as const)
    assertProblem(await shop.post(GENERATE, body), { status: 422, slug: 'validation-failed', instance: GENERATE, field })
  const { errors } = (await shop.post(GENERATE, { description: '' })).body
  assert.deepEqual(errors, [{ field: 'description', code: 'too_short', message: 'must not be empty.' }])
})
