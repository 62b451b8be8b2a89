// Workers are real processes, killed half-way through a file. Nothing of the file is lost, and nothing of it is there twice.
import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import * as attachments from '../../src/attachments/attachments.ts'
import { PIECE_BYTES, read } from '../../src/attachments/bytes-store.ts'
import { createWriter } from '../../src/attachments/writer.ts'
import { newId } from '../../src/ids.ts'
import { begin } from '../../src/postgres/sql.ts'
import { testApp } from '../support/app.ts'
import { aChannel } from '../support/channels.ts'
import { eventually } from '../support/eventually.ts'
import { liveBytes } from '../support/live-bytes.ts'
import { aWorker, settingsOf } from '../support/shopdesk.ts'

const app = await testApp()
const shop = await app.tenant()

const FILE = Buffer.alloc(10 * PIECE_BYTES + 100)
for (let at = 0; at + 4 <= FILE.length; at += 4) FILE.writeUInt32BE(at, at)

test('a file whose worker is killed half-way is fetched anew by another, whole', async () => {
  const open: ServerResponse[] = []
  let whole = false
  const server = createServer((_request, response) => {
    if (whole) return response.end(FILE)
    response.writeHead(200, { 'Content-Length': FILE.length }).write(FILE.subarray(0, 5 * PIECE_BYTES))
    return open.push(response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/film`
  const channel = await aChannel(app, shop)
  const [first, [file]] = await Promise.all([
    aWorker(settingsOf(app)),
    begin(app.sql, tx =>
      attachments.expected(tx, shop.id, channel, [{ message: newId('msg'), media: { type: 'video', source: { url } } }]),
    ),
  ])
  const id = file?.id as string
  const pieces = async () => (await app.sql`select 1 from attachment_pieces where attachment_id = ${id}`).length
  await eventually(async () => (await pieces()) >= 4)
  first.child.kill('SIGKILL')
  assert.equal(await first.ended, 'SIGKILL')
  whole = true
  const second = await aWorker(settingsOf(app))
  const [row] = await eventually(async () => {
    const rows = await app.sql`select size_bytes, attempts from attachments where id = ${id} and status = 'stored'`
    return rows.length > 0 && rows
  })
  assert.equal(row?.['size_bytes'], FILE.length)
  // On a busy machine a worker that hears too late from the database ends what it is at, and begins anew.
  assert.ok(row?.['attempts'] >= 2)
  const there: Buffer[] = []
  for await (const piece of read(app.sql, { tenant: shop.id, id }, 0, FILE.length)) there.push(piece)
  assert.ok(Buffer.concat(there).equals(FILE))
  assert.equal(await pieces(), 11)
  second.child.kill('SIGTERM')
  assert.equal(await second.ended, 0)
})

test('a file of twenty megabytes goes in and out in the memory of a few pieces', async () => {
  const ref = { tenant: shop.id, id: newId('att') }
  await app.sql`
    insert into attachments (tenant_id, id, type, mime_type, status, created_at)
    values (${ref.tenant}, ${ref.id}, 'file', 'application/octet-stream', 'uploading', now())`
  const size = 20 * 1024 * 1024
  const before = liveBytes()
  let most = 0
  const sample = (at: number) => {
    if (at % (1024 * 1024) < 64 * 1024) most = Math.max(most, liveBytes() - before)
  }
  const writer = createWriter(app.sql, ref)
  for (let at = 0; at < size; at += 64 * 1024) {
    await writer.add(Buffer.alloc(64 * 1024, at))
    sample(at)
  }
  await writer.end()
  let bytes = 0
  for await (const piece of read(app.sql, ref, 0, size)) {
    bytes += piece.length
    sample(bytes)
  }
  assert.deepEqual([writer.size(), bytes], [size, size])
  // The connections keep what they have sent and read last.
  assert.ok(most < 2 * 1024 * 1024, `${most} bytes`)
})
