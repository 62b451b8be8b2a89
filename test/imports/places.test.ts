// What one tenant's clients can hold of a web process, and when it is let go. No worker runs, so imports stay as they are.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { suite, test } from 'node:test'
import { createProgress } from '../../src/imports/progress.ts'
import { FOLLOWERS_AT_ONCE } from '../../src/limits.ts'
import { shareOf } from '../../src/places.ts'
import { type TestTenant, testApp } from '../support/app.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { assertProblem } from '../support/given.ts'
import { type Importer, importing } from './importing.ts'

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

  test('are a quarter one tenant’s; another follows its own meanwhile, and one that ends makes room', async () => {
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

  test('whose reader does not read end with their time as well', async () => {
    const at = await shop()
    const stream = createProgress(20).open(app.sql, { tenant: at.id, import: await queued(at) })
    stream.read(0)
    await once(stream, 'close')
  })
})
