import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { challenge } from '../../src/channels/platforms/graph/verify.ts'
import type { Signed } from '../../src/channels/platforms/platform.ts'
import { PLATFORMS } from '../../src/channels/platforms/platforms.ts'
import { signWebhook } from '../../src/outbound/sign.ts'

const NOW = 1_779_950_000_000
const raw = Buffer.from('{"hello":"wörld"}')
const hex = (secret: string, body = raw, algorithm = 'sha256') => createHmac(algorithm, secret).update(body).digest('hex')

const HUB = 'x-hub-signature-256'
const TELEGRAM = 'x-telegram-bot-api-secret-token'
const SERVICE = 'x-service-signature'
const signed = (headers: Signed['headers'], body = raw): Signed => ({ headers, raw: body })
const graph = { app_secret: 'app-secret' }
const own = { secret: 'whsec_1' }
const at = (seconds: number, secret = 'whsec_1', body: Buffer = raw) =>
  signed({ [SERVICE]: signWebhook([secret], NOW / 1000 + seconds, body) })

test('a callback that its platform has signed is taken', () => {
  assert.ok(PLATFORMS.telegram.verify(signed({ [TELEGRAM]: 'whsec_1' }), [own], NOW))
  assert.ok(PLATFORMS.whatsapp.verify(signed({ [HUB]: `sha256=${hex('app-secret')}` }), [graph], NOW))
  assert.ok(PLATFORMS.api.verify(at(0), [own], NOW))
  assert.ok(PLATFORMS.api.verify(at(-299), [own], NOW))
})

test('while a secret is rotated both count', () => {
  const both = [{ secret: 'whsec_2' }, own]
  assert.ok(PLATFORMS.api.verify(at(0, 'whsec_1'), both, NOW))
  assert.ok(PLATFORMS.api.verify(at(0, 'whsec_2'), both, NOW))
})

const telegram = (value?: string | string[]) => PLATFORMS.telegram.verify(signed({ [TELEGRAM]: value }), [own], NOW)
const meta = (headers: Signed['headers'], secrets = [graph]) =>
  (['whatsapp', 'facebook', 'instagram'] as const).some(name => PLATFORMS[name].verify(signed(headers), secrets, NOW))
const service = (each: Signed) => PLATFORMS.api.verify(each, [own], NOW)

const REFUSED: [fault: string, verified: () => boolean][] = [
  ['telegram: missing', () => telegram()],
  ['telegram: empty', () => telegram('')],
  ['telegram: shortened', () => telegram('whsec_')],
  ['telegram: lengthened', () => telegram('whsec_11')],
  ['telegram: another secret', () => telegram('whsec_2')],
  ['telegram: given twice', () => telegram(['whsec_1', 'whsec_1'])],
  ['telegram: a channel without a secret', () => PLATFORMS.telegram.verify(signed({ [TELEGRAM]: '' }), [{}], NOW)],
  ['meta: missing', () => meta({})],
  ['meta: malformed', () => meta({ [HUB]: hex('app-secret') })],
  ['meta: shortened', () => meta({ [HUB]: `sha256=${hex('app-secret').slice(0, 62)}` })],
  ['meta: of another body', () => meta({ [HUB]: `sha256=${hex('app-secret', Buffer.from('{}'))}` })],
  ['meta: by another secret', () => meta({ [HUB]: `sha256=${hex('other')}` })],
  ['meta: by no secret', () => meta({ [HUB]: `sha256=${hex('')}` }, [{}] as never)],
  ['meta: SHA-1 alone', () => meta({ 'x-hub-signature': `sha1=${hex('app-secret', raw, 'sha1')}` })],
  ['meta: SHA-1 in the place of SHA-256', () => meta({ [HUB]: `sha1=${hex('app-secret', raw, 'sha1')}` })],
  ['meta: upper case', () => meta({ [HUB]: `sha256=${hex('app-secret').toUpperCase()}` })],
  ['api: missing', () => service(signed({}))],
  ['api: malformed', () => service(signed({ [SERVICE]: 'v1' }))],
  ['api: without a time', () => service(signed({ [SERVICE]: `v1=${hex('whsec_1')}` }))],
  ['api: shortened', () => service(signed({ [SERVICE]: signWebhook(['whsec_1'], NOW / 1000, raw).slice(0, -2) }))],
  ['api: of another body', () => service({ ...at(0), raw: Buffer.from('{}') })],
  ['api: by another secret', () => service(at(0, 'whsec_2'))],
  ['api: ten minutes old', () => service(at(-600))],
  ['api: ten minutes ahead', () => service(at(600))],
]

for (const [fault, verified] of REFUSED) test(`refused: ${fault}`, () => assert.equal(verified(), false))

test('Meta’s challenge is answered to the verify token alone', () => {
  const secrets = [{ verify_token: 'vt' }]
  const query = { 'hub.mode': 'subscribe', 'hub.verify_token': 'vt', 'hub.challenge': '1158201444' }
  assert.equal(challenge(query, secrets), '1158201444')
  assert.equal(challenge({ ...query, 'hub.verify_token': 'v' }, secrets), undefined)
  assert.equal(challenge({ ...query, 'hub.mode': 'unsubscribe' }, secrets), undefined)
  assert.equal(challenge({ ...query, 'hub.challenge': ['1', '2'] }, secrets), undefined)
  assert.equal(challenge({}, [{}]), null)
})
