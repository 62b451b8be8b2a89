// The web of the plain design: bare Fastify that takes an order and writes its rows, and a job for its delivery, by one statement. No key, no
// limiter, no rules.
import Fastify from 'fastify'
import postgres from '../../src/postgres/driver.ts'
import { reportReady, runUntilSignal } from '../../src/process.ts'
import type { Wish } from '../create.ts'
import { placeAtOnce } from './plain-order.ts'

const [databaseUrl = ''] = process.argv.slice(2)
const sql = postgres(databaseUrl, { max: 10, connection: { application_name: 'shopdesk bench plain' } })
const [model] = await sql<{ doc: string }[]>`select doc from orders limit 1`
const { doc } = model as { doc: string }
const app = Fastify()

app.post<{ Body: Wish }>('/orders', async (request, reply) => {
  await placeAtOnce(sql, request.body, doc, { queued: true })
  return reply.code(201).type('application/json; charset=utf-8').send(doc)
})

reportReady({ ready: await app.listen({ host: '127.0.0.1', port: 0 }) })
await runUntilSignal(async () => {
  await app.close()
  await sql.end()
})
