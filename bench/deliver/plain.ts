// The plain design: a job for each delivery, three queries for each job (load, insert the attempt, update), Graphile Worker's defaults but
// for ten jobs at once, as many as its pool has connections: its own default is one.
import { createHmac } from 'node:crypto'
import { Logger, run } from 'graphile-worker'
import { Agent } from 'undici'

const [connectionString = ''] = process.argv.slice(2)
const agent = new Agent()

const runner = await run({
  connectionString,
  concurrency: 10,
  noHandleSignals: true,
  logger: new Logger(() => () => {}),
  taskList: {
    async plain(payload, { query }) {
      const { tenant, endpoint, event } = payload as Record<'tenant' | 'endpoint' | 'event', string>
      const {
        rows: [row],
      } = await query<{ url: string; body: string; attempts: number }>(
        `select e.url, v.body, d.attempts
           from webhook_deliveries d
           join webhook_endpoints e on e.tenant_id = d.tenant_id and e.id = d.endpoint_id
           join events v on v.tenant_id = d.tenant_id and v.id = d.event_id
          where d.tenant_id = $1 and d.endpoint_id = $2 and d.event_id = $3`,
        [tenant, endpoint, event],
      )
      if (!row) return
      const [started, seconds] = [new Date(), Math.floor(Date.now() / 1000)]
      const headers = {
        'Content-Type': 'application/json',
        'User-Agent': 'Service-Webhooks/1.0',
        'X-Service-Event': 'order.created',
        'X-Service-Delivery-Id': `${endpoint}.${event.slice(-26)}:${row.attempts + 1}:${seconds}`,
        'X-Service-Signature': `t=${seconds},v1=${createHmac('sha256', `whsec_${'5e'.repeat(32)}`)
          .update(`${seconds}.${row.body}`)
          .digest('hex')}`,
      }
      const { origin, pathname } = new URL(row.url)
      const answer = await agent.request({ origin, path: pathname, method: 'POST', headers, body: row.body })
      const text = await answer.body.text()
      await query(
        `insert into webhook_attempts (tenant_id, endpoint_id, event_id, attempt, started_at, duration_ms, url, status, signature, response_headers, response_body)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
        [
          tenant,
          endpoint,
          event,
          row.attempts + 1,
          started,
          Date.now() - started.getTime(),
          row.url,
          answer.statusCode,
          headers['X-Service-Signature'],
          answer.headers,
          text,
        ],
      )
      await query(
        `update webhook_deliveries set state = 'succeeded', attempts = attempts + 1, first_attempt_at = $4, finished_at = now()
          where tenant_id = $1 and endpoint_id = $2 and event_id = $3`,
        [tenant, endpoint, event, started],
      )
    },
  },
})
process.on('SIGTERM', () => void runner.stop().then(() => process.exit()))
process.on('disconnect', () => process.exit())
process.send?.({ ready: true })
