import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lasting } from '../../src/channels/diagnosis.ts'
import { testApp } from '../support/app.ts'
import { aChannel } from '../support/channels.ts'
import { startReceiver } from '../support/receiver.ts'
import { settingsOf, shopdesk } from '../support/shopdesk.ts'

test('it is said when the version of Meta’s API ends, and a version that is about to end fails', () => {
  const at = (day: string) => lasting('https://graph.facebook.com/v25.0', Date.parse(day))
  assert.deepEqual(at('2026-11-23'), { ok: true, text: 'v25.0 of Meta’s API serves until 2028-07-29' })
  assert.equal(at('2028-06-01').ok, false)
  assert.match(at('2028-06-01').text, /ends on 2028-07-29, in 58 days/)
  assert.match(at('2028-08-01').text, /has ended/)
  assert.equal(lasting('https://graph.facebook.com/v99.0', Date.now()).ok, true)
})

test('doctor asks each channel’s platform, and says what is wrong with which', async () => {
  const app = await testApp()
  const shop = await app.tenant()
  const platform = await startReceiver((response, { path }) => {
    const good = path.includes('42:good')
    const result = path.endsWith('getMe') ? { id: 42 } : { url: '' }
    response.writeHead(good ? 200 : 401).end(JSON.stringify(good ? { ok: true, result } : { ok: false, description: 'Unauthorized' }))
  })
  const settings = { api_url: platform.origin, reopen_hours: 24 }
  const bot = (token: string, id: string) =>
    aChannel(app, shop, { platform: 'telegram', account: { id, name: null }, settings, credentials: { token } })
  const [other, refused] = [await bot('42:good', '42'), await bot('43:bad', '43'), await aChannel(app, shop)]
  const { ended, stdout } = shopdesk(['doctor'], { ...settingsOf(app), BASE_URL: 'https://shop.example' })
  assert.equal(await ended, 1)
  await platform.close()
  const line = stdout().match(/.*channels .*/)?.[0] ?? ''
  assert.match(line, /^FAIL +channels/)
  assert.match(line, new RegExp(`${refused} of ${shop.id}: .*Unauthorized`))
  assert.match(line, new RegExp(`Telegram sends updates to nowhere; run: bin/shopdesk channel connect ${other} --tenant ${shop.id}`))
  assert.match(line, /1 of 3 in order/)
  assert.doesNotMatch(stdout(), /43:bad/)
})
