// Heads in which two parties on the way could see different requests: refused with one clear answer, and the connection ends.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAgent } from '../support/agent.ts'
import { testApp } from '../support/app.ts'
import { rawClient, statusesOf } from '../support/raw.ts'

const app = await testApp()

async function heard(...lines: string[]): Promise<string> {
  const client = await rawClient(app.url)
  // The second request must not be carried out, however the first is read.
  await client.say([...lines, '', '0', '', 'GET /healthz HTTP/1.1', 'Host: b', '', ''].join('\r\n'))
  const { heard } = await client.ended
  client.socket.destroy()
  return heard
}

const ORDER = 'POST /api/v1/orders HTTP/1.1'
for (const [what, lines] of [
  ['two hosts', [ORDER, 'Host: a', 'Host: b', 'Transfer-Encoding: chunked']],
  ['the same host twice', [ORDER, 'Host: a', 'X-Between: x', 'host: a', 'Transfer-Encoding: chunked']],
  ['no host', [ORDER, 'Transfer-Encoding: chunked']],
  ['identity, chunked', [ORDER, 'Host: a', 'Transfer-Encoding: identity, chunked']],
  ['identity and then chunked', [ORDER, 'Host: a', 'Transfer-Encoding: identity', 'Transfer-Encoding: chunked']],
  ['gzip, chunked', [ORDER, 'Host: a', 'Transfer-Encoding: gzip, chunked']],
  ['chunked, identity', [ORDER, 'Host: a', 'Transfer-Encoding: chunked, identity']],
  ['identity', [ORDER, 'Host: a', 'Transfer-Encoding: identity']],
  ['chunked twice', [ORDER, 'Host: a', 'Transfer-Encoding: chunked, chunked']],
  ['an unknown coding', [ORDER, 'Host: a', 'Transfer-Encoding: xchunked']],
  ['a length and chunks', [ORDER, 'Host: a', 'Content-Length: 5', 'Transfer-Encoding: chunked']],
  ['two lengths', [ORDER, 'Host: a', 'Content-Length: 5', 'Content-Length: 6']],
  ['a length that is none', [ORDER, 'Host: a', 'Content-Length: +5']],
  ['a space before the colon', [ORDER, 'Host: a', 'Transfer-Encoding : chunked']],
  ['a folded line', [ORDER, 'Host: a', 'Transfer-Encoding:', ' chunked']],
] as const)
  test(`${what} → 400`, async () => {
    const answer = await heard(...lines)
    assert.deepEqual(statusesOf(answer), [400])
    assert.match(answer, /\r\nContent-Type: application\/problem\+json\r\n/)
    assert.match(answer, /\r\nConnection: close\r\n/)
    const { status, detail } = JSON.parse(answer.slice(answer.indexOf('{')))
    assert.equal(status, 400)
    assert.match(detail, /HTTP\/1.1|RFC 9112/)
  })

test('one host and chunks alone are taken, in any case; HTTP/1.0 needs no host', async () => {
  const chunked = await heard(ORDER, 'HOST: a', 'Transfer-Encoding: CHUNKED', 'Connection: close')
  assert.deepEqual(statusesOf(chunked), [401])
  assert.deepEqual(statusesOf(await heard('GET /healthz HTTP/1.0')), [200])
})

const shop = await app.tenant()
const agent = await anAgent(app, shop.id)
const json = (key: string): string => `Host: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json`
for (const [what, sent] of [
  ['a body', `${ORDER}\r\n${json(shop.key)}\r\nContent-Length: 9\r\n\r\n{"no`],
  ['a message of an agent', `POST /api/mcp HTTP/1.1\r\n${json(agent.key)}\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{"no`],
  ['a head', `${ORDER}\r\nHost: a\r\nAuthor`],
] as const)
  test(`${what} that stops half way is a 400, which says so`, async () => {
    const client = await rawClient(app.url)
    client.socket.end(sent)
    const { heard } = await client.ended
    assert.deepEqual(statusesOf(heard), [400])
    assert.match(heard, /"The request did not arrive whole\. Send it again\."/)
  })
