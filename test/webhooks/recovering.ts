// A webhook with a receiver, and the results of its recoveries.
import assert from 'node:assert/strict'
import type { TestApp } from '../support/app.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { ok } from '../support/given.ts'
import type { Respond } from '../support/receiver.ts'
import { aSubscriber } from '../support/subscriber.ts'

export async function recoverableWebhook(service: TestApp, respond?: Respond, over?: object) {
  const { sql } = service
  const subscriber = await aSubscriber(service, respond, over)
  const { shop, receiver, id, path } = subscriber
  return {
    ...subscriber,
    /** The states of the events' deliveries, in the order of the events. */
    async states(): Promise<string[]> {
      const rows = await sql`
        select h.state || ' ' || greatest(h.attempts, (select max(a.attempt) from webhook_attempts a where h.logged and a.event_id = h.event_id)) as text
          from webhook_delivery_history h
         where h.endpoint_id = ${id} and h.listed
         order by h.event_id`
      return rows.map(row => row['text'])
    },
    /** Waiting events, in the order in which live deliveries are made. */
    due: async () =>
      (await sql`select event_id from webhook_deliveries where endpoint_id = ${id} and state = 'pending' order by due_at, event_id`).map(
        row => row['event_id'] as string,
      ),
    /** As if so many live attempts had had this result. */
    setDeliveries: (events: string[], state: 'failed' | 'dropped', attempts: number) =>
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
      })
      return ok(await shop.get(`${path}/recoveries/${recovery}`))
    },
    health: async () => {
      const [row] = await sql`
        select status, failures, failing_since, silent_until, last_success_at, last_failure_at from webhook_endpoints where id = ${id}`
      return { ...row }
    },
    /** Ids of received events, sorted: two are under way at once, and either may arrive first. */
    sent: () => receiver.received.map(({ body }) => JSON.parse(body.toString()).id as string).sort(),
  }
}
