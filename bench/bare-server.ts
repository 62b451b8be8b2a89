// The baseline of reads: bare Fastify that sends the same stored text, over the same lanes, by the same statements. No key, no limiter, no ETag.
import Fastify from 'fastify'
import { agentTools } from '../src/catalog.ts'
import { loadConfig } from '../src/config.ts'
import { listingOf } from '../src/ingress/mcp/catalogue.ts'
import { openDatabase } from '../src/postgres/sql.ts'
import { reportReady, runUntilSignal } from '../src/process.ts'
import { sha256 } from '../src/secrets.ts'

const { databaseUrl, host, port } = loadConfig()
const db = openDatabase(databaseUrl as string, { name: 'shopdesk bench bare' })
const app = Fastify()

app.get<{ Params: { tenant: string } }>('/:tenant/orders', async (request, reply) => {
  const rows = await db.listLanes`
    select string_agg(p.json, ',') filter (where p.n <= ${50}), count(*), max(p.sort) filter (where p.n = ${50}), max(p.id) filter (where p.n = ${50})
      from (
        select r.json, r.sort, r.id, row_number() over () as n
          from (
            select t.doc as json, (extract(epoch from t.created_at) * 1000)::bigint as sort, t.id
              from orders t
             where t.tenant_id = ${request.params.tenant}
             order by t.created_at desc, t.id desc
             limit ${51}
          ) r
      ) p`.raw()
  const [data] = rows[0] as unknown as [Buffer]
  return reply.type('application/json; charset=utf-8').send(Buffer.concat([HEAD, data, TAIL]))
})

app.get<{ Params: { tenant: string; id: string } }>('/:tenant/orders/:id', async (request, reply) => {
  const { tenant, id } = request.params
  const rows = await db.listLanes`select t.doc from orders t where t.tenant_id = ${tenant} and t.id = ${id}`.raw()
  const [doc] = rows[0] as unknown as [Buffer]
  return reply.type('application/json; charset=utf-8').send(doc)
})

// The list of tools, for a key that is looked up.
const listing = listingOf(await agentTools())({ scopes: ['read', 'write'], role: 'admin' })
const TOOLS = `{"jsonrpc":"2.0","id":1,"result":${listing}}`
app.post('/tools', async (request, reply) => {
  const token = (request.headers.authorization ?? '').slice('Bearer '.length)
  const rows = await db.pointLane`select id from api_keys where hash = ${sha256(token)} and revoked_at is null`
  return reply
    .code(rows.length > 0 ? 200 : 401)
    .type('application/json')
    .send(TOOLS)
})

const HEAD = Buffer.from('{"object":"list","url":"/api/v1/orders","data":[')
const TAIL = Buffer.from('],"next_cursor":null,"has_more":true}')

reportReady({ ready: await app.listen({ host, port }) })
await runUntilSignal(async () => {
  await app.close()
  await db.close()
})
