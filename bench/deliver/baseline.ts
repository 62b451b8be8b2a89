// The baseline of deliveries: undici posting the same bytes to the same receiver, as fast as it can. No database, no signing, no log.
import { Agent, Client } from 'undici'
import { hostOf } from './backlog.ts'

/** Posts for so many milliseconds to one host, over kept connections; or once to each of so many hosts, with a connection each. */
export type BaselineLoad = { ms: number } | { hosts: number }

const [port, connections] = process.argv.slice(2).map(Number) as [number, number]
const origin = `http://127.0.0.1:${port}`
const agent = new Agent({ connections, pipelining: 1 })
const body = `{"id":"evt_01kbg6m3a2f4mvh0q7c5d8e9ra","type":"order.created","created_at":"2026-01-01T00:00:00.000Z","data":{"order":"${'x'.repeat(870)}"}}`
const headers = {
  'Content-Type': 'application/json',
  'User-Agent': 'Service-Webhooks/1.0',
  'X-Service-Event': 'order.created',
  'X-Service-Delivery-Id': 'whk_01kbg6m3a2f4mvh0q7c5d8e9ra.01kbg6m3a2f4mvh0q7c5d8e9ra:1:1767225600',
  'X-Service-Signature': `t=1767225600,v1=${'5e'.repeat(32)}`,
}

const path = '/whk_01kbg6m3a2f4mvh0q7c5d8e9ra'

/** Posts until `until`; one request at a time. */
function postOn(until: number, done: () => void): void {
  if (performance.now() >= until) done()
  else
    agent.dispatch(
      { origin, path, method: 'POST', headers, body },
      handler(() => postOn(until, done)),
    )
}

/** Posts to each host that is left; one at a time. */
function postEach(left: Iterator<number>, done: () => void): void {
  const { value, done: none } = left.next()
  if (none) return void done()
  const client = new Client(`http://${hostOf(value)}:${port}`)
  client.dispatch(
    { path, method: 'POST', headers, body },
    handler(() => {
      client.destroy(null, () => {})
      postEach(left, done)
    }),
  )
}

const handler = (onResponseEnd: () => void) => ({
  onRequestStart: () => {},
  onResponseStart: () => {},
  onResponseData: () => {},
  onResponseEnd,
  onResponseError(_controller: unknown, error: Error) {
    throw error
  },
})

process.on('message', async (asked: BaselineLoad) => {
  const until = performance.now() + ('ms' in asked ? asked.ms : 0)
  const left = Array.from({ length: 'hosts' in asked ? asked.hosts : 0 }, (_, i) => i).values()
  const one = (done: () => void): void => ('ms' in asked ? postOn(until, done) : postEach(left, done))
  await Promise.all(Array.from({ length: connections }, () => new Promise<void>(one)))
  process.send?.('done')
})
process.on('disconnect', () => process.exit())
process.send?.({ ready: true })
