// sslmode=verify-full in DATABASE_URL: both drivers encrypt, and refuse a server whose certificate is not trusted or is another host's.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openEmbedded } from '../../src/postgres/embedded/embedded.ts'
import { entrust, ownerOf } from '../../src/postgres/embedded/files.ts'
import { putPrepared } from '../support/prepared.ts'
import { testCertificate, testKey } from '../support/receiver.ts'

/** The test certificate bears `localhost` and 127.0.0.1. */
const OTHER_HOST = '127.0.0.2'
const CERTIFICATE = fileURLToPath(new URL('../support/receiver-test-only.cert.pem', import.meta.url))
const path = (relative: string): string => new URL(relative, import.meta.url).href
const LOOK = 'select ssl from pg_stat_ssl where pid = pg_backend_pid()'
/** A process of its own, because Node reads NODE_EXTRA_CA_CERTS when it starts. */
const SCRIPT = `
  import pg from 'pg'
  import { openDatabase } from ${JSON.stringify(path('../../src/postgres/sql.ts'))}
  const url = process.argv[1]
  const outcome = looking => looking.then(([row]) => row.ssl ? 'encrypted' : 'open', error => error.code)
  const db = openDatabase(url, { name: 'tls test', lanes: 0, pool: 1 })
  const client = new pg.Client(url)
  const [first, second] = await Promise.all([
    outcome(db.sql.unsafe(${JSON.stringify(LOOK)})),
    outcome(client.connect().then(() => client.query(${JSON.stringify(LOOK)})).then(({ rows }) => rows)),
  ])
  await Promise.all([db.close(), client.end().catch(() => {})])
  console.log(JSON.stringify([first, second]))`

const dataDir = mkdtempSync(join(tmpdir(), 'tls-test-'))
chmodSync(dataDir, 0o711)
after(() => rmSync(dataDir, { recursive: true, force: true }))

/** The errors of postgres.js and pg. */
async function outcomes(url: string, trusted: boolean): Promise<[string, string]> {
  const args = ['--input-type=module', '-e', SCRIPT, url]
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: trusted ? CERTIFICATE : '' }
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  return JSON.parse(stdout)
}

test('verify-full accepts the trusted certificate of the host, and nothing else', { skip: process.platform !== 'linux' }, async () => {
  await (await openEmbedded({ dataDir: putPrepared(dataDir), settings: { fsync: 'off' } })).close()
  const data = join(dataDir, 'postgres/data')
  for (const [name, text] of Object.entries({ 'server.crt': testCertificate, 'server.key': testKey })) {
    writeFileSync(join(data, name), text)
    entrust(join(data, name), ownerOf(data), 0o600)
  }
  const embedded = await openEmbedded({ dataDir, settings: { fsync: 'off', ssl: 'on', listen_addresses: `127.0.0.1,${OTHER_HOST}` } })
  const at = (host: string) => `${embedded.url.replace('@127.0.0.1', `@${host}`)}?sslmode=verify-full`
  const [trusted, untrusted, ...others] = await Promise.all([
    outcomes(at('localhost'), true),
    outcomes(at('localhost'), false),
    outcomes(at('127.0.0.1'), true),
    outcomes(at(OTHER_HOST), true),
  ])
  await embedded.close()
  assert.deepEqual(trusted, ['encrypted', 'encrypted'])
  assert.deepEqual(untrusted, ['DEPTH_ZERO_SELF_SIGNED_CERT', 'DEPTH_ZERO_SELF_SIGNED_CERT'])
  assert.deepEqual(others, [
    ['encrypted', 'encrypted'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])
})
