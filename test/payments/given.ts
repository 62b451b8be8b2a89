// A shop with a payment provider, and a provider that tells it things.
import { before } from 'node:test'
import { signWebhook } from '../../src/outbound/sign.ts'
import { endWaits } from '../../src/payments/ledger/apply.ts'
import * as providers from '../../src/payments/providers/providers.ts'
import { begin } from '../../src/postgres/sql.ts'
import { type Reply, type TestTenant, testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { anOrder, ok } from '../support/given.ts'
import { aPerson } from '../support/people.ts'
import { SECRET, signature } from './stripe-events.ts'

export interface Provider {
  id: string
  shop: TestTenant
  kind: 'stripe' | 'generic'
  secret: string
}

export interface Row {
  id: string
  status: string
  reason: string | null
}

/** @param workers false: what is told is kept and not applied */
export async function paymentApp({ worker = true, env = {} as Record<string, string> } = {}) {
  const app = await testApp({ INBOUND_PAYMENT_LIMIT: '100000', ...env })
  if (worker) before(() => app.startWorker())

  async function provider(kind: Provider['kind'], given?: TestTenant): Promise<Provider> {
    const shop = given ?? (await app.tenant())
    const input = kind === 'stripe' ? { provider: kind, secret: [SECRET] } : { provider: kind }
    const made = await begin(app.sql, tx =>
      providers.create(tx, { tenant: shop.id, actor: { type: 'cli' } }, input, { keyring: app.keyring, baseUrl: app.config.baseUrl }),
    )
    return { id: made.id, shop, kind, secret: made.secret ?? SECRET }
  }

  const pathOf = ({ id }: Pick<Provider, 'id'>) => `/api/payments/${id}/callback`

  /** Posts this text with these headers. */
  const post = async (
    to: Pick<Provider, 'id'>,
    raw: string | Buffer,
    headers: Record<string, string> = {},
    address = app.url,
  ): Promise<Reply> => {
    const response = await fetch(address + pathOf(to), { method: 'POST', body: raw as string, headers })
    const text = await response.text()
    const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '')
    return { status: response.status, headers: response.headers, text, body: isJson && text ? JSON.parse(text) : undefined }
  }

  const signed = ({ kind, secret }: Provider, raw: string): Record<string, string> =>
    kind === 'stripe'
      ? { 'Stripe-Signature': signature(raw, secret) }
      : { 'X-Service-Signature': signWebhook([secret], Math.floor(Date.now() / 1000), raw) }

  /** Tells of events, one after another, and waits until each was applied. @returns what became of them */
  async function tell(to: Provider, ...events: object[]): Promise<Row[]> {
    const ids: string[] = []
    for (const each of events) {
      const raw = JSON.stringify(each)
      ids.push(ok(await post(to, raw, signed(to, raw))).id)
    }
    return settled(ids)
  }

  /** Waits until callbacks were applied. @returns what became of each */
  const settled = (ids: string[]): Promise<Row[]> =>
    eventually(async () => {
      const rows = await app.sql<Row[]>`select id, status, reason from callbacks where id = any(${ids}) order by id`
      return rows.length === ids.length && rows.every(({ status }) => status !== 'waiting') ? [...rows] : undefined
    })

  const order = async ({ shop }: Provider, over: Record<string, unknown> = {}) =>
    ok(await shop.post('/api/v1/orders', anOrder({ items: [{ name: 'Lamp', unit_amount: 4900, quantity: 1 }], ...over })))

  return {
    ...app,
    provider,
    pathOf,
    post,
    signed,
    tell,
    settled,
    order,
    orderOf: async ({ shop }: Provider, id: string) => ok(await shop.get(`/api/v1/orders/${id}`)),
    paymentsOf: async ({ shop }: Provider, query = '') => ok(await shop.get(`/api/v1/payments${query}`)).data,
    refundsOf: async ({ shop }: Provider, id: string) => ok(await shop.get(`/api/v1/orders/${id}/refunds`)).data,
    /** What waits for a minute has waited for it in vain; what waits for days goes on waiting. */
    async passMinute({ shop }: Provider): Promise<void> {
      // A second ago, for the column is rounded to milliseconds.
      await app.sql`
        update payment_updates_waiting set until = now() - interval '1 second'
         where tenant_id = ${shop.id} and until < now() + interval '1 hour'`
      await endWaits(app.sql)
    },
    /** The types of events but those of placing, in order. */
    eventsOf: async ({ shop }: Provider): Promise<string[]> =>
      (
        await app.sql`select type from events where tenant_id = ${shop.id} and type ~ '^(order|payment)' and type <> 'order.created' order by seq`
      ).map(row => row['type']),
    admin: ({ shop }: Provider) => aPerson(app.sql, shop.id, 'boss@shop.example'),
    mailsOf: async ({ shop }: Provider): Promise<{ kind: string; subject: string; text: string }[]> => [
      ...(await app.sql<{ kind: string; subject: string; text: string }[]>`
        select kind, subject, text from mails where tenant_id = ${shop.id} order by id`),
    ],
  }
}
