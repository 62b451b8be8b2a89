// A webhook with a receiver, and what its recoveries come to.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { Type } from 'typebox'
import { defineEvent, emit } from '../../src/events/emit.ts'
import { begin } from '../../src/postgres/sql.ts'
import type { Reply, TestApp, TestTenant } from '../support/app.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { type Respond, startReceiver } from '../support/receiver.ts'

export const ok = (reply: Reply) => {
  assert.ok(reply.status < 300, reply.text)
  return reply.body
}

export async function given(service: TestApp, respond?: Respond, over: object = {}) {
  const { sql } = service
  const shop = await service.tenant()
  const receiver = await startReceiver(respond)
  after(receiver.close)
  const made = ok(await shop.post('/api/v1/webhooks', { url: receiver.origin, events: ['order.created'], ...over }))
  const id = made.id as string
  const path = `/api/v1/webhooks/${id}`
  return {
    shop,
    receiver,
    id,
    path,
    emit: (count: number, type = 'order.created') => emitted(service, shop, count, type),
    /** What became of the events' deliveries, in the order of the events. */
    async states(): Promise<string[]> {
      const rows = await sql`
        select h.state || ' ' || greatest(h.attempts, (select max(a.attempt) from webhook_attempts a where h.logged and a.event_id = h.event_id)) as text
          from webhook_delivery_history h
         where h.endpoint_id = ${id} and h.listed
         order by h.event_id`
      return rows.map(row => row['text'])
    },
    /** Events that wait, in the order in which live deliveries are made. */
    due: async () =>
      (await sql`select event_id from webhook_deliveries where endpoint_id = ${id} and state = 'pending' order by due_at, event_id`).map(
        row => row['event_id'] as string,
      ),
    /** As if so many live attempts had come to this. */
    set: (events: string[], state: 'failed' | 'dropped', attempts: number) =>
      sql`update webhook_deliveries set state = ${state}, attempts = ${attempts}, finished_at = now()
           where endpoint_id = ${id} and event_id = any(${events})`,
    succeed: (events: string[]) => sql`
      with delivered as (
        delete from webhook_deliveries where endpoint_id = ${id} and event_id = any(${events}) returning *
      )
      insert into webhook_attempts (tenant_id, endpoint_id, event_id, attempt, started_at, duration_ms, status, final)
      select tenant_id, endpoint_id, event_id, 1, now(), 1, 204, true from delivered`,
    recover: async (body: object) => ok(await shop.post(`${path}/recoveries`, body)),
    progress: async (recovery: string) => ok(await shop.get(`${path}/recoveries/${recovery}`)),
    // Asked of the database: over REST it would be the rate limit that is tested.
    async ended(recovery: string) {
      await eventuallyHolds(async () => {
        const [row] = await sql`select state from webhook_recoveries where id = ${recovery}`
        assert.notEqual(row?.['state'], 'running')
      }, 60_000)
      return ok(await shop.get(`${path}/recoveries/${recovery}`))
    },
    health: async () => {
      const [row] = await sql`
        select status, failures, failing_since, silent_until, last_success_at, last_failure_at from webhook_endpoints where id = ${id}`
      return { ...row }
    },
    /** Ids of what came, sorted: two are under way at once, and either may arrive first. */
    sent: () => receiver.received.map(({ body }) => JSON.parse(body.toString()).id as string).sort(),
  }
}

/** @returns the ids in the order in which a recovery goes: those of one millisecond are in no other. */
export const emitted = ({ sql }: TestApp, shop: TestTenant, count: number, type: string): Promise<string[]> =>
  begin(sql, async tx => {
    const ids: string[] = []
    for (let n = 0; n < count; n++)
      ids.push(await emit(tx, { tenant: shop.id, actor: { type: 'system' } }, defineEvent(type, '', Type.Any()), { n }))
    return ids.sort()
  })
