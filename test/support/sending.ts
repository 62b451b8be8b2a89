// Channels of a stand-in platform, with customers who wait for an answer.
import assert from 'node:assert/strict'
import type { NewAccount } from '../../src/channels/accounts/accounts.ts'
import type { PlatformName } from '../../src/channels/platforms/names.ts'
import type { Message } from '../../src/conversations/schema.ts'
import type { TestApp, TestTenant } from './app.ts'
import { aChannel } from './channels.ts'
import { anInbound } from './given.ts'

export interface Talk {
  shop: TestTenant
  channel: string
  conversation: string
  /** Whom the platform knows: a chat, a number. */
  thread: string
  /** Queues a message to the customer. @returns its id */
  say(text: string | null, more?: object): Promise<string>
  message(id: string): Promise<Message>
}

/** A channel whose platform is at `origin`. */
export async function aSendingChannel(
  app: TestApp,
  shop: TestTenant,
  platform: PlatformName,
  origin: string,
  over: Partial<NewAccount> = {},
): Promise<string> {
  const settings = platform === 'api' ? { send_url: `${origin}/send` } : { api_url: origin }
  const account = platform === 'api' || platform === 'telegram' ? {} : { account: { id: `account-${Math.random()}`, name: null } }
  const credentials = { token: 'the-token', app_secret: 'the-app-secret', secret: 'whsec_the-secret' }
  return aChannel(app, shop, { platform, ...account, credentials, ...over, settings: { ...settings, ...over.settings } })
}

/** A file that is uploaded to be sent. @returns its id */
export async function uploaded(app: TestApp, shop: TestTenant, content: Buffer, name = 'file'): Promise<string> {
  const { status, body } = await app.request('POST', `/api/v1/attachments?name=${name}`, {
    key: shop.key,
    raw: content,
    headers: { 'Content-Type': 'application/octet-stream' },
  })
  assert.equal(status, 201, JSON.stringify(body))
  return body.id
}

let numbered = 1000

/** A customer of the channel who has written. */
export async function aTalk(app: TestApp, shop: TestTenant, channel: string, platform: PlatformName = 'telegram'): Promise<Talk> {
  const thread = String(++numbered)
  const contact = (await shop.post('/api/v1/contacts', { name: `Customer ${thread}`, external_id: thread })).body
  const { conversation } = await anInbound(app, shop, { contact_id: contact.id, platform, channel_id: channel, thread } as never)
  return talkOf(app, shop, { channel, conversation: conversation.id, thread })
}

function talkOf(app: TestApp, shop: TestTenant, of: Pick<Talk, 'channel' | 'conversation' | 'thread'>): Talk {
  return {
    shop,
    ...of,
    async say(text, more = {}) {
      const { status, body } = await shop.post(`/api/v1/conversations/${of.conversation}/messages`, {
        ...(text !== null && { text }),
        ...more,
      })
      assert.equal(status, 201, JSON.stringify(body))
      return body.id
    },
    async message(id) {
      const [row] = await app.sql<{ doc: string }[]>`select doc from messages where tenant_id = ${shop.id} and id = ${id}`
      return JSON.parse(row?.doc as string) as Message
    },
  }
}
