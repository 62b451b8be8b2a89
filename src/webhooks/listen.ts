// A local receiver: verifies each delivery, as any receiver should, and hands it on to be shown.
import { OperatorError } from '../errors.ts'
import { type Loopback, listenOnLoopback, wholeBody } from '../loopback.ts'
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
export async function startReceiver({ port, secret, onEvent }: ReceiverOptions): Promise<Loopback> {
  return listenOnLoopback(port, async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405, { Allow: 'POST' }).end()
    const body = await wholeBody(request)
    // The sender has closed the connection, so no answer can be sent.
    if (!body) return
    const header = (name: string): string => String(request.headers[name] ?? '')
    const key = secret()
    const verified = key === undefined ? undefined : verifyWebhook(key, header('x-service-signature'), body, Date.now() / 1000)
    onEvent({ type: header('x-service-event'), deliveryId: header('x-service-delivery-id'), verified, body: body.toString() })
    response.writeHead(verified === false ? 401 : 204).end()
  }).catch(error => {
    throw (error as { code?: string }).code === 'EADDRINUSE'
      ? new OperatorError(`Port ${port} is in use; choose another with --port.`)
      : error
  })
}
