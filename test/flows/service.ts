// An app's service: answers each request as told, and keeps what it was asked.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

export interface Service {
  origin: string
  requests: { key: string; body: unknown }[]
  /** Answers wait for this. */
  hold: Promise<void>
}

export async function startService(answer: () => { status: number; body?: unknown }): Promise<Service> {
  const service: Service = { origin: '', requests: [], hold: Promise.resolve() }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    service.requests.push({ key: String(request.headers['idempotency-key']), body: JSON.parse(Buffer.concat(chunks).toString()) })
    await service.hold
    const { status, body } = answer()
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body ?? null))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  service.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return service
}
