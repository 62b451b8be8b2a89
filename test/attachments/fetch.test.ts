// Files of received messages are fetched from their platform: at once where it works, for a day where it does not, and never at the cost of the message.
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import * as attachments from '../../src/attachments/attachments.ts'
import { leases } from '../../src/attachments/lease-store.ts'
import { nextFetch } from '../../src/attachments/schedule.ts'
import type { MessageFile } from '../../src/attachments/schema.ts'
import type { Media } from '../../src/conversations/update.ts'
import { FETCHES_OF_ONE_AT_ONCE } from '../../src/limits/attachments.ts'
import { begin } from '../../src/postgres/sql.ts'
import { testApp } from '../support/app.ts'
import { aChannel } from '../support/channels.ts'
import { eventually } from '../support/eventually.ts'
import { anInbound } from '../support/given.ts'
import { FILES, PNG } from './samples.ts'

const TOKEN = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw'
const MAX = 1_048_576

const app = await testApp({ ATTACHMENT_MAX_BYTES: String(MAX) })
const shop = await app.tenant()
await app.startWorker()

interface Asked {
  path: string
  authorization: string | undefined
}

/** A platform: answers what its file is told to, and remembers what it was asked. */
async function platform(answers: (path: string, response: ServerResponse, request: IncomingMessage) => void, host = '127.0.0.1') {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    request.resume()
    const path = request.url ?? ''
    asked.push({ path, authorization: request.headers.authorization })
    answers(path, response, request)
  })
  await new Promise<void>(resolve => server.listen(0, host, resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { asked, port, url: `http://${host}:${port}` }
}

const json = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))

/** A message of a channel with this file. */
async function received(
  channel_id: string,
  media: Media,
  maxBytes = MAX,
  of = shop,
): Promise<{ message: string; conversation: string; file: MessageFile }> {
  const contact = await of.post('/api/v1/contacts', { name: 'Ada' })
  const { message, conversation } = await anInbound(app, of, { contact_id: contact.body.id, channel_id })
  const file = await begin(app.sql, async tx => {
    const [made] = await attachments.expected(tx, of.id, channel_id, [{ message: message.id, media }], maxBytes)
    await tx`
      update messages
         set doc = (jsonb_set(doc::jsonb, '{attachments}', ${tx.json([made] as never)}::jsonb))::text
       where tenant_id = ${of.id} and id = ${message.id}`
    return made as MessageFile
  })
  return { message: message.id, conversation: conversation.id, file }
}

const telegramAt = (url: string) => aChannel(app, shop, { platform: 'telegram', settings: { api_url: url }, credentials: { token: TOKEN } })

const read = (id: string) => fetch(`${app.url}/api/v1/attachments/${id}`, { headers: { Authorization: `Bearer ${shop.key}` } })

async function shown(conversation: string, file: MessageFile): Promise<MessageFile> {
  const { body } = await shop.get(`/api/v1/conversations/${conversation}/messages`)
  return body.data.flatMap(({ attachments }: { attachments: MessageFile[] }) => attachments).find(({ id }: MessageFile) => id === file.id)
}

/** The file as its message shows it, once it is no longer pending. */
const settled = (conversation: string, file: MessageFile): Promise<MessageFile> =>
  eventually(async () => {
    const now = await shown(conversation, file)
    return now.status !== 'pending' && now
  })

/** So many attempts were made, or more on a busy machine, and none is under way. */
const attempted = ({ id }: MessageFile, count: number) =>
  eventually(async () => {
    const [row] = await app.sql`
      select 1 from attachments where tenant_id = ${shop.id} and id = ${id} and attempts >= ${count} and lease_token is null`
    return row
  })

/** The clock moves on: the next attempt is due. */
async function pass(seconds: number, { id }: MessageFile): Promise<void> {
  await app.sql`
    update attachments
       set created_at = created_at - make_interval(secs => ${seconds})
     where tenant_id = ${shop.id} and id = ${id}`
  await app.sql`
    update graphile_worker._private_jobs
       set run_at = now()
     where payload ->> 'attachmentId' = ${id}`
  await app.sql`notify "jobs:insert", '{"r":"${id}","count":1}'`.catch(() => {})
}

test('a picture is fetched from its id, stored, and shown by its message', async () => {
  const there = await platform((path, response) => {
    if (path.includes('/getFile'))
      return json(response, { ok: true, result: { file_id: 'F1', file_path: 'photos/file_1.jpg', file_size: PNG.length } })
    response.end(PNG)
  })
  const { conversation, file } = await received(await telegramAt(there.url), {
    type: 'image',
    mime_type: 'image/jpeg',
    source: { file_id: 'F1' },
  })
  assert.deepEqual([file.status, file.mime_type, file.size_bytes], ['pending', 'image/jpeg', null])
  const { url, ...now } = await settled(conversation, file)
  assert.deepEqual(now, {
    id: file.id,
    type: 'image',
    mime_type: 'image/png',
    size_bytes: PNG.length,
    name: null,
    status: 'stored',
    error: null,
  })
  assert.equal(url, `https://shop.example/api/v1/attachments/${file.id}`)
  assert.ok(Buffer.from(await (await read(file.id)).arrayBuffer()).equals(PNG))
  assert.deepEqual(
    there.asked.map(({ path }) => path),
    [`/bot${TOKEN}/getFile`, `/file/bot${TOKEN}/photos/file_1.jpg`],
  )
})

test('the schedule: at once, after 5 s, a minute, 5 minutes, half an hour, then every hour for a day', () => {
  const times: number[] = []
  for (let at: number | undefined = 0, next: number | undefined; at !== undefined; at = next === undefined ? undefined : at + next) {
    times.push(at)
    next = nextFetch(0, at * 1000)
  }
  assert.deepEqual(times.slice(0, 7), [0, 5, 60, 300, 1800, 5400, 9000])
  assert.deepEqual([times.length, times.at(-1)], [28, 84_600])
})

test('a file that fails at first and comes an hour later is there in the end, and its reader was told to wait', async () => {
  let away = true
  const there = await platform((path, response) => {
    if (away) return json(response, { ok: false, description: 'Internal Server Error' }, 500)
    if (path.includes('/getFile')) return json(response, { ok: true, result: { file_path: 'a.png' } })
    response.end(PNG)
  })
  const { conversation, file } = await received(await telegramAt(there.url), { type: 'image', source: { file_id: 'F2' } })
  await attempted(file, 1)
  const waiting = await shop.get(`/api/v1/attachments/${file.id}`)
  assert.deepEqual([waiting.status, waiting.body.code], [409, 'attachment_pending'])
  const seconds = Number(waiting.headers.get('retry-after'))
  // Until the second attempt, or the third, where that one was made before this question came.
  assert.ok(seconds >= 1 && seconds <= 60, `${seconds}`)
  for (const [index, passed] of [60, 300, 1_800].entries()) {
    await pass(passed, file)
    await attempted(file, index + 2)
  }
  assert.equal((await shown(conversation, file)).status, 'pending')
  away = false
  await pass(3_600, file)
  assert.equal((await settled(conversation, file)).status, 'stored')
  assert.equal((await read(file.id)).status, 200)
})

test('a file that cannot be had for a day has failed, and says why without a credential', async () => {
  const there = await platform((path, response) => {
    if (path.includes('/getFile')) return json(response, { ok: true, result: { file_path: 'a.png' } })
    response.writeHead(404).end()
  })
  const { conversation, file } = await received(await telegramAt(there.url), { type: 'image', source: { file_id: 'F3' } })
  await attempted(file, 1)
  await pass(24 * 3600, file)
  const now = await settled(conversation, file)
  assert.deepEqual(
    [now.status, now.error],
    ['failed', { code: 'unavailable', message: 'The file could not be fetched: its host answered 404' }],
  )
  assert.equal((await read(file.id)).status, 404)
})

test('what can never be had fails at once: too large by word or by deed, at a refused address, of a deleted channel', async () => {
  const there = await platform((path, response) => {
    if (path.includes('/getFile')) return json(response, { ok: false, error_code: 400, description: 'Bad Request: file is too big' }, 400)
    if (path === '/announced') return response.writeHead(200, { 'Content-Length': MAX + 1 }).end(Buffer.alloc(MAX + 1))
    if (path === '/inside') return response.writeHead(302, { Location: 'http://169.254.169.254/latest/meta-data' }).end()
    response.write(Buffer.alloc(MAX, 1))
    response.end(Buffer.alloc(MAX, 1))
  })
  const api = await aChannel(app, shop)
  const telegram = await telegramAt(there.url)
  const gone = await telegramAt(there.url)
  await app.sql`update channels set status = 'deleted', credentials = null where tenant_id = ${shop.id} and id = ${gone}`
  const cases: [channel: string, media: Media, code: string, requests: number][] = [
    [api, { type: 'file', source: { url: `${there.url}/announced` } }, 'too_large', 1],
    [api, { type: 'file', source: { url: `${there.url}/unsaid` } }, 'too_large', 1],
    [api, { type: 'file', source: { url: `${there.url}/inside` } }, 'address_refused', 1],
    [api, { type: 'file', source: { url: 'http://10.0.0.1/private' } }, 'address_refused', 0],
    [api, { type: 'file', source: { url: 'no address' } }, 'address_refused', 0],
    [api, { type: 'file', size_bytes: MAX + 1, source: { url: `${there.url}/never` } }, 'too_large', 0],
    [telegram, { type: 'file', source: { file_id: 'large' } }, 'too_large', 1],
    [gone, { type: 'file', source: { file_id: 'x' } }, 'channel_deleted', 0],
  ]
  for (const [channel, media, code, requests] of cases) {
    const had = there.asked.length
    const { conversation, file } = await received(channel, media)
    const now = await settled(conversation, file)
    assert.deepEqual([now.status, now.error?.code, there.asked.length - had], ['failed', code, requests], JSON.stringify(media.source))
    assert.doesNotMatch(now.error?.message ?? '', /receiver|webhook|use a host/, 'nobody here can move the file')
    assert.equal((await app.sql`select 1 from attachment_pieces where attachment_id = ${file.id}`).length, 0)
  }
})

test('our token goes to the platform’s own hosts alone, also when one redirects elsewhere', async () => {
  const stranger = await platform((_path, response) => response.end(PNG), '127.0.0.2')
  const graph = await platform((path, response) => {
    if (path === '/v25.0/M1') return json(response, { url: `${graph.url}/media/1`, file_size: PNG.length })
    if (path === '/v25.0/M2') return json(response, { url: `${stranger.url}/media/2` })
    if (path === '/v25.0/M3') return json(response, { url: `${graph.url}/moved` })
    if (path === '/moved') return response.writeHead(302, { Location: `${stranger.url}/media/3` }).end()
    response.end(PNG)
  })
  const channel = await aChannel(app, shop, {
    platform: 'whatsapp',
    account: { id: 'P1', name: null },
    settings: { api_url: `${graph.url}/v25.0` },
    credentials: { token: 'EAAG-secret', app_secret: 's' },
  })
  for (const id of ['M1', 'M2', 'M3']) {
    const { conversation, file } = await received(channel, { type: 'image', source: { file_id: id } })
    assert.equal((await settled(conversation, file)).status, 'stored', id)
  }
  for (const { path, authorization } of graph.asked) assert.equal(authorization, 'Bearer EAAG-secret', path)
  assert.deepEqual(stranger.asked, [
    { path: '/media/2', authorization: undefined },
    { path: '/media/3', authorization: undefined },
  ])
})

test('a file that breaks off, or is shorter than was said, or is redirected in a circle, is tried again', async () => {
  let tries = 0
  const there = await platform((path, response, request) => {
    if (path.includes('/getFile')) return json(response, { ok: true, result: { file_path: 'a.png', file_size: PNG.length + 1 } })
    if (path === '/circle') return response.writeHead(302, { Location: '/circle' }).end()
    tries++
    if (path === '/cut' && tries % 2 === 1) {
      response.writeHead(200, { 'Content-Length': 1_000 }).write('abc')
      return setImmediate(() => request.socket.destroy())
    }
    response.end(PNG)
  })
  const api = await aChannel(app, shop)
  const cut = await received(api, { type: 'image', source: { url: `${there.url}/cut` } })
  await attempted(cut.file, 1)
  await pass(5, cut.file)
  assert.equal((await settled(cut.conversation, cut.file)).status, 'stored')
  const short = await received(await telegramAt(there.url), { type: 'image', source: { file_id: 'S' } })
  await attempted(short.file, 1)
  assert.equal((await shown(short.conversation, short.file)).status, 'pending')
  const circle = await received(api, { type: 'image', source: { url: `${there.url}/circle` } })
  await attempted(circle.file, 1)
  assert.equal((await shown(circle.conversation, circle.file)).status, 'pending')
})

test('an empty file is not whole, and is tried again', async () => {
  let tries = 0
  const there = await platform((_path, response) => response.end(tries++ === 0 ? '' : PNG))
  const { conversation, file } = await received(await aChannel(app, shop), { type: 'image', source: { url: `${there.url}/empty` } })
  await attempted(file, 1)
  assert.equal((await shown(conversation, file)).status, 'pending')
  await pass(5, file)
  assert.equal((await settled(conversation, file)).mime_type, 'image/png')
})

test('files that come drop by drop keep no other workspace’s waiting, however many', async () => {
  const drops = new Set<ServerResponse>()
  let most = 0
  const there = await platform((path, response) => {
    if (path === '/whole') return response.end(PNG)
    most = Math.max(most, drops.add(response).size)
    response.on('close', () => drops.delete(response))
    response.writeHead(200, { 'Content-Type': 'image/png' }).write('drop')
  })
  const api = await aChannel(app, shop)
  for (let n = 0; n < 12; n++) await received(api, { type: 'image', source: { url: `${there.url}/drops/${n}` } })
  await eventually(async () => drops.size >= FETCHES_OF_ONE_AT_ONCE)
  const other = await app.tenant()
  const { file } = await received(await aChannel(app, other), { type: 'image', source: { url: `${there.url}/whole` } }, MAX, other)
  await eventually(async () => (await app.sql`select from attachments where id = ${file.id} and status = 'stored'`).length === 1)
  assert.equal(most, FETCHES_OF_ONE_AT_ONCE)
  for (const drop of drops) drop.destroy()
  await app.sql`delete from attachments where tenant_id = ${shop.id} and status = 'pending'`
})

test('what a worker has fetched that lost its lease meanwhile is not kept', async () => {
  const asked = Promise.withResolvers<ServerResponse>()
  let tries = 0
  const there = await platform((_path, response) => void (tries++ === 0 ? asked.resolve(response) : response.end(PNG)))
  const { conversation, file } = await received(await aChannel(app, shop), { type: 'image', source: { url: `${there.url}/slow` } })
  const response = await asked.promise
  await app.sql`update attachments set lease_token = null, lease_until = null where tenant_id = ${shop.id} and id = ${file.id}`
  response.end('of no worker any more')
  await eventually(
    async () => (await app.sql`select from graphile_worker._private_jobs where payload ->> 'attachmentId' = ${file.id}`).length === 0,
  )
  await leases.enqueue(app.sql, { tenant: shop.id, id: file.id })
  assert.deepEqual([(await settled(conversation, file)).mime_type, tries], ['image/png', 2])
})

test('a file whose address has expired is fetched from the address that its id has by then', async () => {
  let asked = 0
  const graph = await platform((path, response) => {
    if (path === '/v25.0/M9') return json(response, { url: `${graph.url}/media/${++asked}`, file_size: PNG.length })
    if (path === '/media/1') return json(response, { error: { message: 'URL signature expired', code: 100 } }, 403)
    response.end(PNG)
  })
  const channel = await aChannel(app, shop, {
    platform: 'whatsapp',
    account: { id: 'P9', name: null },
    settings: { api_url: `${graph.url}/v25.0` },
    credentials: { token: 'EAAG-secret', app_secret: 's' },
  })
  const { conversation, file } = await received(channel, { type: 'image', source: { file_id: 'M9' } })
  await attempted(file, 1)
  await pass(5, file)
  assert.equal((await settled(conversation, file)).status, 'stored')
  assert.deepEqual(
    graph.asked.map(({ path }) => path),
    ['/v25.0/M9', '/media/1', '/v25.0/M9', '/media/2'],
  )
})

test('a file of Messenger whose address has expired is asked for by its message; where Meta does not tell, the address is tried again', async () => {
  const attached = {
    attachments: {
      data: [
        { id: '1', image_data: { url: 'unused' } },
        { id: '2', mime_type: 'image/png', image_data: { url: '' } },
      ],
    },
  }
  const graph = await platform((path, response) => {
    if (path === '/v25.0/m_1?fields=attachments') return json(response, attached)
    if (path.startsWith('/v25.0/')) return json(response, { error: { message: 'Unsupported get request', code: 100 } }, 400)
    if (path === '/fresh') return response.end(PNG)
    json(response, { error: 'URL signature expired' }, 403)
  })
  Object.assign(attached.attachments.data[1]?.image_data as object, { url: `${graph.url}/fresh` })
  const channel = await aChannel(app, shop, {
    platform: 'facebook',
    account: { id: 'P10', name: null },
    settings: { api_url: `${graph.url}/v25.0` },
    credentials: { token: 'EAAG-secret', app_secret: 's' },
  })
  const expired = `${graph.url}/expired`
  const told = await received(channel, { type: 'image', source: { url: expired, message: 'm_1', part: 1 } })
  await attempted(told.file, 1)
  await pass(5, told.file)
  assert.equal((await settled(told.conversation, told.file)).status, 'stored')
  const untold = await received(channel, { type: 'image', source: { url: expired, message: 'm_2', part: 0 } })
  await attempted(untold.file, 1)
  await pass(5, untold.file)
  await attempted(untold.file, 2)
  assert.equal((await shown(untold.conversation, untold.file)).status, 'pending')
  assert.deepEqual(
    graph.asked.map(({ path, authorization }) => [path, authorization !== undefined]),
    [
      ['/expired', false],
      ['/v25.0/m_1?fields=attachments', true],
      ['/fresh', false],
      ['/expired', false],
      ['/v25.0/m_2?fields=attachments', true],
      ['/expired', false],
    ],
  )
})

test('a file that is larger than was announced is whole where it may be as large as that, and else refused', async () => {
  const ends: [string, unknown, number | null][] = []
  for (const size of [MAX, MAX + 1]) {
    const there = await platform((path, response) => {
      if (path.includes('/getFile')) return json(response, { ok: true, result: { file_path: 'file', file_size: 10 } })
      response.end(Buffer.alloc(size, 1))
    })
    const { conversation, file } = await received(await telegramAt(there.url), { type: 'file', size_bytes: 10, source: { file_id: 'x' } })
    const { status, error, size_bytes } = await settled(conversation, file)
    ends.push([status, error?.code, size_bytes])
  }
  assert.deepEqual(ends, [
    ['stored', undefined, MAX],
    ['failed', 'too_large', 10],
  ])
})

test('a file is what it holds, whatever the platform calls it', async () => {
  const there = await platform((_path, response) => response.writeHead(200, { 'Content-Type': 'image/png' }).end(FILES.html))
  const api = await aChannel(app, shop)
  const media: Media = { type: 'image', mime_type: 'image/png', name: '../photo.png', source: { url: `${there.url}/photo.png` } }
  const { conversation, file } = await received(api, media)
  const now = await settled(conversation, file)
  assert.deepEqual([now.type, now.mime_type, now.name], ['file', 'text/plain', '_photo.png'])
  assert.match((await read(file.id)).headers.get('content-disposition') ?? '', /^attachment;/)
})

test('a message that is deleted while its file is on its way leaves nothing', async () => {
  let opened: ServerResponse | undefined
  const there = await platform((_path, response) => {
    response.write(PNG)
    opened = response
  })
  const { message, file } = await received(await aChannel(app, shop), { type: 'image', source: { url: `${there.url}/slow` } })
  await eventually(async () => opened !== undefined)
  await begin(app.sql, tx => attachments.removeOf(tx, shop.id, [message]))
  opened?.end()
  await eventually(
    async () => (await app.sql`select 1 from graphile_worker._private_jobs where payload ->> 'attachmentId' = ${file.id}`).length === 0,
  )
  assert.equal((await app.sql`select 1 from attachments where id = ${file.id}`).length, 0)
  assert.equal((await app.sql`select 1 from attachment_pieces where attachment_id = ${file.id}`).length, 0)
})

test('the files of a blocked contact are not fetched', async () => {
  const there = await platform((_path, response) => response.end(PNG))
  const channel = await aChannel(app, shop)
  const [file] = await begin(app.sql, tx =>
    attachments.unwanted(tx, shop.id, channel, [{ message: 'msg_x', media: { type: 'image', source: { url: `${there.url}/x` } } }]),
  )
  assert.deepEqual([file?.status, file?.error?.code], ['failed', 'contact_blocked'])
  assert.equal((await app.sql`select 1 from graphile_worker._private_jobs where payload ->> 'attachmentId' = ${file?.id ?? ''}`).length, 0)
  assert.equal(there.asked.length, 0)
})
