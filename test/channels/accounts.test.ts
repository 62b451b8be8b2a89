import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as accounts from '../../src/channels/accounts/accounts.ts'
import { replyHours } from '../../src/channels/accounts/settings.ts'
import { LIMITS, lengthOf } from '../../src/channels/platforms/limits.ts'
import { testApp } from '../support/app.ts'
import { aChannel } from '../support/channels.ts'

const app = await testApp()

test('a channel is told with its settings and its platform’s limits, to its own workspace alone', async () => {
  const [shop, other] = [await app.tenant(), await app.tenant()]
  const id = await aChannel(app, shop, { platform: 'telegram', account: { id: '42', name: 'shop_bot' }, settings: { reopen_hours: 3 } })
  const channel = await accounts.of(app.sql, shop.id, id)
  assert.deepEqual(channel, {
    id,
    platform: 'telegram',
    name: 'A channel',
    status: 'enabled',
    account_id: '42',
    account_name: 'shop_bot',
    former_account_id: null,
    moved_at: null,
    settings: { reopen_hours: 3 },
    limits: LIMITS.telegram,
  })
  assert.equal(await accounts.of(app.sql, other.id, id), undefined)
})

test('what a channel keeps secret is encrypted', async () => {
  const shop = await app.tenant()
  const id = await aChannel(app, shop, { platform: 'telegram', credentials: { token: '42:a-token' } })
  const [row] = await app.sql`select credentials from channels where tenant_id = ${shop.id} and id = ${id}`
  assert.doesNotMatch(row?.['credentials'], /a-token/)
})

test('an account is a channel of a workspace once', async () => {
  const [shop, other] = [await app.tenant(), await app.tenant()]
  const again = { platform: 'telegram', account: { id: '7', name: null } } as const
  await aChannel(app, shop, again)
  await assert.rejects(aChannel(app, shop, again), /channels_account/)
  await aChannel(app, other, again)
})

test('a text is measured in what its platform counts', () => {
  assert.equal(lengthOf('naïve 👍', LIMITS.telegram), 8)
  assert.equal(lengthOf('naïve 👍', LIMITS.instagram), 11)
})

test('people may answer for 7 days where the channel has the right to, and the assistant never', () => {
  assert.deepEqual(replyHours(LIMITS.facebook, { reopen_hours: 24, human_agent: true }), { people: 168, assistant: 24 })
  assert.deepEqual(replyHours(LIMITS.facebook, { reopen_hours: 24 }), { people: 24, assistant: 24 })
  assert.deepEqual(replyHours(LIMITS.whatsapp, { reopen_hours: 24, human_agent: true }), { people: 24, assistant: 24 })
  assert.deepEqual(replyHours(LIMITS.telegram, { reopen_hours: 24 }), { people: null, assistant: null })
})
