// What the database sends is cut into messages, wherever its chunks end; memory that is given back is empty; encrypted connections stay possible.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { after, test } from 'node:test'
import { TLSSocket } from 'node:tls'
import fc from 'fast-check'
import { framed, free } from '../../src/postgres/socket.ts'
import { openDatabase } from '../../src/postgres/sql.ts'
import { serverOf, testDatabase } from '../support/database.ts'
import { drawn } from '../support/random.ts'
import { testCertificate, testKey } from '../support/receiver.ts'

const { url } = await testDatabase()

function open(at: string) {
  const db = openDatabase(at, { name: 'socket test', lanes: 2, pool: 2 })
  after(() => db.close())
  return db
}

/** @param fill makes a body of so many bytes */
function message(bytes: number, fill: number): Buffer {
  const whole = Buffer.alloc(5 + bytes, fill)
  whole.writeUInt8(0x44, 0)
  whole.writeUInt32BE(bytes + 4, 1)
  return whole
}

test('whole messages are handed on, unchanged and in order, wherever the chunks are cut', () => {
  const lengths = fc.array(fc.oneof(fc.nat(20), fc.integer({ min: 8_000, max: 9_000 }), fc.nat(100_000)), { maxLength: 12 })
  fc.assert(
    fc.property(
      lengths,
      fc.array(fc.oneof(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 65_536 })), { minLength: 1 }),
      (lengths, cuts) => {
        const sent = Buffer.concat(lengths.map((length, index) => message(length, index)))
        const got: Buffer[] = []
        const read = framed(messages => got.push(messages))
        const buffer = Buffer.alloc(65_536)
        for (let at = 0, turn = 0; at < sent.length; turn++) {
          const copied = sent.copy(buffer, 0, at, at + (cuts[turn % cuts.length] as number))
          read(buffer.subarray(0, copied))
          // The buffer is read into again.
          buffer.fill(0xff)
          at += copied
        }
        assert.deepEqual(Buffer.concat(got), sent)
        for (const each of got) assert.equal(wholeUpTo(each), each.length)
      },
    ),
    drawn(),
  )
})

function wholeUpTo(bytes: Buffer): number {
  let end = 0
  while (end < bytes.length) end += bytes.readUInt32BE(end + 1) + 1
  return end
}

test('a large value that was given back is empty, and clears no other value', async () => {
  const { listLanes } = open(url)
  const ask = (letter: string, length: number) =>
    listLanes`select repeat(${letter}, ${length})`.raw().then(rows => (rows[0] as unknown as [Buffer])[0])
  const values = await Promise.all([...'abcdefgh'].map((letter, index) => ask(letter, index % 2 ? 20_000 : 5_000)))
  values.forEach((value, index) => {
    if (index % 4 !== 0) free(value)
  })
  // Giving back twice does no harm, and memory in use is left alone.
  values.slice(1, 4).forEach(free)
  assert.deepEqual(
    values.map(value => value.length),
    [5_000, 0, 5_000, 0, 5_000, 0, 5_000, 0],
  )
  assert.equal(values[0]?.toString(), 'a'.repeat(5_000))
  assert.equal((await ask('i', 300_000)).toString(), 'i'.repeat(300_000))
})

test('a connection that must be encrypted is, and a server without a trusted certificate is refused when that is asked', async () => {
  const secure = new URL(await encrypting())
  secure.searchParams.set('sslmode', 'require')
  const [row] = await open(secure.href).sql`select repeat('x', 100000) as text`
  assert.equal(row?.['text'].length, 100_000)
  secure.searchParams.set('sslmode', 'verify-full')
  await assert.rejects(async () => await open(secure.href).sql`select 1`, { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
})

// A proxy of the database whose connections begin with PostgreSQL's request for encryption.
async function encrypting(): Promise<string> {
  const proxy = createServer(async client => {
    client.on('error', () => {})
    await once(client, 'readable')
    assert.equal(client.read(8).readUInt32BE(4), 80877103)
    client.write('S')
    const plain = new TLSSocket(client, { isServer: true, cert: testCertificate, key: testKey })
    const server = connect(serverOf(url))
    plain.on('error', () => server.destroy()).on('close', () => server.destroy())
    plain.pipe(server).pipe(plain)
  }).listen(0, '127.0.0.1')
  after(() => proxy.close())
  await once(proxy, 'listening')
  const way = new URL(url)
  way.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
  return way.href
}
