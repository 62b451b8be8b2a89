// Every setting: its default, what it may be, and the one line that a wrong one gives.
import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { addressFault, type Config, loadConfig } from '../src/config.ts'
import { OperatorError } from '../src/errors.ts'

const KEY = 'ab'.repeat(32)

/** @returns the line that an operator sees */
function refused(env: Record<string, string>): string {
  try {
    loadConfig(env)
  } catch (error) {
    assert.ok(error instanceof OperatorError, String(error))
    assert.doesNotMatch(error.message, /\n/)
    return error.message
  }
  return assert.fail(`accepted ${JSON.stringify(env)}`)
}

test('the defaults, with the embedded database', () => {
  assert.deepEqual(loadConfig({}), {
    host: '127.0.0.1',
    port: 3000,
    databaseUrl: undefined,
    dataDir: resolve('.data'),
    baseUrl: 'http://127.0.0.1:3000',
    docsUrl: 'http://127.0.0.1:3000/docs',
    keyring: undefined,
    trustProxy: false,
    logLevel: 'info',
    connections: { inAll: 4096, perAddress: 256 },
    outbound: { allowPrivate: false, allowOrigins: [] },
    webhooks: { scheduleSeconds: [0, 8, 60, 300, 1800], timeoutMs: 10_000 },
    skills: { timeoutMs: 30_000 },
    channels: { scheduleSeconds: [0, 2, 10, 60, 300, 900], timeoutMs: 15_000 },
    inbound: { channel: 60, payment: 30 },
    mcpVersions: ['2025-03-26'],
    mail: undefined,
    bulkMaxItems: 50,
    attachmentMaxBytes: 20 * 1024 * 1024,
    quotas: { webhooks: 50, unprovenPerOrigin: 5, storedBytes: 4_294_967_296, chatMails: 1_000 },
    offsetSunsetEnforced: false,
    oauth: { appSchemes: [], registrationsPerHour: 60 },
    workerConcurrency: 200,
  })
})

test('with DATABASE_URL it listens everywhere unless HOST says otherwise', () => {
  const DATABASE_URL = 'postgres://u:p@db.example:5432/shop'
  assert.deepEqual([loadConfig({ DATABASE_URL }).host, loadConfig({ DATABASE_URL }).baseUrl], ['0.0.0.0', 'http://localhost:3000'])
  assert.equal(loadConfig({ DATABASE_URL, HOST: '127.0.0.1' }).host, '127.0.0.1')
})

test('empty and blank settings count as unset', () => {
  const names = [
    'HOST',
    'PORT',
    'DATABASE_URL',
    'DATA_DIR',
    'BASE_URL',
    'DOCS_URL',
    'SECRET_KEY',
    'TRUST_PROXY',
    'CONNECTIONS_MAX',
    'CONNECTIONS_PER_ADDRESS',
    'LOG_LEVEL',
    'WEBHOOK_SCHEDULE',
    'SMTP_URL',
    'MAIL_FROM',
    'WORKER_CONCURRENCY',
    'OUTBOUND_ALLOW_PRIVATE',
    'OUTBOUND_ALLOW_ORIGINS',
    'BULK_MAX_ITEMS',
    'WEBHOOKS_PER_WORKSPACE',
    'WEBHOOKS_UNPROVEN_PER_ORIGIN',
    'STORED_BYTES_PER_WORKSPACE',
    'CHAT_MAILS_PER_WORKSPACE',
    'OFFSET_SUNSET_ENFORCED',
    'WEBHOOK_TIMEOUT_MS',
    'SKILL_TIMEOUT_MS',
    'INBOUND_CHANNEL_LIMIT',
    'INBOUND_PAYMENT_LIMIT',
    'MCP_PROTOCOL_VERSIONS',
    'OAUTH_APP_SCHEMES',
    'OAUTH_REGISTRATIONS_PER_HOUR',
  ]
  for (const blank of ['', '  ']) assert.deepEqual(loadConfig(Object.fromEntries(names.map(name => [name, blank]))), loadConfig({}))
})

const valid: [Record<string, string>, (config: Config) => unknown, unknown][] = [
  [{ PORT: '0' }, c => c.port, 0],
  [{ PORT: ' 8080 ' }, c => c.port, 8080],
  [{ HOST: '::1', PORT: '80' }, c => c.baseUrl, 'http://[::1]'],
  [{ HOST: 'Shop.LAN', PORT: '80' }, c => c.docsUrl, 'http://shop.lan/docs'],
  [{ HOST: '::' }, c => c.baseUrl, 'http://localhost:3000'],
  [{ DATABASE_URL: 'postgresql://db.example/shop' }, c => c.databaseUrl, 'postgresql://db.example/shop'],
  [{ DATABASE_URL: 'postgresql://u@/shop?host=/run/pg' }, c => c.databaseUrl, 'postgresql://u@%2Frun%2Fpg/shop'],
  [{ DATABASE_URL: 'postgres:///shop?host=/a%20b&port=5433&sslmode=require' }, c => c.databaseUrl, 'postgres://%2Fa%20b:5433/shop'],
  [{ DATABASE_URL: 'postgres://u:p@:5433/shop?a=b&host=%2Frun' }, c => c.databaseUrl, 'postgres://u:p@%2Frun:5433/shop?a=b'],
  [{ DATABASE_URL: 'postgres://u@%2Frun%2Fpg/shop' }, c => c.databaseUrl, 'postgres://u@%2Frun%2Fpg/shop'],
  [{ DATA_DIR: '/var/lib/shop' }, c => c.dataDir, '/var/lib/shop'],
  [{ BASE_URL: 'https://shop.example//' }, c => [c.baseUrl, c.docsUrl], ['https://shop.example', 'https://shop.example/docs']],
  [{ BASE_URL: 'HTTPS://Shop.example:443' }, c => c.baseUrl, 'https://shop.example'],
  [{ OAUTH_APP_SCHEMES: 'myeditor, com.example.app' }, c => c.oauth.appSchemes, ['myeditor', 'com.example.app']],
  [{ DOCS_URL: 'https://docs.example/api/' }, c => c.docsUrl, 'https://docs.example/api'],
  [{ DOCS_URL: 'https://доки.example/a b' }, c => c.docsUrl, 'https://xn--d1aifp.example/a%20b'],
  [{ HOST: 'fe80::1%eth0' }, c => [c.host, c.baseUrl], ['fe80::1%eth0', 'http://[fe80::1]:3000']],
  [{ SECRET_KEY: KEY }, c => Object.keys(c.keyring ?? {}), ['k1']],
  [{ SECRET_KEY: `new:${KEY},old:${KEY}` }, c => Object.keys(c.keyring ?? {}), ['new', 'old']],
  [{ TRUST_PROXY: 'none' }, c => c.trustProxy, false],
  [{ TRUST_PROXY: '2' }, c => c.trustProxy, 2],
  [{ TRUST_PROXY: 'loopback, 10.0.0.0/8,fd00::/8' }, c => c.trustProxy, ['loopback', '10.0.0.0/8', 'fd00::/8']],
  [{ CONNECTIONS_MAX: '1', CONNECTIONS_PER_ADDRESS: '1000000' }, c => c.connections, { inAll: 1, perAddress: 1_000_000 }],
  [{ LOG_LEVEL: 'silent' }, c => c.logLevel, 'silent'],
  [{ OUTBOUND_ALLOW_PRIVATE: 'TRUE' }, c => c.outbound.allowPrivate, true],
  [{ OUTBOUND_ALLOW_PRIVATE: 'off' }, c => c.outbound.allowPrivate, false],
  [
    { OUTBOUND_ALLOW_ORIGINS: 'http://127.0.0.1:1, http://127.0.0.1:2' },
    c => c.outbound.allowOrigins,
    ['http://127.0.0.1:1', 'http://127.0.0.1:2'],
  ],
  [{ WEBHOOK_SCHEDULE: '0, 0.2,0.4,0.8,1.625' }, c => c.webhooks.scheduleSeconds, [0, 0.2, 0.4, 0.8, 1.625]],
  [{ WEBHOOK_TIMEOUT_MS: '10' }, c => c.webhooks.timeoutMs, 10],
  [{ SKILL_TIMEOUT_MS: '60000' }, c => c.skills.timeoutMs, 60_000],
  [{ INBOUND_CHANNEL_LIMIT: '1', INBOUND_PAYMENT_LIMIT: '1000000' }, c => c.inbound, { channel: 1, payment: 1_000_000 }],
  [{ MCP_PROTOCOL_VERSIONS: '2025-06-18, 2025-03-26' }, c => c.mcpVersions, ['2025-06-18', '2025-03-26']],
  [{ BULK_MAX_ITEMS: '1000' }, c => c.bulkMaxItems, 1000],
  [
    { WEBHOOKS_PER_WORKSPACE: '1', WEBHOOKS_UNPROVEN_PER_ORIGIN: '1000000' },
    c => [c.quotas.webhooks, c.quotas.unprovenPerOrigin],
    [1, 1_000_000],
  ],
  [{ STORED_BYTES_PER_WORKSPACE: '1000000000000000' }, c => c.quotas.storedBytes, 1e15],
  [{ CHAT_MAILS_PER_WORKSPACE: '10000' }, c => c.quotas.chatMails, 10_000],
  [{ OFFSET_SUNSET_ENFORCED: '1' }, c => c.offsetSunsetEnforced, true],
  [{ WORKER_CONCURRENCY: '2000' }, c => c.workerConcurrency, 2000],
  [
    { SMTP_URL: 'smtps://u:p@mail.example', MAIL_FROM: 'Shop <a@b.example>' },
    c => c.mail,
    { smtpUrl: 'smtps://u:p@mail.example', from: 'Shop <a@b.example>' },
  ],
]
for (const [env, read, expected] of valid) test(`valid: ${JSON.stringify(env)}`, () => assert.deepEqual(read(loadConfig(env)), expected))

/** The allowed values of each, in words. */
const invalid: [string, string[], RegExp][] = [
  ['PORT', ['65536', '-1', '80.5', '0x50', '1e3', 'http', '99999999999'], /a whole number from 0 to 65535/],
  ['BASE_URL', ['https://shop.example/path', 'https://shop.example?a'], /an origin without a path, such as https:/],
  ['OAUTH_APP_SCHEMES', ['javascript', 'My', 'a b', 'https', 'a://'], /the scheme of an app in lower case/],
  ['OAUTH_REGISTRATIONS_PER_HOUR', ['0', 'x'], /a whole number from 1/],
  ['BASE_URL', ['shop.example', 'ftp://shop.example', '/'], /an http or https address, such as https:/],
  ['DOCS_URL', ['docs', 'javascript:alert(1)'], /an http or https address/],
  ['DOCS_URL', ['https://docs.example?a', 'https://docs.example/#a'], /an address without a query or a password/],
  ['HOST', ['a b', '[::1]', 'localhost:3000', 'http://localhost', '127.0.0.1/8', '256.1.1.1', '*'], /a name or an address without a port/],
  ['OUTBOUND_ALLOW_ORIGINS', ['http://a.example/', 'ftp://a.example'], /an origin such as http:/],
  ['TRUST_PROXY', ['yes', 'true', 'proxy.example', '10.0.0.0/8 loopback', '10.0.0.0/1234'], /a number of hops, or addresses and ranges/],
  ['CONNECTIONS_MAX', ['0', 'many', '1000001'], /a whole number from 1 to 1000000/],
  ['CONNECTIONS_PER_ADDRESS', ['0', '-1', '1.5'], /a whole number from 1 to 1000000/],
  ['LOG_LEVEL', ['INFO', 'verbose', '30'], /one of fatal, error, warn, info, debug, trace, silent/],
  ['OUTBOUND_ALLOW_PRIVATE', ['maybe', '2', 'y'], /true or false/],
  ['OFFSET_SUNSET_ENFORCED', ['soon'], /true or false/],
  [
    'WEBHOOK_SCHEDULE',
    [
      '0,8,60,300',
      '0,8,60,300,1800,3600',
      '0,60,8,300,1800',
      '0,-8,60,300,1800',
      '0,8s,60,300,1800',
      '0,,60,300,1800',
      '1e1,20,30,40,50',
      'NaN,1,2,3,4',
    ],
    /five rising numbers of seconds, such as 0,8,60,300,1800/,
  ],
  ['WEBHOOK_TIMEOUT_MS', ['9', '60001', '10s'], /a whole number from 10 to 60000/],
  ['SKILL_TIMEOUT_MS', ['99', '60001', '30s'], /a whole number from 100 to 60000/],
  ['INBOUND_CHANNEL_LIMIT', ['0', '1000001', 'many'], /a whole number from 1 to 1000000/],
  ['INBOUND_PAYMENT_LIMIT', ['0', '-1'], /a whole number from 1 to 1000000/],
  [
    'MCP_PROTOCOL_VERSIONS',
    ['latest', '2025-3-26', '2025-03-26;2025-06-18', '2025-13-45', '2025-02-29'],
    /a date such as 2025-03-26, or several, comma-separated/,
  ],
  ['BULK_MAX_ITEMS', ['0', '1001', 'many'], /a whole number from 1 to 1000/],
  ['WEBHOOKS_PER_WORKSPACE', ['0', '1000001', 'many'], /a whole number from 1 to 1000000/],
  ['WEBHOOKS_UNPROVEN_PER_ORIGIN', ['0', '-1'], /a whole number from 1 to 1000000/],
  ['CHAT_MAILS_PER_WORKSPACE', ['0', 'none', '10001'], /a whole number from 1 to 10000/],
  ['STORED_BYTES_PER_WORKSPACE', ['0', '4 GB', '4e9', '1000000000000001'], /a whole number from 1 to 1000000000000000/],
  ['WORKER_CONCURRENCY', ['0', '2001', '-1'], /a whole number from 1 to 2000/],
  ['MAIL_FROM', ['shop', 'a@b\nBcc: x@y.example'], /an address, such as shop@example.com/],
]
for (const [name, values, mayBe] of invalid)
  for (const value of values)
    test(`${name}=${value} is refused, in one line that names it, what it was and what it may be`, () => {
      const line = refused({ [name]: value })
      assert.ok(line.startsWith(`${name} is ${JSON.stringify(value)}; it must be `), line)
      assert.match(line, mayBe)
    })

const LOGINS: [name: string, value: string, shown: string][] = [
  ['BASE_URL', 'https://shop:hun#ter2@shop.example/path', 'https://…@shop.example/path'],
  ['BASE_URL', 'ftp://:hun/ter2@shop.example', 'ftp://…@shop.example'],
  ['BASE_URL', 'https:shop:ter2@shop.example', '…@shop.example'],
  ['BASE_URL', 'HTTPS://ter2@shop.example', 'HTTPS://…@shop.example'],
  ['BASE_URL', 'https://ter2:@shop.example', 'https://…@shop.example'],
  ['BASE_URL', 'https:/\\ter2@shop.example', '…@shop.example'],
  ['BASE_URL', '//shop:ter2@shop.example', '…@shop.example'],
  ['BASE_URL', 'shop:ter2@shop.example', '…@shop.example'],
  ['BASE_URL', 'ter2@shop.example', '…@shop.example'],
  ['BASE_URL', 'https://shop:h@n@ter2@shop.example', 'https://…@shop.example'],
  ['BASE_URL', 'https://shop:ter2\n@shop.example', 'https://…@shop.example'],
  ['BASE_URL', 'https%3A%2F%2Fshop%3Ater2%40shop.example', '…%40shop.example'],
  ['BASE_URL', 'https%253A%252F%252Fter2%2540shop.example', '…%2540shop.example'],
  ['DOCS_URL', 'gopher://shop:hunter2@shop.example', 'gopher://…@shop.example'],
  ['DOCS_URL', 'https://shop:ter2@docs.example', 'https://…@docs.example'],
  ['OUTBOUND_ALLOW_ORIGINS', 'https://shop:hunter2@shop.example', 'https://…@shop.example'],
  ['OUTBOUND_ALLOW_ORIGINS', 'https://a.example,https://shop:ter2,x@shop.example', 'https://…@shop.example'],
  ['TRUST_PROXY', 'loopback, http://shop:ter2@proxy.example', '…@proxy.example'],
  ['MAIL_FROM', 'smtp://shop:ter2@mail.example', 'smtp://…@mail.example'],
]
for (const [name, value, shown] of LOGINS)
  test(`what may be a password is not repeated: ${name}=${value}`, () => {
    const line = refused({ [name]: value })
    assert.ok(line.startsWith(`${name} is ${JSON.stringify(shown)}; `) && !line.includes('ter2'), line)
  })

test('a wrong setting that may hold a secret is named, never repeated', () => {
  const secret = 'hunter2hunter2'
  const wrong: [Record<string, string>, RegExp][] = [
    [{ DATABASE_URL: `mysql://u:${secret}@db/x` }, /^DATABASE_URL is not a PostgreSQL address; it must look like postgres:/],
    [{ DATABASE_URL: secret }, /^DATABASE_URL /],
    [{ DATABASE_URL: `postgres://u:${secret}@/x` }, /^DATABASE_URL /],
    [{ DATABASE_URL: `mysql://u:${secret}@/x?host=/run` }, /^DATABASE_URL /],
    [{ DATABASE_URL: `mysql:u:${secret}@db` }, /^DATABASE_URL /],
    [{ DATABASE_URL: `//${secret}@db` }, /^DATABASE_URL /],
    [{ SMTP_URL: `smtp:/${secret}`, MAIL_FROM: 'a@b.example' }, /^SMTP_URL /],
    [{ SMTP_URL: `//${secret}@mail`, MAIL_FROM: 'a@b.example' }, /^SMTP_URL /],
    [{ SECRET_KEY: secret }, /^SECRET_KEY is not a key; it must be 32 bytes as 64 hex digits or base64/],
    [{ SECRET_KEY: `a:${KEY},b:${secret}` }, /^SECRET_KEY /],
    [{ SMTP_URL: `http://u:${secret}@mail`, MAIL_FROM: 'a@b.example' }, /^SMTP_URL is not a mail server; it must look like smtp:/],
  ]
  for (const [env, line] of wrong) {
    const message = refused(env)
    assert.match(message, line)
    assert.ok(!message.includes(secret) && !message.includes(KEY), message)
  }
})

test('SMTP_URL needs MAIL_FROM; MAIL_FROM alone is no mail server', () => {
  assert.match(refused({ SMTP_URL: 'smtp://mail.example' }), /^MAIL_FROM is not set; with SMTP_URL it must be/)
  assert.equal(loadConfig({ MAIL_FROM: 'a@b.example' }).mail, undefined)
})

test('http is for this computer alone', () => {
  for (const url of ['https://shop.example', 'http://127.0.0.1:3000', 'http://localhost', 'http://[::1]:80'])
    assert.equal(addressFault(url), undefined, url)
  for (const url of ['http://shop.example', 'http://localhost.evil.example', 'http://10.0.0.1'])
    assert.match(addressFault(url) ?? '', /put https in front/, url)
})
