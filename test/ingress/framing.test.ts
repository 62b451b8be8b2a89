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
const FORM = 'Host: a\r\nContent-Type: application/x-www-form-urlencoded'
const json = (key: string): string => `Host: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json`
for (const [what, sent] of [
  ['a body', `${ORDER}\r\n${json(shop.key)}\r\nContent-Length: 9\r\n\r\n{"no`],
  ['a message of an agent', `POST /api/mcp HTTP/1.1\r\n${json(agent.key)}\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{"no`],
  ['a registration', `POST /api/oauth/register HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"re`],
  ['a form for tokens', `POST /api/oauth/token HTTP/1.1\r\n${FORM}\r\nContent-Length: 9\r\n\r\ngrant`],
  ['a form of a page', `POST /sign-in HTTP/1.1\r\n${FORM}\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nemail`],
  ['a head', `${ORDER}\r\nHost: a\r\nAuthor`],
] as const)
  test(`${what} that stops half way is a 400, which says so`, async () => {
    const client = await rawClient(app.url)
    client.socket.end(sent)
    const { heard } = await client.ended
    assert.deepEqual(statusesOf(heard), [400])
    assert.match(heard, /The request did not arrive whole\. Send it again\./)
  })

const bodyOf = (heard: string): Record<string, unknown> => JSON.parse(heard.slice(heard.lastIndexOf('\r\n\r\n')))
const problem = (body: Record<string, unknown>) => assert.deepEqual([body['type'], body['status']], ['about:blank', 400])
const jsonRpc = ({ jsonrpc, id, error }: Record<string, unknown>) =>
  assert.deepEqual([jsonrpc, id, (error as { code: number }).code], ['2.0', null, -32700])
const oauth = (body: Record<string, unknown>) => {
  assert.deepEqual(Object.keys(body), ['error', 'error_description'])
  assert.equal(body['error'], 'invalid_request')
}
const BAD = 'HTTP/1.1\r\nHost: a\r\nBad Name: x\r\n\r\n'
const PROBE = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'
for (const [what, sent, type, check, statuses = [400]] of [
  ['a head for the agent server', `POST /api/mcp ${BAD}`, 'json', jsonRpc],
  ['one with the host in its target', `POST http://shop.example/api/mcp?a=b ${BAD}`, 'json', jsonRpc],
  ['a version that there is not', 'POST /api/mcp HTTP/9.9\r\nHost: a\r\n\r\n', 'json', jsonRpc],
  ['a method that there is not', `FETCH /api/mcp ${BAD}`, 'json', jsonRpc],
  ['one behind a good request', `${PROBE}POST /api/mcp ${BAD}`, 'json', jsonRpc, [200, 400]],
  ['one before another', `POST /api/mcp ${BAD}${ORDER}\r\n`, 'json', jsonRpc],
  ['chunks of a message', `POST /api/mcp HTTP/1.1\r\n${json(agent.key)}\r\nTransfer-Encoding: chunked\r\n\r\nzz`, 'json', jsonRpc],
  ['two hosts', 'POST /api/mcp HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 'json', jsonRpc],
  ['a head for tokens', `POST /api/oauth/token ${BAD}`, 'json', oauth],
  ['a path that begins alike', `POST /api/mcps ${BAD}`, 'problem+json', problem],
  ['a header that holds the path', `GET /healthz HTTP/1.1\r\nHost: a\r\nX: POST /api/mcp\r\nBad Name: x\r\n\r\n`, 'problem+json', problem],
  ['what is not HTTP', '\x16\x03\x01\x02\x00', 'problem+json', problem],
] as [string, string, string, (body: Record<string, unknown>) => void, number[]?][])
  test(`${what}, malformed, is refused in the form of its path`, async () => {
    const client = await rawClient(app.url)
    await client.say(sent)
    const { heard } = await client.ended
    assert.deepEqual(statusesOf(heard), statuses)
    assert.equal([...heard.matchAll(/\r\nContent-Type: application\/(\S+)\r\n/g)].at(-1)?.[1], type)
    check(bodyOf(heard))
  })

test('a browser with too many cookies reads what to do', async () => {
  const client = await rawClient(app.url)
  await client.say(`GET /dashboard HTTP/1.1\r\nHost: a\r\nCookie: a=${'x'.repeat(17_000)}\r\n\r\n`)
  const { heard } = await client.ended
  assert.deepEqual(statusesOf(heard), [431])
  assert.match(heard, /\r\nContent-Type: text\/html; charset=utf-8\r\n/)
  assert.match(heard, /<h1>Request Header Fields Too Large<\/h1>\n<p>[^<]*delete those of this address/)
})
