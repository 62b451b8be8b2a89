// A local receiver: verifies each delivery, as any receiver should, and hands it on to be shown.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { OperatorError } from '../errors.ts'
import { verifyWebhook } from '../outbound/sign.ts'

export interface Received {
  type: string
  deliveryId: string
  /** Undefined if there is no secret to verify with. */
  verified: boolean | undefined
  /** The raw body. */
  body: string
}

export interface ReceiverOptions {
  /** 0: any free port. */
  port: number
  /** Asked at each delivery: the demo learns its secret after it listens. */
  secret: () => string | undefined
  onEvent: (event: Received) => void
}

/** Answers 204, or 401 to a wrong signature, 405 to anything but POST. Listens on loopback alone. */
export async function startReceiver({ port, secret, onEvent }: ReceiverOptions): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405, { Allow: 'POST' }).end()
    const body = await wholeBody(request)
    // The sender has closed the connection, so no answer can be sent.
    if (!body) return
    const header = (name: string): string => String(request.headers[name] ?? '')
    const key = secret()
    const verified = key === undefined ? undefined : verifyWebhook(key, header('x-service-signature'), body, Date.now() / 1000)
    onEvent({ type: header('x-service-event'), deliveryId: header('x-service-delivery-id'), verified, body: body.toString() })
    response.writeHead(verified === false ? 401 : 204).end()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', error => {
      const taken = (error as { code?: string }).code === 'EADDRINUSE'
      reject(taken ? new OperatorError(`Port ${port} is in use; choose another with --port.`) : error)
    })
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function wholeBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks)
  } catch {
    return undefined
  }
}
