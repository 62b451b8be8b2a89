// The baseline of callbacks: bare Fastify that inserts the same bytes by the same batched statement, without signature, limiter and wake-up. Asked to, it
// also sends a NOTIFY for each, and streams those that it receives.
import Fastify from 'fastify'
import { insertAll, type Kept } from '../../src/callbacks/store.ts'
import { newId } from '../../src/ids.ts'
import { batched } from '../../src/postgres/batch.ts'
import { listen } from '../../src/postgres/listen.ts'
import { openDatabase, SHARED_AT_A_TIME } from '../../src/postgres/sql.ts'
import { reportReady, runUntilSignal } from '../../src/process.ts'
import { streamsOf } from './streams.ts'

const [databaseUrl = '', telling] = process.argv.slice(2)
const db = openDatabase(databaseUrl, { name: 'shopdesk bench bare' })
const insert = batched<Kept, void>(
  async batch => {
    await insertAll(db.sql, batch)
    return batch.map(() => undefined)
  },
  500,
  SHARED_AT_A_TIME,
)
const notify = batched<string, void>(async texts => {
  await db.sql`select pg_notify('bench', t.text) from unnest(${texts}::text[]) as t (text)`
  return texts.map(() => undefined)
})
const app = Fastify()
app.removeAllContentTypeParsers()
app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
app.post<{ Params: { tenant: string; id: string } }>('/:tenant/:id', async ({ params: { tenant, id: source }, body }, reply) => {
  const id = newId('cbk')
  await insert({ tenant, source, id, text: body as string })
  if (telling) void notify(`${tenant} ${(JSON.parse(body as string) as { text: string }).text}`)
  return reply.type('application/json; charset=utf-8').send(`{"object":"callback","id":"${id}"}`)
})

const send = streamsOf(app)
const listening = telling
  ? listen(
      databaseUrl,
      'bench',
      message => {
        const [tenant = '', text = ''] = message.split(/ (.*)/s)
        send(tenant, JSON.stringify({ text }))
      },
      () => {},
    )
  : undefined
reportReady({ ready: await app.listen({ host: '127.0.0.1', port: 0 }) })
await runUntilSignal(async () => {
  app.server.closeAllConnections()
  await app.close()
  await listening?.close()
  await db.close()
})
