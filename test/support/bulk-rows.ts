// Many rows of every list, made by the database itself: a shop with three fifths of them and two hundred that share the rest. Values lie as
// they do in real use, which is the hard case: open orders are the newest, imported ones are the oldest, one customer has thousands of orders,
// and some values hardly occur.

import type { Sql } from '../../src/postgres/sql.ts'
import { slotValue } from '../../src/records/record.ts'
import type { SlottedField } from '../../src/records/slots.ts'

const numbered = (prefix: string, number: number): string => `${prefix}_0${String(number).padStart(25, '0')}`

/** The shop with three fifths of all rows; its webhook with as many deliveries, and so on; and the customer who orders most. */
export const BIG = {
  tenant: numbered('ten', 0),
  webhook: numbered('whk', 0),
  contact: numbered('con', 0),
  conversation: numbered('conv', 500_000),
  import: numbered('imp', 0),
  /** The channel of few conversations. */
  channel: numbered('chn', 1),
  order: numbered('ord', 500_000),
  /** Of an app's records. */
  resource: 'acme:loyalty:points',
  app: numbered('app', 0),
}

/** The fields of those records: the last two have no column of their own. */
const FIELDS: SlottedField[] = [
  { name: 'tier', type: 'string', slot: 'e1' },
  { name: 'reason', type: 'string', slot: 'e2' },
  { name: 'points', type: 'number', slot: 'n1' },
  { name: 'until', type: 'date', slot: 'n2' },
  { name: 'note', type: 'string' },
  { name: 'count', type: 'number' },
]
/** The channel of all others. */
const MOST_USED_CHANNEL = numbered('chn', 0)

const SHOPS = 200
/** How many rows of nouns that never come in millions: webhooks, imports and the like. */
const SOME = 5_000
/** The youngest row's time. */
const YOUNGEST = '2026-05-01T00:00:00.000Z'

/** Each table is loaded, then gets its indexes back: ten times faster than the other way round. */
export async function insertBulkRows(sql: Sql, rows: number): Promise<void> {
  for (const [table, statements] of Object.entries(inserts(rows))) {
    const indexes = await sql<{ name: string; definition: string }[]>`
      select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
        from pg_index i
       where i.indrelid = ${table}::regclass and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`
    for (const { name } of indexes) await sql.unsafe(`drop index ${name}`)
    for (const statement of statements) await sql.unsafe(statement)
    for (const { definition } of indexes) await sql.unsafe(definition)
    await sql.unsafe(`vacuum analyze ${table}`)
  }
}

/** Any number of rows is spread as a million would be: numbers run up to a million, and times over 231 days. */
const NUMBERS = 1_000_000

// `r.k` runs from the oldest to the youngest, `r.age` from 1 to 0, and `r.x` is any number.
function inserts(rows: number): Record<string, string[]> {
  const id = (prefix: string, number: string) => `'${prefix}_0' || lpad((${number})::text, 25, '0')`
  const shop = `case when n % 5 < 3 then '${BIG.tenant}' else ${id('ten', `1 + n % ${SHOPS - 1}`)} end`
  const source = `(
    select n, k, ${shop} as tenant_id, 1 - n::float8 / ${rows} as age, hashint8(n)::bigint & 2147483647 as x,
           timestamptz '${YOUNGEST}' - (${NUMBERS} - k) * interval '20 seconds' as at
      from generate_series(1, ${rows}) n, lateral (select n * ${NUMBERS / rows} as k) s) r`
  const some = (column: string, values: Record<string, string>, otherwise: string) =>
    `case ${Object.entries(values)
      .map(([condition, value]) => `when ${condition} then '${value}'`)
      .join(' ')} else '${otherwise}' end as ${column}`
  const text = (prefix: string, bytes: number) => `'{"id":"' || ${id(prefix, 'k')} || '","rest":"' || repeat('x', ${bytes}) || '"}'`
  const into = (table: string, columns: Record<string, string>) => `
    insert into ${table} (${Object.keys(columns).join(', ')})
    select ${Object.values(columns).join(', ')} from (
      select r.*, ${some('status', { 'age < 0.03 and x % 2 = 0': 'pending', 'age < 0.03': 'confirmed', 'x % 5000 = 1': 'RETURNED', 'x % 25 = 2': 'CANCELLED', 'age < 0.1': 'SHIPPED' }, 'DELIVERED')} from ${source}) r`
  const times = { created_at: 'at', updated_at: `at + (x % 700) * interval '1 hour'` }
  const buyer = `case when x % 20 = 3 then '${BIG.contact}' else ${id('con', `x % ${Math.ceil(rows / 5)}`)} end`
  const endpoint = `case when tenant_id = '${BIG.tenant}' then '${BIG.webhook}' else ${id('whk', 'n % 199')} end`
  return {
    orders: [
      into('orders', {
        tenant_id: 'tenant_id',
        id: id('ord', 'k'),
        number: 'k',
        external_id: `case when n % 2 = 0 then 'X-' || k end`,
        source: `case when age > 0.9 then 'crm' when x % 10 = 4 then 'dashboard' else 'api' end`,
        status: 'status',
        payment_status: `case when x % 7000 = 5 then 'failed' when status = 'pending' then 'unpaid' when status = 'CANCELLED' then 'refunded' else 'paid' end`,
        fulfillment_status: `case status when 'DELIVERED' then 'delivered' when 'SHIPPED' then 'shipped' when 'RETURNED' then 'returned' else 'unfulfilled' end`,
        currency: `'EUR'`,
        total_amount: 'case when x % 50000 = 6 then 5000000 else 500 + x % 20000 end',
        contact_id: buyer,
        customer_email: `case when x % 20 = 3 then 'often' else 'c' || x % ${Math.ceil(rows / 5)} end || '@shop.example'`,
        ...times,
        doc: text('ord', 900),
      }),
    ],
    payments: [
      into('payments', {
        tenant_id: 'tenant_id',
        id: id('pmt', 'k'),
        order_id: `case when x % 20 = 3 then '${BIG.order}' else ${id('ord', 'k')} end`,
        provider: `case when x % 7000 = 5 then 'generic' when x % 3 = 1 then 'manual' else 'stripe' end`,
        status: `case when x % 5000 = 1 then 'mismatched' when x % 6000 = 2 then 'unmatched' when x % 25 = 2 then 'failed' else 'paid' end`,
        ...times,
        doc: text('pmt', 400),
      }),
    ],
    refunds: [
      into('refunds', {
        tenant_id: 'tenant_id',
        id: id('ref', 'k'),
        order_id: `case when tenant_id = '${BIG.tenant}' then '${BIG.order}' else ${id('ord', 'k')} end`,
        amount: '100',
        status: `'completed'`,
        created_at: 'at',
        doc: text('ref', 200),
      }),
    ],
    products: [
      into('products', {
        tenant_id: 'tenant_id',
        id: id('prod', 'k'),
        name: `'Product ' || x % 100000 || ' of linen'`,
        sku: `'SKU-' || k`,
        external_id: `case when n % 2 = 0 then 'X-' || k end`,
        category: `case when age > 0.9 then 'Imported/Old' else 'Clothes/' || chr((65 + x % 26)::integer) || '/' || x % 300 end`,
        status: `case when x % 5000 = 1 then 'draft' when x % 50 = 2 then 'archived' else 'active' end`,
        price_amount: 'case when x % 50000 = 6 then 5000000 else 500 + x % 20000 end',
        currency: `'EUR'`,
        stock: 'case when x % 10 = 3 then null when x % 5000 = 4 then 0 else 10 + x % 1000 end',
        ...times,
        doc: text('prod', 400),
      }),
    ],
    contacts: [
      into('contacts', {
        tenant_id: 'tenant_id',
        id: id('con', 'k'),
        name: `chr((65 + x % 26)::integer) || 'a ' || x % 1000`,
        email: `'c' || k || '@shop.example'`,
        phone: `'+38' || (100000000 + k)`,
        phone_key: `'+38' || (100000000 + k)`,
        external_id: `case when n % 2 = 0 then 'X-' || k end`,
        blocked: 'x % 5000 = 5',
        ...times,
        doc: text('con', 300),
      }),
    ],
    records: [
      into('records', {
        tenant_id: 'tenant_id',
        id: id('rec', 'k'),
        resource: `case when x % 10 = 7 then 'acme:loyalty:visits' else '${BIG.resource}' end`,
        external_id: `case when n % 2 = 0 then 'X-' || k end`,
        contact_id: buyer,
        product_id: `case when x % 3 = 1 then ${id('prod', 'x % 300')} end`,
        fields: `${FIELDS.length}`,
        e1: `case when x % 5000 = 1 then ${slotValue('string', 'gold')} else ${slotValue('string', 'silver')} end`,
        e2: `case when x % 2 = 1 then ${slotValue('string', 'order')} end`,
        n1: 'x % 1000',
        n2: 'extract(epoch from at) * 1000',
        ...times,
        doc: `'{"id":"' || ${id('rec', 'k')} || '","links":[],"tier":"' || case when x % 5000 = 1 then 'gold' else 'silver' end
          || '","reason":' || case when x % 2 = 1 then '"order"' else 'null' end || ',"points":' || x % 1000
          || ',"until":"' || to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","note":"' || x % 7000 || '","count":' || x % 1000 || ',"rest":"' || repeat('x', 100) || '"}'`,
      }),
    ],
    tenants: [
      `insert into tenants (id, name, plan, currency)
       select ${id('ten', 'n')}, 'A shop', 'enterprise', 'EUR' from generate_series(0, ${SHOPS}) n`,
    ],
    apps: [
      `insert into apps (tenant_id, id, app_id, state, revision, scopes, slots, created_at, updated_at, doc)
       select id, '${BIG.app}', 'acme:loyalty', 'active', 1, '{read:records}', '${JSON.stringify({ points: FIELDS })}', now(), now(), '{}' from tenants`,
    ],
    app_revisions: [
      `insert into app_revisions (tenant_id, app, revision, hash, manifest, created_at)
       values ('${BIG.tenant}', '${BIG.app}', 1, '', '${JSON.stringify({ name: 'Loyalty', resources: [{ id: 'points', name: 'Points', fields: FIELDS.map(({ name, type }) => ({ name, type })) }] })}', now())`,
    ],
    channels: [
      `insert into channels (tenant_id, id, platform, name, created_at, updated_at)
       select t.id, c.id, 'telegram', 'A channel', now(), now() from tenants t, unnest(array['${MOST_USED_CHANNEL}', '${BIG.channel}']) c (id)`,
    ],
    contact_tags: [
      `insert into contact_tags (tenant_id, contact_id, tag, created_at)
       select tenant_id, id, case when hashtext(id) % 5000 = 6 then 'rare' else 'often' end, created_at from contacts where hashtext(id) % 4 <> 0`,
    ],
    conversations: [
      into('conversations', {
        tenant_id: 'tenant_id',
        id: id('conv', 'k'),
        platform: `case when age > 0.9 then 'viber' when x % 5000 = 7 then 'web' else 'telegram' end`,
        channel_id: `case when x % 9000 = 7 then '${BIG.channel}' else '${MOST_USED_CHANNEL}' end`,
        thread: id('con', 'k'),
        contact_id: id('con', 'k'),
        status: `case when age < 0.01 then 'open' else 'closed' end`,
        ai_status: `case when x % 3000 = 1 then 'paused' else 'on' end`,
        assigned_to: `case when x % 7000 = 2 then ${id('usr', '1')} when x % 3 = 2 then ${id('usr', '2')} end`,
        unread_count: 'case when x % 4000 = 3 then 1 else 0 end',
        failed_count: 'case when x % 6000 = 5 then 1 else 0 end',
        ...times,
        doc: text('conv', 300),
      }),
    ],
    messages: [
      into('messages', {
        tenant_id: 'tenant_id',
        id: id('msg', 'k'),
        conversation_id: `case when tenant_id = '${BIG.tenant}' then '${BIG.conversation}' else ${id('conv', 'k')} end`,
        channel_id: `'${MOST_USED_CHANNEL}'`,
        status: `'received'`,
        created_at: 'at',
        doc: text('msg', 100),
      }),
    ],
    imports: [
      `insert into imports (tenant_id, id, resource, mode, format, dry_run, events, caller, status, created_at)
       select '${BIG.tenant}', ${id('imp', 'n')}, 'products', 'create', 'csv', false, false, '{}',
              case when n = 500 then 'failed' else 'completed' end, now() + n * interval '1 second' from generate_series(0, ${SOME}) n`,
    ],
    import_errors: [
      `insert into import_errors (tenant_id, import_id, line, position, field, code, message)
       select '${BIG.tenant}', '${BIG.import}', n, 0, 'name', 'required', 'is missing' from generate_series(1, ${SOME}) n`,
    ],
    exports: [
      `insert into exports (tenant_id, id, resource, format, bom, filters, state, created_at)
       select '${BIG.tenant}', ${id('exp', 'n')}, 'orders', 'csv', false, '{}', 'completed', now() + n * interval '1 second' from generate_series(0, ${SOME}) n`,
    ],
    product_skus: [
      `insert into product_skus (tenant_id, sku, product_id) select tenant_id, sku, id from products where tenant_id = '${BIG.tenant}'`,
    ],
    events: [
      into('events', {
        tenant_id: 'tenant_id',
        id: id('evt', 'k'),
        type: `case when x % 50000 = 6 then 'product.updated' else 'order.created' end`,
        created_at: 'at',
        xid: '(k / 10000 + 1)::text::xid8',
        body: text('evt', 400),
      }).replace(') select', ') overriding system value select'),
    ],
    flow_runs: [
      into('flow_runs', {
        tenant_id: 'tenant_id',
        id: id('run', 'k'),
        app_id: `'${BIG.app}'`,
        flow_id: `case when x % 50000 = 6 then 'rare' else 'award' end`,
        revision: '1',
        event_id: id('evt', 'k'),
        event_type: `'order.created'`,
        depth: '0',
        lineage: `'{}'`,
        state: `case when x % 5000 = 5 then 'failed' else 'succeeded' end`,
        created_at: 'at',
        ended_at: 'at',
      }),
    ],
    notifications: [
      into('notifications', {
        tenant_id: 'tenant_id',
        id: id('ntf', 'k'),
        app_id: `'${BIG.app}'`,
        level: `'info'`,
        created_at: 'at',
        doc: text('ntf', 300),
      }),
    ],
    skill_calls: [
      into('skill_calls', {
        tenant_id: 'tenant_id',
        id: id('call', 'k'),
        app: `'${BIG.app}'`,
        revision: '1',
        skill_id: `case when x % 50000 = 6 then 'rare' else 'award' end`,
        purpose: some('purpose', { 'x % 5000 = 5': 'test', 'x % 3 = 1': 'run' }, 'conversation').replace(/ as purpose$/, ''),
        occasion: id('msg', 'k'),
        key: 'k::text',
        input: `'{}'`,
        created_at: 'at',
        stage: `case when x % 5000 = 5 then 'http' when x % 700 = 3 then 'network' else 'done' end`,
        code: `case when x % 5000 = 5 then 'http_status' when x % 700 = 3 then 'timeout' end`,
      }),
    ],
    webhook_endpoints: [
      `insert into webhook_endpoints (tenant_id, id, url, events, secret, created_at, updated_at)
       select '${BIG.tenant}', ${id('whk', 'n')}, 'https://receiver.example', '{order.created}', 's', now(), now() from generate_series(0, ${SOME}) n`,
    ],
    webhook_recoveries: [
      `insert into webhook_recoveries (tenant_id, id, endpoint_id, scope, first_id, end_id, state, max_per_second, total, created_at)
       select '${BIG.tenant}', ${id('rcv', 'n')}, '${BIG.webhook}', 'event', 'a', 'b', 'completed', 10, 1, now() + n * interval '1 second' from generate_series(0, ${SOME}) n`,
    ],
    // A delivery that succeeded has a line in the log; some old rows are left.
    webhook_deliveries: [
      `${into('webhook_deliveries', {
        tenant_id: 'tenant_id',
        endpoint_id: endpoint,
        event_id: id('evt', 'k'),
        state: `case when x % 50000 = 6 then 'pending' when x % 5000 = 5 then 'failed' else 'succeeded' end`,
        attempts: '1',
        due_at: 'at',
        finished_at: 'at',
      })} where x % 50000 = 6 or x % 5000 = 5 or x % 100 = 1`,
    ],
    webhook_attempts: [
      `${into('webhook_attempts', {
        tenant_id: 'tenant_id',
        endpoint_id: endpoint,
        event_id: id('evt', 'k'),
        attempt: '1',
        started_at: 'at',
        duration_ms: '50',
        status: 'case when x % 5000 = 5 then 500 else 200 end',
        final: 'x % 5000 <> 5 and x % 100 <> 1',
      })} where x % 50000 <> 6`,
    ],
  }
}
