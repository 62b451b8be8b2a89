// No secret of an app is in what is kept in the clear, in a log or in an answer: real processes that say all they can, a service that repeats what it knows in
// every way, runs, tests, dry runs, a rotation of SECRET_KEY while a call waits, lost connections, and an uninstall.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { SKILL_ANSWER_BYTES } from '../../src/limits/skills.ts'
import { type TestTenant, testApp } from '../support/app.ts'
import { aManifest } from '../support/apps.ts'
import { command } from '../support/command.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver } from '../support/receiver.ts'
import { aWorker, settingsOf, shopdesk } from '../support/shopdesk.ts'

const app = await testApp()
const { sql } = app
const folder = mkdtempSync(join(tmpdir(), 'shopdesk-test-'))

const KEYS = { old: settingsOf(app).SECRET_KEY as string, new: randomBytes(32).toString('hex') }
const HMAC = { first: 'hmac/first+secret=of-the-app', second: 'hmac"second\\secret-of-the-app' }
const BEARER = { first: 'bearer-first-secret-of-the-app', second: 'bearer-second-secret-of-the-app' }
const SETTING = { first: 'setting-first-secret-of-the-app', second: 'setting-second "secret" of/the&app' }
const SECRETS = [HMAC, BEARER, SETTING, KEYS].flatMap(each => Object.values(each))

/** As the libraries of other languages write a text into JSON, URLs, pages and headers. */
const spelled = (text: string): string[] => [
  encodeURIComponent(text),
  encodeURIComponent(text).replaceAll(/%../g, hex => hex.toLowerCase()),
  encodeURIComponent(text).replaceAll('%2F', '/'),
  new URLSearchParams({ said: text }).toString(),
  JSON.stringify(text).replaceAll('/', '\\/'),
  JSON.stringify(text).replaceAll('&', '\\u0026'),
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
  text.replaceAll('&', '&amp;').replaceAll('"', '&#34;'),
  Buffer.from(text).toString('base64'),
  Buffer.from(text).toString('base64url'),
]

/** What a service of an app says: all that it knows, as text and as names and texts in JSON. */
const told = (known: string[]): string => JSON.stringify({ known, [known.join(' ')]: { deep: [`You said ${known.join(' and ')}.`] } })

const WAYS: Record<string, (response: ServerResponse, known: string[]) => void> = {
  json: (response, known) => response.end(told(known)),
  text: (response, known) => response.end(`You sent ${known.join(', ')}`),
  spelled: (response, known) => response.end(known.flatMap(spelled).join('\n')),
  cut: (response, known) => response.end(`${'.'.repeat(SKILL_ANSWER_BYTES - 20)}${known[1]}`),
  unfit: (response, known) => response.end(told(known)),
  refusing: (response, known) => response.writeHead(400, { 'X-Said': known.join(' ') }).end(`<html>${known.join('<br>')}</html>`),
  failing: (response, known) =>
    response.writeHead(500, known.join(' '), { 'WWW-Authenticate': `Bearer realm="${known.join(' ')}"` }).end(told(known)),
  leading: (response, known) => response.writeHead(302, { Location: `http://elsewhere.example/${known.join('/')}` }).end(),
  breaking: (response, known) => response.write(told(known), () => response.socket?.resetAndDestroy()),
  garbage: (response, known) => response.socket?.end(`HTTP/1.1 ${known.join(' ')}\r\n\r\n`),
  hanging: () => {},
}
const WAY_NAMES = Object.keys(WAYS)
/** The path says in which way, and whose service it is. */
const service = await startReceiver((response, { path }) => {
  const [, mode, way = ''] = path.split('/')
  WAYS[way]?.(response, [mode === 'hmac' ? HMAC.second : BEARER.second, SETTING.second])
})
after(service.close)

const APP = 'acme:loyalty'
const nameOf = (n: number): string => `ask-${n}`
const manifestOf = (mode: string) =>
  aManifest({
    scopes: ['subscribe:contact.created', 'notify:team', 'read:records', 'write:records'],
    config: [
      { key: 'api_key', type: 'secret', required: true },
      { key: 'rate', type: 'number' },
    ],
    resources: [{ id: 'words', name: 'Words', fields: [{ name: 'words', type: 'string' }] }],
    skills: WAY_NAMES.map((way, n) => ({
      id: nameOf(n),
      name: way,
      description: 'Repeats what it was told.',
      endpoint: `${service.origin}/${mode}/${way}`,
      inputSchema: { type: 'object' },
      ...(way === 'unfit' && {
        outputSchema: { type: 'object', properties: { known: { items: { enum: ['else'] } } }, additionalProperties: false },
      }),
    })),
    flows: [
      {
        id: 'tell',
        name: 'Tell',
        trigger: 'contact.created',
        steps: [
          ...WAY_NAMES.slice(0, 8).map((_, n) => asking(n)),
          {
            id: 'keep',
            type: 'create_record' as const,
            resource: 'words',
            values: { words: '{{steps.ask-0.output.known}} {{steps.ask-1.output}}' },
          },
          {
            id: 'team',
            type: 'notify' as const,
            title: 'Told',
            body: '{{steps.ask-4.error.message}} {{steps.ask-1.output}} {{config.rate}}',
          },
        ],
      },
      { id: 'rest', name: 'The rest', trigger: 'contact.created', steps: WAY_NAMES.slice(8).map((_, n) => asking(8 + n)) },
    ],
  })

function asking(n: number) {
  const input = { key: '{{config.api_key}}', header: 'Bearer {{config.api_key}}', list: ['{{config.api_key}}'] }
  return { id: nameOf(n), type: 'call_skill' as const, skill: nameOf(n), input, on_error: 'continue' as const }
}

const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

interface Given {
  shop: TestTenant
  run: (...args: string[]) => Promise<string>
  credential: typeof HMAC
}

/** Every answer and every word of a command, to be looked through. */
const heard: [where: string, text: string][] = []

async function installed(mode: 'bearer' | 'hmac', credential: typeof HMAC): Promise<Given> {
  const shop = await app.tenant()
  const run = async (...args: string[]): Promise<string> => {
    const { stdout, stderr } = await command(['app', ...args, '--tenant', shop.id], settingsOf(app))
    heard.push([`app ${args.join(' ')}`, stdout + stderr])
    return stdout
  }
  const secret = (name: string, text: string) => `@${file(`${mode}-${name}`, text)}`
  await run(
    ...[
      'install',
      '--manifest',
      file(`${mode}.json`, JSON.stringify(manifestOf(mode))),
      '--auth',
      mode,
      '--secret',
      secret('1', credential.first),
    ],
    ...['--config', 'rate=2', `api_key=${secret('2', SETTING.first)}`],
  )
  await run('config', APP, `api_key=${secret('3', SETTING.second)}`)
  await run('credential', APP, '--auth', mode, '--secret', secret('4', credential.second))
  return { shop, run, credential }
}

test('no secret of an app is kept in the clear, logged or told, whatever its service says and whatever happens', async t => {
  const env = {
    ...settingsOf(app),
    LOG_LEVEL: 'trace',
    PORT: '0',
    HOST: '127.0.0.1',
    BASE_URL: 'https://shop.example',
    SKILL_TIMEOUT_MS: '300',
  }
  const given = [await installed('hmac', HMAC), await installed('bearer', BEARER)]
  const web = shopdesk(['web'], env)
  const [worker] = await Promise.all([aWorker(env), web.says(/listening on \S+/)])
  t.after(() => Promise.all([worker.stop('SIGKILL'), web.stop('SIGKILL')]))
  const [, address] = /listening on (http:\/\/[^\s"]+)/.exec(web.stdout()) ?? []
  const ask = async ({ shop }: Given, method: string, path: string, body?: unknown): Promise<string> => {
    const headers = { Authorization: `Bearer ${shop.key}`, 'Content-Type': 'application/json' }
    const response = await fetch(`${address}${path}`, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
    const text = await response.text()
    heard.push([`${method} ${path}`, text])
    return text
  }
  const settled = ({ shop }: Given, runs: number) =>
    eventually(async () => {
      const rows = await sql`select 1 from flow_runs where tenant_id = ${shop.id} and ended_at is not null`
      return rows.length === runs
    })

  await t.test('runs, tests and dry runs', async () => {
    for (const each of given) await ask(each, 'POST', '/api/v1/contacts', { name: 'Ada' })
    // The processes lose what they asked meanwhile, and say so.
    await service.until(4)
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name like 'shopdesk worker%' and application_name not like '%standing%'`
    for (const each of given) await settled(each, 2)
    for (const each of given)
      for (const n of WAY_NAMES.keys())
        await ask(each, 'POST', '/api/platform/skills/test', { app_id: APP, skill_id: nameOf(n), arguments: {} })
    for (const { run } of given) {
      for (const n of [0, 4, 6]) await run('call', APP, nameOf(n), '--args', '{"a":1}')
      assert.match(await run('run', APP, 'tell', '--example', '--dry-run'), /••••/)
    }
    // It got the true ones.
    const bodies = service.received
      .filter(({ path, body }) => path.endsWith('/json') && body.length > 2)
      .map(({ body }) => JSON.parse(body.toString()))
    assert.ok(bodies.some(({ header }) => header === `Bearer ${SETTING.second}`))
    assert.ok(service.received.some(({ headers }) => headers.authorization === `Bearer ${BEARER.second}`))
  })

  await t.test('SECRET_KEY is rotated while a call waits', async () => {
    const [hmac] = given as [Given]
    const { shop } = hmac
    await sql`
      insert into skill_breakers (tenant_id, app, failures, spared_until)
      select tenant_id, id, 5, now() + interval '1 hour' from apps where tenant_id = ${shop.id}
      on conflict (tenant_id, app) do update set spared_until = excluded.spared_until, probe = null`
    const before = service.received.length
    await ask(hmac, 'POST', '/api/v1/contacts', { name: 'Grace' })
    const waiting = () =>
      sql`select id, key, sealed_input from skill_calls where tenant_id = ${shop.id} and stage is null and lease_until is null`
    const calls = await eventually(async () => {
      const rows = await waiting()
      return rows.length === 2 && rows
    })
    assert.equal(service.received.length, before)
    await worker.stop()
    const both = { ...env, SECRET_KEY: `k2:${KEYS.new},k1:${KEYS.old}` }
    const made = await command(['secrets', 'reencrypt'], both)
    heard.push(['secrets reencrypt', made.stdout + made.stderr])
    for (const call of await waiting()) assert.match(call['sealed_input'], /^k2\./)
    const rotated = await aWorker({ ...env, SECRET_KEY: `k2:${KEYS.new}` })
    t.after(() => rotated.stop('SIGKILL'))
    await sql`delete from skill_breakers where tenant_id = ${shop.id}`
    await sql`update flow_runs set due_at = now() where tenant_id = ${shop.id} and due_at is not null`
    await settled(hmac, 4)
    const [{ key }] = calls as unknown as [{ key: string }]
    const received = service.received.slice(before).find(({ headers }) => headers['idempotency-key'] === key)
    assert.equal(JSON.parse(String(received?.body)).key, SETTING.second)
    await rotated.stop()
    heard.push(['the log of the worker with the new key', rotated.output()])
  })

  await t.test('what is read, and what is said by commands that fail', async () => {
    for (const each of given) {
      const at = `/api/platform/apps/${encodeURIComponent(APP)}`
      const ids = (text: string): string[] => JSON.parse(text).data.map(({ id }: { id: string }) => id)
      for (const what of ['calls', 'runs']) {
        const all = ids(await ask(each, 'GET', `${at}/${what}?limit=100`))
        assert.ok(all.length > 0)
        await Promise.all(all.map(id => ask(each, 'GET', `${at}/${what}/${id}`)))
      }
      for (const path of [
        '/api/platform/apps',
        at,
        '/api/platform/notifications',
        `/api/platform/resources/${encodeURIComponent(`${APP}:words`)}`,
      ])
        assert.ok((await ask(each, 'GET', path)).length > 2)
      for (const args of [['show'], ['config'], ['calls'], ['runs']]) await each.run(...args, APP)
      await each.run('config', APP, `rate=@${join(folder, 'hmac-3')}`)
      await each.run('uninstall', APP)
    }
    await ask(given[0] as Given, 'GET', '/api/openapi.json')
    const wrong = shopdesk(['worker'], { ...env, SECRET_KEY: `k2:${KEYS.new}0,k1:${KEYS.old}` })
    assert.notEqual(await wrong.ended, 0)
    heard.push(['a worker that refuses its key', wrong.output()])
  })

  await web.stop()
  assert.match(worker.output(), /"level":(10|20)/, 'they said all they could')
  for (const [where, text] of [...heard, ['the log of the worker', worker.output()], ['the log of web', web.output()]] as typeof heard)
    nothingIn(text, where)
  const tables = await sql`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public' or schemaname like 'graphile%'`
  assert.ok(tables.length > 30)
  for (const { name } of tables) {
    const rows = await sql.unsafe(`select to_jsonb(t)::text as row from ${name} t`)
    nothingIn(rows.map(each => each['row']).join('\n'), name)
  }
  const [kept] = await sql`
    select count(*) filter (where c.response::text like '%••••%')::integer as answers, count(*) filter (where c.error like '%••••%')::integer as errors,
           count(*) filter (where c.output like '%••••%')::integer as outputs, count(*) filter (where c.input like '%••••%')::integer as inputs
      from skill_calls c`
  for (const [what, count] of Object.entries(kept ?? {})) assert.ok(count > 0, `${what} are kept, with masks`)
})

/** As it is, as JSON in a text writes it, and as bytes are written. */
function formsOf(secret: string): string[] {
  const inner = (text: string): string => JSON.stringify(text).slice(1, -1)
  const escaped = [secret, inner(secret), inner(inner(secret)), inner(inner(inner(secret)))]
  return [
    ...new Set([...escaped, ...spelled(secret), ...spelled(secret).map(inner), Buffer.from(secret).toString('hex'), secret.slice(0, 20)]),
  ]
}

function nothingIn(text: string, where: string): void {
  for (const form of SECRETS.flatMap(formsOf)) {
    const at = text.indexOf(form)
    assert.equal(at, -1, `${where}: ${text.slice(Math.max(0, at - 300), at + 100)}`)
  }
}
