// The rows of an order (counter, stock, contact, order, audit, event, pending deliveries) by one statement, without any of the rules.
import type { Sql } from 'postgres'
import { newId } from '../../src/ids.ts'
import type { Wish } from '../create.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'

/**
 * @param doc of an order, as it is stored: rendered ahead, but for the number, which the statement itself finds
 * @param queued the statement adds a job of the plain design for each delivery
 */
export function placeAtOnce(sql: Sql, { tenant, product, email }: Wish, doc: string, { queued = false } = {}) {
  const [head = '', tail = ''] = doc.split(/(?<="number":)\d+/)
  const [order, event, at] = [newId('ord'), newId('evt'), new Date()]
  const envelope = `{"id":"${event}","type":"order.created","created_at":"${at.toISOString()}","data":{"order_id":"${order}","order":`
  return sql`
    with counted as (
      insert into order_counters as c (tenant_id, last_number) values (${tenant}, 1)
      on conflict (tenant_id) do update set last_number = c.last_number + 1
      returning last_number
    ), sold as (
      update products set reserved = reserved + 1
       where tenant_id = ${tenant} and id = ${product} and stock - reserved >= 1
      returning price_amount, currency
    ), bought as (
      update contacts set orders_count = orders_count + 1
       where tenant_id = ${tenant} and lower(email) = ${email} and email is not null
      returning id
    ), placed as (
      insert into orders (tenant_id, id, number, source, status, payment_status, fulfillment_status, currency, total_amount,
                          contact_id, customer_email, created_at, updated_at, doc)
      select ${tenant}, ${order}, counted.last_number, 'api', 'pending', 'unpaid', 'unfulfilled', sold.currency, sold.price_amount,
             bought.id, ${email}, ${at}, ${at}, ${head} || counted.last_number || ${tail}
        from counted, sold, bought
    ), audited as (
      insert into audit_log (tenant_id, actor_type, action, subject_id, trace_id)
      values (${tenant}, 'api_key', 'order.place', ${order}, ${TRACE})
    ), emitted as (
      insert into events (tenant_id, id, type, created_at, body)
      select ${tenant}, ${event}, 'order.created', ${at}, ${envelope + head} || counted.last_number || ${`${tail}}}`}
        from counted
    ), pending as (
      insert into webhook_deliveries (tenant_id, endpoint_id, event_id, due_at)
      select e.tenant_id, e.id, ${event}, clock_timestamp()
        from webhook_endpoints e
       where e.tenant_id = ${tenant} and e.status = 'enabled' and e.events @> array['order.created']
      returning tenant_id, endpoint_id, event_id
    )
    ${queued ? sql`select graphile_worker.add_job('plain', json_build_object('tenant', tenant_id, 'endpoint', endpoint_id, 'event', event_id)) from pending` : sql`select 1`}`
}
