import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { after, test } from 'node:test'
import * as accounts from '../../src/channels/accounts/accounts.ts'
import { startBridge } from '../../src/channels/bridge.ts'
import { talk } from '../../src/channels/talk.ts'
import { openTerminal } from '../../src/cli/terminal.ts'
import { now } from '../../src/clock.ts'
import { signWebhook } from '../../src/outbound/sign.ts'
import { testApp } from '../support/app.ts'
import { aChannel } from '../support/channels.ts'
import { eventually, eventuallyHolds } from '../support/eventually.ts'
import { startReceiver } from '../support/receiver.ts'

const app = await testApp({ INBOUND_CHANNEL_LIMIT: '1000' })
await app.startWorker()

/** A talk at a terminal, whose lines are typed by the test. */
function terminal(shop: { id: string }, channel: string) {
  const [input, output, lines] = [new PassThrough(), new PassThrough(), [] as string[]]
  output.setEncoding('utf8').on('data', (text: string) => lines.push(...text.trimEnd().split('\n')))
  const over = talk({
    sql: app.sql,
    keyring: app.keyring,
    outbound: app.config.outbound,
    baseUrl: app.url,
    tenant: shop.id,
    channel,
    customer: { id: 'c-7', name: 'Ada' },
    sitDown: onLine => openTerminal({ indent: 4, onLine, input, output }),
  })
  after(() => input.end())
  return { type: (line: string) => input.write(`${line}\n`), end: () => input.end(), lines, over }
}

test('what is typed is a customer’s message, and what they are answered is shown', async () => {
  const shop = await app.tenant()
  // Something else takes the messages: they are read from the conversation.
  const taker = await startReceiver(response => response.end('{"id":"there-1"}'))
  after(() => taker.close())
  const channel = await aChannel(app, shop, { settings: { send_url: `${taker.origin}/`, reopen_hours: 24 } })
  const customer = terminal(shop, channel)
  customer.type('Do you have it in M?')
  const [conversation] = await eventually(async () => {
    const { data } = (await shop.get(`/api/v1/conversations?channel_id=${channel}`)).body
    return data.length > 0 && data
  })
  assert.equal(conversation.contact.name, 'Ada')
  await shop.post(`/api/v1/conversations/${conversation.id}/messages`, { text: 'Yes.', choices: [{ id: 'm', title: 'Order M' }] })
  await eventuallyHolds(async () => assert.deepEqual(customer.lines.slice(1), ['  ← Yes.', '  ←   1. Order M']))
  customer.type('1')
  await eventuallyHolds(async () => {
    const { data } = (await shop.get(`/api/v1/conversations/${conversation.id}/messages`)).body
    assert.deepEqual([data[0].text, data[0].choice_id], ['Order M', 'm'])
  })
  customer.end()
  await customer.over
})

test('a talk with nobody is refused with a reason', async () => {
  const shop = await app.tenant()
  const web = await aChannel(app, shop, { platform: 'web' })
  await assert.rejects(terminal(shop, web).over, /talk plays the customer of one of platform api/)
})

test('a messenger of one’s own takes what is signed, shows each message once, and refuses the rest', async () => {
  const [secret, shown] = [accounts.newSecret(), [] as string[]]
  const bridge = await startBridge({ port: 0, secret: () => secret, onMessage: ({ text = '' }) => shown.push(text) })
  const body = JSON.stringify({ type: 'message', id: 'msg_1', to: { id: 'c-7' }, text: 'Hello', attachments: [] })
  const post = (signature: string) => fetch(bridge.url, { method: 'POST', body, headers: { 'X-Service-Signature': signature } })
  const good = signWebhook([secret], Math.floor(now() / 1000), body)
  const [first, again, wrong] = [await post(good), await post(good), await post(good.replace(/.$/, 'x'))]
  assert.deepEqual([first.status, await first.json(), again.status, wrong.status], [200, { id: 'bmsg_1' }, 200, 401])
  assert.deepEqual(shown, ['Hello'])
  await bridge.close()
})
