// `/chat.js` and the page to try it on, as browsers get them.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { textsFor } from '../../src/chat/widget/texts.ts'
import { newId } from '../../src/ids.ts'
import { CHAT_SCRIPT_BYTES } from '../../src/limits/chat.ts'
import { testApp } from '../support/app.ts'
import { aChat } from './chatting.ts'

const app = await testApp()

/** As a browser asks, which takes the answer compressed. */
const ask = (path: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number | undefined; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    get(app.url + path, { headers: { 'Accept-Encoding': 'gzip', ...headers } }, answer => {
      const pieces: Buffer[] = []
      answer.on('data', piece => pieces.push(piece))
      answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(pieces) }))
    }).on('error', reject)
  })

test('the script is at most 15 KB over the wire', async () => {
  const { status, headers, body } = await ask('/chat.js')
  assert.equal(status, 200)
  assert.equal(headers['content-encoding'], 'gzip')
  assert.equal(headers['content-type'], 'text/javascript; charset=utf-8')
  assert.ok(body.length <= CHAT_SCRIPT_BYTES, `${body.length} bytes`)
  assert.equal(CHAT_SCRIPT_BYTES, 15 * 1024)
})

test('the script brings nothing that a strict policy forbids', async () => {
  const script = gunzipSync((await ask('/chat.js')).body).toString()
  assert.doesNotMatch(script, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|setAttribute\("style"/)
  assert.doesNotMatch(script, /EventSource|\?token=|sourceMappingURL/)
})

test('any page may load the script, and asks again whether it is new by its ETag', async () => {
  const { headers } = await ask('/chat.js')
  assert.equal(headers['cross-origin-resource-policy'], 'cross-origin')
  assert.equal(headers['access-control-allow-origin'], '*')
  assert.equal(headers['cache-control'], 'public, max-age=300')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  const again = await ask('/chat.js', { 'If-None-Match': headers['etag'] as string })
  assert.equal(again.status, 304)
  assert.equal(again.body.length, 0)
})

test('the page to try it names the channel, and lets nothing in but what the chat needs', async () => {
  const id = newId('chn')
  const { status, headers, body } = await ask(`/chat/try/${id}`)
  assert.equal(status, 200)
  assert.match(body.toString(), new RegExp(`<script src="https://shop\\.example/chat\\.js" data-channel="${id}" async></script>`))
  assert.match(headers['content-security-policy'] as string, /^default-src 'none'; .*script-src https:\/\/shop\.example;/)
  assert.doesNotMatch(headers['content-security-policy'] as string, /unsafe|data:|blob:/)
})

test('an id that is none is a 404, and nothing of it is on the page', async () => {
  for (const id of ['chn_x', '%3Cscript%3E', newId('ord')]) {
    const { status, body } = await ask(`/chat/try/${id}`)
    assert.equal(status, 404, id)
    assert.match(body.toString(), /resource-not-found/)
  }
})

test('the guide prints the policy under which the page to try it stands', async () => {
  const { body } = await ask('/docs/channels/web-chat', { 'Accept-Encoding': 'identity' })
  const [, printed] = /Content-Security-Policy: ([^<\n]+)/.exec(body.toString()) ?? []
  const { headers } = await ask(`/chat/try/${newId('chn')}`)
  assert.equal(printed?.replaceAll('&#39;', "'").trim(), headers['content-security-policy'])
})

test('the guide names every word that a page may bring', async () => {
  const guide = readFileSync(new URL('../../docs/channels/web-chat.md', import.meta.url), 'utf8')
  const [, list = ''] = /^The words are (.*)\. They are texts/m.exec(guide) ?? []
  const words = [...list.matchAll(/`(\w+)`/g)].map(([, word]) => word)
  assert.deepEqual(words.sort(), Object.keys(textsFor('en', {})).sort())
})

test('the page’s language chooses the words, and its own words win', () => {
  assert.equal(textsFor('uk-UA', {}).send, 'Надіслати')
  assert.equal(textsFor('de', { send: 'Senden' }).send, 'Senden')
  assert.equal(textsFor('de', { send: 'Senden' }).close, 'Close chat')
})

test('the guide’s example signs an identity that is taken', async () => {
  const guide = readFileSync(new URL('../../docs/channels/web-chat.md', import.meta.url), 'utf8')
  const [, example = ''] = /^```js\n([\s\S]*?)^```$/m.exec(guide) ?? []
  const { identityOf } = await import(`data:text/javascript,${encodeURIComponent(example)}`)
  const { ask: visitorAsks, secret } = await aChat(app)
  const identity = identityOf({ id: 'c-1', email: 'ada@example.com', name: 'Ada Lovelace' }, secret)
  const { status, body } = await visitorAsks('visitors', { body: { identity } })
  assert.deepEqual([status, body.has_email], [200, true])
  const other = identityOf({ id: 'c-1', email: 'ada@example.com', name: 'Ada Lovelace' }, 'whsec_of-another')
  assert.equal((await visitorAsks('visitors', { body: { identity: other } })).status, 422)
})
