// bin/shopdesk for an operator and for a program: what goes to stdout, what goes to stderr, and the exit code.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { after, describe, test } from 'node:test'
import postgres from 'postgres'
import { approve } from '../src/oauth/grants.ts'
import { begin, openDatabase } from '../src/postgres/sql.ts'
import { command, type Ended } from './support/command.ts'
import { testDatabase } from './support/database.ts'
import { eventually } from './support/eventually.ts'
import { nobody } from './support/given.ts'
import { runInto } from './support/processes.ts'
import { shopdesk } from './support/shopdesk.ts'

const KEY = 'ab'.repeat(32)
const FULL = '/dev/full'
const { url } = await testDatabase()
const sql = postgres(url, { max: 1, onnotice: () => {} })
after(() => sql.end())

const settings = { DATABASE_URL: url, SECRET_KEY: KEY, OUTBOUND_ALLOW_PRIVATE: 'true', LOG_LEVEL: 'silent' }

type Settings = Record<string, string | undefined>
type Run = (args: string[], env?: Settings) => Promise<Ended>

const run: Run = (args, env = {}) => command(args, { ...settings, ...env })

/** The same in a process of its own, as an operator types it. */
const alone: Run = async (args, env = {}) => {
  const { ended, stdout, stderr } = shopdesk(args, { ...settings, ...env })
  return { code: Number(await ended), stdout: stdout(), stderr: stderr() }
}

const json = (...args: string[]) => jsonOf(run, args)

/** The one line of JSON of a command that succeeds, and nothing else. */
async function jsonOf(run: Run, args: string[]) {
  const { code, stdout, stderr } = await run([...args, '--json'])
  assert.deepEqual([code, stderr], [0, ''])
  assert.match(stdout, /^\{.*\}\n$/)
  return JSON.parse(stdout)
}

const refused = (line: RegExp, args: string[], env?: Settings) => refusedBy(run, line, args, env)

async function refusedBy(run: Run, line: RegExp, args: string[], env: Settings = {}): Promise<void> {
  const { code, stdout, stderr } = await run(args, env)
  assert.deepEqual([code, stdout], [1, ''], `${args.join(' ')}: ${stderr}`)
  assert.match(stderr, /^[^\n]+\n$/, args.join(' '))
  assert.match(stderr, line)
}

/** The audit entries on a subject, in their order. */
async function auditEntriesOn(subject: string): Promise<string[]> {
  const rows = await sql`select actor_type, action from audit_log where subject_id = ${subject} order by id`
  return rows.map(row => `${row['actor_type']} ${row['action']}`)
}

const tenant = (await json('tenant', 'create', '--name', 'A shop')).id as string

// One after the other: commands in this process have its environment, which those beside them would inherit.
describe('the command line', () => {
  test('tenant create gives {id, name, plan}, of the enterprise plan unless told otherwise', async () => {
    const made = await json('tenant', 'create', '--name', 'Größe “M”')
    assert.deepEqual(made, { id: made.id, name: 'Größe “M”', plan: 'enterprise' })
    assert.match(made.id, /^ten_[0-9a-z]{26}$/)
    const small = await jsonOf(alone, ['tenant', 'create', '--name', 'Small', '--plan', 'free', '--currency', 'EUR'])
    assert.deepEqual([small.plan, Object.keys(small)], ['free', ['id', 'name', 'plan']])
    const [row] = await sql`select name, plan, currency from tenants where id = ${small.id}`
    assert.deepEqual({ ...row }, { name: 'Small', plan: 'free', currency: 'EUR' })
    assert.deepEqual(await auditEntriesOn(small.id), ['cli tenant.create'])
  })

  test('tenant update changes what is named and nothing else', async () => {
    const { id, plan } = await json('tenant', 'create', '--name', 'Before')
    const after = { id, name: 'After', plan, time_zone: 'UTC', confirm_paid_orders: false }
    assert.deepEqual(await json('tenant', 'update', '--tenant', id as string, '--name', 'After'), after)
    const confirming = await json('tenant', 'update', '--tenant', id as string, '--confirm-paid-orders', 'true')
    assert.deepEqual(confirming, { ...after, confirm_paid_orders: true })
    assert.deepEqual(await auditEntriesOn(id as string), ['cli tenant.create', 'cli tenant.update', 'cli tenant.update'])
    assert.equal((await json('tenant', 'update', '--tenant', id as string, '--time-zone', 'Asia/Kathmandu'))['time_zone'], 'Asia/Kathmandu')
    await refused(/--time-zone is "\+05:45"/, ['tenant', 'update', '--tenant', id as string, '--time-zone', '+05:45'])
    await refused(/at least one of --name, --time-zone, --confirm-paid-orders/, ['tenant', 'update', '--tenant', id as string])
  })

  test('user create gives {id, email} and keeps no password', async () => {
    const made = await json(
      'user',
      'create',
      '--tenant',
      tenant,
      '--email',
      'ada@example.com',
      '--password',
      'correct horse battery',
      '--role',
      'admin',
    )
    assert.deepEqual(made, { id: made.id, email: 'ada@example.com' })
    assert.match(made.id, /^usr_/)
    const [row] = await sql`select m.role, u.password_hash from users u join memberships m on m.user_id = u.id where u.id = ${made.id}`
    assert.equal(row?.['role'], 'admin')
    assert.match(row?.['password_hash'], /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    assert.deepEqual(await auditEntriesOn(made.id), ['cli user.create'])
    const again = ['user', 'create', '--tenant', tenant, '--email', 'ADA@example.com', '--password']
    await refused(/has an account; .* user add/, [...again, 'correct horse battery'])
    await refused(/--password must have at least 15 characters/, [...again, 'correct horse'])
  })

  test('people are added, given a role, invited and removed, and the audit log tells it', async () => {
    const shop = (await json('tenant', 'create', '--name', 'People')).id as string
    const of = (verb: string, email: string, ...rest: string[]) => ['user', verb, '--tenant', shop, '--email', email, ...rest]
    const boss = await json(
      ...of('create', 'boss@people.example', '--password', 'correct horse battery', '--role', 'admin', '--name', 'The Boss'),
    )
    const elsewhere = await json(
      'user',
      'create',
      '--tenant',
      tenant,
      '--email',
      'olga@people.example',
      '--password',
      'correct horse battery',
    )
    assert.deepEqual(await json(...of('add', 'Olga@people.example')), {
      id: elsewhere.id,
      email: 'olga@people.example',
      name: null,
      role: 'operator',
    })
    await refused(/eve@people\.example has no account/, of('add', 'eve@people.example'))
    assert.equal((await json(...of('role', 'olga@people.example', '--role', 'admin'))).role, 'admin')
    assert.deepEqual((await json('user', 'list', '--tenant', shop)).data, [
      { id: boss.id, email: 'boss@people.example', name: 'The Boss', role: 'admin' },
      { id: elsewhere.id, email: 'olga@people.example', name: null, role: 'admin' },
    ])
    assert.deepEqual(await json(...of('remove', 'olga@people.example')), { id: elsewhere.id, removed: true })
    await refused(/is the last admin/, of('remove', 'boss@people.example'))
    const invited = await json(...of('invite', 'new@people.example'))
    assert.equal(invited.email, 'new@people.example')
    assert.match(invited.url, /^http:\/\/\S+\/invite\/inv_[0-9A-Za-z]{40}$/)
    assert.ok((await run(['mail', 'list', '--tenant', shop])).stdout.includes(invited.url))
    const { data } = await json('audit', 'list', '--tenant', shop, '--action', 'user.', '--limit', '4')
    assert.deepEqual(
      data.map((row: { action: string; subject_id: string }) => [row.action, row.subject_id]),
      [
        ['user.invite', shop],
        ['user.remove', elsewhere.id],
        ['user.role', elsewhere.id],
        ['user.join', elsewhere.id],
      ],
    )
    assert.deepEqual(Object.keys(data[0]), ['id', 'at', 'actor_type', 'actor_id', 'action', 'subject_id', 'details', 'trace_id'])
    await refused(/--limit is "0"; it must be a whole number from 1 to 10000/, ['audit', 'list', '--tenant', shop, '--limit', '0'])
  })

  test('connected clients are listed and disconnected, and a new password is a link that is mailed too', async () => {
    const shop = (await json('tenant', 'create', '--name', 'Clients')).id as string
    const email = 'ada@clients.example'
    const { id: user } = await json('user', 'create', '--tenant', shop, '--email', email, '--password', 'correct horse battery')
    await sql`
      insert into oauth_clients (id, metadata) values ('cli_listed', ${sql.json({ client_name: 'Editor', redirect_uris: ['https://client.example/back'] })})`
    const asked = { client: 'cli_listed', redirectUri: 'https://client.example/back', challenge: 'x'.repeat(43), scopes: ['read' as const] }
    const db = openDatabase(url, { name: 'test', lanes: 0, pool: 1 })
    const { id } = await begin(db.sql, tx => approve(tx, { tenant: shop, actor: { type: 'user', id: user } }, asked))
    await db.close()
    const { data } = await json('grant', 'list', '--tenant', shop)
    assert.deepEqual(Object.keys(data[0]), ['id', 'client', 'user', 'scopes', 'created_at', 'last_used_at'])
    assert.deepEqual([data.length, data[0].id, data[0].scopes], [1, id, ['read']])
    const elsewhere = await json('tenant', 'create', '--name', 'No clients')
    assert.deepEqual((await json('grant', 'list', '--tenant', elsewhere.id)).data, [])
    await refused(/is no connected client of this workspace/, ['grant', 'revoke', id, '--tenant', elsewhere.id])
    assert.deepEqual(await json('grant', 'revoke', id, '--tenant', shop), { id, revoked: true })
    await refused(/or is disconnected already/, ['grant', 'revoke', id, '--tenant', shop])
    assert.deepEqual((await json('grant', 'list', '--tenant', shop)).data, [])
    assert.deepEqual(await auditEntriesOn(id), ['user oauth.approve', 'cli oauth.revoke'])
    const reset = await json('user', 'reset', '--email', email.toUpperCase())
    assert.deepEqual([Object.keys(reset), reset.email], [['email', 'url'], email])
    assert.match(reset.url, /^http:\/\/\S+\/reset\/rst_[0-9A-Za-z]{40}$/)
    assert.ok((await run(['mail', 'list', '--tenant', shop])).stdout.includes(reset.url))
    await refused(/has no account/, ['user', 'reset', '--email', 'nobody@clients.example'])
  })

  test('key create gives {id, key, scopes}; key revoke ends it, once', async () => {
    const both = await json('key', 'create', '--tenant', tenant, '--kind', 'rest', '--scopes', 'read,write')
    assert.deepEqual(Object.keys(both), ['id', 'key', 'scopes'])
    assert.match(both.key, /^sk_[0-9A-Za-z]{40}$/)
    assert.deepEqual(both.scopes, ['read', 'write'])
    const agent = await json('key', 'create', '--tenant', tenant, '--kind', 'mcp', '--scopes', 'read')
    assert.match(agent.key, /^mcp_[0-9A-Za-z]{40}$/)
    assert.deepEqual(agent.scopes, ['read'])
    assert.deepEqual(await json('key', 'revoke', both.id, '--tenant', tenant), { id: both.id, revoked: true })
    await refused(/is no key of this workspace, or is revoked already/, ['key', 'revoke', both.id, '--tenant', tenant])
    assert.deepEqual(await auditEntriesOn(both.id), ['cli key.create', 'cli key.revoke'])
    const other = await json('tenant', 'create', '--name', 'Elsewhere')
    await refused(/is no key of this workspace/, ['key', 'revoke', agent.id, '--tenant', other.id])
  })

  test('webhook create gives {id, secret}; the secret is encrypted at rest', async () => {
    const made = await json(
      'webhook',
      'create',
      '--tenant',
      tenant,
      '--url',
      'http://127.0.0.1:4000/',
      '--events',
      'order.created, order.paid',
    )
    assert.deepEqual(Object.keys(made), ['id', 'secret'])
    assert.match(made.secret, /^whsec_[0-9a-f]{64}$/)
    const [row] = await sql`select url, events, secret from webhook_endpoints where id = ${made.id}`
    assert.deepEqual([row?.['url'], row?.['events']], ['http://127.0.0.1:4000/', ['order.created', 'order.paid']])
    assert.ok(!row?.['secret'].includes(made.secret))
  })

  test('without --json a result is a line for each part', async () => {
    for (const how of [run, alone]) {
      const { code, stdout } = await how(['key', 'create', '--tenant', tenant])
      assert.equal(code, 0)
      assert.match(stdout, /^id {6}key_\S+\nkey {5}sk_\S+\nscopes {2}read, write\n$/)
    }
  })

  test('a fault that the operator can repair is one line on stderr and exit code 1', async () => {
    const webhook = ['webhook', 'create', '--tenant', tenant, '--url', 'https://shop.example', '--events']
    for (const command of [
      ['key', 'create'],
      ['key', 'revoke', nobody('key')],
      ['user', 'create', '--email', 'a@b.example', '--password', '12345678'],
      ['mail', 'list'],
      ['webhook', 'list'],
      ['import', 'products', 'none.csv'],
      ['export', 'products'],
    ])
      await refused(/is no workspace here; make one with/, [...command, '--tenant', nobody('ten')])
    await refusedBy(alone, /is no workspace here; make one with/, ['key', 'create', '--tenant', nobody('ten')])
    await refused(/--scopes is "read,admin"; it must be/, ['key', 'create', '--tenant', tenant, '--scopes', 'read,admin'])
    for (const name of ['x'.repeat(101), '\u200b', 'a\u202eb'])
      await refused(/--name is .*in at most 100 characters/, ['key', 'create', '--tenant', tenant, '--name', name])
    await refused(/--kind.* is invalid.*rest, mcp/, ['key', 'create', '--tenant', tenant, '--kind', 'oauth'])
    await refused(/--plan.* is invalid/, ['tenant', 'create', '--name', 'x', '--plan', 'gold'])
    await refused(/--currency is "eur"; it must be an ISO 4217 code/, ['tenant', 'create', '--name', 'x', '--currency', 'eur'])
    await refused(/--email is "ada"; it must be an e-mail address/, [
      'user',
      'create',
      '--tenant',
      tenant,
      '--email',
      'ada',
      '--password',
      '12345678',
    ])
    await refused(/--password must have at least 15/, [
      'user',
      'create',
      '--tenant',
      tenant,
      '--email',
      'a@b.example',
      '--password',
      '1234567',
    ])
    await refused(/--events/, [...webhook, 'order.exploded'])
    await refused(/^--url: The URL must start with https:\/\/ /, [
      'webhook',
      'create',
      '--tenant',
      tenant,
      '--url',
      'http://shop.example',
      '--events',
      'order.created',
    ])
    await refused(/required option '--name <name>' not specified/, ['tenant', 'create'])
    await refused(/unknown option '--nope'/, ['doctor', '--nope'])
    await refusedBy(alone, /unknown command 'tenent' \(Did you mean tenant\?\)/, ['tenent'])
    await refused(/--port is "port"; it must be a number/, ['listen', '--port', 'port'])
  })

  test('a wrong setting is one line too, for every command', async () => {
    for (const command of [['web'], ['worker'], ['migrate'], ['doctor'], ['tenant', 'create', '--name', 'x'], ['listen', '--port', '0']])
      await refused(/^PORT is "80000"; it must be a whole number from 0 to 65535\.$/m, command, { PORT: '80000' })
    await refusedBy(alone, /^PORT is "80000"; it must be a whole number from 0 to 65535\.$/m, ['web'], { PORT: '80000' })
    await refusedBy(alone, /^SECRET_KEY is not set; with DATABASE_URL it must be/, ['worker'], { SECRET_KEY: undefined })
    await refused(/^DATABASE_URL cannot be used: /, ['tenant', 'create', '--name', 'x'], { DATABASE_URL: 'postgres://127.0.0.1:1/x' })
  })

  const commands = [
    '',
    'start',
    'web',
    'worker',
    'migrate',
    'tenant',
    'tenant create',
    'user create',
    'key',
    'key create',
    'key revoke',
    'webhook create',
    'listen',
    'secrets reencrypt',
    'doctor',
    'schema',
  ]
  test('each command has its help on stdout, needing no settings', async () => {
    for (const command of commands) {
      const how = ['', 'web', 'key create'].includes(command) ? alone : run
      const { code, stdout, stderr } = await how([...command.split(' ').filter(Boolean), '--help'], {
        DATABASE_URL: 'nonsense',
        SECRET_KEY: 'x',
      })
      assert.deepEqual([code, stderr], [0, ''], command)
      assert.ok(stdout.startsWith(`Usage: shopdesk${command && ` ${command}`}`), stdout)
    }
  })

  test('--version prints the version of package.json, in one line', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    assert.deepEqual(await run(['--version'], {}), { code: 0, stdout: `${version}\n`, stderr: '' })
  })

  test('listen verifies what it gets, prints it, survives callers other than the service, and stops on a signal', async () => {
    const secret = `whsec_${'5a'.repeat(32)}`
    const listening = shopdesk(['listen', '--port', '0', '--secret', secret], {
      ...settings,
      DATABASE_URL: undefined,
      SECRET_KEY: undefined,
    })
    await listening.says(/Waiting for events at http/)
    const [address = ''] = /http:\S+/.exec(listening.stdout()) ?? []
    const body = '{"id":"evt_1","type":"order.created"}'
    const t = Math.floor(Date.now() / 1000)
    const signature = (key: string) => `t=${t},v1=${createHmac('sha256', key).update(`${t}.${body}`).digest('hex')}`
    const post = (header: Record<string, string>) =>
      fetch(address, {
        method: 'POST',
        body,
        headers: { 'X-Service-Event': 'order.created', 'X-Service-Delivery-Id': `whk_1.1:1:${t}`, ...header },
      })

    assert.equal((await post({ 'X-Service-Signature': signature(secret) })).status, 204)
    await listening.says(/order\.created {2}signature verified {2}whk_1\.1:1:\d+\n {2}\{\n {4}"id": "evt_1"/)
    assert.equal((await post({ 'X-Service-Signature': signature('whsec_other') })).status, 401)
    await listening.says(/SIGNATURE WRONG/)
    assert.equal((await post({})).status, 401)
    assert.equal((await fetch(address)).status, 405)
    await leaveInTheMiddle(Number(new URL(address).port))
    assert.equal((await post({ 'X-Service-Signature': signature(secret) })).status, 204)
    listening.child.kill('SIGINT')
    assert.equal(await listening.ended, 0)
    assert.equal(listening.stderr(), '')
  })

  // No worker runs here, so the jobs of the tests before are overdue after a minute.
  const noJobWaits = () => sql`delete from graphile_worker._private_jobs`

  test('doctor prints a line for each check and exits with 0; a key that is missing is FAIL and 1', async () => {
    await noJobWaits()
    const well = await alone(['doctor'])
    assert.deepEqual([well.code, well.stderr], [0, ''], well.stdout)
    const names = well.stdout
      .trim()
      .split('\n')
      .map(line => /^ok {4}(\w+) /.exec(line)?.[1])
    for (const name of ['database', 'migrations', 'queue', 'clock', 'secrets', 'outbound']) assert.ok(names.includes(name), well.stdout)
    assert.ok(names.every(Boolean), well.stdout)

    await json('webhook', 'create', '--tenant', tenant, '--url', 'https://shop.example/', '--events', 'order.created')
    const ill = await alone(['doctor'], { SECRET_KEY: `other:${'cd'.repeat(32)}`, BASE_URL: 'http://shop.example' })
    assert.equal(ill.code, 1)
    assert.match(ill.stdout, /^FAIL {2}secrets +secrets at rest need the key k1; add it to SECRET_KEY as id:key$/m)
    assert.match(
      ill.stdout,
      /^FAIL {2}address +BASE_URL is http:\/\/shop\.example: passwords, sessions and tokens cross the network in the clear;/m,
    )
    assert.doesNotMatch(ill.stdout + ill.stderr, /abab|cdcd/)
  })

  test('a command whose reader has left goes on to its end without a word', async () => {
    await noJobWaits()
    const running = shopdesk(['doctor'], settings)
    running.child.stdout?.destroy()
    assert.deepEqual([await running.ended, running.stderr()], [0, ''])
  })

  test('a database that takes no changes is one line of a command, and FAIL of doctor', async () => {
    const env = { DATABASE_URL: `${url}?default_transaction_read_only=on` }
    const { code, stderr } = await run(['tenant', 'create', '--name', 'x'], env)
    assert.deepEqual([code, stderr.trim()], [1, 'DATABASE_URL cannot be used: cannot execute INSERT in a read-only transaction.'])
    const { stdout } = await alone(['doctor'], env)
    assert.match(stdout, /^FAIL {2}database .*; it takes no changes: it is a standby, or set to be read only$/m)
  })

  test('doctor says once why the database cannot be used, and checks what it can without', async () => {
    const { code, stdout, stderr } = await alone(['doctor'], { DATABASE_URL: 'postgres://shopdesk:x@127.0.0.1:1/shopdesk' })
    assert.deepEqual([code, stderr], [1, ''])
    assert.match(
      stdout,
      /^FAIL {2}database +connect ECONNREFUSED 127\.0\.0\.1:1; start PostgreSQL where DATABASE_URL says, or correct it$/m,
    )
    assert.equal(stdout.match(/ECONNREFUSED/g)?.length, 1, stdout)
    assert.match(stdout, /^FAIL {2}migrations +not checked, for the database cannot be used$/m)
    assert.match(stdout, /^ok {4}outbound /m)
  })

  test('doctor says how a connection is to be had where the server has none left', async () => {
    const full = await testDatabase()
    await sql.unsafe(`alter database ${new URL(full.url).pathname.slice(1)} connection limit 0`)
    const { code, stdout } = await alone(['doctor'], { DATABASE_URL: full.serviceUrl })
    await full.drop()
    assert.equal(code, 1)
    assert.match(stdout, /^FAIL {2}database +too many connections .*; end sessions that are not needed .*, or raise max_connections$/m)
  })

  test('web says where it listens, and a signal ends it', async () => {
    const web = shopdesk(['web'], { ...settings, PORT: '0', HOST: '127.0.0.1' })
    await web.says(/listening on http:\/\/127\.0\.0\.1:\d+/)
    const [address = ''] = /http:\S+/.exec(web.stdout()) ?? []
    await eventually(async () => (await fetch(`${address}/healthz`)).ok)
    web.child.kill('SIGTERM')
    assert.deepEqual([await web.ended, web.stderr()], [0, ''])
  })
})

const noFullDisk = { skip: !existsSync(FULL) && 'the system has no disk that is always full' }

test('output that cannot be written, as on a full disk, is told, and is no success', noFullDisk, async () => {
  const full = openSync(FULL, 'w')
  for (const args of [
    ['key', 'create'],
    ['export', 'products', '--format', 'csv'],
  ]) {
    const running = runInto(full, [...args, '--tenant', tenant], settings)
    assert.equal(await running.ended, 1)
    assert.match(running.stderr(), /^The output cannot be written: ENOSPC\.$/m)
  }
  closeSync(full)
})

/** Sends half a body, once the server has begun to read it, and hangs up. */
async function leaveInTheMiddle(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n')
  await once(socket, 'data')
  socket.end('half')
  await once(socket.resume(), 'close')
}
