// The places of a web process that one tenant's clients can hold, and when they are given back. No worker runs, so imports stay as they are.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ClientRequest, get, type IncomingMessage, request } from 'node:http'
import { after, suite, test } from 'node:test'
import { createProgress } from '../../src/imports/progress.ts'
import { PATIENCE } from '../../src/ingress/connections/listener.ts'
import { UPLOADS_AT_ONCE } from '../../src/limits/connections.ts'
import { FOLLOWERS_AT_ONCE } from '../../src/limits/imports.ts'
import { shareOf } from '../../src/places.ts'
import { startWeb } from '../../src/web.ts'
import { type TestTenant, testApp } from '../support/app.ts'
import { eventually, eventuallyHolds } from '../support/eventually.ts'
import { assertProblem } from '../support/given.ts'
import { type Importer, importing, NDJSON } from './importing.ts'

const app = await testApp()
const { shop } = importing(app)
const ROW = '{"name":"Shirt","price_amount":4900}\n'

const queued = async (at: Importer): Promise<string> => (await at.send('resource=products', ROW)).body.id

suite('progress streams', () => {
  async function follow(at: TestTenant, id: string): Promise<IncomingMessage> {
    const request = get(`${app.url}/api/v1/imports/${id}/progress`, { headers: { Authorization: `Bearer ${at.key}` }, agent: false })
    const [answer] = (await once(request, 'response')) as [IncomingMessage]
    return answer
  }

  test('have a quarter of the places for one tenant; another follows its own meanwhile, and one that ends makes room', async () => {
    const [greedy, other] = [await shop(), await shop()]
    const [id, others] = [await queued(greedy), await queued(other)]
    const streams = []
    for (let i = 0; i < shareOf(FOLLOWERS_AT_ONCE); i++) streams.push(await follow(greedy, id))
    for (const stream of streams) assert.equal(stream.statusCode, 200)
    const path = `/api/v1/imports/${id}/progress`
    const refused = await greedy.get(path)
    assertProblem(refused, { status: 409, slug: 'conflict', instance: path, code: 'too_many_progress_streams' })
    assert.equal(refused.headers.get('retry-after'), '5')
    const theirs = await follow(other, others)
    assert.equal(theirs.statusCode, 200)
    streams.pop()?.destroy()
    await eventuallyHolds(async () => {
      const stream = await follow(greedy, id)
      streams.push(stream)
      assert.equal(stream.statusCode, 200)
    })
    for (const stream of [theirs, ...streams]) stream.destroy()
  })

  test('without a reading client end with their time as well', async () => {
    const at = await shop()
    const stream = createProgress(20).open(app.sql, { tenant: at.id, id: await queued(at) })
    stream.read(0)
    await once(stream, 'close')
  })
})

suite('uploads', () => {
  // Another process of the service, which measures a client's pace sooner.
  // Longer than a burst takes to arrive on a busy machine.
  const OVER_MS = 2_000
  const hasty = startWeb({ ...app, patience: { ...PATIENCE, paceMs: OVER_MS } })
  const open: ClientRequest[] = []
  after(async () => {
    for (const each of open) each.destroy()
    await (await hasty).close()
  })

  interface Sent {
    request: ClientRequest
    /** The answer, when its connection has been closed. */
    answer: Promise<{ status: number | undefined; problem: { code?: string; detail?: string } }>
  }

  /** Begins to send a file, and leaves the rest to the test. */
  async function sends(at: TestTenant, file: string): Promise<Sent> {
    const { address } = await hasty
    const headers = { Authorization: `Bearer ${at.key}`, 'Content-Type': NDJSON }
    const sent = request(`${address}/api/v1/imports?resource=products`, { method: 'POST', headers, agent: false })
    sent.on('error', () => {})
    sent.write(file)
    open.push(sent)
    const answered = async () => {
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      const closed = once(response.socket, 'close')
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk)
      await closed
      return { status: response.statusCode, problem: JSON.parse(Buffer.concat(chunks).toString()) }
    }
    const answer = answered()
    answer.catch(() => {})
    return { request: sent, answer }
  }

  const imports = async (at: TestTenant): Promise<string[]> =>
    (await app.sql`select concat_ws(' ', status, error ->> 'code') as said from imports where tenant_id = ${at.id}`).map(row => row['said'])

  const uploading = async (): Promise<number> => (await app.sql`select 1 from imports where status = 'uploading'`).length

  test('that stop are told so and end with their connection; one that was fast before may pause', async () => {
    const [at, patient] = [await shop(), await shop()]
    const paused = await sends(patient, ROW.repeat(2_000))
    await eventually(async () => (await imports(patient)).length === 1)
    const { status, problem } = await (await sends(at, ROW)).answer
    assert.deepEqual([status, problem.code], [422, 'upload_incomplete'])
    assert.match(problem.detail ?? '', /less than 1 KB a second/)
    assert.deepEqual(await imports(at), ['failed upload_incomplete'])
    paused.request.end()
    assert.equal((await paused.answer).status, 202)
  })

  test('are limited per process; where another asks, a slow one gives its place to it, and the others keep theirs', async () => {
    const shops = await Promise.all(Array.from({ length: UPLOADS_AT_ONCE / 8 }, () => shop()))
    // Half a minute of the rate that is required where places are scarce, and a second of it: one row, not yet at its end.
    const [fast, slow] = ['x'.repeat(1_000_000), 'x'.repeat(32_000)]
    const held = await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, (_, i) => sends(shops[i % shops.length] as TestTenant, fast)))
    await eventually(async () => (await uploading()) === UPLOADS_AT_ONCE)
    const another = await shop()
    const asks = async () => {
      const sent = await sends(another, ROW)
      sent.request.end()
      return (await sent.answer).status
    }
    assert.equal(await asks(), 503)
    held.pop()?.request.destroy()
    await eventually(async () => (await uploading()) === UPLOADS_AT_ONCE - 1)
    const leaving = await sends(await shop(), slow)
    await eventually(async () => (await uploading()) === UPLOADS_AT_ONCE)
    await eventually(async () => (await asks()) === 202)
    const { status, problem } = await leaving.answer
    assert.deepEqual([status, problem.code], [422, 'upload_incomplete'])
    assert.match(problem.detail ?? '', /less than 32 KB a second while others waited/)
    assert.equal(await uploading(), UPLOADS_AT_ONCE - 1)
  })
})
