// A worker that is frozen in the midst of a statement: PostgreSQL waits for the rest of it, and counts its session neither as idle nor as one in a transaction.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { after, test } from 'node:test'
import { ELECTION } from '../../src/queue/recurring.ts'
import { testApp } from '../support/app.ts'
import { serverOf } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { aWorker, settingsOf } from '../support/shopdesk.ts'

test('a worker that is frozen in the midst of a statement loses the election', async () => {
  const app = await testApp()
  const elected = async (): Promise<number | undefined> =>
    (
      await app.sql`
        select l.pid from pg_locks l
         where l.locktype = 'advisory' and l.database = (select oid from pg_database where datname = current_database()) and l.granted
           and l.objid = ${ELECTION}::bigint::oid`
    )[0]?.['pid']
  const proxy = await stallingAt(app.databaseUrl, 'worker_gone')
  await aWorker({ ...settingsOf(app), DATABASE_URL: proxy.url })
  const stalled = await proxy.stalled
  const first = await eventually(elected)
  const [session] = await app.sql`select application_name, state, wait_event from pg_stat_activity where pid = ${first}`
  assert.deepEqual([stalled, session], [true, { application_name: 'shopdesk lookout', state: 'active', wait_event: 'ClientRead' }])
  await aWorker(settingsOf(app))
  await eventually(async () => ![undefined, first].includes(await elected()))
})

/** A proxy to the database that passes nothing more of a connection behind the first statement to be prepared that has the word, and tells neither side. */
async function stallingAt(databaseUrl: string, word: string): Promise<{ url: string; stalled: Promise<boolean> }> {
  const stalled = Promise.withResolvers<boolean>()
  const proxy = createServer(client => {
    const server = connect(serverOf(databaseUrl))
    for (const each of [client, server]) each.on('error', () => {})
    // A frozen process closes nothing.
    after(() => server.destroy())
    server.on('close', () => client.destroy()).pipe(client)
    let [rest, isStarted, isStalled] = [Buffer.alloc(0), false, false]
    client.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk])
      while (!isStalled) {
        // The first message has no type.
        const length = rest.length < 5 ? Number.POSITIVE_INFINITY : isStarted ? 1 + rest.readUInt32BE(1) : rest.readUInt32BE(0)
        if (rest.length < length) return
        const message = rest.subarray(0, length)
        server.write(message)
        rest = rest.subarray(length)
        isStalled = isStarted && message[0] === 'P'.charCodeAt(0) && message.includes(word)
        isStarted = true
      }
      stalled.resolve(true)
    })
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  after(() => proxy.close())
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
  return { url: url.href, stalled: stalled.promise }
}
