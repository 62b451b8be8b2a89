// A shop with a webhook and the real receiver it points to: the start of a test of delivery.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { Type } from 'typebox'
import { defineEvent, emit } from '../../src/events/emit.ts'
import { begin, type Sql } from '../../src/postgres/sql.ts'
import type { TestApp, TestTenant } from './app.ts'
import { type Receiver, type Respond, startReceiver } from './receiver.ts'

export interface Subscriber {
  shop: TestTenant
  receiver: Receiver
  /** The webhook's. */
  id: string
  path: string
  /** In one transaction. Returns the ids, sorted. */
  emit(count?: number, type?: string): Promise<string[]>
}

/** @param over the webhook's settings; it is subscribed to order.created unless they say otherwise */
export async function aSubscriber(app: TestApp, respond?: Respond, over: object = {}): Promise<Subscriber> {
  const shop = await app.tenant()
  const receiver = await startReceiver(respond)
  after(receiver.close)
  const made = await shop.post('/api/v1/webhooks', { url: receiver.origin, events: ['order.created'], ...over })
  assert.equal(made.status, 201, made.text)
  const { id } = made.body
  return { shop, receiver, id, path: `/api/v1/webhooks/${id}`, emit: (count, type) => emitted(app.sql, shop.id, count, type) }
}

export const emitted = (sql: Sql, tenant: string, count = 1, type = 'order.created'): Promise<string[]> =>
  begin(sql, async tx => {
    const event = defineEvent(type, '', Type.Any())
    const ids: string[] = []
    for (let n = 0; n < count; n++) ids.push(await emit(tx, { tenant, actor: { type: 'system' } }, event, { n }))
    return ids.sort()
  })
