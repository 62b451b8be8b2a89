// Files over REST: sent in, fetched whole and in parts, and harmless whatever they hold.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { after, test } from 'node:test'
import * as attachments from '../../src/attachments/attachments.ts'
import { PIECE_BYTES } from '../../src/attachments/bytes-store.ts'
import { signedUrl, tenantOf } from '../../src/attachments/link.ts'
import { prune } from '../../src/attachments/store.ts'
import { now } from '../../src/clock.ts'
import { newId } from '../../src/ids.ts'
import { FILES_AT_ONCE } from '../../src/limits/attachments.ts'
import { shareOf } from '../../src/places.ts'
import { begin } from '../../src/postgres/sql.ts'
import { testApp } from '../support/app.ts'
import { moveClock } from '../support/clock.ts'
import { nobody } from '../support/given.ts'
import { FILES, PNG } from './samples.ts'

const app = await testApp({ ATTACHMENT_MAX_BYTES: '1048576' })
const [shop, other] = [await app.tenant(), await app.tenant()]
const small = await testApp({ STORED_BYTES_PER_WORKSPACE: '2000000' })

const send = (raw: Buffer, name = '', type = 'image/png', key = shop.key) =>
  app.request('POST', `/api/v1/attachments${name}`, { key, raw, headers: { 'Content-Type': type } })

const get = (id: string, headers: Record<string, string> = {}, key = shop.key, method = 'GET') =>
  fetch(`${app.url}/api/v1/attachments/${id}`, { method, headers: { Authorization: `Bearer ${key}`, ...headers } })

/** A file of three pieces and a bit, each byte of which tells its place. */
const LONG = Buffer.alloc(3 * PIECE_BYTES + 1000, 0)
for (let at = 0; at < LONG.length; at += 4) LONG.writeUInt32BE(at, at)

test('a file goes in with any type, is what its content is, and comes out byte for byte', async () => {
  for (const [type, name] of [
    ['image/png', '?name=photo.png'],
    ['application/json', '?name=a.json'],
    ['text/html; charset=x', ''],
    ['nonsense', ''],
  ] as const) {
    const sent = await send(PNG, name, type)
    assert.equal(sent.status, 201, sent.text)
    const { id, created_at, ...rest } = sent.body
    assert.deepEqual(rest, {
      object: 'attachment',
      type: 'image',
      url: `https://shop.example/api/v1/attachments/${id}`,
      mime_type: 'image/png',
      size_bytes: PNG.length,
      name: name.slice(6) || null,
      status: 'stored',
      error: null,
    })
    assert.ok(created_at)
    assert.equal(sent.headers.get('location'), `/api/v1/attachments/${id}`)
    const fetched = await get(id)
    assert.equal(fetched.status, 200)
    assert.ok(Buffer.from(await fetched.arrayBuffer()).equals(PNG))
  }
})

test('a file without a type is taken too', async () => {
  const { port, hostname } = new URL(app.url)
  const { request } = await import('node:http')
  const status = await new Promise(resolve => {
    const headers = { Authorization: `Bearer ${shop.key}`, 'Content-Length': PNG.length }
    request({ port, hostname, method: 'POST', path: '/api/v1/attachments', headers }, answer => resolve(answer.resume().statusCode)).end(
      PNG,
    )
  })
  assert.equal(status, 201)
})

test('browsers show pictures, sound and films, and save all else; nothing in a file runs', async () => {
  const shown: [file: keyof typeof FILES, type: string, how: string][] = [
    ['png', 'image/png', 'inline'],
    ['jpeg', 'image/jpeg', 'inline'],
    ['mp4', 'video/mp4', 'inline'],
    ['mp3', 'audio/mpeg', 'inline'],
    ['pdf', 'application/pdf', 'attachment'],
    ['html', 'text/plain', 'attachment'],
    ['svg', 'application/xml', 'attachment'],
    ['binary', 'application/octet-stream', 'attachment'],
  ]
  for (const [file, type, how] of shown) {
    const { body } = await send(FILES[file], '?name=photo.png', 'text/html')
    const { headers } = await get(body.id)
    assert.equal(headers.get('content-type'), type, file)
    assert.equal(headers.get('content-disposition'), `${how}; filename="photo.png"`, file)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'; .*sandbox$/)
  }
})

test('a part of a file is sent where it is asked for, and the whole where the part would not fit', async () => {
  const { body } = await send(LONG)
  const size = LONG.length
  const etag = `"${body.id}"`
  const parts: [headers: Record<string, string>, status: number, from: number, to: number][] = [
    [{ Range: 'bytes=0-99' }, 206, 0, 100],
    [{ Range: 'bytes=100-' }, 206, 100, size],
    [{ Range: 'bytes=-100' }, 206, size - 100, size],
    [{ Range: `bytes=${PIECE_BYTES - 2}-${2 * PIECE_BYTES + 1}` }, 206, PIECE_BYTES - 2, 2 * PIECE_BYTES + 2],
    [{ Range: `bytes=${size - 1}-${size + 100}` }, 206, size - 1, size],
    [{ Range: `bytes=-${size * 2}` }, 206, 0, size],
    [{ Range: 'bytes=0-99', 'If-Range': etag }, 206, 0, 100],
    // The whole.
    [{ Range: 'bytes=0-99', 'If-Range': '"another"' }, 200, 0, size],
    [{ Range: 'bytes=0-99', 'If-Range': `W/${etag}` }, 200, 0, size],
    [{ Range: 'bytes=0-99, 200-299' }, 200, 0, size],
    [{ Range: 'bytes=9-2' }, 200, 0, size],
    [{ Range: 'lines=0-9' }, 200, 0, size],
    [{ Range: 'bytes=' }, 200, 0, size],
    [{ Range: 'bytes=abc-' }, 200, 0, size],
  ]
  for (const [headers, status, from, to] of parts) {
    const answer = await get(body.id, headers)
    const what = JSON.stringify(headers)
    assert.equal(answer.status, status, what)
    assert.equal(answer.headers.get('content-length'), String(to - from), what)
    assert.equal(answer.headers.get('accept-ranges'), 'bytes')
    assert.equal(answer.headers.get('content-range'), status === 200 ? null : `bytes ${from}-${to - 1}/${size}`, what)
    assert.ok(Buffer.from(await answer.arrayBuffer()).equals(LONG.subarray(from, to)), what)
  }
})

test('no part of a file behind its end: 416, with its length', async () => {
  const { body } = await send(PNG)
  for (const range of [`bytes=${PNG.length}-`, 'bytes=5000-6000', 'bytes=-0']) {
    const answer = await app.request('GET', `/api/v1/attachments/${body.id}`, { key: shop.key, headers: { Range: range } })
    assert.equal(answer.status, 416, range)
    assert.equal(answer.headers.get('content-range'), `bytes */${PNG.length}`)
    assert.equal(answer.body.size_bytes, PNG.length)
  }
})

test('a reader who has the file is told so, and HEAD says all but the bytes', async () => {
  const { body } = await send(PNG)
  const first = await get(body.id)
  const etag = first.headers.get('etag') as string
  await first.arrayBuffer()
  assert.equal((await get(body.id, { 'If-None-Match': etag, Range: 'bytes=0-1' })).status, 304)
  const head = await get(body.id, {}, shop.key, 'HEAD')
  assert.deepEqual([head.status, head.headers.get('content-length'), await head.text()], [200, String(PNG.length), ''])
})

test('what cannot be taken is refused with its reason, and leaves nothing', async () => {
  const count = async () => (await app.sql`select 1 from attachments where tenant_id = ${shop.id}`).length
  const had = await count()
  const empty = await send(Buffer.alloc(0))
  assert.deepEqual([empty.status, empty.body.code], [422, 'empty_file'])
  const large = await send(Buffer.alloc(1_048_577, 1))
  assert.deepEqual([large.status, large.body.max_bytes], [413, 1_048_576])
  const form = await send(PNG, '', 'multipart/form-data; boundary=x')
  assert.deepEqual([form.status, /bytes of the file/.test(form.body.detail)], [415, true])
  const zipped = await app.request('POST', '/api/v1/attachments', {
    key: shop.key,
    raw: PNG,
    headers: { 'Content-Type': 'image/png', 'Content-Encoding': 'gzip' },
  })
  assert.equal(zipped.status, 415)
  for (const [name, code] of [
    ['?name=', 'too_short'],
    [`?name=${'x'.repeat(201)}`, 'too_long'],
    ['?name=%E2%80%8B', 'invalid_name'],
    ['?name=a&name=b', undefined],
  ] as const) {
    const { status, body } = await send(PNG, name)
    assert.equal(status, 422, name)
    if (code) assert.equal(body.code, code)
  }
  assert.equal((await send(PNG, '', 'image/png', 'sk_wrong')).status, 403)
  const reader = await app.tenant({ scopes: ['read'] })
  assert.equal((await send(PNG, '', 'image/png', reader.key)).status, 403)
  assert.equal(await count(), had)
})

test('JSON routes still take nothing but JSON', async () => {
  assert.equal(
    (await app.request('POST', '/api/v1/orders', { key: shop.key, raw: '{}', headers: { 'Content-Type': 'text/plain' } })).status,
    415,
  )
  assert.equal(
    (await app.request('POST', '/api/v1/imports?resource=products', { key: shop.key, raw: 'x', headers: { 'Content-Type': 'image/png' } }))
      .status,
    415,
  )
})

test('another workspace’s file is not there, nor one that never was', async () => {
  const { body } = await send(PNG)
  for (const id of [body.id, nobody('att'), 'att_x', 'x']) assert.equal((await get(id, {}, other.key)).status, 404, id)
  assert.equal((await get(body.id, {}, 'none')).status, 403)
})

test('a signed link opens its file alone, for seven days, also after the key was rotated', async t => {
  const { body } = await send(LONG)
  const url = signedUrl(app.keyring, shop.id, body.id)
  assert.match(url, new RegExp(`^https://shop.example/api/files/${body.id}\\?link=`))
  const path = url.slice('https://shop.example'.length)
  const open = (address: string) => fetch(`${app.url}${address}`, { headers: { Range: 'bytes=0-3' } })
  const opened = await open(path)
  assert.deepEqual([opened.status, Buffer.from(await opened.arrayBuffer())], [206, LONG.subarray(0, 4)])
  const [, link = ''] = path.split('link=')
  const { body: second } = await send(PNG)
  const forged = `${link.slice(0, -2)}${link.endsWith('AA') ? 'BB' : 'AA'}`
  for (const address of [
    path.replace(body.id, second.id),
    path.replace(link, forged),
    path.replace(link, 'k1.x'),
    path.replace(link, signedUrl(app.keyring, other.id, body.id).split('link=')[1] as string),
  ])
    assert.equal((await open(address)).status, 404, address)
  assert.equal((await open(path.replace(/\?.*/, ''))).status, 404)
  const rotated = { k2: Buffer.alloc(32, 7), ...app.keyring }
  assert.equal(tenantOf(rotated, body.id, link), shop.id)
  const made = now()
  t.after(() => moveClock(Date.now()))
  const inDays = (days: number) => {
    moveClock(made + days * 24 * 60 * 60_000)
    return tenantOf(app.keyring, body.id, link)
  }
  assert.deepEqual([inDays(6.99), inDays(7.1)], [shop.id, undefined])
})

test('a guest who reads nothing of what it asks for by links keeps no file from those with a key, nor from a guest elsewhere', async () => {
  const roomy = await testApp()
  const tenant = await roomy.tenant()
  const { id } = (await roomy.request('POST', '/api/v1/attachments', { key: tenant.key, raw: Buffer.alloc(20 * 1024 ** 2, 'a') })).body
  const { pathname, search } = new URL(signedUrl(roomy.keyring, tenant.id, id))
  const guests: IncomingMessage[] = []
  for (let n = 0; n < shareOf(FILES_AT_ONCE); n++) {
    const [response] = (await once(request(roomy.url + pathname + search, { agent: false }).end(), 'response')) as [IncomingMessage]
    guests.push(response)
  }
  after(() => guests.forEach(each => void each.destroy()))
  assert.deepEqual(new Set(guests.map(each => each.statusCode)), new Set([200]))
  assert.equal((await fetch(roomy.url + pathname + search)).status, 409)
  const elsewhere = request(roomy.url + pathname + search, { agent: false, localAddress: '127.0.0.2' }).end()
  const [answer] = (await once(elsewhere, 'response')) as [IncomingMessage]
  assert.equal(answer.statusCode, 200)
  answer.destroy()
  const file = await fetch(`${roomy.url}/api/v1/attachments/${id}`, { headers: { Authorization: `Bearer ${tenant.key}` } })
  assert.equal(file.status, 200)
  await file.body?.cancel()
})

test('a workspace has room for so many bytes of files; a file too many is refused, and of many at once some are taken', async () => {
  const tenant = await small.tenant()
  const file = Buffer.alloc(900_000, 'x')
  const post = () => small.request('POST', '/api/v1/attachments', { key: tenant.key, raw: file, headers: { 'Content-Type': 'text/plain' } })
  const answers = await Promise.all(Array.from({ length: 6 }, post))
  assert.deepEqual(answers.map(({ status, body }) => body.code ?? status).sort(), [
    201,
    201,
    'quota_reached',
    'quota_reached',
    'quota_reached',
    'quota_reached',
  ])
  assert.equal((await small.sql`select 1 from attachments where tenant_id = ${tenant.id}`).length, 2)
})

test('a file goes with one message, its own workspace’s, and a visitor’s with that visitor’s alone', async () => {
  const [first, second] = [(await send(PNG, '?name=a.png')).body, (await send(PNG)).body]
  const claim = (tenant: string, ids: string[], visitor?: string) =>
    begin(app.sql, tx => attachments.claim(tx, { tenant, ...(visitor && { visitor }) }, newId('msg'), ids))
  const refused = async (made: Promise<unknown>) => {
    const problem = await made.then(
      () => assert.fail('it was taken'),
      error => error,
    )
    return [problem.status, problem.members.code, problem.members.errors?.[0].field]
  }
  assert.deepEqual(await refused(claim(other.id, [first.id])), [422, 'unknown_attachment', 'attachments[0].id'])
  assert.deepEqual(await refused(claim(shop.id, [first.id], newId('vis'))), [422, 'unknown_attachment', 'attachments[0].id'])
  assert.deepEqual(await refused(claim(shop.id, [first.id, nobody('att')])), [422, 'unknown_attachment', 'attachments[1].id'])
  const claims = await Promise.allSettled(Array.from({ length: 8 }, () => claim(shop.id, [first.id])))
  const won = claims.filter(({ status }) => status === 'fulfilled')
  assert.equal(won.length, 1)
  const { object: _object, created_at: _at, ...shown } = first
  assert.deepEqual((won[0] as PromiseFulfilledResult<unknown>).value, [shown])
  assert.deepEqual(await refused(claim(shop.id, [first.id])), [409, 'attachment_sent', undefined])
  assert.equal((await claim(shop.id, [second.id])).length, 1)
})

test('what was uploaded and sent with no message goes after a day, and what was sent stays; a deleted message takes its files along', async () => {
  const [kept, old, fresh] = [(await send(PNG)).body.id, (await send(LONG)).body.id, (await send(PNG)).body.id]
  const message = newId('msg')
  await begin(app.sql, tx => attachments.claim(tx, { tenant: shop.id }, message, [kept]))
  await app.sql`update attachments set created_at = created_at - interval '25 hours' where tenant_id = ${shop.id} and id in (${kept}, ${old})`
  for await (const _ of prune(app.sql));
  const left = async () =>
    (await app.sql`select id from attachments where tenant_id = ${shop.id} and id in (${kept}, ${old}, ${fresh})`)
      .map(({ id }) => id)
      .sort()
  assert.deepEqual(await left(), [kept, fresh].sort())
  assert.equal((await app.sql`select 1 from attachment_pieces where attachment_id = ${old}`).length, 0)
  await begin(app.sql, tx => attachments.removeOf(tx, other.id, [message]))
  assert.deepEqual(await left(), [kept, fresh].sort())
  await begin(app.sql, tx => attachments.removeOf(tx, shop.id, [message]))
  assert.deepEqual(await left(), [fresh])
  assert.equal((await get(kept)).status, 404)
})

test('a stored file is read in pieces, as often as it is asked for, to be sent on', async () => {
  const { body } = await send(LONG, '?name=long.bin')
  const file = await attachments.file(app.sql, { tenant: shop.id, id: body.id })
  assert.deepEqual([file?.fileName, file?.type, file?.length], ['long.bin', 'application/octet-stream', LONG.length])
  for (const _ of [1, 2]) {
    const pieces: Buffer[] = []
    for await (const piece of file?.pieces() ?? []) pieces.push(piece)
    assert.equal(pieces.length, 4)
    assert.ok(Buffer.concat(pieces).equals(LONG))
  }
  assert.equal(await attachments.file(app.sql, { tenant: other.id, id: body.id }), undefined)
})

test('an upload that broke off leaves nothing, and a repeat with its key gets the first answer', async () => {
  const headers = { 'Content-Type': 'image/png', 'Idempotency-Key': 'file-1' }
  const [first, again] = [
    await app.request('POST', '/api/v1/attachments', { key: shop.key, raw: PNG, headers }),
    await app.request('POST', '/api/v1/attachments', { key: shop.key, raw: PNG, headers }),
  ]
  assert.deepEqual([first.status, again.status, again.body.original?.body.id], [201, 409, first.body.id])
})
