// A shop with a channel and a customer who writes on it, for tests of conversations.

import type { NewAccount } from '../../src/channels/accounts/accounts.ts'
import { recordSends } from '../../src/conversations/sent.ts'
import type { ReceiptStatus, Update } from '../../src/conversations/update.ts'
import { begin } from '../../src/postgres/sql.ts'
import type { Reply, TestApp, TestTenant } from './app.ts'
import { aChannel } from './channels.ts'
import { ok, tell } from './given.ts'

type Body = Record<string, unknown>
type Json = Reply['body']

export interface Talk {
  shop: TestTenant
  channel: string
  /** Where its messages are, below `path`. */
  path: string
  id: string
  thread: string
  /** The platform's id of the customer's first message. */
  first: string
  /** What the channel tells. @returns an outcome for each */
  tells(updates: Update[], receivedAt?: Date): ReturnType<typeof tell>
  says(text: string, over?: Partial<Extract<Update, { kind: 'message' }>>): Promise<void>
  echo(text: string | null, over?: Partial<Extract<Update, { kind: 'echo' }>>): Promise<void>
  receipt(status: ReceiptStatus, over: Partial<Extract<Update, { kind: 'receipt' }>>): ReturnType<typeof tell>
  reply(body: Body): Promise<Reply>
  /** The message that was written. */
  replied(body: Body): Promise<Json>
  /** What became of a message that was sent, as the engine records it. */
  fate(message: string, status: 'sent' | 'failed' | 'unknown' | 'queued', over?: Body): Promise<void>
  read(): Promise<Json>
  message(id: string): Promise<Json>
  /** The texts of its messages, the oldest first. */
  texts(): Promise<(string | null)[]>
  /** The types of the shop's events, the oldest first, but for that of the contact. */
  events(): Promise<string[]>
}

let made = 0

/** A conversation that its customer has begun with "Hello?". */
export async function aTalk(app: TestApp, over: Partial<NewAccount> = {}): Promise<Talk> {
  const shop = await app.tenant()
  const channel = await aChannel(app, shop, { platform: 'telegram', ...over })
  return talkOn(app, shop, channel)
}

export async function talkOn(app: TestApp, shop: TestTenant, channel: string, at: string | null = null): Promise<Talk> {
  const [talk] = await talksOn(app, shop, channel, 1, at)
  return talk as Talk
}

/** So many at once. @param at when the customers wrote, by the platform's clock */
export async function talksOn(app: TestApp, shop: TestTenant, channel: string, count: number, at: string | null = null): Promise<Talk[]> {
  const threads = Array.from({ length: count }, () => `customer-${++made}`)
  const first = (thread: string) => `${thread}:first`
  await tell(
    app,
    shop,
    channel,
    threads.map(thread => ({ kind: 'message', thread, at, from: { ids: [thread] }, external_id: first(thread), said: said('Hello?') })),
  )
  const rows = await app.sql<{ id: string; thread: string }[]>`
    select id, thread from conversations where tenant_id = ${shop.id} and channel_id = ${channel} and thread = any(${threads})`
  return rows.map(({ id, thread }) => talkOf(app, shop, channel, { id, thread, first: first(thread) }))
}

const said = (text: string | null) => ({ text, media: [] })

function talkOf(app: TestApp, shop: TestTenant, channel: string, { id, thread, first }: Pick<Talk, 'id' | 'thread' | 'first'>): Talk {
  const common = { thread, at: null }
  const name = () => `${thread}:${++made}`
  const tells: Talk['tells'] = (updates, receivedAt) => tell(app, shop, channel, updates, receivedAt)
  const says: Talk['says'] = async (text, given = {}) => {
    await tells([{ ...common, kind: 'message', from: { ids: [thread], name: 'Ada' }, external_id: name(), said: said(text), ...given }])
  }
  const path = `/api/v1/conversations/${id}`
  const reply: Talk['reply'] = body => shop.post(`${path}/messages`, body)
  return {
    shop,
    channel,
    path,
    id,
    thread,
    first,
    tells,
    says,
    async echo(text, given = {}) {
      await tells([{ ...common, kind: 'echo', external_id: name(), said: said(text), ...given }])
    },
    receipt: (status, given) => tells([{ ...common, kind: 'receipt', status, ...given }]),
    reply,
    replied: async body => ok(await reply(body)),
    fate: (message_id, status, given = {}) =>
      begin(app.sql, tx =>
        recordSends(tx, [
          {
            tenant: shop.id,
            conversation_id: id,
            message_id,
            status,
            external_id: null,
            error: null,
            attempts: 1,
            next_attempt_at: null,
            ...given,
          },
        ]),
      ),
    read: async () => ok(await shop.get(path)),
    message: async message => ok(await shop.get(`${path}/messages/${message}`)),
    texts: async () => ok(await shop.get(`${path}/messages?dir=asc&limit=100`)).data.map((each: Json) => each.text),
    events: async () =>
      (await app.sql`select type from events where tenant_id = ${shop.id} and type <> 'contact.created' order by seq`).map(
        each => each['type'],
      ),
  }
}
