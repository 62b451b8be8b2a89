// Web and worker wait for a database that is away, starts or takes no changes, and for nothing else.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { awaitDatabase } from '../../src/postgres/await-database.ts'
import { connectedDatabase, testDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { flakyProxy } from '../support/flaky-proxy.ts'
import { aServer } from '../support/server.ts'
import { shopdesk } from '../support/shopdesk.ts'

const { url } = await testDatabase()
const SETTINGS = { SECRET_KEY: '00'.repeat(32), HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn' }

// Not concurrent: making a server beside this test would block the process for longer than the test waits.
test('a start that waits says repeatedly what it waits for, and gives up after its time', async () => {
  const lines: string[] = []
  const patience = { limitMs: 3_000, sayEveryMs: 400, say: (line: string) => void lines.push(line) }
  await assert.rejects(awaitDatabase('postgres://a:b@127.0.0.1:1/x', undefined, patience), {
    name: 'OperatorError',
    message: /^DATABASE_URL cannot be used: .*ECONNREFUSED/,
  })
  assert.ok(
    lines.length >= 2 && lines.every(line => /^Waiting for the database, for up to [123] s: DATABASE_URL .*ECONNREFUSED/.test(line)),
    `${lines}`,
  )
})

/** Kinds of sessions that a start needs. */
const KINDS = ['shopdesk_queue', 'shopdesk_standing', 'shopdesk_web', 'shopdesk_worker']

describe('a start', { concurrency: true }, () => {
  for (const command of ['web', 'worker'])
    test(`of ${command} waits while the database is away, says so once, and goes on when it is there`, async () => {
      const proxy = await flakyProxy(url)
      proxy.block()
      const process = shopdesk([command], { ...SETTINGS, DATABASE_URL: proxy.url })
      await eventually(async () => process.stderr() !== '')
      proxy.mend()
      await process.says(/is (running|listening)/)
      assert.match(process.stderr(), /^Waiting for the database, for up to 60 s: DATABASE_URL cannot be used: [^\n]+\n$/)
      process.child.kill('SIGTERM')
      assert.equal(await process.ended, 0)
    })

  for (const command of ['web', 'worker'])
    test(`of ${command} outlives a database that goes away in the middle of it: the first session of each kind is refused`, async () => {
      const { url, sql } = await connectedDatabase()
      // What a session that is refused has taken from a sequence stays taken.
      await sql.unsafe(`
        create function refuse_the_first() returns event_trigger language plpgsql security definer as $$ declare
            kind text := replace(current_setting('application_name'), ' ', '_');
          begin
            if to_regclass(kind) is not null and nextval(kind::regclass) = 1 then
              raise exception 'the database is starting up' using errcode = 'cannot_connect_now';
            end if;
          end $$;
        ${KINDS.map(kind => `create sequence "${kind}";`).join('')}
        create event trigger refuse_the_first on login execute function refuse_the_first()`)
      const process = shopdesk([command], { ...SETTINGS, DATABASE_URL: url })
      await process.says(/is (running|listening)/)
      const used = await sql`select sequencename as kind from pg_sequences where sequencename = any(${KINDS}) and last_value > 1 order by 1`
      assert.deepEqual(
        used.map(({ kind }) => kind),
        command === 'web' ? ['shopdesk_web'] : KINDS.filter(kind => kind !== 'shopdesk_web'),
      )
      process.child.kill('SIGTERM')
      assert.equal(await process.ended, 0)
    })

  test('waits while the database takes no changes', async () => {
    const server = await aServer()
    await server.readOnly(true)
    const process = shopdesk(['worker'], { ...SETTINGS, DATABASE_URL: server.url })
    await eventually(async () => /takes no changes/.test(process.stderr()))
    await server.readOnly(false)
    await process.says(/is running/)
    process.child.kill('SIGTERM')
    assert.equal(await process.ended, 0)
  })

  test('that waits ends at once when it is told to', async () => {
    const process = shopdesk(['web'], { ...SETTINGS, DATABASE_URL: 'postgres://a:b@127.0.0.1:1/x' })
    await eventually(async () => process.stderr() !== '')
    process.child.kill('SIGTERM')
    assert.equal(await process.ended, 0)
  })

  test('does not wait where waiting cannot help: a wrong password, a missing database', async () => {
    const say = (line: string): void => assert.fail(line)
    for (const [change, refusal] of [
      [{ password: 'wrong' }, /password authentication failed/],
      [{ pathname: 'no_such_database' }, /does not exist/],
    ] as const) {
      const wrong: URL = Object.assign(new URL(url), change)
      await assert.rejects(awaitDatabase(wrong.href, undefined, { limitMs: 60_000, sayEveryMs: 1, say }), {
        name: 'OperatorError',
        message: refusal,
      })
    }
  })
})
