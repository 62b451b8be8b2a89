// The limit of deliveries: undici posting the same bytes to the same receiver, as fast as it can. No database, no signing, no log.
import { Agent } from 'undici'

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

/** Posts until `until`; one request at a time. */
function postOn(until: number, done: () => void): void {
  if (performance.now() >= until) {
    done()
    return
  }
  agent.dispatch(
    { origin, path: '/whk_01kbg6m3a2f4mvh0q7c5d8e9ra', method: 'POST', headers, body },
    {
      onRequestStart: () => {},
      onResponseStart: () => {},
      onResponseData: () => {},
      onResponseEnd: () => postOn(until, done),
      onResponseError(_controller, error) {
        throw error
      },
    },
  )
}

process.on('message', async (ms: number) => {
  const until = performance.now() + ms
  await Promise.all(Array.from({ length: connections }, () => new Promise<void>(resolve => postOn(until, resolve))))
  process.send?.('done')
})
process.on('disconnect', () => process.exit())
process.send?.({ ready: true })
