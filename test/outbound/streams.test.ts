// Bodies that are made while they are sent, and answers that are taken as they come.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type TestContext, test } from 'node:test'
import { type FilePart, multipart } from '../../src/outbound/multipart.ts'
import type { Streamed, Taker } from '../../src/outbound/request.ts'
import { liveBytes } from '../support/live-bytes.ts'
import { answered, client, failed, rawServer, receiver } from '../support/outbound.ts'
import { testCertificate } from '../support/receiver.ts'

const PIECE = Buffer.alloc(64 * 1024, 'a piece of sixty-four kilobytes ')

function streamed(
  count: number,
  length: number | undefined = count * PIECE.length,
): Streamed & { asked: () => number; ended: () => boolean } {
  let asked = 0
  let ended = false
  return {
    async *pieces() {
      try {
        for (let i = 0; i < count; i++) {
          asked++
          yield PIECE
        }
      } finally {
        ended = true
      }
    },
    ...(length !== undefined && { length }),
    asked: () => asked,
    ended: () => ended,
  }
}

for (const tls of [false, true])
  test(`a streamed body arrives whole, with its length or in chunks, and its connection is used again${tls ? ', encrypted' : ''}`, async t => {
    const there = await receiver(t, undefined, { tls })
    const { send } = client(t, { ca: testCertificate })
    for (const body of [streamed(20), { pieces: streamed(20).pieces }, { ...streamed(0), length: 0 }])
      assert.equal(answered(await send({ url: there.origin, body })).status, 204)
    assert.deepEqual(
      there.received.map(({ body, headers }) => [body.length, headers['content-length'], headers['transfer-encoding']]),
      [
        [20 * PIECE.length, String(20 * PIECE.length), undefined],
        [20 * PIECE.length, undefined, 'chunked'],
        [0, '0', undefined],
      ],
    )
    assert.ok(there.received[0]?.body.equals(Buffer.concat(Array.from({ length: 20 }, () => PIECE))))
    assert.equal(there.connections, 1)
  })

test('a body is read no faster than it is taken, and its reader ends with the request', async t => {
  const there = await rawServer(t, socket => socket.pause())
  const body = streamed(2_000)
  const { send } = client(t)
  failed(await send({ url: there.origin, body, timeoutMs: 1_000 }), 'timeout', /No response/)
  // What the buffers of both ends hold.
  assert.ok(body.asked() < 500, `${body.asked()} pieces of 2000 were read`)
  while (!body.ended()) await new Promise(setImmediate)
})

test('a body that takes longer than the time limit goes on while its pieces are taken, until the total is over', async t => {
  const there = await receiver(t)
  const slow = (count: number): Streamed => ({
    async *pieces() {
      for (let i = 0; i < count; i++) {
        await new Promise(resolve => setTimeout(resolve, 50))
        yield PIECE
      }
    },
  })
  const { send } = client(t)
  assert.equal(answered(await send({ url: there.origin, body: slow(25), timeoutMs: 1_000 })).status, 204)
  failed(await send({ url: there.origin, body: slow(10_000), timeoutMs: 1_000, totalMs: 1_200 }), 'timeout', /not over within 1200 ms/)
})

test('a body that cannot be read ends the request with its cause; nothing is sent where the first piece fails', async t => {
  const there = await receiver(t)
  const cause = new Error('the database is away')
  const failing = (after: number): Streamed => ({
    async *pieces() {
      for (let i = 0; i < after; i++) yield PIECE
      throw cause
    },
    length: 10 * PIECE.length,
  })
  const { send } = client(t)
  for (const [after, sent] of [
    [0, 'no'],
    [2, 'perhaps'],
  ] as const) {
    const outcome = await send({ url: there.origin, body: failing(after) })
    failed(outcome, 'aborted', /could not be read/)
    assert.deepEqual([outcome.error && outcome.sent, outcome.cause], [sent, cause])
  }
  failed(await send({ url: there.origin, body: streamed(3, 10 * PIECE.length) }), 'invalid-request', /./)
  assert.equal(there.received.length, 0)
})

const file = (more: Partial<FilePart> = {}): FilePart => ({
  field: 'photo',
  fileName: 'ложка "1".jpg',
  type: 'image/jpeg',
  ...streamed(3),
  ...more,
})

/** Reads a form as another implementation of the format does: Node's own. */
const form = (headers: Record<string, unknown>, body: Buffer): Promise<FormData> =>
  new Response(new Uint8Array(body), { headers: { 'Content-Type': String(headers['content-type']) } }).formData()

test('a form arrives as another reader of the format reads it: fields, names in any script, and the file’s bytes', async t => {
  const there = await receiver(t)
  const { send } = client(t)
  const fields = { chat_id: '42', caption: 'two lines\r\n"quoted" \u{1f642}' }
  for (const part of [file(), { ...file(), length: undefined } as unknown as FilePart, undefined]) {
    const { headers, body } = multipart(fields, part)
    answered(await send({ url: there.origin, headers, body }))
  }
  const [sized, chunked, plain] = there.received
  assert.equal(sized?.headers['content-length'], String(sized?.body.length))
  assert.equal(chunked?.headers['transfer-encoding'], 'chunked')
  for (const received of [sized, chunked]) {
    const read = await form(received?.headers ?? {}, received?.body as Buffer)
    assert.deepEqual([read.get('chat_id'), read.get('caption')], [fields.chat_id, fields.caption])
    const photo = read.get('photo') as File
    assert.deepEqual([photo.name, photo.type, photo.size], ['ложка "1".jpg', 'image/jpeg', 3 * PIECE.length])
    assert.ok(Buffer.from(await photo.arrayBuffer()).equals(Buffer.concat([PIECE, PIECE, PIECE])))
  }
  assert.deepEqual([...(await form(plain?.headers ?? {}, plain?.body as Buffer)).keys()], ['chat_id', 'caption'])
})

test('a hostile file name or type breaks out of neither its quotes nor its line', async t => {
  const there = await receiver(t)
  const fileName = 'a"; name="chat_id"\r\n\r\n666\r\n--x.jpg'
  const { headers, body } = multipart({ chat_id: '42' }, file({ fileName, type: 'image/jpeg\r\nX-Other: 1' }))
  answered(await client(t).send({ url: there.origin, headers, body }))
  const [received] = there.received
  const read = await form(received?.headers ?? {}, received?.body as Buffer)
  assert.deepEqual([[...read.keys()], read.getAll('chat_id')], [['chat_id', 'photo'], ['42']])
  assert.doesNotMatch(received?.body.toString('latin1') ?? '', /\r\nX-Other/)
})

test('GET asks for a path with its headers and no body, and any status is its answer', async t => {
  const there = await receiver(t, response => response.writeHead(404, { 'X-Thing': 'a' }).end('none'))
  const outcome = answered(await client(t).fetched({ url: `${there.origin}/file/1?x=1`, headers: { Authorization: 'Bearer t' } }))
  assert.deepEqual([outcome.status, outcome.body, outcome.headers['x-thing']], [404, 'none', 'a'])
  const [received] = there.received
  assert.deepEqual([received?.method, received?.path, received?.body.length], ['GET', '/file/1?x=1', 0])
  assert.deepEqual([received?.headers.authorization, received?.headers['content-length']], ['Bearer t', undefined])
})

/** Keeps what it takes. */
function keeper(limits: Partial<Taker> = {}): Taker & { bytes: () => Buffer } {
  const pieces: Buffer[] = []
  return {
    take: piece => void pieces.push(Buffer.from(piece)),
    maxBytes: 1024,
    idleMs: 1_000,
    ...limits,
    bytes: () => Buffer.concat(pieces),
  }
}

test('an answer is handed to its taker piece by piece, each when the one before is done with, and its connection is used again', async t => {
  const whole = Buffer.concat(Array.from({ length: 50 }, (_, i) => Buffer.alloc(64 * 1024, i)))
  const there = await receiver(t, response => response.end(whole), { tls: true })
  const { fetched } = client(t, { ca: testCertificate })
  for (let round = 0; round < 2; round++) {
    let inside = 0
    const taken: Buffer[] = []
    const take = async (piece: Buffer) => {
      assert.equal(++inside, 1)
      await new Promise(setImmediate)
      taken.push(Buffer.from(piece))
      inside--
    }
    const outcome = answered(await fetched({ url: there.origin, taker: { take, maxBytes: whole.length, idleMs: 1_000 } }))
    assert.deepEqual([outcome.status, outcome.truncated, outcome.body], [200, false, ''])
    assert.ok(Buffer.concat(taken).equals(whole))
  }
  assert.equal(there.connections, 1)
})

test('an answer larger than its taker may have is not read further, and one that says so is not read at all', async t => {
  const said = await receiver(t, response => response.writeHead(200, { 'Content-Length': 2_000 }).end('x'.repeat(2_000)))
  const unsaid = await receiver(t, response => {
    response.write('x'.repeat(1_000))
    response.end('x'.repeat(1_000))
  })
  const { fetched } = client(t)
  const [first, second] = [keeper(), keeper()]
  assert.equal(answered(await fetched({ url: said.origin, taker: first })).truncated, 'size')
  assert.equal(answered(await fetched({ url: unsaid.origin, taker: second })).truncated, 'size')
  assert.equal(first.bytes().length, 0)
  assert.ok(second.bytes().length <= 1024)
  const exact = await receiver(t, response => response.end('x'.repeat(1024)))
  assert.equal(answered(await fetched({ url: exact.origin, taker: keeper() })).truncated, false)
})

test('an error’s body is no file: it is kept as text and not handed on', async t => {
  const there = await receiver(t, response => response.writeHead(400).end('{"error":"expired"}'))
  const taker = keeper()
  const outcome = answered(await client(t).fetched({ url: there.origin, taker }))
  assert.deepEqual([outcome.status, outcome.body, taker.bytes().length], [400, '{"error":"expired"}', 0])
})

test('a file that stops coming, breaks off or takes too long in all ends as what it is, with its status', async t => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc'
  const silent = await rawServer(t, socket => socket.write(head))
  const reset = await rawServer(t, socket => socket.write(head, () => setImmediate(() => socket.resetAndDestroy())))
  const drip = await rawServer(t, socket => {
    socket.write(head)
    const timer = setInterval(() => socket.write('x'), 10)
    socket.once('close', () => clearInterval(timer))
  })
  const { fetched } = client(t)
  const of = async (url: string, totalMs = 5_000) => {
    const taker = keeper({ idleMs: 100 })
    return [answered(await fetched({ url, totalMs, taker })).truncated, taker.bytes().toString()]
  }
  assert.deepEqual(await of(silent.origin), ['timeout', 'abc'])
  assert.deepEqual(await of(reset.origin), ['connection-reset', 'abc'])
  const [how, what] = await of(drip.origin, 200)
  assert.equal(how, 'timeout')
  assert.match(what as string, /^abcx+$/)
})

test('a taker that is slow is not taken for a server that stopped, and one that fails ends the request with its cause', async t => {
  const there = await receiver(t, response => {
    response.write('first')
    setImmediate(() => response.end('second'))
  })
  const { fetched, stats } = client(t)
  let taken = ''
  const take = async (piece: Buffer) => {
    await new Promise(resolve => setTimeout(resolve, 400))
    taken += piece
  }
  assert.equal(answered(await fetched({ url: there.origin, taker: { take, maxBytes: 100, idleMs: 200 } })).truncated, false)
  assert.equal(taken, 'firstsecond')
  const cause = new Error('the disk is full')
  const failing = () => {
    throw cause
  }
  const outcome = answered(await fetched({ url: there.origin, taker: { take: failing, maxBytes: 100, idleMs: 1_000 } }))
  assert.deepEqual([outcome.truncated, outcome.cause], ['aborted', cause])
  while (stats().connections > 0) await new Promise(setImmediate)
})

test('twenty megabytes go through either way in the memory of a few pieces', async t => {
  const there = await ownServer(t)
  const { send, fetched } = client(t)
  const count = (20 * 1024 * 1024) / PIECE.length
  const before = liveBytes()
  let most = 0
  const sampled: Streamed = {
    async *pieces() {
      for (let i = 0; i < count; i++) {
        if (i % 32 === 0) most = Math.max(most, liveBytes() - before)
        yield Buffer.alloc(PIECE.length, i)
      }
    },
    length: count * PIECE.length,
  }
  assert.equal(answered(await send({ url: there.origin, body: sampled })).status, 200)
  let bytes = 0
  let pieces = 0
  const take = async (piece: Buffer) => {
    bytes += piece.length
    if (pieces++ % 32 === 0) most = Math.max(most, liveBytes() - before)
    await new Promise(setImmediate)
  }
  answered(await fetched({ url: there.origin, taker: { take, maxBytes: 64 * 1024 * 1024, idleMs: 5_000 } }))
  assert.equal(bytes, count * PIECE.length)
  // Both ends are in this process, each with what it has read last.
  assert.ok(most < 2 * 1024 * 1024, `${most} bytes`)
})

/** Reads and drops what is sent, and answers a GET with twenty megabytes, as they are taken. */
async function ownServer(t: TestContext): Promise<{ origin: string }> {
  const server = createServer(async (request, response) => {
    for await (const _ of request);
    if (request.method === 'POST') return void response.end('ok')
    for (let i = 0; i < (20 * 1024 * 1024) / PIECE.length; i++) if (!response.write(PIECE)) await once(response, 'drain')
    response.end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  return { origin: `http://127.0.0.1:${(server.address() as { port: number }).port}` }
}
